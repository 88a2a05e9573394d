"""The gaming table's side of a coup, the same for every apparatus: its state, what is told, what is
recorded, how it ends. A result or void is durable first and told after (DESIGN section 4).
"""

from firmware.core import coup, facts, faults, timers
from firmware.core.facts import UNKNOWN
from firmware.shims.typed import Any, NamedTuple, Sequence
from rules import colour

# How long an open coup may stay in a state. Croupiers wait for players; balls do not.
LIMITS_US = (
    (coup.BETS_OPEN, 300_000_000),
    (coup.BALL_IN_TRACK, 90_000_000),  # no ball is known to run for half of that
    (coup.NO_MORE_BETS, 60_000_000),
    (coup.BALL_DROPPED, 60_000_000),  # settling takes 2-6 s (PHYSICS.md), a slow set of votes 10 s
)

# What outlives a restart. coup, seq: the last that ended; rotor: the last actuation;
# open_coup: a coup that was set in motion (0: none since the last end); learned: drop.Learned.
Memory = NamedTuple(
    "Memory", [("coup", int), ("seq", int), ("rotor", int), ("open_coup", int), ("learned", Any)]
)
FRESH = Memory(0, 0, UNKNOWN, 0, None)


class Table:
    """One coup after the other. Knows nothing of sensors."""

    def __init__(self, rules: Any, memory: Memory) -> None:
        self.rules = rules
        self.layout: Sequence[int] = rules["layout"]
        self.timers = timers.Timers()
        self.state = coup.BETS_OPEN
        self.coup = max(memory.coup, memory.open_coup)
        self.seq = memory.seq
        self.open = memory.open_coup > memory.coup
        self.closing = False  # the open coup's end is being recorded
        self.rotor = memory.rotor  # the last actuation, commanded or seen
        self.commanded = UNKNOWN  # the way the motor was told to turn, for a coup yet to move
        self.ball = UNKNOWN  # which way the ball runs
        self.verdict: Any = None
        self.out: list[Any] = []
        self._tickets = 0
        self._waiting: list[Any] = []  # (ticket, kind, what to do once it is durable)
        self._locked = False  # a lock waits for the open coup's end
        self._shown: Any = None  # the confirmed number
        self._reason: Any = None
        self._told: list[tuple[str, str]] = []

    def playing(self) -> bool:
        """True while a coup is open and its end not yet decided."""
        return self.open and not self.closing

    def begin(self, at_us: int) -> None:
        """Opens the next coup. The one before has ended."""
        self.coup += 1
        self.open = True
        self.ball = UNKNOWN
        self.verdict = None
        self._shown = None
        self._reason = None
        self._told = []
        self.enter(coup.COUP_STARTED, at_us)
        self.out.append(facts.CoupStarted(at_us, self.coup, UNKNOWN))
        self.show()

    def enter(self, happening: str, at_us: int) -> None:
        """Goes on along the table of states. Asserts that there is such a line."""
        state = coup.after(self.state, happening)
        assert state is not None, (self.state, happening)
        self.state = state
        if happening == coup.CLEARED:
            self._told = []
        self.timers.set(timers.LIMIT, None)
        for limited, limit_us in LIMITS_US:
            if limited == state and self.open:
                self.timers.set(timers.LIMIT, at_us + limit_us)

    def detected(self, at_us: int, verdict: Any) -> None:
        """The sensors agree. Not official yet, and not shown."""
        self.enter(coup.NUMBER_VERIFIED, at_us)
        self.verdict = verdict
        number = self.layout[verdict.compartment]
        self.out.append(facts.Detected(at_us, self.coup, number, verdict.compartment))
        self.show()

    def confirm(self, who: str) -> None:
        """Makes the detected number official."""
        votes = {"votes": self.verdict.votes, "residual_uturn": self.verdict.residual_uturn}
        self._result(self.verdict.compartment, who=who, verified=votes)

    def enter_number(self, at_us: int, number: int, *, who: str) -> None:
        """Manual mode (art. 67-5 of the French arrêté of 14 May 2007): a person says the number."""
        self.enter(coup.NUMBER_ENTERED, at_us)
        self.show()
        self._result(self.layout.index(number), who=who, verified=None)

    def void(self, reason: str) -> None:
        """Ends the open coup without a number. The first reason stands."""
        if self.playing() and coup.after(self.state, coup.VOIDED) is not None:
            self._close("void", {"reason": reason})

    def lock(self, at_us: int) -> None:
        """Out of play until cleared; an open coup ends first."""
        self._locked = True
        if not self.open and self.state != coup.FAULT:
            self._locked = False
            self.enter(coup.LOCKED, at_us)
            self.show()

    def record(self, kind: str, body: Any, then: Any) -> None:
        """Asks for a durable record; `then` is an order to give, or the body of an end to tell."""
        self._tickets += 1
        if then is not None:
            self._waiting.append((self._tickets, kind, then))
        self.out.append(facts.Record(self._tickets, kind, body))

    def recorded(self, at_us: int, ticket: int) -> None:
        """A record is durable: what waited for it may happen."""
        for waiting in self._waiting:
            if waiting[0] == ticket:
                self._waiting.remove(waiting)
                _, kind, then = waiting
                if kind == "actuation":
                    if self.commanded == then.rotor:  # nothing has gone wrong meanwhile
                        self.rotor = then.rotor
                        self.out.append(then)
                else:
                    self._closed(at_us, kind, then)
                return

    def fault(self, at_us: int, code: str, detail: str) -> None:
        """Tells a fault, once a coup: a state that lasts is not news."""
        if (code, detail) not in self._told:
            self._told.append((code, detail))
            self.out.append(facts.Fault(at_us, code, faults.sentence(code, detail)))

    def show(self) -> None:
        """Gives the displays the present view."""
        self.out.append(self.view())

    def view(self) -> facts.View:
        """What the displays may show now: a number only if it is confirmed."""
        number = self._shown if self.state == coup.CONFIRMED else None
        reason = self._reason if self.state == coup.VOID else None
        return facts.View(self.state, self.coup, self.seq, self.rotor, number, reason)

    def take(self) -> Sequence[Any]:
        """What there is to tell and to do since the last call, in order."""
        out, self.out = self.out, []
        return out

    def _result(self, compartment: int, *, who: str, verified: Any) -> None:
        number = self.layout[compartment]
        body = {
            "number": number,
            "compartment": compartment,
            "colour": colour(self.rules, number),
            "verified": verified is not None,
            "who": who,
        }
        if verified is not None:
            body.update(verified)
        self._close("result", body)

    def _close(self, kind: str, body: Any) -> None:
        self.closing = True
        self.timers.clear()
        body["coup"] = self.coup
        body["seq"] = self.seq + 1
        body["rotor"] = self.rotor
        body["ball"] = self.ball
        self.record(kind, body, body)

    def _closed(self, at_us: int, kind: str, body: Any) -> None:
        """The end is durable: it may be told."""
        self.closing = False
        self.open = False
        self.seq = body["seq"]
        if kind == "result":
            self.enter(coup.RESULT_RECORDED, at_us)
            self._shown = body["number"]
            keys = ("coup", "seq", "number", "compartment", "colour", "verified")
            self.out.append(facts.Result(at_us, *[body[key] for key in keys]))
        else:
            self.enter(coup.VOIDED, at_us)
            self._reason = body["reason"]
            self.out.append(facts.Void(at_us, self.coup, self.seq, self._reason))
        self.show()
        if self._locked:
            self.lock(at_us)
