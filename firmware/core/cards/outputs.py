"""What a card table answers with: facts, orders and rows, in order; some wait for a record."""

from firmware.core import facts as core_facts
from firmware.core import faults
from firmware.shims.typed import Any, Sequence


class Outputs:
    """Of one table. `at_us`: of the event that is being decided."""

    def __init__(self) -> None:
        """Nothing was said."""
        self.at_us = 0
        self._out: list[Any] = []
        self._tickets = 0
        self._waiting: list[Any] = []  # (ticket, kind, body)
        self._told: list[Any] = []

    def emit(self, fact: object) -> None:
        """Adds a fact or an order to the answer."""
        self._out.append(fact)

    def refuse(self, why: str) -> None:
        """Emits that what somebody asked is not done, and why."""
        self.emit(core_facts.Fault(self.at_us, "P10", faults.sentence("P10", why)))

    def refuse_by(self, why_not: "tuple[str, str] | None") -> None:
        """Emits that what somebody asked is not done, by which article; None: it is done."""
        if why_not is not None:
            rule, why = why_not
            self.refuse(f"{rule}: {why}" if rule else why)

    def fault(self, code: str, detail: str) -> None:
        """Emits a fault, once a round: a state that lasts is not news."""
        if (code, detail) not in self._told:
            self._told.append((code, detail))
            self.emit(core_facts.Fault(self.at_us, code, faults.sentence(code, detail)))

    def end_fault(self, code: str, what: str) -> None:
        """Emits that what was wrong is over: it is news if it comes again."""
        text = faults.end(code, what)
        assert text is not None, code
        self._told = [told for told in self._told if told[0] != code]
        self.emit(core_facts.FaultEnded(self.at_us, code, what, text))

    def forget_faults(self) -> None:
        """Takes that a round begins: what is wrong is news again."""
        self._told = []

    def record(
        self,
        kind: str,
        body: "dict[str, Any]",
        *,
        waits: bool = False,
        then: "dict[str, Any] | None" = None,
    ) -> None:
        """Asks for a durable record. `waits`: something is told once it is: of `then`, None: of the
        body itself.
        """
        self._tickets += 1
        if waits:
            self._waiting.append((self._tickets, kind, body if then is None else then))
        self.emit(core_facts.Record(self._tickets, kind, body))

    def pop_durable(self, ticket: int) -> "tuple[str, dict[str, Any]] | None":
        """Returns kind and body of what waited for that record, once; None if nothing did."""
        for waiting in self._waiting:
            if waiting[0] == ticket:
                self._waiting.remove(waiting)
                return waiting[1], waiting[2]
        return None

    def take_outputs(self) -> "Sequence[Any]":
        """Returns the facts and orders since the last call, in order."""
        out, self._out = self._out, []
        return out
