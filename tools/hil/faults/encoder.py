"""Faults of the rotor's encoder: its two channels, its zero mark, its cable.

The mark puts a count right that lost cycles, which costs the next coup at most. What is lost as
the rotor sets out or stops may look like a mark that moved: then every coup is void, and W31 told,
until somebody has looked (docs/adr/0005). Hence `settles_coups`.
"""

from __future__ import annotations

from tools.hil.faults import sensors
from tools.hil.faults.entry import NUMBER, PARTS, TOLD, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.sensors import Crossed, Stuck
from tools.hil.faults.world_fault import InputFault

CHANNELS = ("enc_a", "enc_b")
MARK = "enc_z"
_CYCLE = 4  # edges of both channels
_REST_US = 100_000  # without an edge: contracts/trace.md


class CableOut(Stuck):
    """All that comes from the encoder stands at `level`."""

    def names(self) -> tuple[str, ...]:
        """Both channels and the mark."""
        return (*CHANNELS, MARK)


class Reversed(Crossed):
    """The channels have changed places: the rotor seems to turn the other way."""

    def names(self) -> tuple[str, ...]:
        """The two."""
        return CHANNELS


class Slipped(InputFault):
    """Once, the next `cycles` cycles of the encoder are lost; it counts on after them.

    At once: where the rotor comes to rest meanwhile, they are lost anew. Else as many might be lost
    on its way back, and nothing be wrong.
    """

    def names(self) -> tuple[str, ...]:
        """Both channels; the mark is another sensor."""
        return CHANNELS

    _lost = 0
    _last_us = 0

    def change(self, at_us: int, line: int, level: int) -> None:
        """Whole cycles are lost, or the levels would tell."""
        unfinished = self._lost < int(self.parameters["cycles"]) * _CYCLE
        if unfinished and at_us - self._last_us >= _REST_US:
            self._lost = 0
        self._last_us = at_us
        if unfinished:
            self._lost += 1
        else:
            self.put(at_us, line, level)


class MarkMoved(InputFault):
    """The sensor of the zero mark was pushed aside: the mark comes `steps` steps late."""

    _steps: int | None = None  # since the mark was there; None: it has not been yet
    _last_us = 0

    def names(self) -> tuple[str, ...]:
        """The mark's, and those by which the way is measured."""
        return (*CHANNELS, MARK)

    def change(self, at_us: int, line: int, level: int) -> None:
        """The mark from half a step before its step to half a step after, as wide as it is."""
        mark = self.world.line[MARK]
        if line == mark:
            self._steps = 0 if level else self._steps
            return
        self.put(at_us, line, level)
        if self._steps is not None:
            self._steps += 1
            late = self._steps - int(self.parameters["steps"])
            if late in (0, 1):
                self.put(at_us + (at_us - self._last_us) // 2, mark, 1 - late)
        self._last_us = at_us


class MarkTwice(MarkMoved):
    """A scratch: the zero mark comes a second time, `steps` steps after itself."""

    def change(self, at_us: int, line: int, level: int) -> None:
        """The mark itself as well."""
        super().change(at_us, line, level)
        if line == self.world.line[MARK]:
            self.put(at_us, line, level)


_CHANNEL = Parameter("line", "line", ("enc_a", "enc_b"))
_MARK = Parameter("line", "line", ("enc_z",), "enc_z")
_LEVEL = Parameter("level", "choice", ("0", "1"), "0")
_CHANCE = Parameter("chance_percent", "number", (10, 50), 20)
_BOUNCE = Parameter("bounce_us", "number", (5, 3_000), 300)
_JITTER = Parameter("jitter_us", "number", (50, 2_000), 500)
_DIRT = Parameter("grows_us_s", "number", (200, 2_000), 500)
_STEPS = Parameter("steps", "number", (4, 139), 36)
_NEVER = 9_999  # coups; it does not settle
# What tells of an encoder that miscounts: itself, the motor that it misleads, or a coup without it.
_MISCOUNTS = (
    "W31", "W32", "M10", "M11", "M14", "encoder", "rotor_not_reversed", "ball_lost",
    "sensors_disagree", "moved_before_call",
)  # fmt: skip
# Why a coup may be void for it.
_MISLEADS = (
    "encoder", "rotor_not_reversed", "ball_lost", "sensors_disagree", "moved_before_call",
    "timeout", "interrupted",
)  # fmt: skip

# fmt: off
FAULTS: tuple[Fault, ...] = (
    # --- channels -------------------------------------------------------------------------------
    Fault("channel_dead", "sensors", "One channel of the encoder is dead.",
          sensors.Stuck, Expect(codes=_MISCOUNTS, by_coups=1),
          apparatus=TURNING, parameters=(_CHANNEL, _LEVEL), requires=TOLD),
    # What drops out does so while the rotor turns: of one that rests or only just begins to, a
    # moment costs no count.
    Fault("channel_drops_out", "sensors", "One channel of the encoder is dead for a while.",
          sensors.Stuck, Expect(codes=_MISCOUNTS, by_coups=1, settles_coups=_NEVER),
          apparatus=TURNING, parameters=(_CHANNEL, _LEVEL), moments=("launch", "drop"),
          after_s=(1.0, 4.0), lasts_s=(0.5, 30.0), requires=TOLD),
    Fault("channel_blinks", "sensors", "One channel of the encoder is dead for a moment.",
          sensors.Stuck, Expect(settles_coups=_NEVER, reasons=_MISLEADS),
          apparatus=TURNING, parameters=(_CHANNEL, _LEVEL), lasts_s=(0.02, 0.5), requires=PARTS),
    Fault("channel_misses", "sensors", "A channel of the encoder misses lines of the disc.",
          sensors.Missed, Expect(codes=_MISCOUNTS, by_coups=1),
          apparatus=TURNING, parameters=(_CHANNEL, _CHANCE), requires=TOLD),
    Fault("channel_bounces", "sensors", "A channel of the encoder doubles its edges.",
          sensors.Bounced, Expect(settles_coups=_NEVER, reasons=_MISLEADS),
          apparatus=TURNING, parameters=(_CHANNEL, _CHANCE, _BOUNCE), lasts_s=(1.0, 120.0),
          requires=PARTS),
    Fault("channel_jitters", "sensors", "The edges of a channel come late, by various times.",
          sensors.Jittered, Expect(NUMBER),
          apparatus=TURNING, parameters=(_CHANNEL, _JITTER), lasts_s=(1.0, 120.0), requires=PARTS),
    Fault("channel_narrows", "sensors", "Dirt: a channel of the encoder is low more and more.",
          sensors.Narrowed, Expect(codes=_MISCOUNTS, by_coups=6),
          apparatus=TURNING, parameters=(_CHANNEL, _DIRT), requires=TOLD),
    Fault("channel_widens", "sensors", "Dirt: a channel of the encoder is high more and more.",
          sensors.Widened, Expect(codes=_MISCOUNTS, by_coups=6),
          apparatus=TURNING, parameters=(_CHANNEL, _DIRT), requires=TOLD),
    Fault("channel_doubted", "sensors", "Edges of a channel are lost, and the controller is told.",
          sensors.Doubted, Expect(codes=("W33",), by_coups=1),
          apparatus=TURNING, parameters=(_CHANNEL, _CHANCE), places=("virtual",), requires=TOLD),
    Fault("encoder_reversed", "sensors", "The channels of the encoder have changed places.",
          Reversed, Expect(codes=("W31", "M14", "encoder", "rotor_not_reversed"), by_coups=1),
          apparatus=TURNING, requires=("LU-37-1.reversed", "FR-47.reversed", "UK-4.1.detected")),
    Fault("encoder_slips", "sensors", "The encoder loses some cycles at once.",
          Slipped, Expect(codes=("W31", "W32", "M10", "encoder"), by_coups=1),
          apparatus=TURNING, parameters=(Parameter("cycles", "number", (1, 18), 2),),
          requires=TOLD),
    Fault("encoder_unplugged", "sensors", "The encoder's cable is out.",
          CableOut, Expect(codes=_MISCOUNTS, by_coups=1),
          apparatus=TURNING, parameters=(_LEVEL,), requires=TOLD),
    Fault("encoder_drops_out", "sensors", "The encoder's cable is out for a while.",
          CableOut, Expect(codes=_MISCOUNTS, by_coups=1, settles_coups=_NEVER),
          apparatus=TURNING, parameters=(_LEVEL,), moments=("launch", "drop"), after_s=(1.0, 4.0),
          lasts_s=(0.5, 30.0), requires=TOLD),
    Fault("encoder_blinks", "sensors", "The encoder's cable is out for a moment.",
          CableOut, Expect(settles_coups=_NEVER, reasons=_MISLEADS),
          apparatus=TURNING, parameters=(_LEVEL,), lasts_s=(0.02, 0.5), requires=PARTS),
    # --- the zero mark --------------------------------------------------------------------------
    Fault("index_lost", "sensors", "The zero mark is not seen any more.",
          sensors.Stuck, Expect(codes=("W32",), by_coups=1),
          apparatus=TURNING, parameters=(_MARK, _LEVEL), requires=TOLD),
    Fault("index_drops_out", "sensors", "The zero mark is not seen for a while.",
          sensors.Stuck, Expect(codes=("W32",), by_coups=1, settles_coups=1),
          apparatus=TURNING, parameters=(_MARK, _LEVEL), lasts_s=(15.0, 60.0), requires=TOLD),
    Fault("index_blinks", "sensors", "The zero mark is not seen for a turn or less.",
          sensors.Stuck, Expect(settles_coups=1),
          apparatus=TURNING, parameters=(_MARK, _LEVEL), lasts_s=(0.2, 3.0), requires=PARTS),
    Fault("index_misses", "sensors", "The zero mark is missed more often than not.",
          sensors.Missed, Expect(codes=("W32",), by_coups=3),
          apparatus=TURNING, parameters=(_MARK, _CHANCE._replace(values=(60, 95), default=70)),
          requires=TOLD),
    Fault("index_bounces", "sensors", "The zero mark comes with a bounce.",
          sensors.Bounced, Expect(NUMBER),
          apparatus=TURNING, parameters=(_MARK, _CHANCE, _BOUNCE), lasts_s=(10.0, 120.0),
          requires=PARTS),
    Fault("index_jitters", "sensors", "The zero mark comes late, by various times.",
          sensors.Jittered, Expect(settles_coups=1),
          apparatus=TURNING, parameters=(_MARK, _JITTER._replace(values=(50, 40_000))),
          lasts_s=(10.0, 120.0), requires=PARTS),
    Fault("index_twice", "sensors", "The zero mark comes twice a turn: a scratch on the disc.",
          MarkTwice, Expect(VOID, ("W31",), by_coups=1),
          apparatus=TURNING, parameters=(_STEPS,), requires=TOLD),
    Fault("index_moved", "sensors", "The sensor of the zero mark was pushed aside.",
          MarkMoved, Expect(VOID, ("W31",), by_coups=1),
          # Edges lost in the very same turn leave the mark alone to believe (docs/hil.md).
          apparatus=TURNING, parameters=(_STEPS,), requires=TOLD, pairs=False),
    Fault("index_doubted", "sensors",
          "Edges of the zero mark are lost, and the controller is told.",
          sensors.Doubted, Expect(codes=("W33",), by_coups=2),
          apparatus=TURNING, parameters=(_MARK, _CHANCE._replace(values=(30, 90))),
          places=("virtual",), requires=TOLD),
)
# fmt: on
