"""The time of day, and how far it may be trusted.

A wheel's clock is set by a network or a clock chip, and either may fail: play goes on with a wrong
clock, and every record says how good its time is.
"""

import ctypes
import datetime
import time
from typing import NamedTuple

from firmware.bus.record import BEHIND, SYNCHRONISED, UNSET, UNSYNCHRONISED

DOUBTFUL = "S13"  # a code of firmware.core.faults

_YEAR_S = 31_556_952
BUILT_S = 1_767_225_600  # 2026-01-01: this software is not older, so no time before it is right
# Software that nobody renewed for longer is no reason to doubt a network's time.
SYNCHRONISED_MAX_S = BUILT_S + 20 * _YEAR_S
# Less than ten: the chip of a wheel whose calendar is ten years off must not look right.
ALONE_MAX_S = BUILT_S + 9 * _YEAR_S
LEAP_S = _YEAR_S  # no wheel lies still for longer; a clock set to the wrong year does
_TEXT_MAX_S = 253_402_300_799  # 9999-12-31: a text has four digits for the year

_TIMEX_SIZE = 256  # bytes; struct timex has 208 on 64-bit Linux
_TIME_ERROR = 5  # adjtimex(2): the clock is not synchronised


class Reading(NamedTuple):
    """What the clock says: seconds since 1970, and whether something outside keeps it right."""

    utc: int
    synchronised: bool


class Stamp(NamedTuple):
    """A time for the record, with its quality: a code of record.QUALITIES."""

    utc: int
    quality: int


def read() -> Reading:
    """Returns the machine's clock, now."""
    return Reading(int(time.time()), _synchronised())


def _synchronised() -> bool:
    """Returns whether the kernel says that a network's time keeps the clock."""
    try:
        found: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_SIZE))
    except (OSError, AttributeError):
        return False
    return 0 <= found < _TIME_ERROR


def text(utc_s: int) -> str:
    """Returns a time as it stands in a row: 2025-11-21T20:15:03Z."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(utc_s))


def utc() -> str:
    """Returns the present time as text."""
    return text(read().utc)


class Judge:
    """Gives each reading its quality, against what was recorded before."""

    def __init__(self, latest: Stamp | None = None) -> None:
        """`latest`: the last recorded time that could be trusted."""
        self._latest = latest
        self._doubt = ""
        self._told: str | None = None

    def stamp(self, reading: Reading) -> Stamp:
        """Returns the reading with its quality. It becomes the latest if it can be trusted."""
        utc_s = min(max(reading.utc, 0), _TEXT_MAX_S)
        quality = SYNCHRONISED if reading.synchronised else UNSYNCHRONISED
        doubt, sentence = "", ""
        if not BUILT_S <= utc_s <= (SYNCHRONISED_MAX_S if reading.synchronised else ALONE_MAX_S):
            doubt, quality = "never", UNSET
            sentence = f"it says {_day(utc_s)}, which cannot be."
        elif self._latest is not None:
            ahead_s = utc_s - self._latest.utc
            if ahead_s < 0:
                doubt = "behind"
                sentence = f"it was set back to {_day(utc_s)}, and stands {_span(-ahead_s)} behind"
                sentence += " what was recorded."
                if quality <= self._latest.quality:  # else it was wrong before, and is right now
                    quality = BEHIND
            elif ahead_s > LEAP_S and not reading.synchronised:
                doubt, quality = "leap", UNSET
                sentence = f"it says {_day(utc_s)}, {_span(ahead_s)} after the last record."
        if quality >= UNSYNCHRONISED:
            self._latest = Stamp(utc_s, quality)
        if doubt != self._doubt:
            self._doubt = doubt
            self._told = sentence or self._told  # a doubt that is over is told all the same
        return Stamp(utc_s, quality)

    def news(self) -> str | None:
        """Returns why the clock is doubtful, if that is new."""
        told, self._told = self._told, None
        return told


def _day(utc_s: int) -> str:
    moment = datetime.datetime.fromtimestamp(utc_s, datetime.UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _span(seconds: int) -> str:
    """Returns a length of time as people say it, cut to its largest unit."""
    for size_s, name in ((_YEAR_S, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size_s:
            return f"{seconds // size_s} {name}"
    return f"{seconds} s"
