"""Faults of the sensors of the ball: beams of the track, ring sensors, cups.

The table's edges alone are changed on their way to the controller, never what is true. A line keeps
to what a line can do: it rises and falls in turn, so all but `Doubted` can be made on real lines as
well.

Where no code is expected none can be: one sensor that does this cannot be told from a ball that
passed it otherwise, or the fault is over before it shows. A number that is given must be right all
the same. Two cups that changed places are no entry: nothing but a ball laid in by hand tells.
"""

from __future__ import annotations

from boards import apparatus
from firmware.core.facts import DOUBT
from tools.hil.faults.entry import NUMBER, PARTS, TOLD, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.world_fault import InputFault
from tools.sim.sensors import Edge

_WAVE_LEAST_US = 50  # what is shorter no input lets through


class Stuck(InputFault):
    """The line `line` stands at `level`, whatever passes its sensor."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """To that level at once."""
        return [(at_us, line, int(self.parameters["level"])) for line in self.lines]

    def change(self, at_us: int, line: int, level: int) -> None:
        """Nothing of it."""


class Missed(InputFault):
    """Each pulse of `line` is lost with a chance of `chance_percent`."""

    _lost = False

    def change(self, at_us: int, line: int, level: int) -> None:
        """A pulse is lost with both its edges."""
        if level:
            self._lost = self.rng.random() * 100 < self.parameters["chance_percent"]
        if not self._lost:
            self.put(at_us, line, level)


class Bounced(InputFault):
    """With a chance of `chance_percent` an edge of `line` comes thrice, within `bounce_us`."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """There, back, and there again."""
        self.take_back(line)
        self.put(at_us, line, level)
        if self.rng.random() * 100 < self.parameters["chance_percent"]:
            bounce_us = int(self.parameters["bounce_us"])
            back_us = self.rng.randint(1, bounce_us)
            self.put(at_us + back_us, line, 1 - level)
            self.put(at_us + self.rng.randint(back_us, bounce_us) + 1, line, level)


class Jittered(InputFault):
    """Every edge of `line` comes late by up to `jitter_us`, each by another time."""

    _last_us = 0

    def change(self, at_us: int, line: int, level: int) -> None:
        """Later, but never before the one that came before it."""
        late_us = self.rng.randint(0, int(self.parameters["jitter_us"]))
        self._last_us = max(at_us + late_us, self._last_us + 1)
        self.put(self._last_us, line, level)


class _Growing(InputFault):
    """A fault that grows by `grows_us_s` with every second that it lasts."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """From nothing."""
        self._begin_us = at_us
        return []

    def amount_us(self, at_us: int) -> int:
        """How much it has become."""
        return int((at_us - self._begin_us) * self.parameters["grows_us_s"] / 1_000_000)


class Narrowed(_Growing):
    """Dirt: `line` answers later and later to what comes before its sensor, at last not at all."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """Pulses lose their beginning."""
        self.take_back(line)
        self.put(at_us + self.amount_us(at_us) * level, line, level)


class Widened(_Growing):
    """Dirt: `line` stays longer and longer with what has passed its sensor, at last for good."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """Pulses end later; those that meet become one."""
        self.take_back(line)
        self.put(at_us + self.amount_us(at_us) * (1 - level), line, level)


class Ambient(_Growing):
    """Lamps shine into the sensor of `line`: pulses at `wave_hz` that grow to nine tenths."""

    _lit = 0  # what the lamps make of it
    _level = 0  # what it should be
    _wave_us = 0  # the next edge of the lamps

    def begin_fault(self, at_us: int) -> list[Edge]:
        """With the first half wave."""
        self._level = self.world.levels[self.lines[0]]
        self._wave_us = at_us
        return super().begin_fault(at_us)

    def change(self, at_us: int, line: int, level: int) -> None:
        """Both are seen as one."""
        self.fill(at_us)
        self._level = level
        self.put(at_us, line, self._lit | level)

    def fill(self, until_us: int) -> None:
        """The waves until then."""
        period_us = 1_000_000 // int(self.parameters["wave_hz"])
        while self._wave_us <= until_us:
            at_us = self._wave_us
            lit_us = min(self.amount_us(at_us), period_us * 9 // 10)
            self._lit = int(not self._lit and lit_us >= _WAVE_LEAST_US)
            self._wave_us += lit_us if self._lit else period_us - lit_us
            self.put(at_us, self.lines[0], self._lit | self._level)


class Crossed(InputFault):
    """`line` and the next of its kind have changed places in the connector."""

    def names(self) -> tuple[str, ...]:
        """The two."""
        first: str = self.parameters["line"]
        alike = [name for name in self.world.line if _kind(name) == _kind(first)]
        return first, alike[(alike.index(first) + 1) % len(alike)]

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Each stands as the other did."""
        one, other = self.lines
        levels = self.world.levels
        return [(at_us, one, levels[other]), (at_us, other, levels[one])]

    def change(self, at_us: int, line: int, level: int) -> None:
        """It is the other's."""
        one, other = self.lines
        self.put(at_us, other if line == one else one, level)


class Doubted(InputFault):
    """An edge of `line` is lost now and again, and the controller is told that (on a Pi)."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """As firmware.shims.edge_ledger tells it: the doubt, then the level as it is."""
        if self.rng.random() * 100 < self.parameters["chance_percent"]:
            self.put(at_us, line, DOUBT)
        self.put(at_us, line, level)


def _kind(name: str) -> str:
    """What kind of line that is: its name without its number."""
    return name.rstrip("0123456789") if name[-1].isdigit() else name.split("_")[0]


_BEAM = Parameter("line", "line", ("rim*",))
_RING = Parameter("line", "line", ("pocket*",))
_CUP = Parameter("line", "line", ("cup*",))
_DARK = Parameter("level", "choice", ("1",), "1")
_BRIGHT = Parameter("level", "choice", ("0",), "0")
_CHANCE = Parameter("chance_percent", "number", (2, 80), 30)
_OFTEN = Parameter("chance_percent", "number", (30, 80), 50)
_BOUNCE = Parameter("bounce_us", "number", (20, 4_000), 1_000)
_JITTER = Parameter("jitter_us", "number", (50, 2_000), 500)
_DIRT = Parameter("grows_us_s", "number", (200, 2_000), 500)
_WAVE = Parameter("wave_hz", "choice", ("100", "120"), "100")
# Where the beams see the ball at every passing; where they often miss it, so that a silent beam
# says nothing; where cups hold it.
_FOLLOWED = tuple(each.name for each in apparatus.ALL if each.beams_follow)
_PLATE = tuple(each.name for each in apparatus.ALL if not each.beams_follow)
_DISH = tuple(each.name for each in apparatus.ALL if each.cups)
_WHILE_S = (10.0, 120.0)
_GLITCH_S = (0.01, 0.9)
_UNSEEN = ("timeout", "ball_lost", "sensors_disagree")  # of a ball that a sensor does not see

# fmt: off
FAULTS: tuple[Fault, ...] = (
    # --- beams of the track ---------------------------------------------------------------------
    Fault("beam_stuck_dark", "sensors", "A beam of the track reports a ball all the time.",
          Stuck, Expect(codes=("W21",), by_coups=1),
          parameters=(_BEAM, _DARK), requires=TOLD),
    Fault("beam_glitches", "sensors", "A beam of the track reports a ball for a moment.",
          Stuck, Expect(NUMBER),
          parameters=(_BEAM, _DARK), lasts_s=_GLITCH_S, requires=PARTS),
    Fault("beam_blind", "sensors", "A beam of the track sees nothing any more.",
          Stuck, Expect(codes=("W22",), by_coups=1),
          parameters=(_BEAM, _BRIGHT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_blind_plate", "sensors", "A beam of the plate's track sees nothing any more.",
          Stuck, Expect(NUMBER),
          parameters=(_BEAM, _BRIGHT), apparatus=_PLATE, requires=PARTS),
    # A ball whose last beam missed it may seem struck beside the call: that is C10.
    Fault("beam_blinks", "sensors", "A beam of the track sees nothing for a while.",
          Stuck, Expect(reasons=("timeout",)),
          parameters=(_BEAM, _BRIGHT), lasts_s=(0.5, 30.0), requires=PARTS),
    Fault("beam_misses", "sensors", "A beam of the track misses the ball now and again.",
          Missed, Expect(reasons=("timeout",)),
          parameters=(_BEAM, _CHANCE), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_bounces", "sensors", "A beam of the track doubles its edges: a loose contact.",
          Bounced, Expect(NUMBER),
          parameters=(_BEAM, _CHANCE, _BOUNCE), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_jitters", "sensors", "The edges of a beam come late, each by another time.",
          Jittered, Expect(NUMBER),
          parameters=(_BEAM, _JITTER), lasts_s=_WHILE_S, requires=PARTS),
    Fault("beam_narrows", "sensors", "Dirt: a beam sees less and less of the ball.",
          Narrowed, Expect(codes=("W22",), by_coups=6),
          parameters=(_BEAM, _DIRT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_widens", "sensors", "Dirt: a beam stays dark longer and longer after the ball.",
          Widened, Expect(codes=("W21", "W22", "two_balls"), by_coups=6),
          parameters=(_BEAM, _DIRT), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_dirt_plate", "sensors",
          "Dirt: a beam of the plate's track stays dark longer and longer.",
          Widened, Expect(),
          parameters=(_BEAM, _DIRT), apparatus=_PLATE, requires=PARTS),
    Fault("beam_flickers", "sensors", "Lamps shine into a beam of the track, more and more.",
          Ambient, Expect(codes=("W21", "W22", "two_balls", "too_few_turns"), by_coups=4),
          parameters=(_BEAM, _DIRT, _WAVE), apparatus=_FOLLOWED, requires=TOLD),
    Fault("beam_flickers_plate", "sensors",
          "Lamps shine into a beam of the plate's track, more and more.",
          Ambient, Expect(),
          parameters=(_BEAM, _DIRT, _WAVE), apparatus=_PLATE, requires=PARTS),
    Fault("beams_crossed", "sensors",
          "Two beams have changed places: the ball seems to run the other way.",
          Crossed, Expect(VOID, ("same_direction", "two_balls", "too_few_turns"), by_coups=1),
          # No crossed wires in pairs: the sensor that is broken would be told as the other. And
          # before the throw: crossed while the ball runs they may be taken for its silence.
          parameters=(_BEAM,), apparatus=("roulette",), moments=("start",), requires=TOLD,
          pairs=False),
    Fault("beams_crossed_unseen", "sensors",
          "Two beams have changed places where any way of the ball is right.",
          Crossed, Expect(), parameters=(_BEAM,), apparatus=("vingt_trois", "boule"),
          requires=PARTS, pairs=False),
    Fault("beam_doubted", "sensors", "Edges of a beam are lost, and the controller is told.",
          Doubted, Expect(codes=("W33",), by_coups=1),
          parameters=(_BEAM, _OFTEN), places=("virtual",), requires=TOLD),
    # --- ring sensors ---------------------------------------------------------------------------
    Fault("ring_stuck_dark", "sensors", "A ring sensor reports a ball all the time.",
          Stuck, Expect(codes=("W24",), by_coups=1),
          parameters=(_RING, _DARK), apparatus=TURNING, requires=TOLD),
    Fault("ring_glitches", "sensors", "A ring sensor reports a ball for a moment.",
          Stuck, Expect(NUMBER),
          parameters=(_RING, _DARK), apparatus=TURNING, lasts_s=_GLITCH_S, requires=PARTS),
    Fault("ring_blind", "sensors", "A ring sensor sees nothing any more.",
          # A hand may turn the rotor so slowly, twice, that the ball is taken before it passed all.
          Stuck, Expect(codes=("W23",), by_coups=2),
          parameters=(_RING, _BRIGHT), apparatus=TURNING, requires=TOLD),
    Fault("ring_blinks", "sensors", "A ring sensor sees nothing for a while.",
          Stuck, Expect(reasons=_UNSEEN),
          parameters=(_RING, _BRIGHT), apparatus=TURNING, lasts_s=(0.5, 30.0), requires=PARTS),
    Fault("ring_misses", "sensors", "A ring sensor misses the ball now and again.",
          # A slow rotor may not pass it often enough before the croupier takes the ball.
          Missed, Expect(reasons=_UNSEEN),
          parameters=(_RING, _CHANCE), apparatus=TURNING, lasts_s=_WHILE_S, requires=PARTS),
    Fault("ring_bounces", "sensors", "A ring sensor doubles its edges: a loose contact.",
          Bounced, Expect(NUMBER),
          parameters=(_RING, _CHANCE, _BOUNCE), apparatus=TURNING, lasts_s=_WHILE_S,
          requires=PARTS),
    Fault("ring_jitters", "sensors", "The edges of a ring sensor come late, each by another time.",
          Jittered, Expect(NUMBER),
          parameters=(_RING, _JITTER), apparatus=TURNING, lasts_s=_WHILE_S, requires=PARTS),
    Fault("ring_narrows", "sensors", "Dirt: a ring sensor sees less and less of the ball.",
          Narrowed,
          Expect(codes=("W23", "ball_lost", "timeout", "sensors_disagree"), by_coups=6),
          parameters=(_RING, _DIRT), apparatus=TURNING, requires=TOLD),
    Fault("ring_widens", "sensors", "Dirt: a ring sensor stays dark longer and longer.",
          Widened,
          Expect(codes=("W23", "W24", "ball_lost", "timeout", "sensors_disagree"), by_coups=6),
          parameters=(_RING, _DIRT), apparatus=TURNING, requires=TOLD),
    Fault("ring_flickers", "sensors", "Lamps shine into a ring sensor, more and more.",
          Ambient, Expect(),
          parameters=(_RING, _DIRT, _WAVE), apparatus=TURNING, requires=PARTS),
    Fault("ring_crossed", "sensors", "Two ring sensors have changed places in their connector.",
          Crossed, Expect(VOID, ("sensors_disagree", "ball_lost", "timeout"), by_coups=1),
          parameters=(_RING,), apparatus=TURNING, requires=TOLD, pairs=False),
    Fault("ring_doubted", "sensors", "Edges of a ring sensor are lost, and the controller is told.",
          # The ball of one coup passes it twice before its number is known, and none may be lost.
          Doubted, Expect(codes=("W33",), by_coups=2),
          parameters=(_RING, _OFTEN), apparatus=TURNING, places=("virtual",), requires=TOLD),
    # --- cups -----------------------------------------------------------------------------------
    Fault("cup_stuck_dark", "sensors", "A cup reports a ball all the time.",
          Stuck, Expect(codes=("W41", "W42", "foreign_object", "two_balls"), by_coups=2),
          parameters=(_CUP, _DARK), apparatus=_DISH, requires=TOLD),
    Fault("cup_glitches", "sensors", "A cup reports a ball for a moment.",
          Stuck, Expect(),
          parameters=(_CUP, _DARK), apparatus=_DISH, lasts_s=_GLITCH_S, requires=PARTS),
    Fault("cup_blind", "sensors", "A cup's sensor sees nothing any more.",
          Stuck, Expect(),
          parameters=(_CUP, _BRIGHT), apparatus=_DISH, requires=PARTS),
    Fault("cup_misses", "sensors", "A cup's sensor misses the ball now and again.",
          Missed, Expect(),
          parameters=(_CUP, _CHANCE), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_bounces", "sensors", "A cup's sensor doubles its edges: a loose contact.",
          Bounced, Expect(NUMBER),
          parameters=(_CUP, _CHANCE, _BOUNCE), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_jitters", "sensors", "The edges of a cup come late, each by another time.",
          Jittered, Expect(NUMBER),
          parameters=(_CUP, _JITTER), apparatus=_DISH, lasts_s=_WHILE_S, requires=PARTS),
    Fault("cup_narrows", "sensors", "Dirt: a cup's sensor answers later and later.",
          Narrowed, Expect(),
          parameters=(_CUP, _DIRT), apparatus=_DISH, requires=PARTS),
    Fault("cup_widens", "sensors", "Dirt: a cup's sensor stays dark longer and longer.",
          Widened, Expect(),
          parameters=(_CUP, _DIRT), apparatus=_DISH, requires=PARTS),
    Fault("cup_flickers", "sensors", "Lamps shine into a cup, more and more.",
          Ambient, Expect(codes=("W41", "W42", "foreign_object", "two_balls"), by_coups=4),
          parameters=(_CUP, _DIRT, _WAVE), apparatus=_DISH, requires=TOLD),
)
# fmt: on
