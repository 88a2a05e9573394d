"""Runs one row of the matrix: episode after episode, until so many frames were at fault.

An episode: the fault, while coup after coup is played; its end; and then, with the table held as it
is, the time until every display lights all that the controller says.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from tools.busfaults.oracle import FRESH_US, Findings
from tools.busfaults.rows import WHOLE, Row
from tools.busfaults.world import SECOND_US, Maker, Screen, World

CONVERGE_US = 2 * SECOND_US
SETTLED_US = FRESH_US + 100_000
# Each record that one lacks is sent once more, beside the talk: twenty take a few seconds.
CATCH_UP_US = 10 * SECOND_US
# The displays boot, and learn the last twenty outcomes, before the first fault.
_START_US = 5 * SECOND_US
# After it has converged nothing may go wrong again while the table is as it was.
_CALM_US = 300_000
# What the controller may say of displays (firmware/core/faults.py): play goes on.
NOTICES = ("B11", "B12", "B13", "B14")


class Outcome(NamedTuple):
    """What a row has found; times in milliseconds."""

    row: str
    seed: int
    frames: int
    wrong: int
    old: int
    blank_ms: float
    converge_ms: float
    complaints: tuple[str, ...]
    # Kinds of message of which every single bit was turned (row flip-1).
    kinds: tuple[int, ...]
    episodes: int

    @property
    def is_sound(self) -> bool:
        """Whether the row passed."""
        return not (self.wrong or self.old or self.complaints)


def repeat_command(row: str, *, frames: int, seed: int) -> str:
    """What a person types to see the same again."""
    return f".venv/bin/python -m tools.busfaults --row {row} --frames {frames} --seed {seed}"


def run(row: Row, *, frames: int, seed: int, make: Maker) -> Outcome:
    """Plays `row` until so many frames were at fault, or something is wrong; `make`: honest."""
    findings = Findings()
    world = World(Random(f"{row.name} {seed}"), make, findings, row.displays, row.cards)
    total = episode = 0
    least = min(row.episodes, row.episodes * frames // WHOLE)
    try:
        world.run(_START_US)
        while (total < frames or episode < least) and not findings.complaints:
            total += _episode(row, world, episode)
            episode += 1
    finally:
        world.close()
    return Outcome(
        row.name,
        seed,
        total,
        findings.wrong,
        findings.old,
        findings.blank_us / 1000,
        findings.converge_us / 1000,
        tuple(findings.complaints),
        tuple(sorted(world.notes.get("rounds", ()))),
        episode,
    )


def _episode(row: Row, world: World, episode: int) -> int:
    """One fault and its end; the frames that were at fault."""
    findings = world.findings
    fault: Any = row.make(world, episode)
    fault.prepare()
    world.fault = fault
    world.run(fault.lasts_us)
    world.fault = None
    world.deliver(fault.end(world.now_us))
    for sentence in fault.check():
        findings.complain(world.now_us, sentence)
    _converge(world, world.screens)
    strange = sorted({code for code, _ in world.house.troubles} - set(NOTICES))
    if strange:
        findings.complain(world.now_us, f"the controller told {strange}")
    world.house.troubles = []
    return int(fault.frames)


def _catch_up(world: World, screens: list[Screen]) -> None:
    """The last outcomes come by and by, after the number."""
    lacking = list(screens)
    until_us = world.now_us + CATCH_UP_US
    while lacking and world.now_us < until_us and not world.findings.complaints:
        world.step()
        lacking = [screen for screen in lacking if not world.has_caught_up(screen)]
    for screen in lacking:
        history = screen.receiver.lit.history
        world.findings.complain(world.now_us, f"display {screen.place} has but {history}")


def _converge(world: World, screens: list[Screen]) -> None:
    findings = world.findings
    world.day.held = True
    ended_us = world.now_us
    lacking = screens
    # What was heard before the end may be lit, and the dash of what was not may still come, for
    # FRESH_US: only then is a display surely beyond the fault.
    while world.now_us < ended_us + SETTLED_US or (
        lacking and world.now_us <= ended_us + CONVERGE_US
    ):
        world.step()
        lacking = [screen for screen in screens if not world.has_converged(screen)]
        if lacking:
            findings.converge_us = max(findings.converge_us, world.now_us - ended_us)
    for screen in lacking:
        lit = screen.receiver.lit
        findings.complain(world.now_us, f"display {screen.place} still lights {lit}")
    _catch_up(world, screens)
    for screen in screens:
        screen.observation.captive = False
    world.run(_CALM_US)
    for screen in screens:
        if screen not in lacking and not world.has_converged(screen):
            findings.complain(world.now_us, f"display {screen.place} went dark after the fault")
    world.day.held = False
