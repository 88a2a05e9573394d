"""What can go wrong with the machine that the controller runs on."""

from tools.hil.fault import EITHER, NUMBER, Expect, Fault, Parameter
from tools.hil.faults.host import (
    ClockSet,
    DiskFull,
    DisplayKilled,
    Hog,
    Hunger,
    Killed,
    PowerCut,
    ReadOnly,
    Stopped,
)

_PLACES = ("process", "kernel")
_GUEST = ("kernel",)  # what it changes is the whole machine's
_MOMENTS = ("start", "launch", "drop", "rest")
# A result takes 19 steps with the SQLite of Debian 12; past the last, nobody has been told yet.
_STEP = Parameter("step", "number", (1, 20))

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("controller_killed", "host", "The controller is killed (kill -9) and started again.",
          Killed, Expect(EITHER, settles_coups=1), places=_PLACES, moments=_MOMENTS,
          after_s=(0.0, 4.0), lasts_s=(0.1, 0.1),
          requires=("IL-660b.no_loss", "ON-21.1.8.interrupted")),
    Fault("controller_stopped", "host", "The controller stands still (SIGSTOP) and goes on later.",
          Stopped, Expect(EITHER, settles_coups=1), places=_PLACES, moments=_MOMENTS,
          after_s=(0.0, 4.0), lasts_s=(1.0, 30.0), requires=("LU-37-1.shown",)),
    Fault("display_killed", "host", "A display's process is killed and started again.",
          DisplayKilled, Expect(NUMBER), places=_PLACES, moments=_MOMENTS, lasts_s=(0.1, 0.1),
          parameters=(Parameter("display", "choice", ("1",), "1"),), requires=("LU-37-1.shown",)),
    Fault("power_cut", "host", "The controller dies at a step of a result's way to the disk.",
          PowerCut, Expect(EITHER, settles_coups=1), places=("process",), moments=("launch",),
          lasts_s=(60.0, 60.0), parameters=(_STEP,), pairs=False,
          requires=("IL-660b.no_loss", "IL-660b.no_second", "ON-3.2.4.survive")),
    Fault("disk_full", "host", "The journal's disk takes no more.",
          DiskFull, Expect(EITHER, ("S10",), by_coups=1, settles_coups=1), places=_PLACES,
          lasts_s=(60.0, 120.0), parameters=(Parameter("left_bytes", "number", (0, 0), 0),),
          requires=("IL-660b.no_loss", "UK-4.1.detected")),
    Fault("disk_read_only", "host", "The journal's disk becomes read-only.",
          ReadOnly, Expect(EITHER, ("S10",), by_coups=1, settles_coups=1), places=_GUEST,
          lasts_s=(60.0, 120.0), requires=("IL-660b.no_loss", "UK-4.1.detected")),
    Fault("clock_back", "host", "The time of day is set back.",
          ClockSet, Expect(NUMBER, ("S13",), by_coups=1), places=_GUEST, lasts_s=(60.0, 120.0),
          parameters=(Parameter("by_s", "number", (-86_400, -60), -3600),),
          requires=("UK-3.1b.audit", "UK-4.1.detected")),
    Fault("clock_leaps", "host", "The time of day leaps ahead by years.",
          ClockSet, Expect(NUMBER, ("S13",), by_coups=1), places=_GUEST, lasts_s=(60.0, 120.0),
          parameters=(Parameter("by_s", "number", (40_000_000, 90_000_000), 63_000_000),),
          requires=("UK-3.1b.audit", "UK-4.1.detected")),
    Fault("cpu_hog", "host", "Other processes want every core.",
          # In a kernel whose time stands still while anybody computes it would never end.
          Hog, Expect(NUMBER), places=("process",), lasts_s=(20.0, 40.0),
          parameters=(Parameter("processes", "number", (1, 4), 2),), requires=("LU-37-1.call",)),
    Fault("memory_pressure", "host", "Another process takes memory.",
          Hunger, Expect(NUMBER), places=_PLACES, lasts_s=(20.0, 40.0),
          parameters=(Parameter("taken_mb", "number", (64, 256), 128),),
          requires=("LU-37-1.call",)),
)
# fmt: on
