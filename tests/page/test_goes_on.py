"""The page goes on: where a task of its own fails, where many come at once, where one leaves."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from patience import LAST_RESORT_S
from test_mended import PLACES, came, jobs, opened, question, wheel

from firmware.client.line import BUSY, Refused
from firmware.services.page import queries
from firmware.services.page import wheel as wheels
from firmware.services.page.certificate import Identity
from firmware.services.page.jobs import STEPS_MAX, Job
from firmware.services.page.logins import Logins
from firmware.services.page.queries import Reads
from firmware.services.page.server import Server
from firmware.services.page.viewers import VIEWERS_MAX, Viewer


def test_a_task_that_a_mistake_ends_begins_anew_and_ends_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = wheel(Logins())
    monkeypatch.setattr(wheels, "ANEW_S", 0.0)
    runs = []

    async def play() -> None:
        done = asyncio.Event()

        async def fails() -> None:
            runs.append("edges")
            if len(runs) == 3:
                done.set()
                await asyncio.Event().wait()
            raise KeyError("t_us")

        async def goes_on() -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(found.edges, "run", fails)
        monkeypatch.setattr(found.line, "run", goes_on)
        monkeypatch.setattr(found, "_watch", goes_on)
        running = asyncio.create_task(found.run())
        await asyncio.wait_for(done.wait(), LAST_RESORT_S)
        assert not running.done()
        running.cancel()

    asyncio.run(play())
    assert runs == ["edges"] * 3
    assert capsys.readouterr().err.count("KeyError: 't_us'") == 1  # told, and once


class Told:
    """A controller's line that answers `answer`, or refuses it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    async def ask(self, request: dict[str, Any], *_: Any) -> dict[str, Any]:
        self.asked.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return cast(dict[str, Any], self.answer)


def test_a_wheel_that_many_ask_is_not_gone() -> None:
    found = wheel(Logins())
    found.status = {"state": "BETS_OPEN"}
    found.line = cast(Any, Told(Refused(BUSY)))
    assert asyncio.run(found._look()) is False
    assert found.status == {"state": "BETS_OPEN"}


def test_a_controller_that_comes_back_keeps_nobodys_session_open() -> None:
    times_s = [0.0]
    logins = Logins(lambda: times_s[-1])
    anna = opened(logins, "anna", "technician")
    found = wheel(logins)
    told = Told({"status": {"state": "BETS_OPEN"}})
    found.line = cast(Any, told)
    for now_s in (600.0, 899.0):
        times_s.append(now_s)
        found.status = None
        asyncio.run(found._look())
    assert [request["do"] for request in told.asked] == ["status", "parts"] * 2
    assert logins.find(anna.cookie) is not None
    times_s.append(901.0)
    assert logins.find(anna.cookie) is None


def test_the_estimate_of_a_coup_whose_end_was_missed_is_nobodys_now() -> None:
    logins = Logins()
    found = wheel(logins)
    found._hear_edges(b'{"event":"estimate","coup":7,"drop_us":5}\n')
    found.status = {"coup": 8}
    late = Viewer(opened(logins).cookie, edges=False)
    found.add(late)
    assert "estimate" not in came(late)


def test_of_forty_who_open_the_page_at_once_no_more_are_let_in_than_there_is_room_for() -> None:
    logins = Logins()
    found = wheel(logins)
    server = Server(found, logins, Identity(cast(Any, None), "", ()))

    async def play() -> list[bytes]:
        asked = cast(Any, SimpleNamespace(cookies={}, args={}))
        streams = [server._stream(asked) for _ in range(40)]
        first = [await anext(stream) for stream in streams]  # and none has taken more yet
        assert len(found.viewers) == VIEWERS_MAX
        for stream in streams:
            await stream.aclose()
        return first

    first = asyncio.run(play())
    assert sum(b"event: hello" in each for each in first) == VIEWERS_MAX
    assert sum(b"event: crowded" in each for each in first) == 40 - VIEWERS_MAX
    assert len(found.viewers) == 0


def test_an_export_waits_for_its_turn_as_whoever_reads_the_journal() -> None:
    free = []

    def vcd(*_: int) -> str:
        free.append(queries._READERS._value)
        return "$end"

    kept = SimpleNamespace(whole_us=0, copy=lambda: SimpleNamespace(vcd=vcd))
    board = cast(Any, SimpleNamespace(board={"name": "wheel"}))
    asked = Reads(cast(Any, SimpleNamespace(kept=kept)), board, PLACES, {})
    weber = question(opened(Logins()))
    asyncio.run(asked._vcd(weber))
    assert free == [queries._READERS._value - 1]


# --- jobs -----------------------------------------------------------------------------------------
def test_a_job_that_says_too_much_ends_for_the_pages_too() -> None:
    told: list[Any] = []
    job = Job("selftest", opened(Logins()), told.append)
    for _ in range(STEPS_MAX + 5):
        job.add_step({"kind": "tell", "text": "again"})
    assert len(job.steps) == STEPS_MAX
    job.state = "failed"
    job.add_step({"kind": "end", "state": "failed", "text": ""})
    assert (told[-1]["step"]["kind"], told[-1]["step"]["n"]) == ("end", STEPS_MAX)


@pytest.mark.parametrize(("who", "written"), [("klein", 1), ("weber", 0)])
def test_who_stops_anothers_job_stands_in_the_journal(who: str, written: int) -> None:
    logins = Logins()
    found, job = jobs(opened(logins))
    answering = cast(Any, found._wheel)
    asyncio.run(found._stop(question(opened(logins, who))))
    assert job.stopped.is_set()
    acts = [json.dumps(request) for request in answering.asked]
    assert len(acts) == written
    assert all("stopped that of weber" in act for act in acts)
