"""The ball in the track: which way, how many turns, when at which beam. Missed beams, doubled and
spurious pulses must not fool it.

Each pulse tells twice how fast the ball is: by its width (ball width / speed, contracts/trace.md)
and by the time since the last beam. A pulse belongs to the ball if both fit.
"""

from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.units import PI_MICRO, TURN
from firmware.shims.typed import Any, NamedTuple, Sequence

PULSE_MIN_US = 2_200  # a 20 mm ball at 9 m/s, .26 s a lap: faster than anyone throws
PULSE_MAX_US = 60_000  # slower than 0.14 turn/s no ball stays in any track
FIT_UTURN = 120_000  # a beam is 333 000 from its neighbours: nearer to its own place than halfway
WIDTH_PERCENT = (55, 180)  # of the width that the speed asks; first pulses are cut or skid
DIRECTION_VOTES = 3  # steps that must agree: about one lap
FLICKER_US = 5_000  # dark again so soon is the same ball: its gloss, or a loose contact
LOST_TRACK = 3  # misfits in a row: what was followed was not the ball, or it was struck
ALONE_UTURN = TURN * 3 // 2  # a first pulse that no beam followed for so long was no throw's
GONE_UTURN = 2 * TURN  # a ball that no beam saw for two laps was taken, and thrown again
SECOND_BALL = 5  # ball-like misfits in one throw: someone else is in the track
# The time from beam to beam, in percent of those of the last turn: no ball gains speed (recorded: a
# turn later each is 5 % longer), and one that rolls on by itself loses no more than that.
STEADY_PERCENT = (99, 115)
QUICKER_STEPS = 2  # in a row: one pulse may lie, two do not
KEPT = 17  # crossings remembered: two laps of eight beams; more make no better estimate

# The centre of one pulse. turned_uturn: unwrapped travel since the first crossing.
Crossing = NamedTuple("Crossing", [("at_us", int), ("beam", int), ("turned_uturn", int)])


class BallTrack:
    """Follows one ball from beam to beam. Knows nothing of calls."""

    def __init__(self, geometry: dict[str, Any], *, pulse_min_us: int = PULSE_MIN_US) -> None:
        """`geometry` as in the boards: `rim_deg` ascending, `ball_mm`, `track_radius_mm`.

        `pulse_min_us`: what is shorter is noise.
        """
        self.pulse_min_us = pulse_min_us
        self._beams: Sequence[int] = tuple(deg * TURN // 360 for deg in geometry["rim_deg"])
        self.first_uturn: int = self._beams[0]  # the place of the first beam
        # Width x speed of a clean pulse, in micro-turns.
        self._ball_uturn: int = (
            geometry["ball_mm"] * TURN * TURN // (2 * PI_MICRO * geometry["track_radius_mm"])
        )
        self.sparse = False  # the beams often miss the ball, and long silences say nothing
        self.rises: list[Any] = [None] * len(self._beams)  # since when dark
        self.reset()

    def reset(self) -> None:
        """Waits for the first beam of a throw."""
        self.crossings: list[Crossing] = []
        self.direction = UNKNOWN
        self.second_ball = False
        self.counts = [0] * len(self._beams)
        self._votes = 0
        self._misfits = self._misfit_beams = 0  # in a row; a bit each
        self._strangers = 0
        self._steps_us: tuple[int, ...] = ()  # of the last turn: the time from beam to beam
        self._quicker = 0  # shorter ones in a row since
        self._steady = False  # the last step was as that of a ball is
        self._last: Any = None  # the last pulse, and what judging it may have changed

    def edge(self, at_us: int, beam: int, level: int) -> bool:
        """Takes an edge; True if it ended a pulse of the ball, which is then the last crossing."""
        if level:
            self.rises[beam] = self._begin(at_us, beam)
            return False
        rise, self.rises[beam] = self.rises[beam], None
        if rise is None:
            return False
        width = at_us - rise
        before = (self.direction, self._votes, self._misfits, self._strangers)
        speed = (self._steps_us, self._quicker, self._steady, self._misfit_beams)
        ball = self.pulse_min_us <= width <= PULSE_MAX_US
        ball = ball and self._pulse(rise + width // 2, beam, width)
        self._last = (beam, rise, at_us, ball, before, speed)
        return ball

    def _begin(self, at_us: int, beam: int) -> int:
        """When this pulse began: if the last one on this beam only flickered, when that did."""
        if self._last is None:
            return at_us
        begun: int
        last_beam, begun, fall, accepted, before, speed = self._last
        if last_beam != beam or at_us - fall > FLICKER_US:
            return at_us
        # The last pulse was judged on a part of it: judged again when it ends.
        self._last = None
        self.direction, self._votes, self._misfits, self._strangers = before
        self._steps_us, self._quicker, self._steady, self._misfit_beams = speed
        if accepted:
            self.crossings.pop()
            self.counts[beam] -= 1
        return begun

    def turns_uturn(self) -> int:
        """Measures the ball's travel between its first and its last beam: turns that are proven."""
        return self.crossings[-1].turned_uturn if self.crossings else 0

    def beam_us(self) -> int | None:
        """Returns the time that the ball last took from one beam to the next, or None."""
        if len(self.crossings) < 2:
            return None
        last, before = self.crossings[-1], self.crossings[-2]
        travel = max(last.turned_uturn - before.turned_uturn, 1)
        return (last.at_us - before.at_us) * (TURN // len(self._beams)) // travel

    def _pulse(self, at_us: int, beam: int, width: int) -> bool:
        if not self.crossings:
            self._accept(at_us, beam, 0, width)
            return True
        last = self.crossings[-1]
        since = at_us - last.at_us
        expected = self._expected_uturn(width, since)
        if sum(self.counts) == 1 and expected > ALONE_UTURN and not self.sparse:
            self.reset()
            self._accept(at_us, beam, 0, width)
            return True
        ahead = self._ahead(last.beam, beam, expected)
        if self.direction == UNKNOWN:
            return self._vote(at_us, beam, width, expected, ahead)
        if expected > GONE_UTURN and not self.sparse:
            self.second_ball = True
        travel = ahead[0] if self.direction == CCW else ahead[1]
        if abs(travel - expected) <= FIT_UTURN and self._width_fits(width, travel, since):
            self._accept(at_us, beam, travel, width)
            self._watch_speed()
            return True
        self._misfit(at_us, beam, width)
        return False

    def _watch_speed(self) -> None:
        """No ball gains speed: what does is another one, thrown where the first was stuck.

        Each step is compared with all of the last turn: where a track leans a ball rolls downhill.
        """
        beam_us = self.beam_us()
        if beam_us is None or self.sparse:
            return
        least, most = STEADY_PERCENT
        steps_us = self._steps_us or (beam_us,)
        self._steady = beam_us * 100 <= max(steps_us) * most
        if beam_us * 100 < min(steps_us) * least:
            self._steady = False
            self._quicker += 1
            self.second_ball = self.second_ball or self._quicker >= QUICKER_STEPS
            return
        self._quicker = 0
        self._steps_us = (self._steps_us + (beam_us,))[-len(self._beams) :]

    def _expected_uturn(self, width: int, since: int) -> int:
        """How far the ball should have come: by the last step, or the pulse where there is none.

        After a long silence it has slowed meanwhile, which the pulse tells.
        """
        now = self._ball_uturn * TURN // width
        if len(self.crossings) < 2 or self.direction == UNKNOWN:
            return now * since // TURN
        then = self._speed_uturn_s()
        if then * since // TURN > TURN // 2 and now < then:
            then = (then + now) // 2
        return then * since // TURN

    def _speed_uturn_s(self) -> int:
        """Over the last step."""
        last, before = self.crossings[-1], self.crossings[-2]
        return (last.turned_uturn - before.turned_uturn) * TURN // (last.at_us - before.at_us)

    def _ahead(self, beam: int, next_beam: int, expected: int) -> tuple[int, int]:
        """Travel to the next beam ccw and cw, each with the whole turns that fit best."""
        ccw = (self._beams[next_beam] - self._beams[beam]) % TURN or TURN
        cw = TURN - ccw or TURN
        return (
            ccw + max(0, (expected - ccw + TURN // 2) // TURN) * TURN,
            cw + max(0, (expected - cw + TURN // 2) // TURN) * TURN,
        )

    def _width_fits(self, width: int, travel: int, since: int) -> bool:
        percent = width * travel // since * 100 // self._ball_uturn
        return WIDTH_PERCENT[0] <= percent <= WIDTH_PERCENT[1]

    def _vote(
        self, at_us: int, beam: int, width: int, expected: int, ahead: tuple[int, int]
    ) -> bool:
        """Before the direction is known: each step votes for the way that its width explains."""
        ccw = abs(ahead[0] - expected)
        cw = abs(ahead[1] - expected)
        if min(ccw, cw) > FIT_UTURN:
            self._misfit(at_us, beam, width)
            return False
        if max(ccw, cw) > 2 * min(ccw, cw) and ahead[0] != ahead[1]:
            self._votes += CCW if ccw < cw else CW
        self._accept(at_us, beam, min(ahead) if ccw == cw else ahead[0 if ccw < cw else 1], width)
        if abs(self._votes) >= DIRECTION_VOTES:
            self.direction = CCW if self._votes > 0 else CW
            self._unwrap()
        return True

    def _unwrap(self) -> None:
        """Counts the first steps again, now that the direction is known."""
        known = self.crossings
        self.crossings = known[:1]
        for crossing in known[1:]:
            last = self.crossings[-1]
            step = crossing.turned_uturn - known[len(self.crossings) - 1].turned_uturn
            ahead = self._ahead(last.beam, crossing.beam, step)
            turned = last.turned_uturn + (ahead[0] if self.direction == CCW else ahead[1])
            self.crossings.append(Crossing(crossing.at_us, crossing.beam, turned))

    def _accept(self, at_us: int, beam: int, travel: int, width: int) -> None:
        turned = self.crossings[-1].turned_uturn + travel if self.crossings else 0
        self.crossings.append(Crossing(at_us, beam, turned))
        if len(self.crossings) > KEPT and self.direction != UNKNOWN:
            del self.crossings[0]
        self.counts[beam] += 1
        self._misfits = self._misfit_beams = 0

    def _misfit(self, at_us: int, beam: int, width: int) -> None:
        """A pulse where the ball cannot be: a stranger, if it is as wide as a ball would be."""
        self._misfits += 1
        self._misfit_beams |= 1 << beam
        now = self._ball_uturn * TURN // width
        if len(self.crossings) < 2 or now < 2 * self._speed_uturn_s():
            self._strangers += 1
        if self._strangers >= SECOND_BALL:
            self.second_ball = True
        if self._misfits >= LOST_TRACK:
            turned = self.turns_uturn()
            # It was followed well and is not where it has to be; one beam alone may flicker.
            if self._steady and self._misfit_beams & (self._misfit_beams - 1):
                self.second_ball = True
            if self.sparse:  # the plate may turn it: where it runs is to be seen anew
                self.direction = UNKNOWN
                self._votes = 0
                self._strangers = max(0, self._strangers - self._misfits)
            self.crossings = [Crossing(at_us, beam, turned)]
            self._misfits = self._misfit_beams = 0
