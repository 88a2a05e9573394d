"""The cups of a boule dish: which of them holds the ball, and for certain.

One sensor a cup, dark while something lies or passes there. A number needs one cup alone, dark
without a break for longer than a ball pauses before it hops out again, and nothing seen elsewhere
meanwhile. Whatever is seen in two places at once is two things, or a sensor that lies.

What a single sensor a cup cannot tell: one that sticks just as the ball rolls over it is believed
if the ball is never seen again, because it then lies on a ridge or in a cup whose sensor is dead
as well. Any sign of the ball elsewhere, in a cup or in the track, disproves the stuck one; so does
one just before, while the ball still leaps about, from where none comes so soon.
"""

from firmware.core.units import PI_MICRO
from firmware.shims.typed import Any, Sequence

# A 20 mm ball at 2 m/s, the speed that it leaves the track with at most: what is shorter is noise,
# a shorter gap as well.
PULSE_MIN_US = 10_000
# A ball may pause in a cup for up to a second (contracts/trace.md) and then be unseen for half of
# one on its way to the next; a second more, so that a sensor that sticks at a pause is found out.
HOLD_US = 2_500_000
# Bright for an instant twice within so long: lamps shine into the sensor, in waves of 100 or 120 Hz
# that may reach from one to the next. A ball at rest does not flicker.
FLICKERS_US = 50_000
# Rolling from cup to cup at .1 m/s a ball is before both sensors for .3 s: longer is two things.
TOGETHER_US = 500_000
# Cradled in a cup or on the ridge between two a ball rocks for a second or two; then it rests. One
# that hops back and forth between the two, with a pause each time, comes less often.
UNSETTLED_US = 5_000_000
UNSETTLED_ARRIVALS = 10
# Settling takes 2 s at least (PHYSICS.md), and cups meet the ball as soon as it has dropped.
SETTLES_US = 1_500_000
# It leaves the track with 2 m/s at most, and has lost of that in the first cup that it meets.
FASTEST_MM_S = 1_500
SEEN_PERCENT = 80  # of the way from a cup to the next: what the two sensors see of it

HELD = "held"
FOREIGN = "foreign_object"
TWO = "two_balls"
BETWEEN = "ball_lost"
FLICKERS = "sensors_disagree"


class Cups:
    """Watches every cup, whatever the coup does. `judge` says what they hold."""

    def __init__(self, count: int, *, ring_radius_mm: int) -> None:
        """`ring_radius_mm`: of the circle on which the cups stand."""
        self._count = count
        self._pitch_um: int = 2 * PI_MICRO * ring_radius_mm // (1_000 * count)
        self._rises: list[Any] = [None] * count  # dark since, bright for an instant meanwhile
        self._falls: list[Any] = [None] * count  # bright again since: perhaps for an instant
        # Solid, and bright for an instant: the last time; and since when it has not flickered.
        self._broken_us: list[Any] = [None] * count
        self._steady_us = [0] * count
        self._flashes = [(0, 0)] * count  # the last time dark, too short to be a ball: from, to
        self._solid = [False] * count  # dark for longer than noise is
        self._leapt = [False] * count  # dark too soon for a ball that came from the last one
        self._left: Any = None  # (cup, when): where a ball was last seen, and until then
        self._met_us: Any = None  # since when cups see it, and no beam
        # (since, why, the cup that tells or None): it does not hold the ball, or not alone
        self._doubts: list[Any] = [None] * count
        self._other_us: Any = None  # when a cup, or a beam, last ceased to see a ball
        self._beam_us: Any = None  # when the last beam pulse of a ball began
        self._pair: Sequence[int] = ()  # the cup, or two neighbours, where alone it was seen
        self._pair_us = 0  # since when
        self._pair_arrivals = 0  # and how often
        self.seen_us: Any = None  # a ball was last seen in a cup, for longer than noise is
        self.came_us: Any = None  # the last time that one came to a cup
        self.arrivals = 0  # how often one did

    # --- what happens ---------------------------------------------------------------------------
    def edge(self, at_us: int, cup: int, level: int) -> None:
        """Takes an edge of that cup's sensor."""
        self.settle(at_us)
        rise_us = self._rises[cup]
        if level:
            self._falls[cup] = None
            if rise_us is None:
                self._rises[cup] = self._dark_since_us(at_us, cup)
        elif not self._solid[cup]:
            if rise_us is not None:
                self._flashes[cup] = (rise_us, at_us)
            self._rises[cup] = None
        elif self._falls[cup] is None:
            self._falls[cup] = at_us
            broken_us, self._broken_us[cup] = self._broken_us[cup], at_us
            if broken_us is not None and at_us - broken_us < FLICKERS_US:
                self._steady_us[cup] = at_us

    def _dark_since_us(self, at_us: int, cup: int) -> int:
        """A cup that was bright for less than it was dark before was not bright: it flickers."""
        rise_us, fall_us = self._flashes[cup]
        return rise_us if at_us - fall_us < fall_us - rise_us else at_us

    def beam(self, rise_us: int, fall_us: int) -> None:
        """Takes that a beam saw something as long as a ball: it may not be in a cup."""
        self._other_us = fall_us
        self._met_us = None

    def ran(self, rise_us: int, fall_us: int) -> None:
        """Takes that this pulse fits the ball that is followed in the track.

        Twice while one cup is dark: whatever lies there, the ball does not.
        """
        self.settle(fall_us)
        before_us, self._beam_us = self._beam_us, rise_us
        if before_us is not None and before_us != rise_us:  # the same: it flickered
            self._rule_out(before_us, fall_us)

    def _rule_out(self, before_us: int, at_us: int) -> None:
        for cup in self.occupied():
            doubt = self._doubts[cup]
            known = doubt is not None and (doubt[1] == FOREIGN or doubt[0] >= before_us)
            if self._rises[cup] + PULSE_MIN_US <= before_us and not known:
                self._doubts[cup] = (at_us, FOREIGN, None)

    def restart(self, at_us: int) -> None:
        """Counts from now how long the ball is unsettled: it has just left the track."""
        self._pair = ()
        self._pair_us = at_us
        self._pair_arrivals = 0

    def settle(self, at_us: int) -> None:
        """Draws what follows from the time alone; before anything is asked."""
        for cup in range(self._count):
            fall_us = self._falls[cup]
            if fall_us is not None and at_us - fall_us >= PULSE_MIN_US:
                self.seen_us = fall_us
                if self._other_us is None or fall_us > self._other_us:
                    self._other_us = fall_us
                self._left = (cup, fall_us)
                self._clear(cup)
        for cup in range(self._count):
            rise_us = self._rises[cup]
            if rise_us is not None and at_us - rise_us >= PULSE_MIN_US and not self._solid[cup]:
                self._came(rise_us, cup)

    def _came(self, rise_us: int, cup: int) -> None:
        """Dark for longer than noise: a ball, or a thing that looks like one."""
        for other in self.occupied():
            if self._doubts[other] is None:
                self._doubts[other] = (rise_us, TWO, cup)
        if self._met_us is None:
            self._met_us = rise_us
        self._solid[cup] = True
        self._leapt[cup] = self._is_leap(rise_us, cup)
        self.came_us = rise_us
        self.arrivals += 1
        self.seen_us = rise_us + PULSE_MIN_US
        if cup not in self._pair:
            last = self._pair[-1:]
            near = bool(last) and (cup - last[0]) % self._count in (1, self._count - 1)
            if len(self._pair) != 1 or not near:
                self._pair_us = rise_us
                self._pair_arrivals = 0
            self._pair = (last[0], cup) if near else (cup,)
        self._pair_arrivals += 1

    def _is_leap(self, rise_us: int, cup: int) -> bool:
        """Returns whether the ball still moves, and could not come there from the last cup yet."""
        if self._left is None or rise_us - self._met_us >= SETTLES_US:
            return False
        left, fall_us = self._left
        away = (cup - left) % self._count
        # Across the dish it is 7 / 11, 2 / pi, of the way along the ring, or more.
        ring_um = min(away, self._count - away) * self._pitch_um
        way_um = ring_um * 7 // 11 - self._pitch_um * SEEN_PERCENT // 100
        is_leap: bool = way_um * 1_000 > FASTEST_MM_S * (rise_us - fall_us)
        return is_leap

    def _clear(self, cup: int) -> None:
        self._rises[cup] = None
        self._falls[cup] = None
        self._solid[cup] = False
        self._doubts[cup] = None

    # --- what it means --------------------------------------------------------------------------
    def occupied(self) -> Sequence[int]:
        """Returns the cups that hold something by now, in order. Noise is not yet counted."""
        return [cup for cup in range(self._count) if self._solid[cup]]

    def since_us(self, cup: int) -> int:
        """Returns since when that occupied cup has been dark."""
        since_us: int = self._rises[cup]
        return since_us

    def quiet_since_us(self, at_us: int) -> int | None:
        """Returns since when no cup has held anything: `at_us` if one does, None if none ever."""
        return at_us if self.occupied() else self.seen_us

    def judge(self, at_us: int) -> tuple[str, tuple[int, ...]] | None:
        """Judges (what, cups): HELD, or why there is no number; None while neither is known."""
        self.settle(at_us)
        occupied = self.occupied()
        for cup in occupied:
            doubt = self._doubts[cup]
            if doubt is not None and at_us - doubt[0] >= TOGETHER_US:
                return doubt[1], (cup,) if doubt[2] is None else (cup, doubt[2])
        if len(occupied) == 1 and self._holds(occupied[0], at_us):
            return FOREIGN if self._leapt[occupied[0]] else HELD, (occupied[0],)
        return None

    def unsettled(self, at_us: int) -> str | None:
        """Returns why a ball that neither lies still nor leaves its place has no number."""
        if at_us - self._pair_us < UNSETTLED_US or self._pair_arrivals < UNSETTLED_ARRIVALS:
            return None
        quiet_us = self.quiet_since_us(at_us)
        assert quiet_us is not None  # something came to the pair
        if at_us - quiet_us > HOLD_US:
            return None  # it is gone
        return BETWEEN if len(self._pair) == 2 else FLICKERS

    def _holds(self, cup: int, at_us: int) -> bool:
        alone = all(rise is None for at, rise in enumerate(self._rises) if at != cup)
        return alone and self._falls[cup] is None and at_us - self._held_from_us(cup) >= HOLD_US

    def held_us(self, cup: int, at_us: int) -> int:
        """Returns for how long that occupied cup alone has seen the ball."""
        return at_us - self._held_from_us(cup)

    def _held_from_us(self, cup: int) -> int:
        from_us: int = max(self._rises[cup], self._steady_us[cup])
        return from_us if self._other_us is None else max(from_us, self._other_us)

    def due_us(self, at_us: int) -> int | None:
        """Returns when `judge` may say something else though no edge comes, or None."""
        due: list[int] = []
        for cup in range(self._count):
            if self._rises[cup] is None:
                continue
            due.append(self._rises[cup] + PULSE_MIN_US)
            due.append(self._held_from_us(cup) + HOLD_US)
            if self._falls[cup] is not None:
                due.append(self._falls[cup] + PULSE_MIN_US)
            if self._doubts[cup] is not None:
                due.append(self._doubts[cup][0] + TOGETHER_US)
        due = [when for when in due if when > at_us]
        return min(due) if due else None
