"""What a wheel remembers of its past: folded from its records, one by one."""

from collections import deque
from typing import Any, NamedTuple

from firmware.core.controller import Memory
from firmware.core.facts import CCW, CW, UNKNOWN

OUTCOMES_MAX = 20  # a display shows the last 20


class Outcome(NamedTuple):
    """How a coup ended: with a number, or void for a reason."""

    coup: int
    seq: int
    number: int | None
    reason: str | None


class Recall:
    """Takes records in their order; knows the last coup, seq, actuation, table and outcomes."""

    def __init__(self) -> None:
        """A fresh wheel."""
        self._coup = 0
        self._open_coup = 0
        self._seq = 0
        self._rotor = UNKNOWN
        self._learned: Any = None
        self._outcomes: deque[Outcome] = deque(maxlen=OUTCOMES_MAX)

    def take(self, kind: str, body: Any) -> None:
        """Folds one record in.

        Raises KeyError, TypeError or ValueError for a body that is not of its kind.
        """
        if kind == "learned":
            self._learned = body["learned"]
        elif kind == "actuation":
            self._rotor = _checked_way(body["rotor"])
            self._open_coup = body["coup"]
        elif kind in ("result", "void"):
            self._coup = body["coup"]
            self._seq = body["seq"]
            self._open_coup = 0
            outcome = Outcome(body["coup"], body["seq"], body.get("number"), body.get("reason"))
            self._outcomes.append(outcome)

    @property
    def memory(self) -> Memory:
        """What the core is to be told."""
        return Memory(self._coup, self._seq, self._rotor, self._open_coup, self._learned)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The last results and voids, oldest first."""
        return tuple(self._outcomes)


def _checked_way(way: Any) -> int:
    if way not in (CCW, CW, UNKNOWN):
        raise ValueError(way)
    return int(way)
