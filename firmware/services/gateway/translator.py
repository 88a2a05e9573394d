"""From how the table stands to what the established ASCII displays are told, and when.

Facts and time in, bytes out; no clock, no port, no socket. The displays cannot check anything, so
what is said here is only what is known to be true now: facts older than FRESH_US are no facts, and
then nothing is said at all, which those displays take for a fault. A number goes out as news (bare,
then in state 5) only if the controller has just told it and still stands in CONFIRMED.
"""

from firmware.core.coup import states
from firmware.services.gateway import lines
from firmware.services.gateway.facts import CLOCKWISE, Facts
from firmware.services.gateway.lines import Line, More, Polls

# The three ways to speak.
STATUS = "status"
EXTENDED = "extended"
BASIC = "basic"
MODES = (STATUS, EXTENDED, BASIC)

INTERVAL_US = 500_000  # between two lines; the median of a real installation is 496 ms (FIELD.md)
LEAD_US = 175_000  # the bare number before its state 5: seen in a capture (FIELD.md)
# The bare number may be late by so much before its state 5 waits for another interval.
SLACK_US = 75_000
LATE_US = 20_000  # as long as a line takes at 9600 baud: a wake-up later than that is a pause
FRESH_US = 1_000_000  # as long as our own displays believe a controller that they do not hear
TURNS = 3  # of the rotor, then state 5 ends
CLOSED_US = 600_000_000  # so long a still rotor, then the table is closed
SLOW_RPM, FAST_RPM = 10.0, 30.0  # the usual limits of a roulette's rotor (FIELD.md)

_US_MINUTE = 60_000_000
_CALLED = (states.NO_MORE_BETS, states.BALL_DROPPED, states.DETECTED)
_PLAYING = (states.BALL_IN_TRACK, states.MANUAL, *_CALLED)
# fmt: off
_STATES = {
    states.BALL_IN_TRACK: lines.BALL_IN_RIM,
    states.NO_MORE_BETS: lines.NO_MORE_BETS,
    states.BALL_DROPPED: lines.NO_MORE_BETS,
    states.DETECTED: lines.NO_MORE_BETS,  # not yet official
    states.MANUAL: lines.DEALER_LOCK,
    states.VOID: lines.START,
    states.FAULT: lines.DEALER_LOCK,
    states.SERVICE: lines.TABLE_CLOSED,
}
# Reasons of a void that are the sensors', or of a thing that does not belong there.
_SENSORS = ("encoder", "foreign_object", "sensors_disagree", "two_balls")
_SENSOR_FAULTS = "W"  # how their codes begin (firmware/core/faults.py)
_BASIC = {lines.PLACE_BETS: b"*S", lines.NO_MORE_BETS: b"*N"}
# fmt: on


class Translator:
    """One gateway's words. Times are microseconds of one monotonic clock."""

    def __init__(
        self,
        mode: str = STATUS,
        *,
        count: str = lines.GAMES_1_256,
        slow_rpm: float = SLOW_RPM,
        fast_rpm: float = FAST_RPM,
        lead_us: int = LEAD_US,
    ) -> None:
        """Knows nothing yet, so says nothing. `mode`, `count`: of MODES and lines.GAMES_*."""
        assert mode in MODES and 0 <= lead_us < INTERVAL_US
        self._mode = mode
        self._count = count
        self._slow_rpm, self._fast_rpm = slow_rpm, fast_rpm
        self._lead_us = lead_us
        self._polls = Polls()
        self._facts: Facts | None = None
        self._true_us = 0  # when the facts were true at the latest
        self._next_us = 0  # the next line
        self._active_us = 0  # when something last turned, or a coup was under way
        self._turned = 0.0  # turns of the rotor since state 5 began
        self._bare_us: int | None = None  # the bare number is due
        self._five_us: int | None = None  # the bare number went out: state 5 may be told from then
        self._five = False  # it has been
        self._announced: int | None = None  # the coup whose number has gone out as news
        self._state = lines.START  # as told last
        self._number: int | None = None
        self._held = 0  # flags that stay until the ball is played again
        self._anticlockwise = False
        self._basic: tuple[bytes, int] | None = None  # what was said last, and in which coup

    @property
    def speaks(self) -> bool:
        """Returns whether anything is known that may be said."""
        return self._facts is not None

    @property
    def deadline_us(self) -> int | None:
        """Returns when `lines` is to be called at the latest, or None."""
        if self._facts is None:
            return None
        due = self._true_us + FRESH_US
        if self._mode != BASIC:
            due = min(due, self._next_us)
        return due if self._bare_us is None else min(due, self._bare_us)

    def take_answer(self, facts: Facts, asked_us: int) -> None:
        """Takes the controller's answer to what it was asked at that time."""
        if facts.state is None or facts.loop_age_ms is None:
            self.lost()  # it has not begun
            return
        if self._facts is None:
            self._next_us = max(self._next_us, asked_us)
            self._active_us = asked_us
        elif self._five:
            self._turn(self._facts, asked_us)
        self._facts = facts
        self._true_us = asked_us - facts.loop_age_ms * 1000
        if facts.coup != self._announced:
            self._announced = None
        if facts.state != states.CONFIRMED:
            self._bare_us = self._five_us = None
            self._five = False
        elif self._is_news(facts):
            self._announced = facts.coup
            self._bare_us = self._next_us - self._lead_us
            while self._bare_us < asked_us:
                self._bare_us += INTERVAL_US
        if self._turns(facts) or facts.state in _PLAYING or self._places_bets(facts):
            self._active_us = asked_us
        self._flag(facts)
        if facts.rotor is not None:
            self._anticlockwise = facts.rotor != CLOCKWISE

    def lost(self) -> None:
        """Forgets what was known: the controller has gone, or nobody can be told."""
        if self._bare_us is not None:
            self._announced = None
        self._facts = None
        self._bare_us = self._five_us = None
        self._five = False

    def lines(self, now_us: int) -> bytes:
        """Returns what is due by now, whole lines with their ends."""
        if not self._fresh(now_us):
            self.lost()
            return b""
        if self._mode == BASIC:
            return self._basically(now_us)
        out = self._bare(now_us)
        if now_us >= self._next_us:
            if self._five_us is not None and now_us >= self._five_us:
                self._five_us, self._five, self._turned = None, True, 0.0
            out += self._line(now_us)
            late = now_us - self._next_us > LATE_US  # then there is no hurry with the next
            self._next_us = (now_us if late else self._next_us) + INTERVAL_US
        return out

    def poll(self, data: bytes, now_us: int) -> bytes:
        """Takes what came on the line; the answer to a poll, or nothing."""
        polled = self._polls.is_polled(data, now_us)
        if polled and self._mode != BASIC and self._fresh(now_us):
            return self._line(now_us)
        return b""

    # --- news ---------------------------------------------------------------------------------
    def _fresh(self, now_us: int) -> bool:
        return self._facts is not None and now_us - self._true_us < FRESH_US

    def _is_news(self, facts: Facts) -> bool:
        age_ms = facts.result_age_ms
        told_now = age_ms is not None and age_ms * 1000 < FRESH_US
        return told_now and facts.number is not None and facts.coup != self._announced

    def _bare(self, now_us: int) -> bytes:
        """Returns the number alone, in good time before the line that has it in state 5."""
        if self._bare_us is None or now_us < self._bare_us:
            return b""
        assert self._facts is not None and self._facts.number is not None
        self._bare_us = None
        self._five_us = now_us + max(self._lead_us - SLACK_US, 0)
        return lines.number(self._facts.number) + lines.END

    @property
    def _waiting(self) -> bool:
        """Returns whether a number is about to be told: until then the lines stay as they are."""
        return self._bare_us is not None or self._five_us is not None

    def _turn(self, before: Facts, now_us: int) -> None:
        """Counts the rotor's turns, and ends state 5 after three of them."""
        assert self._facts is not None
        since_us = max(0, now_us - self._true_us)
        self._turned += (before.rotor_rpm or 0.0) * since_us / _US_MINUTE
        if self._turned >= TURNS:
            self._five = False

    # --- the fields ---------------------------------------------------------------------------
    def _line(self, now_us: int) -> bytes:
        facts = self._facts
        assert facts is not None
        if not self._waiting:
            self._number = facts.last_number
        state = self._state = self._state_of(facts, now_us)
        line = Line(
            state=state,
            games=facts.coup if self._counts(facts) else facts.coup + 1,
            number=self._number,
            flags=self._flags(facts),
            rpm=facts.rotor_rpm,
            anticlockwise=self._anticlockwise,
        )
        if self._mode == STATUS:
            return lines.status(line, self._count) + lines.END
        return lines.extended(line, self._more(facts, state), self._count) + lines.END

    def _state_of(self, facts: Facts, now_us: int) -> int:
        if self._waiting:
            in_coup = self._state in (lines.NO_MORE_BETS, lines.DEALER_LOCK)
            return self._state if in_coup else lines.NO_MORE_BETS
        if facts.state == states.CONFIRMED:
            state = lines.WINNING_NUMBER if self._five else lines.START
        elif facts.state == states.BETS_OPEN:
            state = lines.PLACE_BETS if facts.open else lines.START
        else:
            state = _STATES[str(facts.state)]
        idle = state in (lines.START, lines.WINNING_NUMBER)
        if idle and now_us - self._active_us >= CLOSED_US:
            return lines.TABLE_CLOSED
        return state

    def _counts(self, facts: Facts) -> bool:
        """Returns whether the game that is counted is this coup's; else it is the next."""
        if facts.state == states.CONFIRMED:
            return self._five or self._waiting
        return facts.state in _PLAYING or self._places_bets(facts)

    def _places_bets(self, facts: Facts) -> bool:
        return facts.state == states.BETS_OPEN and facts.open

    def _flag(self, facts: Facts) -> None:
        """Flags 2 and 8 hold until the ball is played again."""
        if facts.state == states.VOID:
            self._held = lines.NO_SPIN
            if facts.reason == "same_direction":
                self._held |= lines.SAME_DIRECTION
        elif facts.state in (states.BALL_IN_TRACK, states.CONFIRMED, *_CALLED):
            self._held = 0

    def _flags(self, facts: Facts) -> int:
        flags = self._held
        if self._speed(facts) in (lines.FAST, lines.SLOW):
            flags |= lines.SPEED_OUTSIDE
        void = facts.state == states.VOID and facts.reason in _SENSORS
        if void or any(code.startswith(_SENSOR_FAULTS) for code in facts.faults):
            flags |= lines.SENSOR_FAULT
        return flags

    def _turns(self, facts: Facts) -> bool:
        return facts.rotor_rpm is not None and facts.rotor_rpm >= lines.RPM_MIN

    def _speed(self, facts: Facts) -> int:
        """Returns one of lines.STOPPED, SLOW, LEGAL_SPEED, FAST; 0 if it is not known."""
        if facts.rotor_rpm is None:
            return 0
        if not self._turns(facts):
            return lines.STOPPED
        if facts.game != "roulette":  # the trade's limits are a roulette's; a plate runs out
            return lines.LEGAL_SPEED
        if facts.rotor_rpm < self._slow_rpm:
            return lines.SLOW
        return lines.FAST if facts.rotor_rpm > self._fast_rpm else lines.LEGAL_SPEED

    def _more(self, facts: Facts, state: int) -> More:
        flags = self._speed(facts)
        if facts.rotor is None:
            flags |= lines.TURN_UNKNOWN
        else:
            flags |= lines.TURNS_CW if facts.rotor == CLOCKWISE else lines.TURNS_CCW
        won = state == lines.WINNING_NUMBER
        if won or facts.state == states.DETECTED:
            flags |= lines.IN_POCKET
        elif state == lines.PLACE_BETS:
            flags |= lines.NO_BALL
        running = facts.ball is not None and facts.state in _PLAYING
        return More(
            flags=flags,
            ball_ccw=facts.ball != CLOCKWISE if running else None,
            pocket=facts.number if won else None,
        )

    # --- basic --------------------------------------------------------------------------------
    def _basically(self, now_us: int) -> bytes:
        """`*S`, `*N`, `*W nn`, each once a coup and nothing else."""
        facts = self._facts
        assert facts is not None
        if self._bare_us is not None:
            assert facts.number is not None
            self._bare_us = None
            self._basic = (b"*W", facts.coup)
            return b"*W " + lines.number(facts.number) + lines.END
        word = _BASIC.get(self._state_of(facts, now_us))
        if word is None or self._basic == (word, facts.coup):
            return b""
        self._basic = (word, facts.coup)
        return word + lines.END
