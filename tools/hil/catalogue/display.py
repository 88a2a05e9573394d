"""What can go wrong with the displays. Each is told, and play goes on (docs/bus.md)."""

from tools.hil.catalogue.bus import SILENT_S
from tools.hil.fault import NUMBER, Expect, Fault, Parameter
from tools.hil.faults.display import Dead, Frozen, SetUp

_SILENT = Expect(NUMBER, ("B11",), by_s=SILENT_S)
# Who answer together spoil each other: one ask in some ten is answered by both, apart.
TWICE_S = 12.0
_WHICH = Parameter("display", "choice", ("1", "2"), "2")
_LONG_S = (6.0, 30.0)
_PLACES = ("virtual", "process", "kernel")
_MOMENTS = ("start", "launch", "drop", "rest")
_TOLD = ("LU-37-1.shown", "UK-4.1.detected")

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("display_dead", "display", "A display has no power.",
          Dead, _SILENT, _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES, parameters=(_WHICH,)),
    Fault("display_frozen", "display", "A display's program stands still, and so does its picture.",
          Frozen, _SILENT, _TOLD, moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES, parameters=(_WHICH,)),
    # Shorter than what is told as silent: it must be lit again, and nothing else.
    Fault("display_rebooted", "display", "A display starts anew.",
          Dead, Expect(NUMBER), ("LU-37-1.shown",), moments=_MOMENTS,
          lasts_s=(0.1, 2.5), places=_PLACES, parameters=(_WHICH,)),
    Fault("display_wrong_key", "display", "A display was set up with another one's key.",
          SetUp, _SILENT, (*_TOLD, "SEC.no_shared_secret"), moments=_MOMENTS,
          lasts_s=_LONG_S, places=_PLACES,
          parameters=(_WHICH, Parameter("others", "choice", ("key",), "key"))),
    Fault("address_twice", "display", "Two displays have the same address.",
          SetUp, _SILENT, _TOLD, moments=_MOMENTS, lasts_s=_LONG_S, places=_PLACES,
          parameters=(_WHICH, Parameter("others", "choice", ("address",), "address"))),
    Fault("display_twice", "display", "Two displays have the same address and the same key.",
          SetUp, Expect(NUMBER, ("B13",), by_s=TWICE_S), _TOLD, moments=_MOMENTS,
          lasts_s=(15.0, 30.0), places=_PLACES, pairs=False,  # noise makes it rarer still
          parameters=(_WHICH, Parameter("others", "choice", ("both",), "both"))),
)
# fmt: on
