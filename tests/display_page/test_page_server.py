"""What the page's server answers, and whom: plain sockets, no browser."""

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, Waiting, until

from firmware.bus.receiver import Lit
from firmware.lib import scene_site
from firmware.services.display import server

PAGE = Path(server.__file__).with_name("page")
STREAM = Path(scene_site.__file__).with_name("stream")
FILES = sorted(path.name for folder in (PAGE, STREAM) for path in folder.iterdir())


class Client:
    """One connection to the page's server."""

    def __init__(self, stand: Any) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(LAST_RESORT_S)
        self.socket.connect(("127.0.0.1", int(stand.address.rsplit(":", 1)[1].strip("/"))))
        self.heard = b""

    def ask(self, path: str, *, method: str = "GET", host: str = "127.0.0.1:8037") -> "Client":
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return self

    def all(self) -> tuple[int, str, str]:
        """Status, head and body of an answer that ends."""
        while data := self.socket.recv(65536):
            self.heard += data
        head, _, body = self.heard.decode().partition("\r\n\r\n")
        return int(head.split()[1]), head, body

    def events(self, count: int) -> list[tuple[str, Any]]:
        """The first so many events of a stream, by name."""
        while len(found := re.findall(rb"event: (\w+)\ndata: (.*)\n\n", self.heard)) < count:
            data = self.socket.recv(65536)
            assert data, self.heard
            self.heard += data
        return [(name.decode(), json.loads(text)) for name, text in found]

    def is_hung_up(self) -> bool:
        try:
            return not self.socket.recv(65536)
        except ConnectionResetError:
            return True


@pytest.fixture
def client(stand: Any) -> Iterator[Callable[[], Client]]:
    made: list[Client] = []

    def connect() -> Client:
        made.append(Client(stand))
        return made[-1]

    yield connect
    for one in made:
        one.socket.close()


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/nothing"), ("POST", "/"), ("OPTIONS", "/"), ("HEAD", "/")]
)
def test_every_answer_says_what_a_page_may_load_refusals_too(
    client: Any, method: str, path: str
) -> None:
    _, head, _ = client().ask(path, method=method).all()
    assert "Content-Security-Policy: default-src 'none'" in head
    assert "X-Content-Type-Options: nosniff" in head


@pytest.mark.parametrize("host", ["127.0.0.1:8037", "localhost:8037", "127.0.0.1", "localhost"])
def test_the_page_is_served_to_this_machine(client: Any, host: str) -> None:
    status, head, body = client().ask("/", host=host).all()
    assert status == 200
    assert "text/html; charset=utf-8" in head
    assert body == (PAGE / "index.html").read_text()


@pytest.mark.parametrize("host", ["casino.example:8037", "127.0.0.1.example", "", "[::1]:8037"])
@pytest.mark.parametrize("path", ["/", "/events", "/page.mjs"])
def test_whoever_asks_by_another_name_is_refused(client: Any, host: str, path: str) -> None:
    status, _, body = client().ask(path, host=host).all()
    assert status == 403
    assert "coup" not in body


def test_the_server_is_bound_to_this_machine_alone(stand: Any) -> None:
    assert stand.address.startswith("http://127.0.0.1:")
    assert [one.getsockname()[0] for one in stand.server._server.sockets] == ["127.0.0.1"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_but_get_is_answered(client: Any, method: str) -> None:
    assert client().ask("/", method=method).all()[0] == 405


@pytest.mark.parametrize(
    "path", ["/server.py", "/../main.py", "/..%2fmain.py", "/page/index.html", "/%2e%2e/main.py"]
)
def test_nothing_but_the_page_is_served(client: Any, path: str) -> None:
    assert client().ask(path).all()[0] == 404


@pytest.mark.parametrize("name", FILES)
def test_every_file_goes_out_protected_and_asks_for_nothing_outside(client: Any, name: str) -> None:
    status, head, body = client().ask(f"/{name}").all()
    assert status == 200
    policy = re.search(r"Content-Security-Policy: (.*)\r\n", head)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "unsafe" not in policy[1]
    assert "X-Content-Type-Options: nosniff" in head
    for address in re.findall(r"https?://[^\s\"')]+", body):
        assert address == "http://www.w3.org/2000/svg"  # a name, not a place
    assert not re.search(r"\bon\w+=|<style|style=", body)


@pytest.mark.parametrize(
    "said",
    [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\nnonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
        b"\xff\xfe / HTTP/1.1\r\n\r\n",
    ],
)
def test_who_does_not_speak_http_is_told_so_and_hung_up_on(
    client: Any, capfd: pytest.CaptureFixture[str], said: bytes
) -> None:
    one = client()
    one.socket.sendall(said)
    status, _, body = one.all()
    assert status == 400
    assert "html" not in body
    assert capfd.readouterr() == ("", "")


def test_who_never_comes_to_an_end_is_hung_up_on_without_a_word(
    client: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    one = client()
    one.socket.sendall(b"GET /" + b"x" * 20_000)
    assert one.is_hung_up()
    assert capfd.readouterr() == ("", "")


def test_who_never_ends_a_request_is_hung_up_on(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_site, "REQUEST_S", 0.1)
    one = client()
    one.socket.sendall(b"GET / HTTP/1.1\r\n")
    assert one.is_hung_up()


def test_a_page_is_told_the_scene_and_that_it_still_stands(
    client: Any, stand: Any, lit: Callable[..., Lit]
) -> None:
    shown = lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=3, seq=3)
    stand.show(shown)
    until(lambda: stand.server._scene is not None)
    page = client().ask("/events")
    (first, hello), (second, scene), (third, beat) = page.events(3)[:3]
    assert (first, second, third) == ("hello", "scene", "beat")
    assert scene["scene"]["number"] == 17
    assert scene["t_ms"] <= beat["t_ms"]
    assert abs(hello["t_ms"] - scene["t_ms"]) < 60_000
    stand.show(lit(state="DETECTED", game="roulette", coup=4, seq=3))
    count = len(page.events(3))
    while page.events(count)[-1][0] != "scene":
        count += 1
    told = page.events(count)[-1][1]["scene"]
    assert (told["stage"], told["number"], told["chances"]) == ("DETECTED", None, [])
    assert "17" not in json.dumps(told)


def test_all_that_the_page_says_is_served_with_it(client: Any) -> None:
    status, head, body = client().ask("/words.mjs").all()
    assert (status, "text/javascript" in head) == (200, True)
    said = json.loads(body.removeprefix("export default ").removesuffix(";\n"))
    assert said["en"]["states"]["CONFIRMED"] == "the number"
    assert said["fr"]["states"]["CONFIRMED"] == "LE NUMÉRO"


def test_what_is_not_said_to_stand_any_more_is_told_with_the_time_it_last_did(
    client: Any, stand: Any, lit: Callable[..., Lit]
) -> None:
    """A bridge that was stopped wakes up with old numbers: its pages must know how old."""
    stand.show(lit(state="CONFIRMED", game="roulette", number=17, colour="black", coup=3, seq=3))
    until(lambda: stand.server._scene is not None)
    stand._standing.cancel()
    page = client().ask("/events")
    times = [told["t_ms"] for name, told in page.events(4) if name != "hello"]
    assert len(times) >= 3
    assert len(set(times)) == 1


def test_pages_have_a_limit_and_one_too_many_is_told_so(
    client: Any, stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_site, "PAGES_MAX", 2)
    pages = [client().ask("/events") for _ in range(2)]
    for page in pages:
        page.events(1)
    late = client().ask("/events")
    assert [name for name, _ in late.events(1)] == ["crowded"]
    assert late.is_hung_up()
    pages[0].socket.close()
    until(lambda: stand.server.pages == 1)
    assert client().ask("/events").events(1)[0][0] == "hello"


def test_connections_have_a_limit(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_site, "_CONNECTIONS_MAX", 1)
    page = client().ask("/events")
    page.events(1)
    assert client().is_hung_up()
    assert page.events(2)


def test_a_page_that_does_not_read_is_dropped_and_others_are_told_on(
    client: Any, stand: Any, lit: Callable[..., Lit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scene_site, "UNREAD_S", 0.2)
    reads, idle = client().ask("/events"), client().ask("/events")
    reads.events(1)
    idle.socket.recv(1)
    assert stand.server.pages == 2
    last = ((17, "black"),) * 20
    coup = 0
    with Waiting("who does not read to be dropped") as waiting:
        while stand.server.pages == 2:
            waiting.on()
            coup += 1
            stand.show(lit(state="BETS_OPEN", game="roulette", coup=coup, seq=20, history=last))
            while not any(told.get("scene", {}).get("coup") == coup for _, told in reads.events(1)):
                reads.events(len(reads.events(1)) + 1)
            reads.heard = b""
    assert stand.server.pages == 1


@pytest.mark.parametrize("turns", range(6))
def test_closing_hangs_up_also_on_who_is_just_being_let_in(turns: int) -> None:
    """At every turn of the loop between a browser's knock and the task that answers it."""

    async def open_and_close() -> list[socket.socket]:
        made = server.Server(lambda: 0)
        await made.start(0)
        port = int(made.address.rsplit(":", 1)[1].strip("/"))
        links = [socket.create_connection(("127.0.0.1", port), LAST_RESORT_S) for _ in range(3)]
        for _ in range(turns):
            await asyncio.sleep(0)
        await made.close()
        return links

    loop = asyncio.new_event_loop()  # not asyncio.run, which would tidy up behind the server
    links = loop.run_until_complete(open_and_close())
    loop.close()
    for link in links:
        with link, contextlib.suppress(ConnectionResetError):
            assert link.recv(1) == b""
