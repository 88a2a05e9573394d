"""The technician's bench: the wheel out of play, its rotor turned on demand, acts written down.

Nothing moves here but out of play. A turn counts for the alternation as one of play does, and it is
durable before the motor starts (Luxembourg art. 37-1, French article 47).
"""

from firmware.core import acts, facts
from firmware.core.coup import states, timers
from firmware.core.facts import UNKNOWN
from firmware.shims.typed import TYPE_CHECKING, Callable

if TYPE_CHECKING:
    from firmware.core.coup.table import Table


# Of a turn: slower than the slowest the stall check can tell, faster than the runaway limit, are
# no speeds; and whoever forgets it finds the rotor at rest.
SPEEDS_UTURN_S = (83_333, 466_667)  # 5 and 28 rpm
TURN_MAX_US = 120_000_000


class Maintenance:
    """Takes what technicians ask. Who they are, and that they may, was checked before."""

    def __init__(self, table: "Table", speed_uturn_s: Callable[[int], int]) -> None:
        """`table`: the Table they take out of play. `speed_uturn_s`: the rotor's, given a time."""
        self._table = table
        self._speed_uturn_s = speed_uturn_s
        self._holder = ""  # who took the wheel out of play last
        self._taken_us = 0  # when

    def carry_out(
        self, event: "facts.ServiceAsked | facts.TurnAsked | facts.ActDone"
    ) -> str | None:
        """Does what a technician asks. Returns why it is not done, or None."""
        if isinstance(event, facts.ActDone):
            self._write(event, event.what, event.detail, event.sha256)
            return None
        return self._turn(event) if isinstance(event, facts.TurnAsked) else self._service(event)

    def tick(self, at_us: int) -> None:
        """Lets the rotor run out once a turn has lasted as long as it was asked to."""
        table = self._table
        if table.timers.take_due(timers.TURN, at_us) and table.state == states.SERVICE:
            self._let_run_out()

    def _service(self, event: facts.ServiceAsked) -> str | None:
        table = self._table
        if not event.on and table.state != states.SERVICE:
            return "the wheel is not out of play for service."
        if not event.on and self._anothers(event):
            return self._anothers(event)
        if not event.on and self._speed_uturn_s(event.at_us):
            return "the rotor has to come to rest first: let it run out."
        if event.on and table.open:
            return "a coup is open: it has to end first."
        if event.on and table.state == states.SERVICE and event.who != self._holder:
            return self._take_over(event)
        happened = states.TAKEN_OUT if event.on else states.PUT_BACK
        if states.after(table.state, happened) is None:
            return "the wheel is out of play already, in state " + table.state + "."
        # Whatever play had ordered, and had not begun yet: only the bench turns it from now on.
        self._let_run_out()
        if event.on:
            self._give(event)
        else:
            self._write(event, "service off", event.why, None)
        table.enter(happened, event.at_us)
        table.tell_view()
        return None

    def _take_over(self, event: facts.ServiceAsked) -> str | None:
        """Gives the wheel to another: it stays out of play, and what the one before began ends.

        Who asked in the same period of the loop did not know that it was another's: who has just
        been told that the wheel is his may have his hands in it.
        """
        if event.at_us == self._taken_us:
            why_not = self._held()
            self._write(event, "service refused", why_not, None)
            return why_not
        self._let_run_out()
        self._give(event)
        return None

    def _give(self, event: facts.ServiceAsked) -> None:
        """Writes down that who asks has the wheel from now on."""
        self._write(event, "service on", event.why, None)
        self._holder, self._taken_us = event.who, event.at_us

    def _anothers(
        self, event: "facts.ServiceAsked | facts.TurnAsked | facts.ActDone"
    ) -> str | None:
        """Returns why who does not have the wheel may not, or None.

        Another's hands may be in it.
        """
        return None if event.who == self._holder else self._held()

    def _held(self) -> str:
        return self._holder + " has the wheel in service: take it over first."

    def _turn(self, event: facts.TurnAsked) -> str | None:
        table = self._table
        if table.state != states.SERVICE:
            return "the rotor is turned on demand only out of play, for service."
        if not table.house.driven:
            return "no motor turns this rotor."
        if event.way == UNKNOWN:
            self._write(event, "turn", "runs out", None)
            self._let_run_out()
            return None
        if self._anothers(event):
            return self._anothers(event)
        low, high = SPEEDS_UTURN_S
        assert low <= event.speed_uturn_s <= high and 0 < event.for_us <= TURN_MAX_US
        self._write(event, "turn", _told(event), None)
        table.drive(event.way, coup=table.coup, by="service", speed_uturn_s=event.speed_uturn_s)
        table.timers.set(timers.TURN, event.at_us + event.for_us)
        return None

    def _let_run_out(self) -> None:
        self._table.timers.set(timers.TURN, None)
        self._table.let_run_out()

    def _write(
        self,
        event: "facts.ServiceAsked | facts.TurnAsked | facts.ActDone",
        what: str,
        detail: str,
        sha256: str | None,
    ) -> None:
        """Records an act, and emits it for those who may command."""
        act = facts.Act(event.at_us, what, event.who, event.role, detail, sha256)
        self._table.record(acts.KIND, acts.row_of(act), None)
        self._table.emit(act)


def _told(event: facts.TurnAsked) -> str:
    tenths_rpm = (event.speed_uturn_s * 600 + 500_000) // 1_000_000
    direction = facts.DIRECTION_NAMES[event.way]
    return f"{direction}, {tenths_rpm // 10}.{tenths_rpm % 10} rpm, {event.for_us // 1_000_000} s"
