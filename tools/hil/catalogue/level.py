"""What can go wrong with what the wheel stands on. A level sensor is on the boards for a Pi."""

from tools.hil.fault import EITHER, Expect, Fault, Parameter
from tools.hil.faults.level import Knocked, Tilted

_LOW = Parameter("low_deg", "number", (0, 359), 30)
_SENSED = ("virtual", "kernel")  # a reference board has no level sensor, and a rig no bus

# fmt: off
FAULTS: tuple[Fault, ...] = (
    # Over the 0.1 degrees of level.warn_deg by more than the sensor's scatter, told when it began
    # within two means of 256 readings, 5 s each.
    Fault("wheel_tilted", "level", "A foot of the wheel gives way: it leans.",
          Tilted, Expect(EITHER, ("L10",), by_s=20.0, settles_coups=2),
          parameters=(Parameter("tilt_mdeg", "number", (300, 1500), 500), _LOW), places=_SENSED,
          moments=("start", "launch", "drop"), after_s=(0.0, 10.0), lasts_s=(40.0, 120.0),
          requires=("MD-23.level", "UK-4.1.detected")),
    Fault("wheel_leans", "level", "The wheel leans by less than its sensor tells.",
          Tilted, Expect(EITHER, settles_coups=2, never=("L10",)),
          parameters=(Parameter("tilt_mdeg", "number", (10, 50), 30), _LOW), places=_SENSED,
          moments=("start", "launch"), after_s=(0.0, 10.0), lasts_s=(40.0, 120.0),
          requires=("LU-37-1.call",)),
    Fault("wheel_knocked", "level", "Somebody knocks the wheel.",
          Knocked, Expect(EITHER, settles_coups=1),
          parameters=(Parameter("sensors", "number", (1, 6), 3),),
          places=("virtual", "process", "kernel"),
          moments=("start", "launch", "drop", "rest"), after_s=(0.0, 10.0),
          requires=("GLI-3.4.4.influence",)),
)
# fmt: on
