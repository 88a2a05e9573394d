"""What a wheel remembers of its past: folded from its records, one by one."""

import datetime
from typing import Any

from firmware.core.coup.restart_state import LastOutcome, RestartState
from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.stakes.seal import FOREIGN_OBJECT, goes_on
from firmware.store import source_hash
from firmware.store.checked_lines import Row
from rules import minimum
from rules.minimum import Opening


class Recall:
    """Takes records in their order; knows the last coup, seq, actuation and table."""

    def __init__(self) -> None:
        """A fresh wheel."""
        self._coup = 0
        self._open_coup = 0
        self._seq = 0
        self._rotor = UNKNOWN
        self._ball = UNKNOWN
        self._learned: Any = None
        self._last: LastOutcome | None = None
        self._corrections: list[tuple[int, int]] = []
        self._stakes: Any = None
        self._stakes_coup = 0
        self._stakes_end: Any = None
        self._software: Any = None
        self._openings: list[Opening] = []  # one a day at most
        self._played_at: datetime.datetime | None = None

    def add_row(self, row: Row) -> None:
        """Folds one record in.

        Raises KeyError, TypeError or ValueError for a body that is not of its kind.
        """
        kind, body = row.kind, row.body
        if kind == "learned":
            self._learned = body.get("learned", [])  # another version's: the core refuses it
        elif kind == "epoch":  # the card may have come here from another wheel
            self._learned = None
        elif kind == "stakes":
            self._stakes = body
            self._stakes_coup = body["coup"]
            self._stakes_end = None
        elif kind == source_hash.KIND:
            self._software = body
        elif kind == "opening":
            self._openings.append(minimum.parse(body))
        elif kind == "begun":  # at boule nothing is actuated, at vingt-trois not yet
            self._open_coup = body["coup"]
        elif kind == "actuation":
            self._rotor = _checked_way(body["rotor"])
            self._open_coup = body["coup"]
        elif kind in ("result", "void"):
            self._coup = body["coup"]
            self._seq = body["seq"]
            if body["coup"] == self._stakes_coup:
                self._stakes_end = body
            elif _goes_on(self._stakes_end) and not _goes_on(body):
                # What lay on for another throw does so no more: that one has ended, too.
                self._stakes_end = self._stakes_end | {"reason": "croupier"}
            self._open_coup = 0
            if kind == "result":
                self._played_at = datetime.datetime.fromisoformat(row.utc)
            # What was ordered may not have been done: a void that came before the motor.
            self._rotor = _checked_way(body.get("rotor", self._rotor))
            self._ball = _checked_way(body.get("ball", UNKNOWN)) or self._ball
            self._last = _last(body)
        elif kind == "correction":
            self._correct(body)

    def _correct(self, body: Any) -> None:
        self._seq = body["seq"]
        self._corrections.append((body["coup"], body["seq"]))
        end = self._stakes_end
        ended = body["coup"] == self._stakes_coup and end is not None
        if ended and not goes_on(self._stakes, end):  # else they lie: settled where they went
            self._stakes_end = body | {"stakes": end.get("stakes")}
        if body["coup"] == self._coup:
            self._last = _last(body)

    @property
    def restart_state(self) -> RestartState:
        """Returns what the core is to be told."""
        return RestartState(
            self._coup,
            self._seq,
            self._rotor,
            self._ball,
            self._open_coup,
            self._learned,
            self._last,
            tuple(self._corrections),
        )

    @property
    def stakes(self) -> tuple[Any, Any] | None:
        """Returns the last sealed stakes, and the end of their coup (None if it had none); None: no
        stakes.

        Their seal is not checked here.
        """
        return None if self._stakes is None else (self._stakes, self._stakes_end)

    @property
    def software(self) -> Any:
        """Returns what the last row of the software says; None if there is none."""
        return self._software

    @property
    def openings(self) -> tuple[Opening, ...]:
        """Returns the openings of the table with their limits, oldest first."""
        return tuple(self._openings)

    @property
    def played_at(self) -> datetime.datetime | None:
        """Returns when the last coup that was played to its number was recorded; None: none was."""
        return self._played_at


def _goes_on(end: Any) -> bool:
    """Returns whether stakes may lie on after that end of a coup."""
    return end is not None and end.get("reason") == FOREIGN_OBJECT


def _last(body: Any) -> LastOutcome:
    return LastOutcome(body["seq"], body.get("number"), body.get("colour"), body.get("reason"))


def _checked_way(way: Any) -> int:
    if way not in (CCW, CW, UNKNOWN):
        raise ValueError(way)
    return int(way)
