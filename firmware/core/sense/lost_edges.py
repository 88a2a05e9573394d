"""What edges of the encoder that never came have cost the count, as far as the others tell.

A pulse of one channel that is lost looks like a step back and one forward again, twice as long as
the others, and costs the count a whole cycle; where pulses of both are lost nothing comes for a
while. A rotor at a playing pace does neither. Once it goes on steadily, time says how far it has
turned meanwhile (`owed`, in whole cycles). What cannot be told so, as it sets out, stops, or gains
speed, may have cost a cycle or not (`_may`): the zero mark says which (docs/adr/0005).
"""

REST_US = 100_000  # contracts/trace.md: rest may last an instant, 100 ms without an edge
# A rotor does not go from 10 rpm to rest and back to 10 rpm between edges: those are lost edges.
BRAKED_US = 40_000
STALLED = 7  # steps' time: a rotor that turned at a playing pace is not back at it in less
BRAKING_STEPS = 8  # of a rotor that is braked, at 10 rpm or more: it comes to rest within
STEADY = 2  # steps forward, at a pace, that end what was odd
LONG = 40  # steps' time: what is odd for longer says no more how far the rotor has turned
# So many tenths of a step off whole cycles it may be a cycle more, or less; sooner after a long
# way, for a pace is as good as this part of it.
UNSURE_TENTHS = 8
UNSURE_PART = 16
MANY = 3  # losses in one motion: what may have been one as it set out was one
NEAR_MARKS = 3  # passings of the mark: so near to a loss there may be others that nobody saw


class LostEdges:
    """Keeps what was lost since the zero mark was last compared with the count, in steps."""

    def __init__(self, steps_turn: int) -> None:
        self._turn = steps_turn
        self.pending = False  # edges came as no rotor turns, and it has not gone on steadily yet
        self.lost_us = 0  # when some were known to be lost last
        self.in_motion = 0  # losses since the rotor set out
        self.owed = 0  # to add to the count, for certain
        self._may = [0, 0]  # and perhaps, cw and ccw
        self.aside = 0  # steps that the mark lies off its place, and no lost edge explains why
        self._then = [0, 0]  # what might have been lost when it was found there
        self.doubted = 0  # so many steps of that may be a loss after all, if others follow soon
        self._doubt = 0  # passings of the mark to come that are near to where that arose
        self._unknown = False  # nobody can say how many
        self._near = 0  # passings of the mark to come that are near to a loss
        self.steady_us = 0  # how long a step took when last it went on steadily, in this motion
        self.steady_at = 0  # when that was, in steps either way
        self._way = 0  # before what is odd, and how long a step took
        self._pace_us = 0
        self._since_us = 0  # its last edge, and the count then
        self._since = 0
        self._backs = 0
        self._steady = 0
        self._sure = True  # no silence so long that the rotor may have come to rest
        self._ways = [0, 0]  # steps cw and ccw since the longest silence of a rest
        self._stalls = 0  # of these, how many took longer than the one before
        self._stalled = False  # the longest silence came sooner than a brake brings it

    # --- what the encoder sees --------------------------------------------------------------------
    def begin_odd(self, since_us: int, since: int, pace_us: int, way: int, backs: int) -> None:
        """Notes that edges come as no rotor turns that went `way` until `since_us` and the count
        `since`, a step each `pace_us`. `backs`: steps against it so far.
        """
        self.pending = True
        self._since_us, self._since = since_us, since
        self._pace_us, self._way, self._backs = max(pace_us, 1), way, backs
        self._steady = 0
        self._sure = True

    def take_interval(self, interval: int) -> None:
        """Takes how long a step took."""
        pace = self._pace_us
        if interval > REST_US and (pace > BRAKED_US or interval > STALLED * pace):
            self._sure = False

    def follow(
        self, at_us: int, count: int, step: int, interval: int, before: int, turning: bool
    ) -> None:
        """Takes the next step while that is pending, `count` included. `before`: the interval
        before, 0 where that step went the other way; `turning`: it has not come to rest.
        """
        pace = self._pace_us
        self.take_interval(interval)
        as_before = interval * 3 > pace * 2 and interval * 2 < pace * 3
        alike = interval * 4 > before * 3 and interval * 3 < before * 4
        if turning and step != self._way:
            self._backs += 1
        if step != self._way or not (as_before or alike):
            self._steady = 0
        else:
            self._steady += 1
            if self._steady == STEADY:
                self._reckon(at_us, count, interval)
        if self.pending and turning and at_us - self._since_us > LONG * pace:
            self.pending = False
            self.unknown(at_us)

    def _reckon(self, at_us: int, count: int, interval: int) -> None:
        """It goes on steadily: how far the rotor has turned meanwhile, and how far was counted."""
        elapsed, paces = at_us - self._since_us, self._pace_us + interval
        turned = elapsed * 5 * paces // (self._pace_us * interval)  # it gained speed evenly
        spread = turned - elapsed * 20 // paces  # or not
        tenths = turned - 10 * self._way * (count - self._since)
        cycles = max(0, (tenths + 20) // 40)
        over = tenths - 40 * cycles
        if elapsed > LONG * self._pace_us:  # it may have stood meanwhile
            cycles = min(cycles, max(1, self._backs))
        as_before = abs(interval - self._pace_us) * 3 <= self._pace_us
        # Steps back are a loss, or noise; a gap alone may be a hand that hesitates.
        if cycles and self._backs and self._sure and as_before:
            self._lost(4 * cycles * self._way, at_us)
        elif cycles:
            self._perhaps(4 * cycles * self._way)
            if self._backs:
                self.noticed(at_us)
        if abs(over) > min(UNSURE_TENTHS, 20 - turned // UNSURE_PART - spread // 2):
            self._perhaps(4 * self._way if over > 0 else -4 * self._way)
        self.pending = False
        self.steady_us = interval
        self._ways = [0, 0]

    def _give_up(self) -> None:
        """It has not gone on steadily: a cycle may be lost, or one for each step back."""
        self._perhaps(4 * self._way * max(1, self._backs))
        self.pending = False

    def rest_step(self, step: int, interval: int, before: int, silence: int) -> None:
        """Takes a step of a rotor that rests, or has not set out for certain; `silence`: the
        longest. A rotor that sets out gains speed, and not all at once.
        """
        self._ways[step > 0] += 1
        if interval * 3 > before * 4 or interval * 4 < before < silence:
            self._stalls += 1

    def rest(self, step: int, way: int, *, stalled: bool, goes_on: bool) -> None:
        """Takes the step after a silence longer than all before it. `way`: of the motion before;
        `stalled`: that silence came sooner than a brake brings it; `goes_on`: after another one.
        """
        if goes_on:
            backs = self._ways[way < 0] - (step != way) + self._stalled
            if backs > 0:  # and what else was lost there
                self._perhaps(4 * way * (backs + 1))
        self._ways = [0, 0]
        self._ways[step > 0] = 1
        self._stalls = 0
        self._stalled = stalled

    def set_out(self, way: int, *, goes_on: bool) -> None:
        """The rotor moves `way`: what went against it, or against the motion before, was lost.

        `goes_on`: the way of the motion before, from which it may never have come to rest.
        """
        if self.pending:
            self._give_up()
        self._perhaps(4 * way * (self._ways[way < 0] + self._stalls))
        self._ways = [0, 0]
        self._stalls = 0
        if not goes_on:
            self.in_motion = 0
        self.steady_us = self.doubted = 0

    def noticed(self, at_us: int) -> None:
        """Edges were lost: what they cost is asked apart."""
        if not self.in_motion or at_us - self.lost_us > REST_US:
            self.in_motion += 1
        self.lost_us = at_us
        self._near = NEAR_MARKS

    def braked(self, way: int) -> None:
        """The last edges before a rotor came to rest may be lost."""
        self._perhaps(BRAKING_STEPS * way)

    def unknown(self, at_us: int) -> None:
        """Notes a loss of which nobody can say how much it cost."""
        self._unknown = True
        self.noticed(at_us)

    def _lost(self, steps: int, at_us: int) -> None:
        self.owed += steps
        self.noticed(at_us)

    def _perhaps(self, steps: int) -> None:
        self._may[steps > 0] += abs(steps)

    # --- what the zero mark asks ------------------------------------------------------------------
    def undecided(self) -> bool:
        """Returns whether what is odd is not reckoned yet: it has not gone on, or not set out."""
        return self.pending or self._stalls > 0 or (self._ways[0] > 0 and self._ways[1] > 0)

    def explain(self, shift: int) -> bool:
        """Returns whether losses explain that the mark is `shift` steps from where it was.

        Of a mark that lies aside already a loss that nobody saw is likelier than another move.
        """
        if self._unknown or (shift + self.owed) % self._turn == 0:
            return True
        return (self.aside != 0 or self.in_doubt()) and self.may_be(shift)

    def may_be(self, shift: int) -> bool:
        """Returns whether it may be a loss that nobody saw, were there others near."""
        ahead = (shift + self.owed) % self._turn
        if ahead > self._turn // 2:
            ahead -= self._turn
        return _within(ahead, self._may)

    def in_doubt(self) -> bool:
        """Returns whether more may be lost than is reckoned: so a mark may seem to be back."""
        return self._near > 0

    def keep(self, doubted: int) -> None:
        """The mark is off its place: what may have been lost is asked again as it comes back."""
        self._then = self._may
        self.doubted = doubted
        self._doubt = NEAR_MARKS

    def kept(self, ahead: int) -> bool:
        """Returns whether that may be why the count is still so many steps `ahead` of the mark."""
        return _within(ahead, self._then)

    def forget(self) -> None:
        """The mark has been compared with the count."""
        self.owed = 0
        self._may = [0, 0]
        self._unknown = False
        self._near = max(0, self._near - 1)
        self._doubt = max(0, self._doubt - 1)
        if not self._doubt:
            self.doubted = 0

    def moved(self, steps: int) -> None:
        """The count was put `steps` further."""
        self._since += steps


def _within(ahead: int, may: "list[int]") -> bool:
    """Returns whether what may be lost, cw and ccw, explains a count so many steps ahead."""
    return -may[1] <= ahead <= may[0]
