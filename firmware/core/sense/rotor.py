"""The rotor: angle, speed and direction from the quadrature and the zero mark.

Sign and phase as in contracts/trace.md: channel A is high while sin(36 phi) >= 0 and B lags it by a
quarter cycle when the rotor turns ccw, so every edge lies on a multiple of a quarter cycle. The
angle is counted in those quarters ("steps"), unwrapped, 0 where the zero mark is at 0 degrees.
"""

from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.sense.lost_edges import BRAKED_US, MANY, REST_US, STALLED, LostEdges
from firmware.shims.typed import Any

BEGIN_US = 300_000  # a rotor set in motion takes less over its second step, or stirs anew
STOPPED_US = 1_000_000  # nothing that turns at a playing speed is silent for a second
RUNNING_US = 60_000  # steps closer than this (7 rpm at 36 cycles) are a rotor at work
RUNNING_STEPS = 8  # that many of them in a row, so that a push that fails is not a run
MOTION_STEPS = 4  # 10 degrees one way: no tremble of a hand turns a rotor so far
FRAME_MARKS = 2  # passings that must agree before the count can contradict a mark
SHAKES = 8  # steps to and fro in a row, at a playing pace: one channel is dead, no hand trembles so
GAP = 3  # a step so many times longer than the last is a brake, or a whole cycle lost
GRIPPED_US = 25_000  # a step at 17 rpm: no hand stops so quick a rotor within one step
DIRECTION_STEPS = 6  # one way, before it is believed: announced, or taken for a reversal


class RotorEncoder:
    """Counts the encoder. Knows nothing of coups; tells when the rotor is set in motion."""

    def __init__(self, *, cycles: int) -> None:
        """`cycles`: quadrature cycles a turn of each channel."""
        self.steps_turn = 4 * cycles
        self.count = 3  # lower bound of the quarter the rotor is in, unwrapped, in steps
        self.travelled = 0  # steps either way, ever
        self.direction = UNKNOWN  # of the last step
        self.run_steps = 0  # of the present run: in that direction without a break
        self.motion_direction = UNKNOWN  # of the present motion, from rest to rest
        self.trusted = False  # the mark agreed with the count, and nothing was lost since
        self.checks = 0  # passings of the mark that agreed with the count
        self.corrected = 0  # what the mark has taken off the count, ever
        self.slips = 0  # passings that did not, and edges that cannot be
        self.began_us = 0  # first step of the motion that a rest ended, of a tremble too
        self.edge_us = 0
        self.interval_us = 0
        self._a = 0
        self._b = 0
        self._mark_count: Any = None  # count at the rise of the zero mark
        self._mark_at = 0  # count at the last good mark
        self._agreed = 0  # passings of the mark that fit the present count
        self._losses = LostEdges(self.steps_turn)
        self._watching = False  # what was odd is not reckoned yet
        self._fast = 0
        self._shakes = 0
        self._rested = True  # a rotor that has never moved rests
        self._ran = True  # the motion before that rest was a run, not a push that failed
        self._earlier_us = 0  # the interval before the last
        self._pace_us = 0  # before a silence that came without slowing
        self._slowest_us = 0
        self._cycle_us = 0  # how long the last whole cycle took
        self._cycle_at_us = 0

    def preset(self, channel: str, level: int) -> None:
        """Takes the level of channel "a" or "b" before the first edge."""
        if channel == "a":
            self._a = level
        else:
            self._b = level
        self.count = (3, 0, 2, 1)[self._a + 2 * self._b]

    def edge_a(self, at_us: int, level: int) -> bool:
        """Takes an edge of channel A. True: the rotor was just set in motion."""
        if level == self._a:
            return self.lose()
        self._a = level
        return self._step(at_us, CCW if level != self._b else CW)

    def edge_b(self, at_us: int, level: int) -> bool:
        """Takes an edge of channel B. True: the rotor was just set in motion."""
        if level == self._b:
            return self.lose()
        self._b = level
        return self._step(at_us, CCW if level == self._a else CW)

    def edge_z(self, level: int) -> bool:
        """Takes an edge of the zero mark. False: the mark and the count contradict each other.

        The mark is half a quarter wide on both sides of 0, so a real passing has exactly one edge
        of the quadrature inside it; what has none or several is no passing and is ignored.
        """
        if level:
            self._mark_count = self.count
            return True
        rise, self._mark_count = self._mark_count, None
        if rise is None or abs(self.count - rise) != 1:
            return True
        return self._passed(max(self.count, rise))

    def _passed(self, mark: int) -> bool:
        """Compares the mark with the count (docs/adr/0005)."""
        self._mark_at = mark
        self._settle_doubt()
        losses = self._losses
        error = self._mark_at % self.steps_turn
        known = self._agreed >= FRAME_MARKS
        if known and error & 3:
            self.trusted = False
            return False  # the mark lies on one of four edges, always the same: not this one
        if not known:
            self.trusted = not error
            self._put(-self._nearest(error))
            self._agreed = 1 if error else self._agreed + 1
            self.checks += not error
            losses.aside = losses.doubted = 0
            losses.forget()
            return True
        shift = self._nearest(error - losses.aside)
        if shift and losses.undecided():  # how much is being lost here is not known yet
            self.trusted = False
            return True
        explained = losses.explain(shift)
        owed, in_motion = losses.owed, losses.in_motion > 0
        in_doubt = losses.in_doubt()
        if not explained and not losses.aside:
            losses.keep(0 if in_motion or not losses.may_be(shift) else shift)
        losses.forget()
        if shift and explained:
            self.trusted = False
            self._put(-shift)
            self.slips += 1
            return not (in_motion or losses.aside)  # a count that nobody trusted is put right
        if not explained:  # the mark has moved, or the disc: which of them, only a person can see
            self._put(owed)
            aside = self._nearest(losses.aside + shift + owed)
            if losses.aside and losses.kept(aside):  # it is back, but for what was lost then
                back = self._nearest(losses.aside - aside) if in_doubt else -aside
                self._put(back)
                aside += back
            losses.aside = aside
        self.trusted = not losses.aside
        if self.trusted:
            self._agreed += 1
            self.checks += 1
        return self.trusted

    def _settle_doubt(self) -> None:
        """What may have been a loss was one, if many have followed in the same motion."""
        losses = self._losses
        if losses.doubted and losses.in_motion >= MANY:
            self._put(-losses.doubted)
            losses.aside = losses.doubted = 0

    def _nearest(self, steps: int) -> int:
        """Returns so many steps as the shorter way round."""
        steps %= self.steps_turn
        return steps if steps <= self.steps_turn // 2 else steps - self.steps_turn

    def _put(self, steps: int) -> None:
        """Counts so many steps more; no angle from before holds."""
        self.count += steps
        self.corrected -= steps
        self._mark_at += steps
        self._losses.moved(steps)

    @property
    def disputed(self) -> bool:
        """Returns whether the mark lies elsewhere, and no lost edge explains it."""
        return self._losses.aside != 0

    @property
    def lost_us(self) -> int:
        """Returns when edges were known to be lost last."""
        return self._losses.lost_us

    def settle(self) -> bool:
        """Believes the mark as after a start: somebody has looked. False: nothing is disputed."""
        losses = self._losses
        was = self.disputed
        if was:
            losses.aside = losses.doubted = self._agreed = 0
        return was

    def lose(self) -> bool:
        """Notes lost or senseless edges, nobody knows how many: the mark will tell."""
        self._losses.unknown(self.edge_us)
        return self._slip()

    def _slip(self) -> bool:
        """Notes that edges were lost: no angle is believed until the mark agrees."""
        self._losses.noticed(self.edge_us)
        self.trusted = False
        self.slips += 1
        return False

    def mark_missing(self) -> bool:
        """Returns whether the rotor has turned well past the mark without seeing it."""
        return abs(self.count - self._mark_at) * 4 > self.steps_turn * 5

    def _step(self, at_us: int, step: int) -> bool:
        interval = at_us - self.edge_us
        before = self.interval_us
        self.edge_us = at_us
        self.interval_us = interval
        self.count += step
        self.travelled += 1
        # A tremble over one edge is no cycle.
        if not self.count & 3 and self.run_steps > 2 and step == self.direction:
            self._cycle_us = at_us - self._cycle_at_us
            self._cycle_at_us = at_us
        if step == self.direction:
            self.run_steps += 1
            self._shakes = 0
            if interval < RUNNING_US:
                self._fast += 1
            if not self._rested and interval < REST_US:
                if self._watching or interval > GAP * before:
                    self._watch_losses(step, interval, before, True)
                    self._watch_pace(interval, before)
                    self._watching = self._pace_us > 0 or self._losses.pending
                self._earlier_us = before
                if step == self.motion_direction:
                    return False
                return self.run_steps == DIRECTION_STEPS and self._set_out()
            self._watch_losses(step, interval, before, True)
        else:
            self._watch_losses(step, interval, before, False)
            self._shakes = self._shakes + 1 if interval < REST_US and self.run_steps == 1 else 0
            if self._shakes > SHAKES:
                self.lose()
            elif interval < REST_US and self.run_steps > RUNNING_STEPS:
                self._slip()  # no rotor turns back without a rest
            self.direction = step
            self.run_steps = 1
        earlier, self._earlier_us = self._earlier_us, before
        moved = self._watch_rest(interval, before, earlier)
        self._watching = self._pace_us > 0 or self._losses.pending
        return moved

    def _watch_losses(self, step: int, interval: int, before: int, goes_on: bool) -> None:
        """Has it reckoned what edges that are lost have cost; `goes_on`: the way of the last."""
        losses = self._losses
        if losses.pending:
            turning = interval < REST_US and not self._rested
            before = before if goes_on else 0
            losses.follow(self.edge_us, self.count, step, interval, before, turning)
            losses.steady_at = self.travelled
            return
        if goes_on:
            odd = interval > GAP * before and self.run_steps > 2
        else:
            quick = interval < REST_US or (before < BRAKED_US and interval < STALLED * before)
            odd = quick and self.run_steps > 1 and not self._rested
        if odd:
            pace_us, since = self._pace_before(before), self.count - step
            losses.begin_odd(
                self.edge_us - interval, since, pace_us, self.direction, int(not goes_on)
            )
            losses.take_interval(interval)

    def _pace_before(self, before: int) -> int:
        """Returns how long a step took, the last ones of which may be odd themselves."""
        even = min(self.run_steps, self.travelled - self._losses.steady_at)
        if even > 2 * RUNNING_STEPS and self._cycle_at_us < self.edge_us:
            return self._cycle_us // 4
        paces = [before, self._earlier_us or before]
        if self._losses.steady_us:
            paces.append(self._losses.steady_us)
        paces.sort()
        return paces[-2]

    def _watch_pace(self, interval: int, before: int) -> None:
        """A step that took far too long: if the next is as quick as before, edges were lost."""
        pace, self._pace_us = self._pace_us, 0
        if pace and interval * 10 <= pace * 12:
            self._slip()
        elif interval > GAP * before:
            self._pace_us = before

    def _watch_rest(self, interval: int, before: int, earlier: int) -> bool:
        """The rare part of a step: did the rotor come to rest, and has it been set in motion?"""
        pace, self._pace_us = self._pace_us, 0
        losses, rested = self._losses, self._rested
        if rested:
            losses.rest_step(self.direction, interval, before, self._slowest_us)
        if interval >= REST_US:
            slowest = self._slowest_us if rested else 0
            self._silence(interval, before, earlier)
            if self._rested and self._slowest_us > slowest:
                stalled = interval > GAP * before
                losses.rest(self.direction, self.motion_direction, stalled=stalled, goes_on=rested)
            if self.run_steps == 1 or interval >= BEGIN_US:
                self.began_us = self.edge_us
        elif pace and self.run_steps > 1 and interval * 10 <= pace * 12:
            self._rested = False  # it goes on as it went before: edges were lost
            return self.lose() if self._slowest_us > 2 * STALLED * pace else self._slip()
        if not self._rested or self.run_steps < MOTION_STEPS:
            return False
        # Another way than before, or gaining speed: not the last breath of the motion before.
        if self.direction == self.motion_direction and interval * 10 >= self._slowest_us * 7:
            return False
        return self._set_out()

    def _silence(self, interval: int, before: int, earlier: int) -> None:
        """No edge for REST_US: a rest, unless a rotor is only just gaining speed."""
        if self._rested:
            if interval > self._slowest_us:
                self._slowest_us = interval
                self.run_steps = 1  # what turned before was another motion
        elif self._fast >= RUNNING_STEPS or interval * 10 > before * 13:
            self._rested = True
            self._ran = self._fast >= RUNNING_STEPS
            self._slowest_us = interval
            self.run_steps = 1
            steady = before * 10 < earlier * 11
            if self._ran and before < BRAKED_US:
                # A hand stops it within a few steps, or edges are missing: how it goes on tells,
                # if a hand can have been so quick.
                if interval > 2 * STALLED * before and before < GRIPPED_US and steady:
                    self.lose()
                else:
                    self._losses.braked(self.motion_direction)
                    self.trusted = False
            if self._ran and (before < BRAKED_US or (steady and interval < STOPPED_US)):
                self._pace_us = before

    def _set_out(self) -> bool:
        """The rotor moves. True unless it only goes on after a push that failed."""
        news = self._ran or self.direction != self.motion_direction
        self._settle_doubt()
        self._losses.set_out(self.direction, goes_on=self.direction == self.motion_direction)
        self._rested = False
        self._fast = 0
        self.motion_direction = self.direction
        return news

    def ordered(self) -> None:
        """Notes that the motor is told to turn it: what it did before counts as a run."""
        self._ran = True
        self._fast = RUNNING_STEPS

    def dead(self) -> bool:
        """Returns whether it steps to and fro for so long that one channel must be dead."""
        return self._shakes > self.steps_turn // 4

    @property
    def rested_us(self) -> int:
        """Returns how long at least the rotor stood before the present motion, or stands."""
        return self._slowest_us

    def is_turning(self, now_us: int) -> bool:
        """Returns whether edges come closer than REST_US."""
        return self.edge_us > 0 and now_us - self.edge_us < REST_US

    def angle_uturn(self, at_us: int) -> int:
        """Returns the unwrapped angle at `at_us`, not before the last edge. Ccw is positive.

        Between edges it goes on at the pace of the last step, and waits at the next edge.
        """
        boundary = self.count if self.direction == CCW else self.count + 1
        part = 0
        if self.interval_us:
            part = (at_us - self.edge_us) * 1_000_000 // self.interval_us
            part = min(part, 1_000_000)
        return (boundary * 1_000_000 + self.direction * part) // self.steps_turn

    def speed_uturn_s(self, now_us: int) -> int:
        """Returns the signed speed over the last whole cycle; falls as silence lasts."""
        silence = now_us - self.edge_us
        if not self._cycle_us or self.run_steps < 4 or silence >= STOPPED_US:
            return 0
        cycle = max(self._cycle_us, 4 * silence)
        return self.direction * (4_000_000_000_000 // self.steps_turn) // cycle
