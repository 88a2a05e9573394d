"""The gaming table's side of a coup, the same for every apparatus: its state, what is told, what is
recorded, how it ends. A result or void is durable first and told after (DESIGN section 4).
"""

from firmware.core import facts, faults
from firmware.core.book import Book
from firmware.core.coup import correction, manual, states, timers
from firmware.core.coup.evidence import Evidence
from firmware.core.coup.pace import Pace
from firmware.core.coup.restart_state import LastOutcome, RestartState
from firmware.core.facts import UNKNOWN
from firmware.core.house import AUTO, PEOPLE, House
from firmware.shims.typed import TYPE_CHECKING, Any, Sequence
from firmware.stakes.accounts import CLOSING, ENTRIES

if TYPE_CHECKING:
    from firmware.core.coup.voting import RingVerdict
    from firmware.core.games.boule import Boule, CupVerdict
    from firmware.core.games.roulette import Roulette
    from firmware.core.games.vingt_trois import VingtTrois


_NO_TERMINALS = "no terminal is played at this table."
# How long an open coup may stay in a state. Croupiers wait for players; balls do not.
LIMITS_US = (
    (states.BETS_OPEN, 300_000_000),
    (states.BALL_IN_TRACK, 90_000_000),  # no ball is known to run for half of that
    (states.NO_MORE_BETS, 60_000_000),
    (
        states.BALL_DROPPED,
        60_000_000,
    ),  # settling takes 2-6 s (PHYSICS.md), a slow set of votes 10 s
)
# What a machine missed that stood still: from the last edge before of a rotor at a playing pace,
# until a rotor that goes on shows it.
LAST_EDGE_US = 100_000
STOOD_TOLD_US = 1_000_000


class Table:
    """Plays one coup after the other. Knows nothing of sensors."""

    def __init__(
        self,
        rules: dict[str, Any],
        restart_state: RestartState,
        house: House,
        book: Book | None = None,
    ) -> None:
        self.rules = rules
        self._book = book
        self.house = house
        self.layout: Sequence[int] = rules["layout"]
        self.timers = timers.Timers()
        self.state = states.BETS_OPEN
        self.coup = max(restart_state.coup, restart_state.open_coup)
        self.seq = restart_state.seq  # the last that is durable
        self.last_seq_given = restart_state.seq  # and the last that was given to a record
        self.corrections: list[tuple[int, int]] = list(restart_state.corrections)
        self.open = restart_state.open_coup > restart_state.coup
        self.closing = False  # the open coup's end is being recorded
        self.rotor_direction = restart_state.rotor  # the last actuation, commanded or seen
        self.commanded_direction = UNKNOWN  # the motor was told to turn so, for a coup yet to move
        self.ball_direction = UNKNOWN  # of the ball that runs
        self.ball_direction_before = restart_state.ball  # and of the last coup that had one
        self.verdict: Any = None  # the game's own: a RingVerdict or a CupVerdict
        self.at_us = 0  # of the event that is being decided
        self._dropped_us = 0  # when the last ball was known to have left the track
        self._stood_us = (0, 0)  # when the machine stood still last: from, to
        self._pace = Pace(house.pace_us)
        self.people_asked_why: Any = None  # why people are asked for the number of the open coup
        self.evidence = Evidence()
        # The procedure's: notes what its sensors say as the coup ends.
        self.collect_evidence: Any = None
        # The procedure's: returns how far its call has come at a time, or None.
        self.call_progress: Any = None
        self._last_progress: Any = None  # the facts.CallProgress that was emitted last
        self.out: list[Any] = []
        self._tickets = 0
        self._waiting: list[Any] = []  # (ticket, kind, what to do once it is durable)
        self._locked = False  # a lock waits for the open coup's end
        # The restart_state.LastOutcome of the last coup, while none is open.
        self.last_outcome: Any = None
        self._told: list[tuple[str, str]] = []
        # A display that has believed a later correction of another coup would refuse an older seq.
        if (
            not self.open
            and restart_state.last is not None
            and restart_state.last.seq == restart_state.seq
        ):
            self.last_outcome = restart_state.last
            self.state = states.VOID if restart_state.last.number is None else states.CONFIRMED

    @property
    def has_terminals(self) -> bool:
        """Returns whether stakes are placed at terminals, and close with the call alone."""
        return self._book is not None

    def attach(self, game: "Roulette | VingtTrois | Boule") -> None:
        """Takes the game that is played: it notes evidence, and says how far its call has come."""
        self.collect_evidence = game.collect_evidence
        self.call_progress = game.call_progress

    def advance_to(self, at_us: int) -> None:
        """Takes the time of the event that is decided from now on."""
        self.at_us = at_us

    def emit(self, fact: object) -> None:
        """Adds a fact or an order to what `take_outputs` gives."""
        self.out.append(fact)

    def playing(self) -> bool:
        """Returns whether a coup is open and its end not yet decided."""
        return self.open and not self.closing

    def begin_coup(self, at_us: int) -> None:
        """Opens the next coup. The one before has ended."""
        wait_us = self._pace.wait_us(at_us)
        self._pace.begun(at_us)
        self.coup += 1
        self.open = True
        self.ball_direction_before = self.ball_direction or self.ball_direction_before
        self.ball_direction = UNKNOWN
        self.verdict = None
        self.last_outcome = None
        self.people_asked_why = None
        self._told = []
        self.evidence.begin_coup(at_us)
        self.enter(states.COUP_STARTED, at_us)
        self.record("begun", {"coup": self.coup}, None)  # or a restart would begin it again
        if self._book is not None:
            self._book.open_coup(self.coup)
        self.out.append(facts.CoupStarted(at_us, self.coup, UNKNOWN))
        if wait_us:  # nobody can stop a hand
            self._tell_wait(at_us, wait_us)
        self.tell_view()

    def enter(self, happening: str, at_us: int) -> None:
        """Goes on along the table of states. Asserts that there is such a line."""
        state = states.after(self.state, happening)
        assert state is not None, (self.state, happening)
        self.state = state
        if happening in (states.CLEARED, states.TAKEN_OUT):
            self._told = []
        self.timers.set(timers.LIMIT, None)
        for limited, limit_us in LIMITS_US:
            if limited == state and self.open:
                self.timers.set(timers.LIMIT, at_us + limit_us)

    def call(self, at_us: int, why: dict[str, Any]) -> None:
        """Emits rien ne va plus. `why`: for the evidence; its `why` is a key of evidence.CALLS."""
        self.enter(states.CALL_DUE, at_us)
        estimate = facts.Estimate(at_us, self.coup, dict(why))
        self.evidence.event("call", at_us, why)
        stakes = None if self._book is None else self._book.close(self.coup)
        if stakes is not None:
            self.record("stakes", stakes, None)
        self.out.append(facts.NoMoreBets(at_us, self.coup))
        self.out.append(estimate)
        self.tell_view()

    def drive(self, direction: int, *, coup: int, by: str, speed_uturn_s: "int | None") -> None:
        """Orders the motor to turn the rotor, as soon as that is durable.

        `by`: who asked, as the record of the actuation says it. `speed_uturn_s`: None for the
        house's own.
        """
        self.commanded_direction = direction
        body = {"coup": coup, "rotor": direction, "by": by}
        self.record("actuation", body, facts.Drive(direction, speed_uturn_s))

    def direction_due(self) -> int:
        """Returns the direction of the next actuation: opposite to the last."""
        return -self.rotor_direction or facts.CW

    def drive_back(self, coup: int) -> None:
        """Orders the motor to turn the rotor for that coup, opposite to its last actuation.

        That is durable before the motor starts (Luxembourg art. 37-1, French article 47).
        """
        self.drive(self.direction_due(), coup=coup, by="command", speed_uturn_s=None)

    def let_run_out(self) -> None:
        """Orders the motor off, and forgets the direction it was told to turn in."""
        self.commanded_direction = UNKNOWN
        self.out.append(facts.RUN_OUT)

    def turned(self, direction: int) -> None:
        """Notes which way the encoder saw the rotor turn; an order to turn it is then fulfilled."""
        self.rotor_direction = direction
        if not self.commanded_direction:  # alternation counts from the last actuation, void or not
            self.record("actuation", {"coup": self.coup, "rotor": direction, "by": "encoder"}, None)
        self.commanded_direction = UNKNOWN

    def note_ball(self, direction: int) -> None:
        """Notes which way the ball runs, without telling it."""
        self.ball_direction = direction

    def launched(self, at_us: int, direction: int) -> None:
        """Emits that the ball of the open coup is in the track, and which way it runs."""
        self.ball_direction = direction
        self.evidence.time("ball_us", at_us)
        self.out.append(facts.BallInTrack(at_us, self.coup, direction))
        self.tell_view()

    def dropped(self, at_us: int, by: str, seen_us: int | None = None) -> None:
        """Emits that the ball has left the track. `by`: a key of evidence.DROPS; `seen_us`: when a
        beam saw it there last, None where that tells nothing."""
        self.enter(states.BALL_LEFT_TRACK, at_us)
        said: dict[str, Any] = {"by": by}
        if seen_us is not None:
            said["seen_us"] = seen_us
        self.evidence.event("drop", at_us, said)
        self._dropped_us = at_us
        self.out.append(facts.BallDropped(at_us, self.coup))
        self.tell_view()

    def note_effort(self, effort: facts.MotorEffort) -> None:
        """Notes how hard the motor works that turns the rotor; where a hand does, nothing."""
        if not self.house.driven or not self.playing():
            return
        if effort.spin_up_us is not None:
            self.evidence.note("spin_up_us", effort.spin_up_us)
        self.evidence.note("duty_permille", effort.duty_permille)

    def wait_for_people(self, reason: str, at_us: int, *, until_us: int) -> None:
        """Waits for people to enter the number that was not detected for that reason."""
        self.people_asked_why = reason
        self.enter(states.UNDETECTED, at_us)
        self.timers.clear()
        self.timers.set(timers.PEOPLE, until_us)

    def next_seq(self) -> int:
        """Returns the next number of a result, void or correction."""
        self.last_seq_given += 1
        return self.last_seq_given

    def note_correction(self, coup: int, seq: int) -> None:
        """Notes a correction of that coup, which is durable."""
        self.seq = seq
        self.corrections.append((coup, seq))

    def replace_outcome(self, outcome: LastOutcome) -> None:
        """Takes what stands for the last coup from now on."""
        self.last_outcome = outcome

    def detected(self, at_us: int, verdict: "RingVerdict | CupVerdict") -> None:
        """Takes the number on which the sensors agree: not official yet, and not shown."""
        self.enter(states.NUMBER_VERIFIED, at_us)
        self.verdict = verdict
        # By silence of the beams a drop is known late: the ball may have lain in a cup by then.
        self.evidence.note("settled_us", max(verdict.since_us - self._dropped_us, 0))
        number = self.layout[verdict.compartment]
        self.out.append(facts.Detected(at_us, self.coup, number, verdict.compartment))
        self.tell_view()
        if self.house.confirm == AUTO:
            self.confirm(AUTO)

    def confirm(self, who: str) -> None:
        """Makes the detected number official."""
        verdict = self.verdict
        body = {
            "number": self.layout[verdict.compartment],
            "compartment": verdict.compartment,
            "colour": self.rules["colours"][verdict.compartment],
        }
        for key, value in verdict.proof:
            body[key] = value
        self.evidence.note("who", who)
        self.close("result", body)

    def stood_still(self, at_us: int, us: int) -> None:
        """Notes that the machine stood still: nobody knows yet whether anything was lost."""
        self._stood_us = (at_us, at_us + us)

    def stood_at(self, lost_us: int) -> bool:
        """Returns whether what was lost then may be what the machine missed as it stood still."""
        begun_us, over_us = self._stood_us
        return over_us > 0 and begun_us - LAST_EDGE_US < lost_us < over_us + STOOD_TOLD_US

    def encoder_failed(self, lost_us: int) -> str:
        """Returns why a coup has no number whose encoder lost edges, at `lost_us` last.

        Those that are missing where the machine stood still are its doing, and told as that.
        """
        if not self.playing() or not self.stood_at(lost_us):
            return "encoder"
        if self.state != states.MANUAL:
            begun_us, over_us = self._stood_us
            self.fault(self.at_us, "C12", str((over_us - begun_us) // 1000))
        return "timeout"

    def sensors_failed(self, reason: str) -> None:
        """Takes that the sensors have no number for the open coup, for that reason.

        One of manual.UNDETECTED, in any state but BETS_OPEN, is left to people if the house chose
        so; for every other the coup is void. Once people are asked, changes nothing.
        """
        if reason in manual.UNDETECTED and self.state != states.BETS_OPEN:  # or no ball was thrown
            self.ask_people_or_void(reason)
        else:
            self.void_by_sensors(reason)

    def void_by_sensors(self, reason: str) -> None:
        """Voids the open coup for what the sensors saw. Once people are asked, changes nothing."""
        if self.state != states.MANUAL:
            self.void(reason)

    def ask_people_or_void(self, reason: str) -> None:
        """Leaves the number to people where the house chose so; else voids the coup.

        Whatever the reason and the state: the coup is called first if it was not. Where terminals
        still take stakes it is void. Once people are asked, changes nothing.
        """
        if not self.playing() or self.state == states.MANUAL:
            return
        if self.house.undetected == PEOPLE and not manual.stakes_in_doubt(self):
            manual.ask(self, reason)
        else:
            self.void(reason)

    def void(self, reason: str, *, who: str | None = None) -> None:
        """Voids the open coup, whatever it waits for. The first reason stands."""
        if self.playing() and states.after(self.state, states.VOIDED) is not None:
            if who is not None:
                self.evidence.note("who", who)
            self.close("void", {"reason": reason})

    def restart(self, at_us: int) -> None:
        """Starts: voids a coup that was open, and counts the pace from now."""
        self.void("interrupted")
        if self.coup:
            self._pace.begun(at_us)
        self.emit_call_progress(at_us)
        if not self.open:  # else its end shows what it is; bets are open for none until then
            self.tell_view()

    def too_early(self, at_us: int) -> bool:
        """Returns whether a press comes before the pace lets a coup begin. Emits a fault if so."""
        wait_us = self._pace.wait_us(at_us)
        if wait_us:
            self._tell_wait(at_us, wait_us)
        return wait_us > 0

    def _tell_wait(self, at_us: int, wait_us: int) -> None:
        self.fault(at_us, "P11", str(-(-wait_us // 1_000_000)))

    def employee(self, event: facts.EmployeePresent) -> str | None:
        """Takes that an employee comes or leaves. Returns why that is refused, or None."""
        if self._book is None:
            return _NO_TERMINALS
        why_not = self._book.employee(event.who, event.present)
        if why_not is None:
            self.record("employee", {"who": event.who, "present": event.present}, None)
            self.emit(facts.Employees(event.at_us, self._book.employees()))
        return why_not

    def unseat(self, event: facts.UnseatAsked) -> str | None:
        """Signs off whoever sits at a terminal. Returns why that is refused, or None."""
        if self._book is None:
            return _NO_TERMINALS
        done = self._book.unseat(event.terminal, event.why)
        if isinstance(done, str):
            return done
        body = {"coup": self.coup, "who": event.who, "why": event.why}
        body.update(done)
        self.record("unseated", body, None)
        return None

    def enter_money(self, event: facts.EntryAsked) -> str | None:
        """Has an entry of the players' accounts recorded. Returns why that is refused, or None."""
        if self._book is None:
            return _NO_TERMINALS
        if event.what == CLOSING and (self.open or self.seq != self.last_seq_given):
            return "a coup, or a correction, is not ended: the day is closed between two coups."
        made = self._book.entry(event.what, event.given)
        if isinstance(made, str):
            return made
        kind, body = made
        self.record(kind, body, {"body": body, "ref": event.given.get("ref")})
        return None

    def emit_call_progress(self, at_us: int) -> None:
        """Emits how far the call has come, if that is news. Only while no coup is played."""
        progress = self.call_progress(at_us) if self.call_progress is not None else None
        if progress is None or self.open:
            return
        last = self._last_progress
        if last is None or progress[1:] != last[1:]:  # the time alone is no news
            self._last_progress = progress
            self.emit(progress)

    def refuse(self, at_us: int, detail: str) -> None:
        """Emits that what somebody asked is not done, and why."""
        self.out.append(facts.Fault(at_us, "P10", faults.sentence("P10", detail)))

    def lock(self, at_us: int) -> None:
        """Takes the table out of play until cleared; an open coup ends first."""
        self._locked = self.open
        if not self.open and self.state != states.FAULT:
            self.enter(states.LOCKED, at_us)
            self.tell_view()

    def record(
        self, kind: str, body: dict[str, Any], then: "dict[str, Any] | facts.Drive | None"
    ) -> None:
        """Asks for a durable record; `then` is an order to give, or the body of an end to tell."""
        self._tickets += 1
        if then is not None:
            self._waiting.append((self._tickets, kind, then))
        self.out.append(facts.Record(self._tickets, kind, body))

    def recorded(self, at_us: int, ticket: int) -> None:
        """Does what waited for a record that is durable now."""
        for waiting in self._waiting:
            if waiting[0] == ticket:
                self._waiting.remove(waiting)
                _, kind, then = waiting
                if kind == "actuation":
                    # Nothing has gone wrong meanwhile.
                    if self.commanded_direction == then.direction and not self.closing:
                        self.rotor_direction = then.direction
                        self.out.append(then)
                elif kind == correction.KIND:
                    correction.durable(self, at_us, then)
                    if self._book is not None and not self._book.corrected(then):
                        self.fault(at_us, "P15", str(then["coup"]))
                elif kind in ENTRIES and self._book is not None:
                    self._book.entered(kind, then["body"])
                    self.emit(facts.Entered(at_us, kind, then["body"], then["ref"]))
                else:
                    self._closed(at_us, kind, then)
                return

    def fault(self, at_us: int, code: str, detail: str) -> None:
        """Emits a fault, once a coup: a state that lasts is not news."""
        if (code, detail) not in self._told:
            self._told.append((code, detail))
            self.evidence.fault(at_us, code, detail)
            self.out.append(facts.Fault(at_us, code, faults.sentence(code, detail)))

    def health_found(self, event: facts.HealthFound) -> None:
        """Records what the watch over health has found, and emits its fault."""
        if event.body is not None:
            self.record("health", event.body, None)
        if event.code is not None:
            self.fault(event.at_us, event.code, event.detail)

    def fault_ended(self, at_us: int, code: str, detail: str) -> None:
        """Emits that a fault has ended; when it comes again in this coup, that is news."""
        text = faults.end(code, detail)
        assert text is not None, code
        if (code, detail) in self._told:
            self._told.remove((code, detail))
        self.evidence.fault_ended(at_us, code, detail)
        self.out.append(facts.FaultEnded(at_us, code, detail, text))

    def tell_view(self) -> None:
        """Emits the present view, for the displays."""
        self.out.append(self.view())

    def view(self) -> facts.View:
        """Returns what the displays may show now: a number only if it is confirmed."""
        if self.last_outcome is not None and self.state in (states.CONFIRMED, states.VOID):
            seq, *what = self.last_outcome
        else:
            seq, what = self.seq, [None, None, None]
        return facts.View(self.state, self.coup, seq, self.rotor_direction, *what)

    def take_outputs(self) -> "facts.Answer":
        """Returns the facts and orders since the last call, in order."""
        out, self.out = self.out, []
        return out

    def close(self, kind: str, body: dict[str, Any]) -> None:
        """Ends the open coup: has its result or void recorded, to be told once it is."""
        self.closing = True
        self.timers.clear()
        body["coup"] = self.coup
        body["seq"] = self.next_seq()
        body["rotor"] = self.rotor_direction
        body["ball"] = self.ball_direction
        body["rules"] = self.rules["name"]
        body["layout_verified"] = self.rules["layout_verified"]
        seal = None if self._book is None else self._book.sealed(self.coup)
        if seal is not None:
            body["stakes"] = seal
        self.record("evidence", self._explained(body["seq"]), None)
        self.record(kind, body, body)

    def _explained(self, seq: int) -> dict[str, Any]:
        """The evidence of the coup that ends now."""
        if self.evidence.begun:
            self.collect_evidence()
        # Which order of compartments gave the number: the rules' own, or an establishment's file.
        self.evidence.note("layout", self.rules["layout_hash"])
        said = self.evidence.body(self.at_us)
        said["coup"] = self.coup
        said["seq"] = seq
        return said

    def _closed(self, at_us: int, kind: str, body: dict[str, Any]) -> None:
        """The end is durable: it may be told."""
        self.closing = False
        self.open = False
        self.seq = body["seq"]
        if kind == "result":
            self.enter(states.RESULT_RECORDED, at_us)
            number, colour = body["number"], body["colour"]
            verified = "manual" not in body
            self.last_outcome = LastOutcome(self.seq, number, colour, None)
            said = (number, body["compartment"], colour, verified, body["layout_verified"])
            self.out.append(facts.Result(at_us, self.coup, self.seq, *said))
        else:
            self.enter(states.VOIDED, at_us)
            self.last_outcome = LastOutcome(self.seq, None, None, body["reason"])
            self.out.append(facts.Void(at_us, self.coup, self.seq, body["reason"]))
        if self._book is not None:
            self._book.ended(body)
        self.emit_call_progress(at_us)
        self.tell_view()
        if self._locked:
            self.lock(at_us)
