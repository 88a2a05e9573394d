"""Who may ask the guide's server what: plain connections, no browser."""

from __future__ import annotations

import http.client
import json
import os
import socket
from typing import Any

import pytest
from guide_cases import deciding
from patience import until

from firmware.lib.peer_user import user_of
from firmware.services.guide import server

REFUSED = 0  # answered, and not done


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 200),
        ({"origin": "http://casino.example"}, 403),
        ({"origin": None}, 403),
        ({"token": "guessed"}, 403),
        ({"token": None}, 403),
        ({"host": "casino.example:8038"}, 403),
        ({"body": '{"key":"stand","n":1,"n2":1}'}, 400),
        ({"body": '{"key":"stand","n":"1"}'}, 400),
        ({"body": "[" * 500}, 400),
        ({"body": '{"key":"start","n":N}'}, REFUSED),
        ({"body": '{"key":"nothing","n":N}'}, REFUSED),
        ({"body": '{"key":"stand","n":0}'}, REFUSED),
    ],
)
def test_nothing_but_the_page_of_this_start_presses_a_key(
    table: Any, guide: Any, change: dict[str, Any], status: int
) -> None:
    place = table()
    deciding(place)
    stand = guide(place)
    until(lambda: stand.scene["stage"] == "table")
    own = f"127.0.0.1:{stand.server.port}"
    host = change.get("host", own)
    headers = {"Host": host, "Content-Type": "application/json"}
    if (origin := change.get("origin", f"http://{host}")) is not None:
        headers["Origin"] = origin
    if (token := change.get("token", stand.server.token)) is not None:
        headers["X-Cylindre-Token"] = token
    line = http.client.HTTPConnection("127.0.0.1", stand.server.port)
    body = change.get("body", '{"key":"stand","n":N}').replace("N", str(stand.scene["n"]))
    line.request("POST", "/key", body, headers, encode_chunked=False)
    answer = line.getresponse()
    told = answer.read()
    line.close()
    assert answer.status == (status or 200), told
    if status == 200:
        assert json.loads(told) == {"ok": True}
        until(lambda: place.pressed == ["stand"])
    else:
        assert place.pressed == []
    if status in (400, REFUSED):
        says = json.loads(told)["say"]
        assert says["en"] != says["fr"] and says["en"].endswith(".")


def test_the_token_is_another_at_each_start(table: Any, guide: Any) -> None:
    place = table()
    assert guide(place).server.token != guide(place).server.token


@pytest.mark.parametrize("user", [12_345, None])
@pytest.mark.parametrize("path", ["/", "/events", "/token.mjs", "/words.mjs"])
def test_another_users_program_is_told_nothing(
    table: Any, guide: Any, monkeypatch: pytest.MonkeyPatch, path: str, user: int | None
) -> None:
    """Nor one whose user the kernel does not say."""
    stand = guide(table())
    monkeypatch.setattr(server, "user_of", lambda *_: user)
    line = http.client.HTTPConnection("127.0.0.1", stand.server.port)
    line.request("GET", path)
    answer = line.getresponse()
    assert answer.status == 403  # else it may be a stream without an end
    assert answer.read() == b"This page is another user's."
    line.close()


@pytest.mark.parametrize(
    ("family", "named"),
    [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::ffff:127.0.0.1")],
    ids=["ipv4", "mapped"],
)
def test_the_kernel_knows_whose_program_is_at_the_other_end(
    family: socket.AddressFamily, named: str
) -> None:
    """Also of a socket of IPv6: to whoever listens it looks like one of IPv4."""
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(family) as caller:
        own = listener.getsockname()
        caller.connect((named, own[1]))
        accepted, address = listener.accept()
        accepted.close()
        assert user_of(address, own) == os.geteuid()


def test_nobody_is_at_the_end_of_what_is_no_connection() -> None:
    assert user_of(("127.0.0.1", 1), ("127.0.0.1", 2)) is None
