"""A card table as the loop knows a core: its view is a view too, two key switches are its lines.

Displays, lamps and the service take the state, and no number; the cards go to whoever shows them.
"""

from collections.abc import Sequence
from typing import Any

from firmware.core import facts as core_facts
from firmware.core.cards import facts, people, shoe
from firmware.core.cards.table import CardTable
from firmware.core.facts import UNKNOWN, View

# Events of a card table; what else the service may ask means nothing at one.
_EVENTS = (
    core_facts.Tick,
    core_facts.Recorded,
    core_facts.Trouble,
    core_facts.TroubleEnded,
    core_facts.EmployeePresent,
    core_facts.UnseatAsked,
    core_facts.EntryAsked,
    core_facts.ActDone,
    facts.StakesLaid,
    facts.StakesChanged,
    facts.DecisionMade,
    facts.KeyPressed,
    *shoe.EVENTS,
    *people.EVENTS,
)
# A machine that stood still: a wheel's edges may be lost, a shoe says its own again.
_NOTHING_OF_IT = (core_facts.StoodStill, core_facts.MotorEffort)


class CardCore:
    """The Core of a card table (firmware.loop)."""

    def __init__(self, table: CardTable, inputs: Sequence[tuple[str, Any]]) -> None:
        """`inputs`: of the board: the key switches, by their lines."""
        self.table = table
        self.timers = table.timers
        self._switches = [name for name, _ in inputs]
        self._turned: set[str] = set()

    def begin_play(self, at_us: int) -> Sequence[Any]:
        """Begins play, once, before anything else. Returns facts and orders."""
        return _with_views(self.table.begin_play(at_us))

    def finish(self, at_us: int) -> Sequence[Any]:
        """Ends play: a round still open is void. Returns facts and orders."""
        return _with_views(self.table.finish(at_us))

    def handle(self, event: Any) -> Sequence[Any]:
        """Takes one event; what has no meaning at a card table is refused."""
        if type(event) in _NOTHING_OF_IT:
            return ()
        if type(event) is facts.CardTyped:
            return (event,)  # for the screen: it is no card yet
        if type(event) not in _EVENTS:
            self.table.refuse("it has no meaning at a card table.")
            event = core_facts.Tick(event.at_us)
        return _with_views(self.table.handle(event))

    def edge(self, at_us: int, line: int, level: int) -> Sequence[Any]:
        """Takes an edge of a key switch."""
        name = self._switches[line]
        is_on = level == 1
        if level < 0 or is_on == (name in self._turned):
            return ()
        if is_on:
            self._turned.add(name)
        else:
            self._turned.remove(name)
        return self.handle(facts.KeySwitched(at_us, name, is_on))

    def speed_uturn_s(self, now_us: int) -> int:
        """Returns 0: nothing turns."""
        return 0


def _with_views(answers: Sequence[Any]) -> Sequence[Any]:
    """Returns the answers; before each CardView the View that it is to displays and lamps."""
    found: list[Any] = []
    for answer in answers:
        if type(answer) is facts.CardView:
            state, round_, seq, reason = answer.state, answer.round, answer.seq, answer.reason
            found.append(View(state, round_, seq, UNKNOWN, None, None, reason))
        found.append(answer)
    return found
