"""The controller's one face to the loop: edges and requests in, facts and orders out.

No clock, no I/O, no randomness: the same events give the same answers, on every interpreter.
"""

from firmware.core import coup, facts, faults
from firmware.core.facts import UNKNOWN
from firmware.core.roulette import Roulette
from firmware.core.table import FRESH, Memory, Table
from firmware.shims.typed import Any, Sequence

__all__ = ["FRESH", "Controller", "Memory"]
BOUNCE_US = 30_000  # a button's contacts settle within 20 ms
_NOTHING: Sequence[Any] = ()


class Controller:
    """Decides. `deadline_us` says when to call `handle(Tick(deadline_us))` at the latest."""

    def __init__(
        self,
        board: Any,
        rules: Any,
        *,
        memory: Memory = FRESH,
        confirm: str = "auto",
        driven: bool = False,
        call_us: int = 0,
    ) -> None:
        """`board`, `rules`: data of those folders. `confirm`: "auto" or "croupier".

        `driven`: `btn_start` makes the motor turn the rotor; else a hand does.
        `call_us`: the time the call itself takes.
        """
        self.table = Table(rules, memory)
        self.game = Roulette(board["geometry"], self.table, learned=memory.learned, call_us=call_us)
        self.game.auto = confirm == "auto"
        self._driven = driven
        self._timers = self.table.timers
        self._names: Sequence[str] = [name for name, _ in board["inputs"]]
        self._lines = [self._handler(name) for name in self._names]
        self._button_us = {"btn_start": -BOUNCE_US, "btn_void": -BOUNCE_US}  # their last edges

    @property
    def deadline_us(self) -> Any:
        """When to call with a Tick though nothing happens, or None."""
        return self._timers.due_us

    @property
    def state(self) -> str:
        """A state of coup.py."""
        return self.table.state

    def preset(self, line: int, level: int) -> None:
        """The level of one line before the first edge; lines not named are 0."""
        if self._names[line] not in ("btn_start", "btn_void"):
            self.game.preset(self._names[line], level)

    def begin(self, at_us: int) -> Sequence[Any]:
        """Once, before anything else: ends a coup that a restart interrupted; shows the state."""
        self.table.void("interrupted")
        self.table.show()
        return self.table.take()

    def finish(self, at_us: int) -> Sequence[Any]:
        """Nothing comes any more: a coup still open is void, interrupted."""
        self.game.stop()
        self.table.void("interrupted")
        return self.table.take()

    def edge(self, at_us: int, line: int, level: int) -> Sequence[Any]:
        """An edge of the board's input number `line`: level 0, 1 or facts.DOUBT."""
        if level < 0:
            self._doubt(at_us, self._names[line])
        else:
            self._lines[line](at_us, level)
        return self.table.take() if self.table.out else _NOTHING

    def handle(self, event: Any) -> Sequence[Any]:
        """Any other event of facts.py."""
        if isinstance(event, facts.Tick):
            self.game.tick(event.at_us)
        elif isinstance(event, facts.Recorded):
            self.table.recorded(event.at_us, event.ticket)
            self.game.try_open(event.at_us)
        elif isinstance(event, facts.Trouble):
            self._trouble(event.at_us, event.code, event.detail)
        else:
            self._ask(event)
        return self.table.take()

    def speed_uturn_s(self, now_us: int) -> int:
        """The rotor's signed speed, ccw positive, micro-turns a second."""
        return self.game.rotor.speed_uturn_s(now_us)

    def view(self) -> facts.View:
        """What the displays may show now: a number only if it is confirmed."""
        return self.table.view()

    def _handler(self, name: str) -> Any:
        """What takes the edges of the line called `name`."""
        if name == "btn_start":
            return self._start
        if name == "btn_void":
            return self._cancel
        return self.game.handler(name)

    def _start(self, at_us: int, level: int) -> None:
        """btn_start: confirms a detected number, or starts a coup."""
        if not self._pressed("btn_start", at_us, level):
            return
        table = self.table
        if table.state == coup.DETECTED:
            if table.playing() and not self.game.auto:
                table.confirm("croupier")
            return
        self.game.started(at_us)
        if table.open or table.state == coup.FAULT or not self._driven or table.commanded:
            return
        # Durable before the motor starts, opposite to the last actuation (art. 37-1).
        way = -table.rotor or facts.CW
        table.commanded = way
        body = {"coup": table.coup + 1, "rotor": way, "by": "command"}
        table.record("actuation", body, facts.Drive(way))

    def _cancel(self, at_us: int, level: int) -> None:
        """btn_void: coup nul, the croupier says so."""
        if self._pressed("btn_void", at_us, level):
            self.table.void("croupier")

    def _pressed(self, button: str, at_us: int, level: int) -> bool:
        """True if this edge is a press, and not its contacts settling."""
        quiet_us = at_us - self._button_us[button]
        self._button_us[button] = at_us
        return level == 1 and quiet_us >= BOUNCE_US

    def _doubt(self, at_us: int, name: str) -> None:
        self.table.fault(at_us, "W33", name)
        if not name.startswith("btn"):
            self.game.doubt(name)

    def _trouble(self, at_us: int, code: str, detail: str) -> None:
        """Something outside the sensors went wrong: what its class says, happens."""
        kind = faults.find(code)
        self.table.fault(at_us, code, detail)
        if kind.grade == faults.NOTICE:
            return
        self.table.commanded = UNKNOWN
        self.table.out.append(facts.Drive(UNKNOWN))
        self.table.void(kind.reason)
        if kind.grade == faults.LOCK:
            self.table.lock(at_us)

    def _ask(self, event: Any) -> None:
        """What a person asks through the service; the buttons come in as edges."""
        kind, at_us, table = type(event), event.at_us, self.table
        if kind is facts.VoidAsked and table.playing():
            table.void("croupier")
        elif kind is facts.ConfirmAsked and table.playing() and table.state == coup.DETECTED:
            table.confirm(event.who)
        elif kind is facts.ManualEntered and self._may_enter(event.number):
            table.enter_number(at_us, event.number, who=event.who)
        elif kind is facts.ClearAsked and table.state == coup.FAULT:
            table.enter(coup.CLEARED, at_us)
            table.show()
        else:
            detail = "it has no meaning in state " + table.state + "."
            if table.closing:
                detail = "the end of the coup is being recorded."
            table.out.append(facts.Fault(at_us, "P10", faults.sentence("P10", detail)))

    def _may_enter(self, number: int) -> bool:
        """A number may be entered between the call and the result, if the wheel has it."""
        if not self.table.playing() or number not in self.table.layout:
            return False
        return coup.after(self.table.state, coup.NUMBER_ENTERED) is not None
