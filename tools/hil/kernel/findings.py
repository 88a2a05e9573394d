"""What each part of the kernel rig's suite has found: judged, and as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tools.hil.faults import catalogue
from tools.hil.kernel.programme import FAULTS, REAL
from tools.hil.places import Ran
from tools.hil.scenario import Scenario
from tools.virtual.score import RIGHT, VOID

# In virtual time only the wheel itself can make an edge late.
VIRTUAL_LATE_US = 1_000
# In real time a void is the machine's doing, and not the firmware's, where an edge was made so
# late: as long as the ball's shortest pulse.
REAL_LATE_US = 5_000
REAL_VOIDS_PERCENT = 50  # of such coups at most: more says that nothing was tried here

_HEAD = ("part", "time", "s", "coups", "right", "void", "wheel s", "late ms", "told ms", "")
_LEFT = (0, 1, 5)  # columns of words


class Part(NamedTuple):
    """One line of the table."""

    name: str
    time: str  # virtual or real
    wrong: tuple[str, ...]  # what is not as it should be, a sentence each
    coups: int = 0
    right: int = 0
    voids: tuple[tuple[str, int], ...] = ()  # by reason
    wheel_s: float = 0.0
    spent_s: float = 0.0  # of our time; in a guest of many, its share
    late_us: int = 0  # an edge, after it was due, at most
    told_us: int = 0  # a ball that runs, after its edge's stamp, at most
    requires: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """As the table has it."""
        voids = ", ".join(f"{count} {reason}" for reason, count in self.voids) or "-"
        played = (
            str(self.coups), str(self.right), voids, f"{self.wheel_s:.0f}",
            f"{self.late_us / 1000:.2f}", f"{self.told_us / 1000:.2f}",
        )  # fmt: skip
        word = "wrong" if self.wrong else ""
        return (
            self.name, self.time, f"{self.spent_s:.0f}", *(played if self.coups else [""] * 6), word
        )  # fmt: skip


def judged(kind: str, scenario: Scenario, ran: Ran, counts: dict[str, int], spent_s: float) -> Part:
    """One scenario's play."""
    # One more may have been begun when all was over, and was ended without a number.
    coups = ran.verdict.coups[: scenario.coups]
    voids = Counter(coup.decision.reason for coup in coups if coup.verdict == VOID)
    made_by = [catalogue.find(use.fault) for use in scenario.faults]
    return Part(
        scenario.name,
        "real" if kind == REAL else "virtual",
        tuple(wrong(kind, scenario, ran, counts)),
        len(coups),
        sum(coup.verdict == RIGHT for coup in coups),
        tuple(sorted(voids.items())),
        ran.wheel_us / 1e6,
        spent_s,
        counts["late_us"],
        counts["told_us"],
        tuple(each for entry in made_by for each in entry.requires) or scenario.requires,
    )


def wrong(kind: str, scenario: Scenario, ran: Ran, counts: dict[str, int]) -> list[str]:
    """What of a play is not as it should be, a sentence each."""
    found = [f"{broken.rule}: {broken.text}" for broken in ran.verdict.broken]
    ended = ran.verdict.coups[: scenario.coups]
    if len(ended) < scenario.coups:
        found.append(f"Only {len(ended)} of {scenario.coups} coups have ended.")
    lost = counts["made"] - counts["counted"]
    # With a fault the controller may have been killed, and the kernel's count with it.
    if lost and kind != FAULTS:
        found.append(f"The kernel has counted {lost} edges fewer than were made.")
    late_us = counts["late_us"]
    if kind != REAL and late_us > VIRTUAL_LATE_US:
        found.append(f"The wheel made an edge {late_us / 1000:.1f} ms late.")
    voids = sum(coup.verdict == VOID for coup in ended)
    most = 0 if kind != REAL or late_us < REAL_LATE_US else len(ended) * REAL_VOIDS_PERCENT // 100
    if kind != FAULTS and voids > most:
        found.append(
            f"{voids} coups in which nothing went wrong are void, and {most} may be: the latest"
            f" edge was made {late_us / 1000:.1f} ms late."
        )
    return found


def line(part: Part) -> str:
    """What is said of it when it is done."""
    coups = f"{part.right} of {part.coups} coups right in" if part.coups else "took"
    return f"{part.name}: {coups} {part.spent_s:.0f} s{', WRONG' * bool(part.wrong)}"


def table(parts: Sequence[Part]) -> str:
    """All parts, a line each, and what is wrong of them."""
    rows = [_HEAD, *(part.cells for part in parts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if at in _LEFT else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines += [f"{part.name}: {text}" for part in parts for text in part.wrong]
    return "\n".join(lines)
