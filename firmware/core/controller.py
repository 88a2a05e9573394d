"""The controller's one face to the loop: edges and requests in, facts and orders out.

No clock, no I/O, no randomness: the same events give the same answers, on every interpreter.
"""

from boards import apparatus
from firmware.core import facts, faults
from firmware.core.book import Book
from firmware.core.coup import correction, manual, states, timers
from firmware.core.coup.maintenance import Maintenance
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.coup.table import Table
from firmware.core.games.boule import Boule
from firmware.core.games.roulette import Roulette
from firmware.core.games.vingt_trois import VingtTrois
from firmware.core.house import CROUPIER, HOUSE, House
from firmware.core.sense.button import Button
from firmware.shims.typed import Any, Callable, Sequence

_PEOPLE_LINES = ("btn_start", "btn_void") + manual.LINES  # lines that mean a person, not the wheel
_NOTHING: "facts.Answer" = ()
_BEING_RECORDED = "the end of the coup is being recorded."
# The procedure of each apparatus.
_GAMES: Sequence[Any] = (("roulette", Roulette), ("boule", Boule), ("vingt_trois", VingtTrois))


class Controller:
    """Decides. `timers.due_us` says when to call `handle(Tick(due_us))` at the latest."""

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        *,
        restart_state: RestartState = FRESH,
        house: House = HOUSE,
        book: Book | None = None,
    ) -> None:
        """`board`, `rules`: data of those folders, of one apparatus. `book`: who takes stakes."""
        self.table = Table(rules, restart_state, house, book)
        game = dict(_GAMES)[board["apparatus"]]
        self.game: Roulette | VingtTrois | Boule = game(
            board["geometry"], self.table, learned=restart_state.learned
        )
        self.table.attach(self.game)
        self.timers = self.table.timers
        # A hand that turns a roulette's rotor begins the coup: the button only says so.
        self._button_begins = house.driven or not apparatus.of(board["apparatus"]).hand_begins
        self._keys = manual.Keys(self.table)
        self._maintenance = Maintenance(self.table, lambda at_us: self.speed_uturn_s(at_us))
        # The rotor's signed speed, ccw positive, micro-turns a second; takes the time.
        self.speed_uturn_s: Any = self.game.speed_uturn_s
        self._names: Sequence[str] = [name for name, _ in board["inputs"]]
        self._lines: list[Any] = [self._handler(name) for name in self._names]
        self._start_button, self._void_button = Button(), Button()

    @property
    def state(self) -> str:
        """Names the state of the coup, one of states.py."""
        return self.table.state

    def preset(self, line: int, level: int) -> None:
        """Takes the level of a line before the first edge; lines not named are 0."""
        name = self._names[line]
        if name not in _PEOPLE_LINES:  # a button or key that is held now was not pressed for us
            self.game.preset(name, level)

    def begin_play(self, at_us: int) -> "facts.Answer":
        """Begins, once: ends a coup that a restart interrupted, and shows the state."""
        self.table.advance_to(at_us)
        for code, detail in self.game.notices:
            self.table.fault(at_us, code, detail)
        self.table.restart(at_us)
        self.game.try_open(at_us)
        return self.table.take_outputs()

    def finish(self, at_us: int) -> "facts.Answer":
        """Ends: nothing comes any more, and a coup still open is void, interrupted."""
        self.table.advance_to(at_us)
        self.game.stop()
        self.table.void("interrupted")
        return self.table.take_outputs()

    def edge(self, at_us: int, line: int, level: int) -> "facts.Answer":
        """Takes an edge of the board's input number `line`: level 0, 1 or facts.DOUBT."""
        table = self.table
        table.advance_to(at_us)
        if level < 0:
            self._doubt(at_us, self._names[line])
        else:
            self._lines[line](at_us, level)
        return table.take_outputs() if table.out else _NOTHING

    # Any: one of the records that facts.py lists under "in"; isinstance tells which.
    def handle(self, event: Any) -> "facts.Answer":
        """Takes any other event of facts.py."""
        self.table.advance_to(event.at_us)
        if isinstance(event, facts.Tick):
            if self.timers.take_due(timers.PEOPLE, event.at_us):
                self.table.void("timeout")
            self._maintenance.tick(event.at_us)
            self.game.tick(event.at_us)
        elif isinstance(event, facts.Recorded):
            self.table.recorded(event.at_us, event.ticket)
            self.game.try_open(event.at_us)
        elif isinstance(event, facts.Trouble):
            self._trouble(event.at_us, event.code, event.detail)
        elif isinstance(event, facts.TroubleEnded):
            self.table.fault_ended(event.at_us, event.code, event.detail)
        elif isinstance(event, facts.HealthFound):
            self.table.health_found(event)
        elif isinstance(event, facts.StoodStill):
            self.table.stood_still(event.at_us, event.us)
        elif isinstance(event, facts.MotorEffort):
            self.table.note_effort(event)
        elif isinstance(event, facts.OrphelinPaidIn):
            self.table.emit(event)
        else:
            self._ask(event)
        return self.table.take_outputs()

    def restart_state(self) -> RestartState:
        """Returns what a controller that began now would be given of this one between coups."""
        table = self.table
        return RestartState(
            table.coup - 1 if table.open else table.coup,
            table.seq,
            table.rotor_direction,
            table.ball_direction or table.ball_direction_before,
            0,
            self.game.learned(),
            table.last_outcome,
            tuple(table.corrections),
        )

    def view(self) -> facts.View:
        """Returns what the displays may show now: a number only if it is confirmed."""
        return self.table.view()

    def _handler(self, name: str) -> "Callable[[int, int], None] | None":
        """Returns what takes the edges of the line called `name`."""
        if name == "btn_start":
            return self._start
        if name == "btn_void":
            return self._cancel
        if name in manual.LINES:
            return self._keys.handler(name)
        return self.game.handler(name)

    def _start(self, at_us: int, level: int) -> None:
        """btn_start: confirms a detected number, or starts a coup."""
        if not self._start_button.pressed(at_us, level):
            return
        table = self.table
        if table.state == states.DETECTED:
            if table.playing():
                table.confirm(CROUPIER)
            else:
                table.refuse(at_us, _BEING_RECORDED)
        elif table.state == states.MANUAL:
            table.refuse(at_us, "the number has to be entered first.")
        elif table.state == states.SERVICE:
            table.refuse(at_us, "the wheel is out of play, for service.")
        elif not self._button_begins or not table.too_early(at_us):
            self.game.started(at_us)

    def _cancel(self, at_us: int, level: int) -> None:
        """btn_void: coup nul, the croupier says so."""
        if self._void_button.pressed(at_us, level):
            self.table.void("croupier", who=CROUPIER)

    def _doubt(self, at_us: int, name: str) -> None:
        self.table.fault(at_us, "W33", name)
        if name in manual.LINES:
            self._keys.doubt(at_us, name)
        elif name not in _PEOPLE_LINES:
            self.game.doubt(name)

    def _trouble(self, at_us: int, code: str, detail: str) -> None:
        """Something outside the sensors went wrong: what its class says, happens."""
        kind = faults.find(code)
        self.table.fault(at_us, code, detail)
        if kind.grade == faults.NOTICE:
            return
        self.table.let_run_out()
        self.table.void(kind.reason)
        if kind.grade == faults.LOCK:
            self.table.lock(at_us)

    # Any: as `handle`; which of them it is decides what is read of it.
    def _ask(self, event: Any) -> None:
        """What a person asks through the service; the buttons come in as edges."""
        kind, table = type(event), self.table
        why_not = None
        if kind is facts.ManualEntered:
            why_not = manual.refusal(table, event.number, event.colour)
            if why_not is None:
                manual.enter(table, event)
        elif kind is facts.CorrectionAsked:
            why_not = correction.refusal(table, event)
            if why_not is None:
                correction.ask(table, event)
        elif kind is facts.EmployeePresent:
            why_not = table.employee(event)
        elif kind is facts.UnseatAsked:
            why_not = table.unseat(event)
        elif kind is facts.EntryAsked:
            why_not = table.enter_money(event)
        elif kind in (facts.ServiceAsked, facts.TurnAsked, facts.ActDone):
            why_not = self._maintenance.carry_out(event)
        elif kind is facts.VoidAsked and table.playing():
            table.void("croupier", who=event.who)
        elif kind is facts.ConfirmAsked and table.playing() and table.state == states.DETECTED:
            table.confirm(event.who)
        elif kind is facts.ClearAsked and not table.open:
            why_not = self._clear(event)
        elif table.closing:
            why_not = _BEING_RECORDED
        else:
            why_not = "it has no meaning in state " + table.state + "."
        if why_not is not None:
            table.refuse(event.at_us, why_not)

    def _clear(self, event: facts.ClearAsked) -> str | None:
        """Clears what locks the table, or a dispute of mark and disc. Returns why not, or None."""
        table = self.table
        locked = table.state == states.FAULT
        if locked and table.house.driven and self.speed_uturn_s(event.at_us):
            return "the rotor has to come to rest first."
        if not self.game.settle() and not locked:
            return "there is nothing to clear."
        table.record("cleared", {"coup": table.coup, "who": event.who}, None)
        if locked:
            table.enter(states.CLEARED, event.at_us)
            table.tell_view()
        return None
