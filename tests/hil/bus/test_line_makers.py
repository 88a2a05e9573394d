"""What the faults of the line do to single frames."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

import pytest

from tools.hil.faults.bus import Babbler, Cut, Delayed, Held, Replayed, Spoiled, Truncated
from tools.hil.faults.line_fault import CONTROLLER, LineFault, LineFrame, carried

FRAME = b"\0" + bytes(range(1, 101)) + b"\0"
HEARD = LineFrame(1_000_000, FRAME)


class Port:
    """A line of two displays on which nothing happens."""

    places = (CONTROLLER, 1, 2)

    def __init__(self) -> None:
        self.past: deque[bytes] = deque()


def fault(make: type[LineFault], **parameters: Any) -> LineFault:
    port: Any = Port()
    return make(port, parameters, Random(1))


def test_of_a_hundred_frames_as_many_are_spoiled_as_was_asked_for() -> None:
    spoiled = fault(Spoiled, frames_percent=20.0, how="one_bit")
    heard = [one for _ in range(1000) for one in spoiled.deliveries(CONTROLLER, 1, HEARD)]
    assert 150 < sum(one.data != FRAME for one in heard) < 250


@pytest.mark.parametrize("how", ["one_bit", "three_bits", "burst", "bytes_lost", "bytes_more"])
def test_a_spoiled_frame_is_another(how: str) -> None:
    (heard,) = fault(Spoiled, frames_percent=100.0, how=how).deliveries(CONTROLLER, 1, HEARD)
    assert heard.data != FRAME
    assert heard.at_us == HEARD.at_us


def test_a_converter_that_loses_the_end_lets_short_frames_through() -> None:
    short = fault(Truncated, size_bytes=50.0)
    assert list(short.deliveries(1, 2, HEARD)) == [LineFrame(HEARD.at_us, FRAME[:50])]
    assert list(short.deliveries(1, 2, LineFrame(0, FRAME[:40]))) == [LineFrame(0, FRAME[:40])]


def test_who_speaks_beside_a_babbler_is_not_understood() -> None:
    babbler = fault(Babbler)
    (heard,) = babbler.deliveries(1, CONTROLLER, HEARD)
    assert heard.data != FRAME
    assert len(heard.data) == len(FRAME)
    (noise,) = babbler.idle(2, 7, 5_000)
    assert len(noise.data) == 57  # what 5 ms hold at 115200 baud


@pytest.mark.parametrize(
    ("reads_as", "idle"), [("nothing", []), ("00", [bytes(57)]), ("FF", [b"\xff" * 57])]
)
def test_on_a_line_that_is_held_nobody_is_heard(reads_as: str, idle: list[bytes]) -> None:
    held = fault(Held, reads_as=reads_as)
    assert list(held.deliveries(CONTROLLER, 1, HEARD)) == []
    assert [heard.data for heard in held.idle(1, 7, 5_000)] == idle


@pytest.mark.parametrize(
    ("display", "way", "passes"),
    [
        ("all", "both", [(1, 2), (2, 1)]),
        ("1", "both", [(0, 2), (2, 0)]),
        ("1", "there", [(0, 2), (1, 0), (1, 2), (2, 0)]),
        ("1", "back", [(0, 1), (0, 2), (2, 0), (2, 1)]),
    ],
)
def test_a_cut_wire_parts_those_behind_it_from_the_others(
    display: str, way: str, passes: list[tuple[int, int]]
) -> None:
    cut = fault(Cut, display=display, way=way)
    ways = [(source, place) for source in Port.places for place in Port.places if source != place]
    assert [one for one in ways if list(cut.deliveries(*one, HEARD))] == passes


def test_what_is_delayed_comes_whole() -> None:
    delayed = fault(Delayed, delay_ms=60.0)
    assert list(delayed.deliveries(1, 0, HEARD)) == [LineFrame(HEARD.at_us + 60_000, FRAME)]


@pytest.mark.parametrize("instead", ["yes", "no"])
def test_the_recording_is_said_to_displays_alone_frame_by_frame(instead: str) -> None:
    replayed = fault(Replayed, instead=instead)
    replayed.line.past.extend([b"a", b"b"])  # type: ignore[attr-defined]
    replayed.begin_fault(0)
    replayed.line.past.append(b"c")  # type: ignore[attr-defined]
    said = [one.data for _ in range(3) for one in replayed.idle(1, 0, 5_000)]
    assert said == [b"a", b"b", b"a"]
    assert list(replayed.idle(CONTROLLER, 0, 5_000)) == []
    assert bool(list(replayed.deliveries(CONTROLLER, 1, HEARD))) == (instead == "no")


def test_a_frame_passes_all_faults_one_after_the_other() -> None:
    both = [fault(Truncated, size_bytes=10.0), fault(Delayed, delay_ms=1.0)]
    assert carried(both, CONTROLLER, 1, HEARD) == [LineFrame(HEARD.at_us + 1_000, FRAME[:10])]
    assert carried([*both, fault(Held, reads_as="00")], CONTROLLER, 1, HEARD) == []
