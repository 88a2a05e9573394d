"""How much one may ask and send: judged before anything is done or read, in one process."""

import asyncio
import json
import re
from typing import Any

import pytest
from by_hand import add_files, served, told
from test_mended import opened

from firmware.lib.admission import SHAKING, Guest, Places
from firmware.services.page import server as servers
from firmware.services.page.logins import COOKIE, DEVICE, Login, Logins
from firmware.services.page.server import (
    LIMITS,
    QUESTION,
    STRANGERS_AT_ONCE,
    STRANGERS_PINS_MAX,
    Question,
    Server,
)

AT_ONCE = int(STRANGERS_AT_ONCE / QUESTION)


@pytest.fixture
def logins() -> Logins:
    return Logins()


@pytest.fixture
def server(logins: Logins, monkeypatch: pytest.MonkeyPatch) -> Server:
    """One whose allowance does not come back while a test plays."""
    monkeypatch.setattr(servers, "STRANGERS_PER_S", 0.001)
    monkeypatch.setattr(servers, "PERSONS_PER_S", 0.001)
    return served(logins)


def request(path: str, *, login: Login | None = None, body: bytes | None = None) -> bytes:
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: localhost"]
    if login is not None:
        lines += [f"Cookie: {COOKIE}={login.cookie}", f"X-Cylindre-Token: {login.csrf}"]
    if body is not None:
        lines += ["Origin: https://localhost", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


def status(answer: bytes) -> int:
    return int(answer.split()[1])


def asked(server: Server, data: bytes, address: str = "10.0.0.7") -> bytes:
    return asyncio.run(told(server, data, address))[0]


def test_who_asks_too_much_is_told_when_to_ask_again_before_anything_is_done(
    server: Server,
) -> None:
    done = []

    async def search(asked: Question) -> Any:
        done.append(asked)
        return {}

    server.question("/api/search", search, anybody=True)
    statuses = [status(asked(server, request("/api/search"))) for _ in range(AT_ONCE + 5)]
    assert statuses == [200] * AT_ONCE + [429] * 5
    assert len(done) == AT_ONCE
    head, _, body = asked(server, request("/api/search")).decode().partition("\r\n\r\n")
    wait_s = int(re.findall(r"Retry-After: (\d+)", head)[0])
    error = json.loads(body)["error"]
    assert wait_s > 0
    assert error["text"].endswith(f"ask again in {wait_s} s.")
    assert f"{wait_s} s" in error["translations"]["fr"]["text"]
    assert error["translations"]["fr"]["text"] != error["text"]
    assert "nosniff" in head


def test_a_device_that_asks_too_much_takes_nothing_from_others_nor_from_a_person_there(
    server: Server, logins: Logins
) -> None:
    anna = opened(logins, "anna", "technician")
    while status(asked(server, request("/api/me"))) == 200:
        pass
    assert status(asked(server, request("/api/me"), "10.0.0.8")) == 200
    assert status(asked(server, request("/api/me", login=anna))) == 200


def test_a_person_who_asks_too_much_is_refused_at_each_device(
    server: Server, logins: Logins
) -> None:
    annas, weber = [opened(logins, "anna", "technician") for _ in range(5)], opened(logins)
    count = 0
    while status(asked(server, request("/api/me", login=annas[0]), f"10.0.0.{count % 250}")) == 200:
        count += 1
    assert count > AT_ONCE
    for anna in annas:
        assert status(asked(server, request("/api/me", login=anna))) == 429
    assert status(asked(server, request("/api/me", login=weber))) == 200


def test_pins_of_strangers_leave_places_at_the_controller_to_known_devices_and_to_persons(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred strangers, of whom none is answered; then the device of one who has logged in."""
    server._attempts.forget("10.0.0.7", "known")
    came: list[dict[str, Any]] = []
    may_end = asyncio.Event()

    async def ask(request: dict[str, Any]) -> dict[str, Any]:
        came.append(request)
        await may_end.wait()
        return {"device": "known", "session": "s", "name": "anna", "role": "technician",
                "idle_s": 60.0, "most_s": 60.0}  # fmt: skip

    monkeypatch.setattr(server._wheel.line, "ask", ask)
    monkeypatch.setattr(server._wheel.pins, "ask", ask)
    body = b'{"name":"anna","pin":"271828"}'

    def tried(path: str, at: int, device: str) -> Any:
        head = request(path, body=body).replace(
            b"Host:", f"X-Cylindre-Token: x\r\nCookie: {DEVICE}={device}\r\nHost:".encode()
        )
        return told(server, head, f"10.0.1.{at}")

    async def all_of_them() -> list[int]:
        paths = ("/api/login", "/api/first") * 50
        others = [tried(path, at, "unknown") for at, path in enumerate(paths)]
        tasks = [
            asyncio.ensure_future(each) for each in (*others, tried("/api/login", 101, "known"))
        ]
        while len(came) <= STRANGERS_PINS_MAX:
            await asyncio.sleep(0)
        assert came[-1]["device"] == "known"
        may_end.set()
        return [status(answer) for answer, _ in await asyncio.gather(*tasks)]

    statuses = asyncio.run(all_of_them())
    assert len(came) == STRANGERS_PINS_MAX + 1
    assert (statuses.count(409), statuses[-1]) == (100 - STRANGERS_PINS_MAX, 200)


def test_one_house_of_ipv6_has_one_allowance(server: Server) -> None:
    answers = [
        status(asked(server, request("/api/me"), f"fd00:1:2:3::{at + 1:x}"))
        for at in range(AT_ONCE + 1)
    ]
    assert answers == [200] * AT_ONCE + [429]


def test_whoever_has_gone_again_with_his_address_ends_nothing(server: Server) -> None:
    assert status(asked(server, request("/api/me"), "")) == 200


def test_the_page_can_be_opened_twenty_times_in_a_row(server: Server) -> None:
    """Its files, and what it asks first; by a device that nobody is logged in at."""
    add_files(server)
    files = list(server._files.bodies)
    for _ in range(20):
        answers = [status(asked(server, request(f"/{name}"))) for name in files]
        assert answers == [200] * len(files)
        for _ in range(5):
            assert status(asked(server, request("/api/me"))) == 200


def test_ten_people_behind_one_address_open_the_page_at_once(server: Server) -> None:
    """A browser opens six connections: none of them takes the place of another's."""
    places = Places(LIMITS.connections_max, LIMITS.address_max)
    guests = [Guest("10.0.0.7", at / 1000, SHAKING) for at in range(10 * 6)]
    assert [places.admit(guest, guest.since_s) for guest in guests] == [None] * len(guests)
    add_files(server)
    for _ in range(10):
        for name in (*server._files.bodies, *["api/me"] * 5):
            assert status(asked(server, request(f"/{name}"))) == 200


@pytest.mark.parametrize(("size", "answer"), [(2048, 403), (2049, 401), (400_000, 401)])
def test_nobody_who_is_not_logged_in_sends_more_than_two_kilobytes(
    server: Server, size: int, answer: int
) -> None:
    body = b'{"name":"' + b"a" * (size - 11) + b'"}'
    assert len(body) == size
    data, unread = asyncio.run(told(server, request("/api/login", body=body)))
    assert status(data) == answer  # 403: read, and without the page's token
    assert unread == max(0, size - 65_536) if size > 2048 else unread == 0


def test_whoever_is_logged_in_sends_a_whole_configuration(server: Server, logins: Logins) -> None:
    weber = opened(logins)
    taken = []

    async def check(asked: Question) -> Any:
        taken.extend(asked.body(text=str))
        return {}

    server.question("/api/config/check", check, post=True)
    body = json.dumps({"text": "#" * 15_000}).encode()
    assert status(asked(server, request("/api/config/check", login=weber, body=body))) == 200
    assert [len(each) for each in taken] == [15_000]


def test_bodies_that_are_held_together_have_a_limit(
    server: Server, logins: Logins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who send slowly, or are answered slowly; a third is told that the page is busy."""
    weber = opened(logins)
    going = asyncio.Event()

    async def slow(asked: Question) -> Any:
        await going.wait()
        return {}

    server.question("/api/slow", slow, post=True)
    body = json.dumps({"text": "#" * 10_000}).encode()
    data = request("/api/slow", login=weber, body=body)
    monkeypatch.setattr("by_hand.LIMITS", LIMITS._replace(held_max=2 * len(body)))

    async def play() -> list[int]:
        first = [asyncio.create_task(told(server, data)) for _ in range(2)]
        for _ in range(20):
            await asyncio.sleep(0)
        third, _ = await told(server, data)
        stranger, _ = await told(server, request("/api/me"))
        going.set()
        answers = [each[0] for each in await asyncio.gather(*first)]
        last, _ = await told(server, data)
        return [status(each) for each in (third, stranger, *answers, last)]

    assert asyncio.run(play()) == [503, 200, 200, 200, 200]
    assert server._held.size == 0


def test_answers_that_are_held_together_have_a_limit_and_files_are_none_of_them(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def much(asked: Question) -> Any:
        return {"much": "#" * 40_000}

    server.question("/api/much", much, anybody=True)
    add_files(server)
    monkeypatch.setattr("by_hand.LIMITS", LIMITS._replace(strangers_held_max=30_000))
    assert status(asked(server, request("/api/much"))) == 503
    assert status(asked(server, request("/vendor/uPlot.esm.js"))) == 200
    assert server._held_for_strangers.size == 0


def test_what_was_done_is_told_however_much_is_held(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("by_hand.LIMITS", LIMITS._replace(strangers_held_max=0))
    assert status(asked(server, request("/api/me"))) == 200


@pytest.mark.parametrize("more", ["Host: localhost", "Content-Length: 2\r\nContent-Length: 2"])
def test_two_headers_of_which_one_counts_are_refused(server: Server, more: str) -> None:
    data = request("/api/me").removesuffix(b"\r\n") + f"{more}\r\n\r\n".encode()
    assert status(asked(server, data)) == 400
