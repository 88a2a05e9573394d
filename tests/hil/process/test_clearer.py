"""A lock of a controller in another process is cleared, where it can be asked."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

from tools.hil.places.process import PtyMedium
from tools.hil.scenario import Scenario
from tools.hil.stage.people import ANSWER_US, CLEAR_US, Clearer
from tools.hil.stage.processes import StageProcesses

LOCKED = {"event": "fault", "code": "M12"}
ASKED = b'{"do":"clear"}\n'
DONE, REFUSED = b'{"ok":true,"do":"clear"}\n', b'{"error":"still moving"}\n'
FACT = b'{"event":"fault","code":"M12"}\n'


@contextmanager
def controller(control: Path) -> Iterator[socket.socket]:
    """One that listens there."""
    control.parent.mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(control))
        server.listen()
        server.settimeout(LAST_RESORT_S)
        yield server


def answered(server: socket.socket, *answers: bytes) -> bytes:
    """What it hears, and then says."""
    client, _ = server.accept()
    with client:
        heard = client.recv(100)
        for answer in answers:
            client.sendall(answer)
    return heard


@pytest.fixture
def control(tmp_path: Path) -> Path:
    return tmp_path / "s" / "control"


def test_a_lock_is_cleared_some_seconds_after_it_was_told(control: Path) -> None:
    clearer = Clearer(control)
    clearer.read_fact(LOCKED, 1_000)
    clearer.step(1_000 + CLEAR_US - 1)
    clearer.step(1_000 + CLEAR_US)  # nobody is there yet: it is asked again
    with controller(control) as server:
        clearer.step(1_000 + 2 * CLEAR_US)
        assert answered(server, DONE) == ASKED
        clearer.step(1_000 + 2 * CLEAR_US + 1)
        clearer.step(1_000 + 9 * CLEAR_US)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # it was done: nobody asks any more
            server.accept()


def test_who_is_refused_asks_again(control: Path) -> None:
    clearer = Clearer(control)
    clearer.read_fact(LOCKED, 0)
    with controller(control) as server:
        clearer.step(CLEAR_US)
        assert answered(server, FACT, REFUSED) == ASKED
        clearer.step(CLEAR_US + 1)
        clearer.step(2 * CLEAR_US + 1)
        assert answered(server, DONE) == ASKED
    clearer.close()


def test_a_slow_answer_is_waited_for_and_none_is_asked_again(control: Path) -> None:
    clearer = Clearer(control)
    clearer.read_fact(LOCKED, 0)
    with controller(control) as server:
        clearer.step(CLEAR_US)
        slow, _ = server.accept()
        clearer.step(CLEAR_US + ANSWER_US - 1)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
        slow.sendall(FACT + DONE[:5])
        clearer.step(CLEAR_US + ANSWER_US - 1)
        clearer.step(CLEAR_US + ANSWER_US)  # half an answer is none
        server.settimeout(LAST_RESORT_S)
        assert answered(server, DONE) == ASKED
        slow.close()
    clearer.close()


def test_it_is_asked_where_a_controller_listens(tmp_path: Path) -> None:
    medium = PtyMedium()
    processes = StageProcesses(Scenario("t", "t", "boule", coups=1), medium, tmp_path, displays=0)
    medium.close()
    assert processes.control == tmp_path / "s" / "cylindre.sock"
