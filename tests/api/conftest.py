"""Lets the tests of this folder import what they share, and gives them a controller's sockets."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from service_bench import CONFIRMED, PINS, ROLES, Caller

from firmware.api.server import Service
from firmware.core.facts import CW, View
from firmware.keys import people as people_file
from firmware.keys.people import People
from firmware.lib.places import CONTROL

LINES = ("rim0", "enc_a", "btn_void")
OPEN = View("BALL_IN_TRACK", 3, 2, CW, None, None, None)


@pytest.fixture(scope="session")
def lines() -> bytes:
    """A file of people; to hash a PIN takes a while."""
    return b"".join(
        people_file.encode(people_file.enrol(name, ROLES[name], PINS[name])) for name in PINS
    )


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash that costs nothing, for the tests of delays."""
    monkeypatch.setattr(people_file, "_hash", lambda pin, n, r, p, salt: pin.encode().ljust(32))


@pytest.fixture
def people(tmp_path: Path, lines: bytes) -> Path:
    """Where it lies, for the service of the test."""
    path = tmp_path / "people.jsonl"
    path.write_bytes(lines)
    path.chmod(0o600)
    return path


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    people = People(tmp_path / "people.jsonl")
    found = Service(tmp_path, number_max=36, people=people, lines=LINES, croupiers=True)
    found.show_view(OPEN)
    yield found
    found.close()


@pytest.fixture
def wheel(service: Service, people: Path) -> Service:
    """A wheel with its people; between two coups."""
    service.show_view(CONFIRMED)
    return service


@pytest.fixture
def call(tmp_path: Path) -> Iterator[Any]:
    callers: list[Caller] = []

    def make(name: str = CONTROL) -> Caller:
        callers.append(Caller(tmp_path, name))
        return callers[-1]

    yield make
    for caller in callers:
        caller.close()
