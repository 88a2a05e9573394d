"""What the oracle is given, and what it finds: the records, and the names of the rules."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.core.facts import CoupStarted
from tools.hil.world import FaultInterval
from tools.sim.truth import CoupTruth
from tools.virtual.score import VOID, Judged

# Rules that may be broken, by the word a report counts them under.
WRONG_NUMBER, LATE_CALL, NO_ENDING, TWICE, UNNOTICED = (
    "wrong_number", "late_call", "no_ending", "twice", "unnoticed",
)  # fmt: skip
OUTCOME, FALSE_ALARM, NOT_BEGUN, LOST, BROKEN = (
    "outcome", "false_alarm", "not_begun", "lost", "broken",
)  # fmt: skip
LIT_WRONG, LIT_LATE, CRASHED = "lit_wrong", "lit_late", "crashed"

# How a fault was noticed: by one of its codes in time, or after its deadline, or never; not, and
# it need not be: another one hid it, the scenario was over before the deadline, it changed nothing,
# or it has no code.
TOLD, LATE, NEVER, MASKED, NOT_DUE, IDLE, NO_CODE = (
    "told", "late", "never", "masked", "not due", "idle", "no code",
)  # fmt: skip


class Broken(NamedTuple):
    """One rule broken: which, in which coup (None: none in particular), and a sentence."""

    rule: str
    coup: int | None
    text: str
    use: int | None = None  # the fault of the scenario that broke it, if that is known


def crash_text(error: Exception) -> str:
    """What is told of a play that came to no verdict: the error in one line, and where."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}".strip().replace("\n", " ") + at


class Noticed(NamedTuple):
    """How one fault of the scenario was noticed. `code` and `at_us` None: not at all."""

    use: int
    fault: str
    code: str | None
    begin_us: int
    at_us: int | None
    how: str = TOLD
    idle: bool = False  # it changed nothing that anybody could have seen


class Verdict(NamedTuple):
    """A scenario judged. Everything in it can be written as JSON (`as_json`)."""

    coups: tuple[Judged, ...]
    clean: tuple[int, ...]  # numbers of the coups that no fault touched
    noticed: tuple[Noticed, ...]
    broken: tuple[Broken, ...]
    late_void: tuple[int, ...] = ()  # called late, and void for another reason than that

    @property
    def clean_voids(self) -> int:
        """How many clean coups were void."""
        return sum(coup.verdict == VOID for coup in self.coups if coup.coup in self.clean)


class RunLog(NamedTuple):
    """All that a scenario's run has said, in the wheel's time."""

    facts: Sequence[Any]  # of firmware.core.facts, in order of time
    judged: Sequence[Judged]  # of tools.virtual.score
    truths: Sequence[CoupTruth]  # all of them
    intervals: Sequence[FaultInterval]
    end_us: int
    broken: Sequence[Broken] = ()  # what the place itself found
    slack_us: int = 0  # that the place may add to a deadline in seconds

    @property
    def opened_us(self) -> dict[int, int]:
        """When each coup was opened, by its number."""
        return {fact.coup: fact.at_us for fact in self.facts if type(fact) is CoupStarted}
