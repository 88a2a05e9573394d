"""The course of a self-test or calibration: which step of how many, and how long it still takes.

What a step takes is declared, until one of its kind was done: from then on it is what that took.
What people take is an estimate.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.technician.selftest.person import Person, Progress

HAND_S = 15.0  # somebody reads what is asked, finds the ball, lays it, and says so
TRIES = 4  # of one step: then something else is wrong


class Step(NamedTuple):
    """One step, by a name of its own. Those of one kind take the wheel equally long."""

    name: str
    kind: str
    wheel_s: float
    hand_s: float = 0.0


class Course:
    """The person whom a test speaks to, told of each step as it begins."""

    def __init__(self, person: Person, steps: Sequence[Step], forget: Callable[[], None]) -> None:
        """`steps`: all that may come, in order; one that is left out is passed over.

        `forget`: of the bench, once a hand is there: what it did before is no answer.
        """
        self._person = person
        self._steps = steps
        self._forget = forget
        self._took_s = {step.kind: step.wheel_s for step in steps}
        self._begun_s: float | None = None
        self._at = -1
        self.inform = person.inform

    def begin_step(self, name: str) -> None:
        """A step begins, and with it the one before has ended."""
        self._end()
        names = [step.name for step in self._steps]
        if name not in names:  # nobody lends the hand that it needs
            return
        self._at = names.index(name)
        self._tell(self._steps[self._at].hand_s)

    def ask(self, text: str) -> bool:
        """Asks for a hand. What the wheel takes counts from the answer on."""
        return self._answered(self._person.ask(text))

    def again(self, text: str) -> bool:
        """Offers the step again, which takes as long as one try of it."""
        return self._answered(self._person.again(text))

    def _answered(self, yes: bool) -> bool:
        self._begun_s = None  # what was left out says nothing of how long it takes
        if yes:
            self._forget()
            self._tell(0.0)
        return yes

    def _tell(self, hand_s: float) -> None:
        """Tells how long it takes from here, `hand_s` of it until a hand is there."""
        wheel_s = self._took_s[self._steps[self._at].kind]
        rest = self._steps[self._at + 1 :]
        left_s = hand_s + wheel_s + sum(self._took_s[step.kind] + step.hand_s for step in rest)
        now_s = hand_s or wheel_s
        self._person.step(Progress(self._at + 1, len(self._steps), left_s, now_s))
        self._begun_s = time.monotonic()

    def _end(self) -> None:
        if self._begun_s is not None:
            self._took_s[self._steps[self._at].kind] = time.monotonic() - self._begun_s
            self._begun_s = None
