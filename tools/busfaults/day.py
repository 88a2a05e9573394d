"""What happens at the table while the wire is at fault: coup after coup, faster than any house."""

from __future__ import annotations

from random import Random

from firmware.core.facts import View
from tools.busfaults.house import House

_SHORT_US = (60_000, 500_000)
_SHOWN_US = (300_000, 2_000_000)
_REASONS = ("too_few_turns", "two_balls", "croupier", "sensors_disagree")
_NUMBERS = 37
# A correction, of the coup that ended last or of an older one: not a state of the table.
_CORRECTION = "correction"
_BACK_MAX = 12  # coups


class Day:
    """Gives the house its next view when its time has come; `held` stops the clock."""

    def __init__(self, rng: Random, house: House) -> None:
        self._rng = rng
        self._house = house
        self._next_us = 0
        self._waiting: list[View] = []
        self.held = False

    def step(self, now_us: int) -> View | None:
        """The view that begins now, if one does; it is shown already."""
        if self.held or now_us < self._next_us:
            return None
        if not self._waiting:
            self._waiting = self._coup()
        view = self._waiting.pop(0)
        if view.state in ("CONFIRMED", "VOID", _CORRECTION):
            view = self._end(view.state)
        else:
            view = view._replace(seq=self._house.seq)
        low, high = _SHOWN_US if view.state in ("CONFIRMED", "VOID") else _SHORT_US
        self._next_us = now_us + self._rng.randrange(low, high)
        self._house.set_view(view)
        return view

    def _coup(self) -> list[View]:
        """How the next coup goes; its outcome is made when its time comes."""
        house, rng = self._house, self._rng
        house.coup += 1
        states = ["BETS_OPEN", "BALL_IN_TRACK", "NO_MORE_BETS"]
        if rng.random() < 0.1:
            states.insert(1, _CORRECTION)
        way = rng.random()
        if way < 0.7:
            states += ["BALL_DROPPED", "DETECTED", "CONFIRMED"]
        elif way < 0.8:
            states += ["MANUAL", "CONFIRMED"]
        else:
            states += ["VOID"]
        while rng.random() < 0.2:
            states += [_CORRECTION]
        if rng.random() < 0.05:
            states += ["FAULT"]
        return [View(state, house.coup, 0, 1, None, None, None) for state in states]

    def _end(self, state: str) -> View:
        house, rng = self._house, self._rng
        if state == _CORRECTION:
            return self._correction()
        if state == "VOID":
            return house.void(rng.choice(_REASONS))
        return house.confirm(rng.randrange(_NUMBERS))

    def _correction(self) -> View:
        """Of any of the last coups, to a number or to a void; of none if none has ended."""
        house, rng = self._house, self._rng
        if not house.ended:
            return house.view
        back = rng.choice((0, rng.randrange(min(_BACK_MAX, house.ended))))
        return house.correct(None if rng.random() < 0.25 else rng.randrange(_NUMBERS), back)
