"""How the table stands, as `status` answers it: no number but a confirmed one, no prediction."""

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.api.tachometer import CALLED, Tachometer
from firmware.core import faults
from firmware.core.coup import states
from firmware.core.facts import (
    DIRECTION_NAMES,
    UNKNOWN,
    BallInTrack,
    CallProgress,
    Correction,
    CoupStarted,
    Employees,
    Fault,
    FaultEnded,
    Result,
    View,
    Void,
)
from firmware.shims.boottime import boot_ns

# Facts of a card table by their names: a wheel never imports them.
_ROUND_STARTED = "RoundStarted"
_ROUND_ENDED = ("RoundResult", "RoundVoid")


class FaultOver(NamedTuple):
    """That fault stands no more, where no coup begins that would end it."""

    code: str


class TableStatus:
    """Keeps what `status` answers. The loop writes, the service's thread reads.

    What is read is replaced, never changed.
    """

    def __init__(
        self,
        game: str | None,
        clock: Callable[[], int] = boot_ns,
        exact_in: tuple[str, ...] = CALLED,
        ahead: "TableStatus | None" = None,
    ) -> None:
        """`game`: the apparatus. `clock`: nanoseconds, of any start. `exact_in`: states in which
        the rotor's speed may be told as it is. `ahead`: another that is told the same before, and
        whose tachometer is this one's; the speed is told as it is only where both may tell it."""
        self.tachometer: Tachometer = ahead.tachometer if ahead else Tachometer(clock, exact_in)
        self._ahead = ahead
        self._game = game
        self._clock = clock
        self._view: View | None = None
        self._open = False
        self._ball = UNKNOWN
        self._faults: tuple[str, ...] = ()
        self._lasting: set[str] = set()  # the sentences of those whose end will be told
        self._last: tuple[int | None, int | None] = (None, None)  # number, coup
        self._told: tuple[int, int] | None = None  # coup and time of the last result told here
        self._call: dict[str, Any] | None = None
        self._employees: list[str] | None = None

    def take_fact(self, fact: Any) -> None:
        """Takes a fact of facts.py; most change nothing here."""
        kind = type(fact)
        if kind is CoupStarted or kind.__name__ == _ROUND_STARTED:
            self._open = True
            self._ball = UNKNOWN
            self._faults = ()
            self._lasting = set()
        elif kind is BallInTrack:
            self._ball = fact.ball
        elif kind is Fault:
            if fact.code not in self._faults:
                self._faults = (*self._faults, fact.code)
            if faults.end(fact.code, "") is not None:
                self._lasting.add(fact.text)
        elif kind is FaultEnded:
            self._lasting.discard(faults.sentence(fact.code, fact.detail))
            if not any(text.startswith(f"{fact.code}:") for text in self._lasting):
                self._end(fact.code)
        elif kind is FaultOver:
            self._end(fact.code)
        elif kind is Void or kind.__name__ in _ROUND_ENDED:
            self._open = False
        elif kind is Result:
            self._open = False
            self._told = (fact.coup, self._clock())
        elif kind is Employees:
            self._employees = list(fact.present)
        elif kind is CallProgress:
            self._call = {"coups": fact.coups, "lead_us": fact.lead_us, "why": fact.why}
        elif kind is Correction and fact.coup >= (self._last[1] or fact.coup + 1):
            # Of the coup that the last number is of, or of one without a number since.
            self._last = (fact.number, fact.coup) if fact.number is not None else (None, None)

    def _end(self, code: str) -> None:
        self._faults = tuple(each for each in self._faults if each != code)

    @property
    def state(self) -> str | None:
        """Returns the state of the coup that is shown; None before the loop begins."""
        view = self._view
        return view.state if view else None

    @property
    def is_idle(self) -> bool:
        """Returns whether no coup is open."""
        return not self._open

    def show_view(self, view: View) -> None:
        """Takes what the displays may show from now on."""
        if view.number is not None:  # also one that stood before a restart, or was corrected
            self._last = (view.number, view.coup)
        elif view.state == states.VOID and view.coup == self._last[1]:
            self._last = (None, None)  # corrected: that coup has no number any more
        self._view = view

    def status(self) -> dict[str, Any]:
        """Returns the answer of `status`. docs/gateway.md says what its keys are for."""
        # First the speed, then the state: the loop may go on between the two, and the speed of a
        # rotor that now turns for the next coup must not be told as that of the last.
        speed = self.tachometer.read()
        age_ms = self.tachometer.loop_age_ms()
        view = self._view
        state = view.state if view else None
        now = self._ahead.state if self._ahead else state
        last_number, last_coup = self._last
        return {
            "state": state,
            "coup": view.coup if view else 0,
            "seq": view.seq if view else 0,
            "rotor": DIRECTION_NAMES[view.rotor] if view else None,
            "reason": view.reason if view else None,
            "last_number": last_number,
            "last_coup": last_coup,
            "game": self._game,
            "open": self._open,
            "number": view.number if view else None,
            "result_age_ms": self._result_age_ms(view),
            "ball": DIRECTION_NAMES[self._ball],
            "faults": list(self._faults),
            "rotor_rpm": None if age_ms is None else speed.figure_in(state, now),
            "loop_age_ms": age_ms,
            "employees": self._employees,  # None: nobody has said that he comes or goes
            "call": self._call,  # None: nothing is predicted, or the loop has not begun
        }

    def _result_age_ms(self, view: View | None) -> int | None:
        """Returns how long the number shown has been told; None for one that stood before a
        restart.
        """
        told = self._told
        if told is None or view is None or view.number is None or told[0] != view.coup:
            return None
        return (self._clock() - told[1]) // 1_000_000
