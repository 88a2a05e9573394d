"""What can go wrong with the line between the controller and its displays (docs/bus.md).

A lost display is told, and play goes on: the coup gets its number all the same.
"""

from tools.hil.fault import NUMBER, Expect, Fault, Parameter
from tools.hil.faults.bus import (
    Babbler,
    Cut,
    Delayed,
    Held,
    Replayed,
    Spoiled,
    Truncated,
    Unplugged,
)

# Who is silent is told after 3 s, at the next ask to it: all are asked once a second.
SILENT_S = 4.5
_SILENT = Expect(NUMBER, ("B11",), by_s=SILENT_S)
# No code, and nothing lit that should not be: the line heals itself.
_HEALS = Expect(NUMBER)
_LONG_S = (6.0, 30.0)
_PLACES = ("virtual", "process", "kernel")
_MOMENTS = ("start", "launch", "drop", "rest")  # a result comes soon after the last
_SHOWN = ("LU-37-1.shown",)
_TOLD = ("LU-37-1.shown", "UK-4.1.detected")

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("frames_spoiled", "bus", "Interference spoils some of the frames.",
          Spoiled, _HEALS, _SHOWN, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("frames_percent", "number", (1.0, 50.0), 20.0),
                      Parameter("how", "choice", ("one_bit", "three_bits", "burst", "bytes_lost",
                                                  "bytes_more"), "burst"))),
    Fault("frames_cut_short", "bus", "A converter loses the end of every longer frame.",
          Truncated, Expect(NUMBER, ("B11", "B12"), by_s=SILENT_S), _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES,
          # An ask has some 35 bytes on the line, an answer and a heartbeat twice as many.
          parameters=(Parameter("size_bytes", "number", (4.0, 60.0), 50.0),)),
    Fault("records_cut_short", "bus", "A converter loses the end of the longest frames.",
          # They answer, and light a dash for the number: only the record of a number shows that,
          # some seconds after the end of its coup. That of a void is shorter.
          Truncated, Expect(NUMBER, ("B12",), by_coups=3), _TOLD,
          lasts_s=(120.0, 150.0), places=_PLACES,
          parameters=(Parameter("size_bytes", "number", (120.0, 180.0), 150.0),)),
    Fault("babbler", "bus", "A station on the line talks all the time.",
          Babbler, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES),
    Fault("line_held", "bus", "The line is shorted, or a driver does not let go of it.",
          Held, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("reads_as", "choice", ("nothing", "00", "FF"), "nothing"),)),
    Fault("line_cut", "bus", "The wire to one display or to all is cut, or one of its pairs.",
          Cut, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("display", "choice", ("all", "1", "2"), "all"),
                      Parameter("way", "choice", ("both", "there", "back"), "both"))),
    Fault("line_delayed", "bus", "All that is said is heard much later.",
          Delayed, Expect(NUMBER, ("B11",), by_s=SILENT_S + 1), _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("delay_ms", "number", (60.0, 5000.0), 200.0),)),
    Fault("old_frames_beside", "bus", "Frames of before are said again beside the new ones.",
          Replayed, _HEALS, _SHOWN, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("instead", "choice", ("no",), "no"),)),
    Fault("old_frames_instead", "bus", "Frames of before are said again in place of new ones.",
          Replayed, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(Parameter("instead", "choice", ("yes",), "yes"),)),
    Fault("adapter_out", "bus", "The controller's adapter is pulled out.",
          Unplugged, Expect(NUMBER, ("B10",), by_s=1.5), _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=("virtual",)),
)
# fmt: on
