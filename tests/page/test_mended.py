"""What the page tells whom, and what one person's end does to others: in one process, no sockets
but the controller's."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from patience import LAST_RESORT_S

from firmware.api import guarded
from firmware.client.line import Refused
from firmware.lib.errors import Failure
from firmware.services.page import edges, queries, viewers
from firmware.services.page.actions import Acts
from firmware.services.page.edges import Kept
from firmware.services.page.jobs import Job, Jobs, Stopped
from firmware.services.page.logins import Login, Logins
from firmware.services.page.queries import Places, Reads
from firmware.services.page.server import Question
from firmware.services.page.viewers import VIEWERS_MAX, Viewer, Viewers
from firmware.services.page.wheel import Wheel
from tools.technician.page_providers import PROVIDERS, run_job

PLACES = Places(*[Path("nowhere")] * 4)


def opened(logins: Logins, name: str = "weber", role: str = "supervisor") -> Login:
    told = {"session": f"of {name}", "name": name, "role": role, "idle_s": 900, "most_s": 28800}
    return logins.open(told)


def wheel(logins: Logins, folder: Path = Path("nowhere")) -> Wheel:
    return Wheel(folder, logins, lambda: None)


def came(viewer: Viewer) -> str:
    """All that waits for a page."""
    return b"".join(viewer._waiting).decode()


def question(login: Login | None, body: Any = None) -> Question:
    return Question(cast(Any, SimpleNamespace(json=body, args={})), login)


def refused(answer: Awaitable[Any]) -> str:
    with pytest.raises(Refused) as caught:
        asyncio.run(cast(Any, answer))
    return caught.value.error["code"]


# --- who is told what -----------------------------------------------------------------------------
def both(found: Wheel, logins: Logins) -> tuple[Viewer, Viewer]:
    """Somebody who is logged in, and nobody."""
    viewers = Viewer(opened(logins).cookie, edges=False), Viewer(None, edges=False)
    for viewer in viewers:
        found.viewers.add(viewer)
    return viewers


@pytest.mark.parametrize("code", ["C11", "W51", "W52", "W53", "L10", "L12", "P10", "P12", "H10"])
def test_what_a_fault_says_of_the_ball_or_of_a_name_is_for_those_who_are_logged_in(
    code: str,
) -> None:
    logins = Logins()
    found = wheel(logins)
    own, other = both(found, logins)
    fact = {"event": "fault", "code": code, "text": f"{code}: near 120 deg, anna.", "t_us": 1}
    found._hear(fact)
    found._tell_public()
    late = Viewer(None, edges=False)
    found.add(late)
    assert "near 120 deg, anna" in came(own)
    for viewer in (other, late):
        assert f'"code":"{guarded.public_code(code)}"' in came(viewer)
        assert "120" not in came(viewer)
        assert "anna" not in came(viewer)


def test_who_comes_between_two_tellings_hears_of_a_drop_no_sooner_than_the_others() -> None:
    logins = Logins()
    found = wheel(logins)
    own, other = both(found, logins)
    found._hear({"event": "ball_dropped", "coup": 3, "t_us": 20_400_345})
    late = Viewer(None, edges=False)
    found.add(late)
    assert '"t_us":20400345' in came(own)
    assert "ball_dropped" not in came(other) + came(late)
    found._tell_public()
    for viewer in (other, late):
        assert '"t_us":20400000' in came(viewer)
        assert "20400345" not in came(viewer)


def test_how_the_call_stands_is_for_those_who_are_logged_in() -> None:
    logins = Logins()
    found = wheel(logins)
    found.status = {"state": "BETS_OPEN", "call": {"coups": 13, "lead_us": 900_000}}
    own, other = Viewer(opened(logins).cookie, edges=False), Viewer(None, edges=False)
    found.add(own)
    found.add(other)
    assert '"lead_us":900000' in came(own)
    assert '"state":"BETS_OPEN"' in came(other)
    assert "lead_us" not in came(other)


@pytest.mark.req("EN-5.6-2")
def test_faults_and_upkeep_predict_nothing_to_a_stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logins = Logins()
    found = wheel(logins)
    found.status = {"state": "BETS_OPEN", "call": {"why": "relearning"}}
    journal = tmp_path / "journal.db"
    journal.touch()
    asked = Reads(found, cast(Any, None), PLACES._replace(journal=journal), {})
    told = [
        {"coup": at, "code": code, "detail": detail, "at_s": None}
        for at in range(4)
        for code, detail in (("W53", "120"), ("L12", "300"), ("P12", "anna"), ("W21", "rim0"))
    ]
    monkeypatch.setattr(queries.history, "faults", lambda *_: told)
    monkeypatch.setattr(queries.history, "history", lambda *_: [])
    weber = opened(logins)
    for answer in (asked._faults, asked._upkeep):
        stranger = json.dumps(asyncio.run(answer(question(None))))
        known = json.dumps(asyncio.run(answer(question(weber))))
        assert "rim0" in stranger
        for secret in ("120", "300", "anna", "call_relearning"):
            assert secret not in stranger
        assert "120" in known
    assert "call_relearning" in known


def test_whose_throws_lead_to_like_numbers_is_for_supervisors_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logins = Logins()
    journal = tmp_path / "journal.db"
    journal.touch()
    asked = Reads(wheel(logins), cast(Any, None), PLACES._replace(journal=journal), {})
    told = [{"coup": 7, "code": "H13", "detail": "croupier 4", "at_s": None}]
    monkeypatch.setattr(queries.history, "faults", lambda *_: told)

    def heard(login: Login | None) -> str:
        return json.dumps(asyncio.run(asked._faults(question(login)))["told"])

    assert heard(None) == "[]"
    technicians = heard(opened(logins, "klein", "technician"))
    assert "H13" in technicians
    assert "croupier 4" not in technicians
    assert "croupier 4" in heard(opened(logins))


def test_the_estimate_waits_for_whoever_was_elsewhere() -> None:
    logins = Logins()
    found = wheel(logins)
    found._hear_edges(b'{"event":"estimate","coup":7,"drop_us":5}\n')
    late, stranger = Viewer(opened(logins).cookie, edges=False), Viewer(None, edges=True)
    found.add(late)
    found.add(stranger)
    assert '"drop_us":5' in came(late)
    assert "estimate" not in came(stranger)
    found._hear({"event": "coup_started", "coup": 8, "t_us": 9})
    later = Viewer(opened(logins, "klein").cookie, edges=False)
    found.add(later)
    assert "estimate" not in came(later)


def test_a_fact_of_a_card_table_is_told_and_the_croupiers_screen_is_his_alone() -> None:
    logins = Logins()
    found = wheel(logins)
    found._hear({"t_us": 5, "event": "card_dealt", "round": 1, "k": 4, "to": "d*", "card": None})
    found._hear({"t_us": 6, "event": "guide", "code": "decide", "seat": 1, "until_us": 9})
    found._hear({"t_us": 7, "event": "card_typed", "rank": "T", "suit": ""})
    found._tell_public()
    for cookie in (opened(logins).cookie, None):
        viewer = Viewer(cookie, edges=False)
        found.add(viewer)
        told = came(viewer)
        assert '"card_dealt"' in told
        assert "decide" not in told and "card_typed" not in told


# --- pages ----------------------------------------------------------------------------------------
def test_a_person_finds_room_where_strangers_have_opened_every_page() -> None:
    logins = Logins()
    found = Viewers(logins.find)
    strangers = [Viewer(None, edges=False) for _ in range(VIEWERS_MAX)]
    for viewer in strangers:
        found.add(viewer)
    assert not found.has_room(None)
    assert found.has_room(opened(logins).cookie)
    assert len(found) == VIEWERS_MAX - 1

    async def rest() -> list[bytes]:
        return [data async for data in strangers[0].stream()]

    assert asyncio.run(asyncio.wait_for(rest(), LAST_RESORT_S)) == []


def test_who_drains_slowly_is_hung_up_on_once_too_far_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(viewers, "STRANGERS_BEHIND_MAX", 1_000)
    monkeypatch.setattr(viewers, "PIECE_MAX", 100)
    viewer = Viewer(None, edges=False)

    async def read() -> int:
        pieces = 0
        viewer.send(b"x" * 100)
        async for _ in viewer.stream():
            pieces += 1
            for _ in range(3):  # it takes one while three come
                viewer.send(b"x" * 100)
            if pieces > 50:
                break
        return pieces

    assert asyncio.run(asyncio.wait_for(read(), LAST_RESORT_S)) < 10


def test_who_is_not_logged_in_is_sooner_too_far_behind() -> None:
    logins = Logins()
    found = wheel(logins)
    own, stranger = both(found, logins)
    piece = b"x" * (viewers.STRANGERS_BEHIND_MAX // 2)
    for _ in range(3):
        found.viewers.broadcast(piece, piece)
    assert (own.behind, stranger.behind) == (3 * len(piece), 0)


def test_what_waits_for_all_together_has_a_limit_and_the_furthest_behind_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(viewers, "ALL_BEHIND_MAX", 10_000)
    logins = Logins()
    found = Viewers(logins.find)
    there = [Viewer(opened(logins).cookie, edges=True) for _ in range(4)]
    for viewer in there:
        found.add(viewer)
    there[2].send(b"x" * 3_000)
    found.broadcast(b"x" * 1_500, None)
    assert [viewer.behind for viewer in there] == [1_500, 1_500, 4_500, 1_500]
    found.tell_those(b"x" * 1_000, edges=True)
    assert [viewer.behind for viewer in there] == [2_500, 2_500, 0, 2_500]


# --- edges ----------------------------------------------------------------------------------------
class Controller:
    """The edges' line of a controller: `sessions` it knows; each that listens can be ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sessions: set[str] = set()
        self.asked: list[str] = []
        self.writers: dict[str, asyncio.StreamWriter] = {}
        self.changed = asyncio.Event()

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = json.loads(await reader.readline())["session"]
        self.asked.append(session)
        self.writers[session] = writer
        if session in self.sessions:
            writer.write(b'{"ok":true,"do":"edges","lines":["rim0"],"levels":[0]}\n')
        else:
            writer.write(b'{"error":{"code":"no_session","text":"","remedy":""}}\n')
        self.changed.set()
        await reader.read()
        writer.close()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(LAST_RESORT_S):
            while not condition():
                self.changed.clear()
                await self.changed.wait()


@pytest.mark.parametrize("ended", [b'{"event":"session_ended"}\n', None])
def test_one_persons_end_leaves_the_others_their_oscilloscope(
    tmp_path: Path, ended: bytes | None
) -> None:
    """`ended`: what a session that is listened with is told; None: it had ended before."""

    async def play() -> None:
        controller = Controller(tmp_path)
        logins = Logins()
        found = wheel(logins, tmp_path)
        klein, weber = opened(logins, "klein"), opened(logins, "weber")
        controller.sessions = {weber.token} | ({klein.token} if ended else set())
        path = str(tmp_path / "cylindre.sock")
        server = await asyncio.start_unix_server(controller.attend, path)
        for login in (klein, weber):
            found.add(Viewer(login.cookie, edges=True))
        running = asyncio.create_task(found.edges.run())
        try:
            first = found._looking()
            assert first is not None
            if ended is None:
                controller.sessions = {weber.token}
            else:
                await controller.until(lambda: first in controller.asked)
                controller.writers[first].write(ended)
            await controller.until(lambda: weber.token in controller.asked)
            gone = klein if first == klein.token else weber
            if ended is not None or gone is klein:
                assert logins.find(gone.cookie) is None
        finally:
            running.cancel()
            server.close()
            for writer in controller.writers.values():
                writer.transport.abort()

    asyncio.run(play())


def test_edges_that_come_while_they_are_exported_disturb_no_export(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = Kept()
    frame = b'{"event":"edges","t_us":10,"held":false,"lost":0,"edges":[[5,0,1]]}\n'
    kept.add_line(b'{"ok":true,"do":"edges","lines":["rim0"],"levels":[0]}\n')
    kept.add_line(frame)
    kept.add_line(frame)
    whole = json.loads

    def busy(text: Any) -> Any:
        """Another comes whenever one is read."""
        if text == frame.rstrip():
            kept._frames.append(text)
        return whole(text)

    monkeypatch.setattr(edges, "json", SimpleNamespace(loads=busy, dumps=json.dumps))
    board = cast(Any, SimpleNamespace(board={"name": "wheel"}))
    asked = Reads(cast(Any, SimpleNamespace(kept=kept)), board, PLACES, {})

    class Numbers(Question):
        def number(self, key: str, low: int, high: int, usual: int | None = None) -> int | None:
            return usual

    response = asyncio.run(asked._vcd(Numbers(cast(Any, None), None)))
    assert b"rim0" in response.body


# --- jobs -----------------------------------------------------------------------------------------
def jobs(login: Login) -> tuple[Jobs, Job]:
    nowhere = Path("nowhere")
    found = Jobs(
        cast(Any, Answering()), cast(Any, None), cast(Any, None), nowhere, nowhere, run_job
    )
    job = Job("selftest", login, lambda told: None)
    found._job = job
    return found, job


def test_who_began_a_job_answers_it_at_another_login() -> None:
    logins = Logins()
    found, job = jobs(opened(logins))
    job._asked = 3
    again = opened(logins)
    asyncio.run(found._answered(question(again, {"n": 3, "yes": True})))
    assert job._answer is True
    klein = opened(logins, "klein")
    assert refused(found._answered(question(klein, {"n": 3, "yes": True}))) == "held"


def test_any_supervisor_stops_a_job_and_no_technician_does() -> None:
    logins = Logins()
    found, job = jobs(opened(logins))
    anna = opened(logins, "anna", "technician")
    assert refused(found._stop(question(anna))) == "wrong_role"
    assert not job.stopped.is_set()
    asyncio.run(found._stop(question(opened(logins, "klein"))))
    with pytest.raises(Stopped):
        job.check()
    job.check()  # what follows puts the wheel back


# --- acts -----------------------------------------------------------------------------------------
class Answering:
    """A wheel that answers what it is asked."""

    def __init__(self, holder: str | None = None) -> None:
        self.service = {"who": holder} if holder else None
        self.asked: list[Any] = []
        self.kept = 0

    async def ask(self, login: Login, request: dict[str, Any], **_: Any) -> dict[str, Any]:
        self.asked.append(request)
        return {"ok": True}

    async def keep(self, login: Login) -> dict[str, Any]:
        self.kept += 1
        return {"ok": True}


def test_to_take_the_wheel_over_leaves_it_out_of_play() -> None:
    found = Answering("klein")
    acts = Acts(cast(Any, found), PLACES, None, PROVIDERS)
    weber = opened(Logins())
    for on, take in ((False, True), (False, False), (True, False)):
        body = {"on": on, "why": "x", "take": take}
        assert refused(acts._service(question(weber, body))) == "held"
    asyncio.run(acts._service(question(weber, {"on": True, "why": "x", "take": True})))
    assert found.asked == [{"do": "service", "on": True, "why": "x"}]


def test_a_configuration_is_not_kept_waiting_behind_a_bundle(tmp_path: Path) -> None:
    acts = Acts(
        cast(Any, Answering()), PLACES._replace(config=tmp_path / "wheel.toml"), None, PROVIDERS
    )
    weber = opened(Logins())

    async def play() -> Any:
        await acts._ordering.acquire()
        body = {"text": '[wheel]\nboard = "roulette_ref"\n'}
        async with asyncio.timeout(LAST_RESORT_S):
            return await acts._apply(question(weber, body))

    assert refused(play()) == "busy"


class Sending:
    """A bundle that comes in pieces, or breaks off."""

    content_length = 3

    def __init__(self, *, breaks: bool = False) -> None:
        self.stream = self
        self.breaks = breaks

    async def read(self, count: int) -> bytes:
        if self.breaks:
            raise ConnectionResetError
        return b"x"


def test_a_slow_upload_keeps_its_session_and_one_that_breaks_off_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Answering()
    acts = Acts(cast(Any, found), PLACES, None, PROVIDERS)
    weber = opened(Logins())
    monkeypatch.setattr("firmware.services.page.actions._KEEP_S", 0.0)

    async def all_of(sending: Sending) -> list[bytes]:
        return [piece async for piece in acts._pieces(weber, sending)]

    assert asyncio.run(all_of(Sending())) == [b"x"] * 3
    assert found.kept == 3
    with pytest.raises(Failure, match="did not arrive whole"):
        asyncio.run(all_of(Sending(breaks=True)))


# --- reads ----------------------------------------------------------------------------------------
def test_without_a_journal_every_fault_has_its_remedy_and_nothing_is_past(tmp_path: Path) -> None:
    logins = Logins()
    asked = Reads(wheel(logins), cast(Any, None), PLACES, {})
    told = asyncio.run(asked._faults(question(None)))
    assert len(told["kinds"]) > 20
    assert told["told"] == []
    assert "unread" not in told
    assert asyncio.run(asked._upkeep(question(None))) == {"notices": []}
    path = tmp_path / "journal.db"
    path.write_bytes(b"no journal")
    asked = Reads(wheel(logins), cast(Any, None), PLACES._replace(journal=path), {})
    told = asyncio.run(asked._faults(question(None)))
    assert len(told["kinds"]) > 20
    assert told["unread"]


def test_ten_who_ask_have_the_journal_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []

    async def verified(places: Places) -> Any:
        runs.append(places)
        await asyncio.sleep(0)
        return {"intact": True}

    monkeypatch.setattr(queries, "_verified", verified)
    asked = Reads(cast(Any, None), cast(Any, None), PLACES, {})

    async def play() -> Any:
        return await asyncio.gather(*[asked._verify(question(None)) for _ in range(10)])

    assert asyncio.run(play()) == [{"intact": True}] * 10
    assert len(runs) == 1
    asyncio.run(play())
    assert len(runs) == 2
