"""What the guide makes of a controller's lines as they come: at once, anew, of another version."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from guide_cases import deciding
from patience import until

from firmware.core.cards import facts
from firmware.lib.places import CONTROL
from firmware.services.guide import words

Lines = list[dict[str, Any]]


def due(code: str, **more: Any) -> dict[str, Any]:
    return {"t_us": 1, "event": "guide", "code": code, "seen": 0, "until_us": None, **more}


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Callable[[Lines, Lines], Any]]:
    """Makes a socket whose answer to `guide` has some events, and others right behind it."""
    made: list[socketserver.ThreadingUnixStreamServer] = []

    def make(stands: Lines, behind: Lines) -> Any:
        status = {"status": {"game": "blackjack", "loop_age_ms": 0}}

        class Answers(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                for line in self.rfile:
                    is_guide = json.loads(line)["do"] == "guide"
                    told = [{"t_us": 1, "events": stands}, *behind] if is_guide else [status]
                    self.wfile.write(b"".join(json.dumps(one).encode() + b"\n" for one in told))

        server = socketserver.ThreadingUnixStreamServer(str(tmp_path / CONTROL), Answers)
        server.daemon_threads = True
        made.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        return SimpleNamespace(folder=tmp_path)

    yield make
    for each in made:
        each.shutdown()
        each.server_close()


def test_what_comes_right_behind_the_answer_is_not_lost(controller: Any, guide: Any) -> None:
    """One read has both: the answer that the guide waits for, and what is due since."""
    stand = guide(controller([due(facts.LOAD)], [due(facts.NEXT)]))
    scene = until(lambda: stand.scene if stand.scene["stage"] == "table" else None, "a scene")
    assert scene["code"] == facts.NEXT


def test_a_controller_of_another_version_is_one_sentence(controller: Any, guide: Any) -> None:
    odd = {"event": "card_view", "state": "DEALING", "round": 1, "hands": [["P", ["?"]]]}
    for stands, behind in (
        ([due("shuffle")], []),
        ([due(facts.HELD, why="magnets", to="P", ways=[], failures=0)], []),
        ([due(facts.LOAD), odd | {"points": []}], []),
        ([due(facts.LOAD)], [{"event": "card_dealt"}]),
    ):
        place = controller(stands, behind)
        stand = guide(place)
        until(lambda one=stand: one.scene["stage"] == "gone", "a sentence")
        assert stand.scene["say"]["en"]["due"] == words.OTHER_VERSION
        assert not stand._running.done()
        (place.folder / CONTROL).unlink()


def test_no_number_of_what_is_due_comes_twice(table: Any, guide: Any) -> None:
    """A page stays open while its controller goes and comes: what it saw before is never now."""
    place = table()
    deciding(place)
    stand = guide(place)
    for _ in range(3):
        until(lambda: stand.scene["stage"] == "table")
        place.leave_sockets()
        until(lambda: stand.scene["stage"] == "gone")
        place.come_back()
    until(lambda: stand.scene["stage"] == "table")
    numbers = [scene.get("n") for scene in stand.scenes]
    parts = [n for at, n in enumerate(numbers) if n and (at == 0 or numbers[at - 1] is None)]
    assert len(parts) >= 4
    assert parts == sorted(set(parts))
