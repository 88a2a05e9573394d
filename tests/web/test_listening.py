"""Where a page cannot be served: which of its address and its port is wrong, and what to do."""

import asyncio
import socket
from typing import Any

import pytest
from microdot import Microdot

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import translated
from firmware.lib.web import Limits, Listener


@pytest.fixture(autouse=True)
def no_name_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the resolver of this machine answers to: it is never asked."""
    resolve = socket.getaddrinfo

    def numbers_alone(
        host: str, port: int, family: int = 0, kind: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        return resolve(host, port, family, kind, proto, flags | socket.AI_NUMERICHOST)

    monkeypatch.setattr(socket, "getaddrinfo", numbers_alone)


def refused(host: str, port: int) -> str:
    listener = Listener(Microdot(), lambda: Limits(1.0, 1.0, 1))
    with pytest.raises(Failure) as found:
        asyncio.run(listener.listen(host, port, "--port"))
    assert found.value.exit_code == FAILED
    return found.value.sentence


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("BAD.invalid", "nobody knows that address"),
        ("300.1.1.1", "nobody knows that address"),
        ("a" * 70, "nobody knows that address"),
        ("é..", "nobody knows that address"),
        ("192.0.2.1", "it is no address of this machine"),  # TEST-NET-1 of RFC 5737
    ],
)
def test_an_address_where_nobody_can_listen_is_named(host: str, why: str) -> None:
    said = refused(host, 0)
    assert said == (
        f"The page cannot be served at {host}: {why}."
        " Give an address of this machine, or 0.0.0.0 for all of them."
    )
    assert translated(said, "fr").startswith("La page ne peut pas être ")


def test_a_port_that_is_in_use_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("127.0.0.1", port)
    assert said.startswith(f"The page cannot be served on port {port}, which is in use")
    assert translated(said, "fr").startswith("La page ne peut pas être ")
