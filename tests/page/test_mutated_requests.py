"""Requests that are none, nearly one, or two at once: the page answers each, and none with 500."""

import asyncio
import random
import re

import pytest
from by_hand import add_files, served, told
from test_mended import opened

from firmware.services.page.logins import COOKIE, Logins

COUNT = 5000
SEED = 21
STATUSES = {200, 204, 400, 401, 403, 404, 405, 409, 411, 413}
_PIECES = (
    b"\x00", b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b":", b"%", b"%zz", b"%00",
    b"%ff", b"?%c3=%a9", b"%c3%a9", b"\xff", b"\xc3\xa9", b";", b"=", b"?", b"&", b"{", b'"',
    b"[" * 900, b"a" * 3000, b"9" * 20, b"-1",
    b"Host: other\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n",
    b" folded\r\n", b"HTTP/1.0", b"..", b"//", b"\\u0000", b"null", b"1e999", b"Cookie: ;=;;\r\n",
)  # fmt: skip


def seeds(cookie: str, csrf: str) -> list[bytes]:
    """What a browser says."""
    own = f"Origin: https://localhost\r\nX-Cylindre-Token: {csrf}\r\nCookie: {COOKIE}={cookie}\r\n"
    json = "Content-Type: application/json\r\n"
    asked = [
        "GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n",
        "GET /words.mjs?a=1&b=%20 HTTP/1.1\r\nHost: localhost:8443\r\n\r\n",
        "GET /events?edges=1 HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n",
        f"GET /api/me HTTP/1.1\r\nHost: localhost\r\nCookie: a=b; {COOKIE}={cookie}\r\n\r\n",
        f"HEAD /page.css HTTP/1.1\r\nHost: localhost\r\nCookie: {COOKIE}={cookie}\r\n\r\n",
        f"OPTIONS /api/login HTTP/1.1\r\nHost: localhost\r\n{own}\r\n",
    ]
    for path, body in (
        ("login", '{"name":"anna","pin":"275916"}'),
        ("first", '{"name":"anna","pin":"275916"}'),
        ("logout", "{}"),
        ("nothing", "[[],{}]"),
    ):
        head = f"POST /api/{path} HTTP/1.1\r\nHost: localhost\r\n{own}{json}"
        asked.append(f"{head}Content-Length: {len(body)}\r\n\r\n{body}")
    return [each.encode() for each in asked]


def mutated(drawn: random.Random, known: list[bytes]) -> bytes:
    """One of them, with some mistakes."""
    data = bytearray(drawn.choice(known))
    for _ in range(drawn.choice((1, 1, 2, 3, 8))):
        at = drawn.randrange(len(data) + 1)
        match drawn.randrange(7):
            case 0:
                data[at:at] = drawn.choice(_PIECES)
            case 1:
                data[at : at + drawn.choice((1, 2, 10, 100))] = b""
            case 2:
                data[at : at + 1] = bytes((drawn.randrange(256),))
            case 3:
                lines = bytes(data).split(b"\r\n")
                lines.insert(drawn.randrange(len(lines)), drawn.choice(lines))
                data = bytearray(b"\r\n".join(lines))
            case 4:
                lines = bytes(data).split(b"\r\n")
                drawn.shuffle(lines)
                data = bytearray(b"\r\n".join(lines))
            case 5:
                data[at:] = drawn.choice(known)[at:]
            case _:
                data = data.replace(b"\r\n", drawn.choice((b"\n", b"\r", b"\r\n ")), 1)
    return bytes(data)


def test_five_thousand_mutated_requests_are_answered_or_hung_up_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    drawn = random.Random(SEED)
    logins = Logins()
    server = served(logins)
    add_files(server)
    statuses: dict[int, int] = {}

    async def play() -> None:
        for at in range(COUNT):
            login = next(iter(logins.all()), None) or opened(logins)
            data = mutated(drawn, seeds(login.cookie, login.csrf))
            answer, _ = await told(server, data, f"10.0.{at // 250}.{at % 250}")
            if not answer:
                continue
            found = re.match(rb"HTTP/1\.1 (\d{3}) [^\r\n]+\r\n", answer)
            assert found, (data, answer)
            status = int(found[1])
            assert status in STATUSES, (data, answer)
            statuses[status] = statuses.get(status, 0) + 1
            head = data.partition(b"\r\n\r\n")[0]
            if status not in (400, 411):
                assert len(re.findall(rb"(?im)^host:", head)) == 1
                assert len(re.findall(rb"(?im)^content-length:", head)) <= 1
                assert not re.search(rb"[\x00\x1b]|(?<!\r)\n|\r(?!\n)|\n[ \t]", head)

    asyncio.run(play())
    assert sum(statuses.values()) > COUNT / 2
    assert min(statuses[each] for each in (200, 400, 401, 404)) > 20
    assert capfd.readouterr() == ("", "")
