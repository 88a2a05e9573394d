"""Faults of the line between the controller and its displays (docs/bus.md).

A lost display is told, and play goes on: the coup gets its number all the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from tools.busfaults.corruption import Spoil, bits, burst, drop, insert
from tools.hil.faults.entry import NUMBER, Expect, Fault, Parameter
from tools.hil.faults.line_fault import CONTROLLER, LineFault, LineFrame

_SPOILS: dict[str, Spoil] = {
    "one_bit": bits(1), "three_bits": bits(3), "burst": burst, "bytes_lost": drop,
    "bytes_more": insert,
}  # fmt: skip
BYTE_US = 87  # at 115200 baud: start, eight bits, stop


class Spoiled(LineFault):
    """Of a hundred frames, `frames_percent` arrive spoiled: `how`, and for each listener alone."""

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """As it is, or spoiled."""
        if self.rng.random() * 100 >= float(self.parameters["frames_percent"]):
            return (heard,)
        spoil = _SPOILS[self.parameters["how"]]
        return (heard._replace(data=spoil(self.rng, heard.data)),)


class Truncated(LineFault):
    """Nothing of a frame comes through behind its first `size_bytes`."""

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """Its beginning."""
        return (heard._replace(data=heard.data[: int(self.parameters["size_bytes"])]),)


class Babbler(LineFault):
    """A station that talks all the time: who talks besides is heard as a mixture of both."""

    idles = True

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """A dominant level wins over the other."""
        noise = self.rng.randbytes(len(heard.data))
        mixed = bytes(mine & other for mine, other in zip(heard.data, noise, strict=True))
        return (heard._replace(data=mixed),)

    def idle(self, place: int, now_us: int, period_us: int) -> Iterable[LineFrame]:
        """As much noise as fits."""
        return (LineFrame(now_us, self.rng.randbytes(period_us // BYTE_US)),)


class Held(LineFault):
    """The line stands at one level, by a short or a driver that does not let go: `reads_as`
    "nothing", or "00" or "FF" without end."""

    idles = True

    def begin_fault(self, at_us: int) -> None:
        """It reads as something between two frames, too, or not."""
        self.idles = self.parameters["reads_as"] != "nothing"

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """Nothing of it."""
        return ()

    def idle(self, place: int, now_us: int, period_us: int) -> Iterable[LineFrame]:
        """What such a level reads as."""
        if self.parameters["reads_as"] == "nothing":
            return ()
        return (
            LineFrame(now_us, bytes.fromhex(self.parameters["reads_as"]) * (period_us // BYTE_US)),
        )


class Cut(LineFault):
    """The wire to `display` is cut, or to all of them: "both" ways, or only what goes "there" or
    only what comes "back"."""

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """Nothing, if it would have to go that way."""
        way = self.parameters["way"]
        if self._is_beyond(source) == self._is_beyond(place):
            return (heard,)
        is_there = self._is_beyond(place)
        return () if way == "both" or (way == "there") == is_there else (heard,)

    def _is_beyond(self, place: int) -> bool:
        """Whether a station is behind the cut, seen from the controller."""
        display = self.parameters["display"]
        return place != CONTROLLER if display == "all" else place == int(display)


class Delayed(LineFault):
    """All is heard, and `delay_ms` late: a radio link or a converter that stores."""

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """Later."""
        return (heard._replace(at_us=heard.at_us + int(float(self.parameters["delay_ms"]) * 1000)),)


class Replayed(LineFault):
    """What the controller said before is said again, every byte sound: `instead` of what it says
    now ("yes"), or in the pauses ("no")."""

    idles = True

    def begin_fault(self, at_us: int) -> None:
        """Takes what was recorded so far."""
        self._recorded = tuple(self.line.past)
        self._next = dict.fromkeys(self.line.places, 0)

    def deliveries(self, source: int, place: int, heard: LineFrame) -> Iterable[LineFrame]:
        """The living is heard, or not."""
        return () if self.parameters["instead"] == "yes" else (heard,)

    def idle(self, place: int, now_us: int, period_us: int) -> Iterable[LineFrame]:
        """The next frame of the recording, over and over."""
        if place == CONTROLLER or not self._recorded:
            return ()
        at = self._next[place]
        self._next[place] = (at + 1) % len(self._recorded)
        return (LineFrame(now_us, self._recorded[at]),)


class Unplugged(LineFault):
    """The controller's adapter is out."""

    def begin_fault(self, at_us: int) -> None:
        """Out."""
        self.line.unplug()

    def end_fault(self, at_us: int) -> None:
        """Back."""
        self.line.plug()


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
          # some seconds after the end of its coup. That of a void is shorter: one coup to spare.
          Truncated, Expect(NUMBER, ("B12",), by_coups=4), _TOLD,
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
