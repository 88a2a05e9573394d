"""A core that plays edges, its every answer checked for what must always hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware.core import facts
from firmware.core.call import predictor
from firmware.core.controller import Controller
from harness.sessions import Session

ENDS = (facts.Result, facts.Void)
RECORDED = ("result", "void", "correction")


def codes(told: list[Any]) -> list[str]:
    """The codes of the faults that were told."""
    return [fact.code for fact in told if isinstance(fact, facts.Fault)]


class Watched:
    """A core whose every answer is checked for what must always hold."""

    def __init__(
        self, core: Controller, *, delay_us: int = 0, open_coup: int | None = None
    ) -> None:
        """`open_coup`: the one that a restart interrupted, if its restart state said so."""
        self.core = core
        self.facts: list[Any] = []
        self.orders: list[Any] = []
        self.unanswered: list[tuple[int, Any]] = []  # due, record
        self.durable: list[Any] = []  # bodies that were acknowledged, in order
        self.delay_us = delay_us
        self.at_us = 0
        self._open = open_coup
        view = core.view()
        self._coup = view.coup
        self._seq = core.table.seq
        self._recalled = (view.number, view.seq)  # of the last coup, from before a restart

    @property
    def ends(self) -> list[Any]:
        """The results and voids so far."""
        return [fact for fact in self.facts if isinstance(fact, ENDS)]

    @property
    def codes(self) -> list[str]:
        """The codes of the faults so far."""
        return codes(self.facts)

    @property
    def drives(self) -> list[int]:
        """What the motor was ordered so far."""
        return [order.direction for order in self.orders if isinstance(order, facts.Drive)]

    def start(self, levels: Any) -> None:
        """Levels, then the begin."""
        if levels is not None:
            for line, level in enumerate(levels):
                self.core.preset(line, level)
        self.take(0, self.core.begin_play(0))

    def until(self, at_us: int) -> None:
        """Acknowledges and ticks all that is due by then, each at its time."""
        guard = 0
        while True:
            due = [self.unanswered[0][0]] if self.unanswered else []
            if self.core.timers.due_us is not None:
                due.append(self.core.timers.due_us)
            if not due or min(due) > at_us:
                break
            now = max(min(due), self.at_us)
            guard = guard + 1 if now == self.at_us else 0
            assert guard < 100, "the core asks for ticks that change nothing"
            self.at_us = now
            if self.unanswered and self.unanswered[0][0] <= now:
                self.acknowledge(now)
            else:
                self.take(now, self.core.handle(facts.Tick(now)))
        self.at_us = max(self.at_us, at_us)

    def acknowledge(self, at_us: int) -> None:
        """The oldest record is durable."""
        _, record = self.unanswered.pop(0)
        self.durable.append((record.kind, record.body))
        self.take(at_us, self.core.handle(facts.Recorded(at_us, record.ticket)))

    def edge(self, at_us: int, line: int, level: int) -> None:
        """One edge, after all that was due before it."""
        self.until(at_us)
        if line >= 0:
            self.take(at_us, self.core.edge(at_us, line, level))

    def event(self, event: Any) -> None:
        """One event of facts.py."""
        self.until(event.at_us)
        self.take(event.at_us, self.core.handle(event))

    def run(self, session: Session) -> list[Any]:
        """A whole session; a coup that is open at its end is void."""
        self.play(session)
        self.end()
        return self.facts

    def play(self, session: Session, until: Callable[[], Any] = lambda: False) -> bool:
        """A session, as far as the edge after which `until` holds; whether it ever did."""
        self.start(session.levels())
        for edge in session.edges():
            self.edge(*edge)
            if until():
                return True
        return False

    def end(self) -> None:
        """Nothing comes any more."""
        self.take(self.at_us, self.core.finish(self.at_us))
        while self.unanswered:
            self.acknowledge(self.at_us)

    def take(self, at_us: int, answer: Any) -> None:
        """Every answer comes by here, in order."""
        for item in answer:
            if isinstance(item, facts.Record):
                self.unanswered.append((at_us + self.delay_us, item))
                continue
            if isinstance(item, facts.View):
                self._check_view(item)
            elif isinstance(item, facts.Drive):
                self._check_drive(item)
            elif isinstance(item, facts.Estimate | facts.Act):
                assert item.at_us == self.at_us
            elif isinstance(item, facts.CallProgress):
                assert self._open is None, "where the call stands was told within a coup"
                assert item.why in predictor.WHYS
            else:
                self._check_fact(item)
                self.facts.append(item)
            self.orders.append(item)
        while self.unanswered and self.delay_us == 0 and self.unanswered[0][0] <= at_us:
            self.acknowledge(at_us)

    def _check_view(self, view: facts.View) -> None:
        if view.number is not None:
            assert view.state == "CONFIRMED", view
            assert (view.number, view.seq) == self._stands(view.coup), view
        assert view.state != "VOID" or view.reason

    def _stands(self, coup: int) -> Any:
        """Number and seq of what stands for a coup: durable before it is shown."""
        said = [body for kind, body in self.durable if kind in RECORDED and body["coup"] == coup]
        if said:
            return said[-1].get("number"), said[-1]["seq"]
        return self._recalled

    def _check_corrects(self, fact: Any) -> None:
        said = [body for kind, body in self.durable if kind in RECORDED and body["seq"] < fact.seq]
        before = [body["seq"] for body in said if body["coup"] == fact.coup]
        assert fact.corrects < fact.seq
        assert not before or before[-1] == fact.corrects

    def evidence(self) -> Any:
        """The last that was recorded; it stands just before the end that it explains. What a drop
        teaches may follow."""
        rows = [row for row in self.durable if row[0] != "learned"]
        (before, said), (_, body) = rows[-2:]
        assert before == "evidence"
        assert (said["coup"], said["seq"]) == (body["coup"], body["seq"])
        return said

    def _check_drive(self, drive: facts.Drive) -> None:
        if drive.direction:
            kind, body = self.durable[-1]
            assert kind == "actuation", "driven before the alternation was durable"
            assert body["rotor"] == drive.direction

    def _check_fact(self, fact: Any) -> None:
        if isinstance(fact, facts.CoupStarted):
            assert self._open is None, "a coup began within a coup"
            assert fact.coup == self._coup + 1
            self._open = self._coup = fact.coup
        elif isinstance(fact, (*ENDS, facts.Correction)):
            if isinstance(fact, ENDS):
                assert self._open == fact.coup, "an end without its coup"
                self._open = None
            assert fact.seq == self._seq + 1, "numbered without a gap"
            self._seq = fact.seq
            bodies = [body for kind, body in self.durable if kind in RECORDED]
            assert bodies, "told before it was recorded"
            assert bodies[-1]["seq"] == fact.seq
            if isinstance(fact, facts.Correction):
                self._check_corrects(fact)
            for key in ("number", "reason"):
                assert bodies[-1].get(key) == getattr(fact, key, None)
