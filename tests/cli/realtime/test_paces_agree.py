"""A virtual wheel that plays faster than real time plays the same."""

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import Meter, unless_stalled

from firmware.keys.folder import ensure_wheel
from tools.virtual.joined_line import JoinedLine

Start = Callable[..., "subprocess.Popen[str]"]
SEED = "4"  # at which 8 s of boule in real time have a number
PACES = (1, 5, 50)
STILL_S = 0.1  # of a second: then a wheel in real time may rightly play another coup
STORED_US = 5_000_000  # what a record may take on a busy machine
# What an edge or a deadline says, not the storage: a dish has no motor that could answer late.
SEEN = ("coup_started", "rotor_moving", "ball_in_track", "no_more_bets", "ball_dropped", "detected")


def played(start: Start, board: str, folder: Path) -> dict[int, list[dict[str, Any]]]:
    """The facts of one coup at each pace, side by side; times since the first."""
    for pace in PACES:
        ensure_wheel(folder / f"keys-{pace}")
    running = {
        pace: start(
            *("run", "--board", board, "--seed", SEED, "--coups", "1", "--pace", str(pace)),
            *("--journal", f"{pace}.db", "--keys", f"keys-{pace}", "--json"),
            stderr=subprocess.DEVNULL,
        )
        for pace in PACES
    }
    found = {}
    for pace, process in running.items():
        assert process.stdout is not None
        facts = [json.loads(line) for line in process.stdout]
        assert process.wait() == 0
        begun_us = facts[0]["t_us"]
        found[pace] = [fact | {"t_us": fact["t_us"] - begun_us} for fact in facts]
    return found


def test_a_dish_says_the_same_at_every_pace_to_the_microsecond(
    start: Start, tmp_path: Path
) -> None:
    with Meter() as meter:
        facts = played(start, "boule_ref", tmp_path)
    real, quick, quickest = (facts[pace] for pace in PACES)
    assert_alike(quick, quickest)
    assert events(quick)[-1] == "result"
    with unless_stalled(STILL_S, "a dish in real time", meter):
        assert_alike(quick, real)


def test_a_wheel_turns_throws_and_calls_in_the_same_order_at_every_pace(
    start: Start, tmp_path: Path
) -> None:
    """Its number may be another: in real time the motor is answered as fast as the machine can."""
    with Meter() as meter:
        facts = played(start, "roulette_ref", tmp_path)
    real, quick, quickest = (facts[pace] for pace in PACES)
    assert_alike(quick, quickest)
    assert events(quick)[-1] == "result"
    assert lead_us(quick) > 0
    with unless_stalled(STILL_S, "a wheel in real time", meter):
        assert events(real) == events(quick)
        assert lead_us(real) > 0


def events(facts: list[dict[str, Any]]) -> list[str]:
    """Their names, in order."""
    return [fact["event"] for fact in facts]


def assert_alike(some: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
    """Fact by fact; the stamp of what waits for the storage may be later."""
    for one, other in zip(some, others, strict=True):
        late_us = 0 if one["event"] in SEEN else STORED_US
        assert one | {"t_us": 0} == other | {"t_us": 0}
        assert abs(one["t_us"] - other["t_us"]) <= late_us, (one, other)


def lead_us(facts: list[dict[str, Any]]) -> int:
    """From the call to the drop."""
    at_us = {fact["event"]: fact["t_us"] for fact in facts}
    found: int = at_us["ball_dropped"] - at_us["no_more_bets"]
    return found


def test_a_display_of_a_quick_wheel_hears_it_all_the_time(
    start: Start, cylindre: Any, tmp_path: Path
) -> None:
    """By our time, in which a second of silence is a dash."""
    assert cylindre("provision", "keys", "--displays", "1").returncode == 0
    line, over = JoinedLine(), threading.Event()

    def carry() -> None:
        while not over.is_set():
            line.forward(0.05)

    carrier = threading.Thread(target=carry)
    carrier.start()
    try:
        display = start("display", "--port", line.ends[1], "--keys", "keys", "--json")
        with Meter() as meter:
            options = ("--board", "boule_ref", "--seed", SEED, "--coups", "3", "--pace", "20")
            run = start("run", *options, "--port", line.ends[0], "--keys", "keys", "--json")
            assert run.stdout is not None
            facts = [json.loads(fact) for fact in run.stdout]
            assert run.wait() == 0
        results = [fact for fact in facts if fact["event"] == "result"]
        assert display.stdout is not None
        shown: list[dict[str, Any]] = []
        for lit in map(json.loads, display.stdout):
            if lit["state"] == "STALE" and any(told["seq"] == len(results) for told in shown):
                break  # the controller has ended
            shown.append(lit)
    finally:
        over.set()
        carrier.join()
        line.close()
    assert [fact["seq"] for fact in results] == [1, 2, 3]
    heard = [lit["state"] for lit in shown]
    first = next(at for at, state in enumerate(heard) if state != "STALE")
    faults = [fact["code"] for fact in facts if fact["event"] == "fault"]
    with unless_stalled(STILL_S, "a display hears a quick wheel all the time", meter):
        assert "STALE" not in heard[first:]
        assert faults == []  # nor did the controller miss an answer of the display
    numbers = {lit["seq"]: lit["shown"] for lit in shown if lit["shown"] is not None}
    assert numbers == {fact["seq"]: fact["number"] for fact in results}


@pytest.mark.parametrize("board", ["roulette_ref", "boule_ref"])
def test_what_is_recorded_and_kept_at_a_pace_is_decided_again_as_it_was(
    cylindre: Any, board: str
) -> None:
    options = ("--board", board, "--seed", SEED, "--coups", "2", "--pace", "50")
    assert cylindre("run", *options, "--record", "kept", "--json").returncode == 0
    again = cylindre("replay", "kept")
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("number detected") == 2
