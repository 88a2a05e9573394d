"""What a player's stakes come to: those that lie, and his last, which he may repeat.

Seeds 003, s. 1.2: « Votre mise totale sera affichée dans la fenêtre « mise actuelle ». Vous pouvez
répéter votre dernière mise en cliquant sur le bouton « Dernière mise ». »

It counts what the controller has accepted and settled. It judges nothing: what is laid again, or
taken back, is asked of the controller anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from firmware.bus.terminal import Carried, Decided, NotInPlay, NotTold, Seat, Settled, Unseated
from firmware.bus.terminal_messages import Decide, SignOff, SignOn, Stake, TakeBack
from firmware.stakes.answers import CardSettled
from rules import announced_bets

_INSURANCE = "insurance"  # a CardDue's kind
_LAY = ("double", "split", "insure")


class StakeSums(NamedTuple):
    """The sums a player is shown.

    `current_cents`: what lies for the coup told last; None: this terminal was started while
    somebody sat here, and does not know. `last_coup`: the last that ended with stakes of his; 0:
    none has.
    """

    current_cents: int | None
    last_coup: int
    last_cents: int


class PlayerStakes:
    """The stakes of whoever is signed on. Give it every event and standing of the terminal."""

    def __init__(self) -> None:
        self._coup = 0  # that was told last
        self._unknown_coup: int | None = None  # whose stakes were laid before our time
        self._laid: dict[int, Stake] = {}  # accepted, by id, until their coup has ended
        # What doubles, splits and insurances laid: coup and cents.
        self._more: list[tuple[int, int]] = []
        # What a decision costs that lays all it may: by coup, what was due, and cards seen.
        self._costs: dict[Any, int] = {}
        self._last: list[Stake] = []
        self._last_coup = 0
        self._player: SignOn | None = None  # as he signed on
        self._free = True  # whether the seat was free since

    @property
    def sums(self) -> StakeSums:
        """Returns what the player's stakes come to now."""
        current = None
        if self._coup != self._unknown_coup:
            more = sum(cents for coup, cents in self._more if coup == self._coup)
            current = sum(self._lying().values()) + more
        return StakeSums(current, self._last_coup, sum(map(_cents, self._last)))

    def repeated(self) -> list[Stake]:
        """Returns the stakes of his last coup, to be asked for the coming one, in their order."""
        return [Stake(0, stake.bet, stake.cents, stake.on) for stake in self._last]

    def cleared(self) -> list[TakeBack]:
        """Returns what takes back all that lies, the last laid first: so no rest is too little."""
        return [TakeBack(number) for number in sorted(self._lying(), reverse=True)]

    def take_event(self, event: Any) -> None:
        """Takes what happened at the terminal."""
        if isinstance(event, Decided):
            if event.accepted:
                self._take_accepted(event.request, event.ask)
        elif isinstance(event, Settled):
            self._take_settled(event.coup, {entry[0] for entry in event.entries})
        elif isinstance(event, CardSettled):
            self._take_settled(event.coup, {paid.id for paid in event.paid})
        elif isinstance(event, Carried):
            if event.id in self._laid:
                self._laid[event.id] = self._laid[event.id]._replace(coup=event.coup)
        elif isinstance(event, (NotInPlay, NotTold)):
            for number in event.ids:
                self._laid.pop(number, None)
        elif isinstance(event, Unseated):
            self._forget()

    def take_standing(self, standing: Seat) -> None:
        """Takes how the table stands."""
        if standing.state is None:
            return
        if self._coup == 0 and standing.seated:
            self._unknown_coup = standing.coup
        if self._coup != standing.coup:
            self._coup, self._costs = standing.coup, {}
        due = standing.due
        if due is not None:
            where = (standing.coup, due.kind == _INSURANCE, due.seat, due.hand, due.seen)
            self._costs[where] = due.cents
        self._free = self._free or not standing.seated

    def _lying(self) -> dict[int, int]:
        """Returns the cents that lie for this coup, by the stake's number."""
        return {
            number: _cents(stake)
            for number, stake in self._laid.items()
            if stake.coup == self._coup
        }

    def _take_accepted(self, number: int, ask: Any) -> None:
        if isinstance(ask, Stake):
            self._laid[number] = ask
        elif isinstance(ask, TakeBack):
            self._laid.pop(ask.id, None)
        elif isinstance(ask, Decide):
            self._take_decided(ask)
        elif isinstance(ask, SignOff):
            self._forget()
        elif isinstance(ask, SignOn):
            if self._free and ask != self._player:  # another: what lay was not his
                self._forget()
            self._player = ask
            self._free = False

    def _take_decided(self, ask: Decide) -> None:
        """Adds what an accepted decision lays: so many cents, 0 for as much as the rules allow."""
        if ask.do in _LAY:
            where = (ask.coup, ask.do == "insure", ask.seat, ask.hand, ask.seen)
            self._more.append((ask.coup, ask.cents or self._costs.get(where, 0)))

    def _take_settled(self, coup: int, paid: set[int]) -> None:
        ended = [
            stake
            for number, stake in sorted(self._laid.items())
            if number in paid and stake.coup == coup
        ]
        if ended:
            self._last = ended
            self._last_coup = coup
        self._laid = {number: stake for number, stake in self._laid.items() if stake.coup > coup}
        self._more = [one for one in self._more if one[0] > coup]

    def _forget(self) -> None:
        self._laid = {}
        self._more = []
        self._last = []
        self._last_coup = 0
        self._player = None


def _cents(stake: Stake) -> int:
    """Returns what a stake comes to: of an announced bet its cents are those of one piece."""
    return stake.cents * announced_bets.count(stake.bet, stake.on)
