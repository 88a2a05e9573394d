"""Chips and coins in the cylinder, where only the ball should be, at any moment of a coup."""

from __future__ import annotations

from tools.hil.faults.entry import EITHER, MOMENTS, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.second_ball import Lies, OfThisCoup
from tools.sim.sensors import Edge


class OnRotor(Lies):
    """Something `size_mm` wide lies in the ring and turns with the rotor."""

    spoils = False  # the ball's own number is still the right one

    def size_m(self) -> float:
        """As wide as it is said to be."""
        return float(self.parameters["size_mm"]) / 1000


class Before(OfThisCoup):
    """Something lies in front of the sensor `line`."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """From now on, till the croupier takes it with the ball."""
        edges = super().begin_fault(at_us)
        self.put([(at_us, self.world.line[self.parameters["line"]], 1)])
        return edges


class Passing(OfThisCoup):
    """Something falls or rolls past the sensor `line`, and is dark there for `pulse_ms`."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Once."""
        edges = super().begin_fault(at_us)
        line = self.world.line[self.parameters["line"]]
        self.put([(at_us, line, 1), (at_us + int(self.parameters["pulse_ms"] * 1000), line, 0)])
        return edges


_FOREIGN = ("foreign_object", "two_balls", "sensors_disagree", "W24", "W41", "W42")
_ANY = MOMENTS[:4]
_RING = Parameter("line", "line", ("pocket*",))
_BEAM = Parameter("line", "line", ("rim*",))
_CUP = Parameter("line", "line", ("cup*",))
_PULSE = Parameter("pulse_ms", "number", (1, 120), 20)

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("chip_on_rotor", "chip", "A chip lies in the ring and turns with the rotor.",
          OnRotor, Expect(EITHER, _FOREIGN, by_coups=1, settles_coups=1),
          parameters=(Parameter("size_mm", "number", (8, 45), 39),),
          apparatus=TURNING, moments=("start", "launch"), after_s=(0.0, 5.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object", "UK-4.1.detected")),
    # What is no wider than the ball may lie under it, in its compartment: then the number is right.
    Fault("chip_falls_on_rotor", "chip", "A chip wider than the ball falls in as that comes down.",
          OnRotor, Expect(VOID, _FOREIGN, by_coups=0, settles_coups=1),
          parameters=(Parameter("size_mm", "number", (23, 45), 39),),
          apparatus=TURNING, moments=("drop",), after_s=(0.0, 3.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("small_chip_falls_on_rotor", "chip",
          "A chip no wider than the ball falls into the ring as that comes down.",
          OnRotor, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("size_mm", "number", (8, 23), 20),),
          apparatus=TURNING, moments=("drop",), after_s=(0.0, 5.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object")),
    Fault("chip_falls_late", "chip", "A chip falls into the ring once the ball lies there.",
          OnRotor, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("size_mm", "number", (8, 45), 39),),
          apparatus=TURNING, moments=("rest",), after_s=(0.0, 5.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object")),
    Fault("chip_before_ring", "chip", "A chip lies in front of a ring sensor.",
          Before, Expect(EITHER, _FOREIGN, by_coups=1, settles_coups=1),
          parameters=(_RING,), apparatus=TURNING, moments=("start", "launch"),
          after_s=(0.0, 5.0), requires=("LU-37-1.chip", "SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("chip_before_beam", "chip", "A chip lies in front of a beam of the track.",
          Before, Expect(EITHER, ("W21",), by_coups=1, settles_coups=1),
          parameters=(_BEAM,), moments=("start", "launch"), after_s=(0.0, 3.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("chip_in_cup", "chip", "A chip lies in a cup.",
          Before, Expect(EITHER, _FOREIGN, by_coups=1, settles_coups=1),
          parameters=(_CUP,), apparatus=("boule",), moments=MOMENTS[:3], after_s=(0.0, 4.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object", "UK-4.1.detected")),
    Fault("chip_falls_through_ring", "chip", "A chip falls through the ring, past a sensor.",
          Passing, Expect(EITHER, settles_coups=1),
          parameters=(_RING, _PULSE), apparatus=TURNING, moments=_ANY, after_s=(0.0, 6.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object")),
    Fault("chip_crosses_track", "chip", "A chip falls past a beam of the track.",
          Passing, Expect(EITHER, settles_coups=1),
          parameters=(_BEAM, _PULSE), moments=_ANY, after_s=(0.0, 12.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object")),
    Fault("chip_crosses_cup", "chip", "A chip jumps past a cup's sensor.",
          Passing, Expect(EITHER, settles_coups=1),
          parameters=(_CUP, _PULSE), apparatus=("boule",), moments=_ANY, after_s=(0.0, 4.0),
          requires=("LU-37-1.chip", "SD-34.no_spin_object")),
)
# fmt: on
