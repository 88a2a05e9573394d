"""A file of coups, as inspectors and other programs give and take it (docs/health.md has its form).

Text, one coup a line, in order of time. The first line, and those of service acts, are JSON
behind a sign:

    # {"wheel":"R7","pockets":37,"order":[0,32,15,...],"beams_deg":[0,120,240],"sensors":3}
    t_s,number,direction,drop_uturn,rotor_uturn_s,gap,q0,q1,q2,launch_place,slowing_ppm,...
    12.5,17,1,481233,350000,1,301200,398700,300100,14,1200,3120,7,3,1
    ! {"t_s":86400.0,"act":"levelled"}
    ! {"t_s":90000.0,"act":"corrected","line":3,"number":12}

`sensors` may be left out, and so may `coups_a_year`, as the house expects. A correction is an act
as well: of the coup in a line before, its number is null where it is void. -1 is what is not known,
and of chances 0; a slowing of -1 000 000,
which no ball has, is not known, and one of -1 where no chances are.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from firmware.core.health.budget import YEAR_COUPS
from firmware.core.health.facts import Coup, Wheel
from firmware.health.items import SENSORS_MAX, Acted, Corrected, Item, Played, tie
from firmware.lib.errors import USAGE, Failure, of_file
from firmware.lib.language import Message
from firmware.lib.named_file import open_file

LINE_MAX = 4_096  # bytes
HEADERS = 2  # lines before the first coup
_NAME_MAX = 64
_DIGITS_MAX = 18
BEAMS_MAX = 16
COMPARTMENTS = range(3, 101)
APART_DEG = 1.0  # beams; no ball is so small
CORRECTED = "corrected"
UNKNOWN = -1
UNKNOWN_SLOWING = -1_000_000
_BEFORE = ("t_s", "number", "direction", "drop_uturn", "rotor_uturn_s", "gap")
_AFTER = ("launch_place", "slowing_ppm", "settle_ms", "votes", "croupier", "ball")
MORE = ("spin_up_ms", "duty_permille")  # which a file may have as well
_PPM = 1_000_000
_ROUNDED = 20_000  # how far chances may lie from 1 000 000 in all
_MOST = 10**9  # of any whole number
_T_MAX = 1e10  # seconds: 300 years


class CoupFile:
    """One such file."""

    def __init__(self, path: Path, *, until: int | None = None) -> None:
        """Reads what the wheel is. `until`: the last line that counts. Raises Failure."""
        self._path = path
        self._until = math.inf if until is None else until
        self.size = self.done = 0  # bytes
        with contextlib.closing(self._lines()) as lines:
            self._read_wheel(self._json(1, self._first(lines, 1), "# "))
            text = self._first(lines, 2)
        names = columns(len(self.wheel.beams_deg))
        self._columns = text.split(",")
        if tuple(self._columns) not in (names, names + MORE):
            raise self._wrong(2, Message("the names of the columns must be {}", ",".join(names)))

    def items(self) -> Iterator[Item]:
        """Yields coups, acts and corrections. Raises Failure for a line of another form."""
        acts = set()
        for line, text in self._lines():
            if line > self._until:
                return
            if line <= HEADERS:
                continue
            if not text.startswith("!"):
                yield self._coup(line, text)
                continue
            acts.add(line)
            item = self._act(line, text)
            if isinstance(item, Corrected) and (item.of in acts or item.of <= HEADERS):
                raise self._wrong(line, Message("line {} has no coup", item.of))
            yield item

    def knows_clock(self, line: int) -> bool:
        """Returns False."""
        return False

    # --- lines ----------------------------------------------------------------------------------
    def _lines(self) -> Generator[tuple[int, str], None, None]:
        try:
            with open_file(self._path, follow=True) as file:
                line = self.done = 0
                self.size = os.fstat(file.fileno()).st_size
                while data := file.readline(LINE_MAX + 1):
                    line += 1
                    self.done += len(data)
                    if len(data) > LINE_MAX:
                        raise self._wrong(line, Message("it is longer than {} bytes", LINE_MAX))
                    if not data.isascii():
                        raise self._wrong(line, Message("it is no ASCII text"))
                    yield line, data.decode("ascii").rstrip("\r\n")
        except OSError as error:
            raise of_file(self._path, error, USAGE) from error

    def _first(self, lines: Iterator[tuple[int, str]], line: int) -> str:
        found = next(lines, None)
        if found is None:
            raise self._wrong(line, Message("the file ends before it"))
        return found[1]

    def _wrong(self, line: int, what: str) -> Failure:
        return Failure(
            USAGE, Message("{file}, line {line}: {what}.", file=self._path, line=line, what=what)
        )

    def _coup(self, line: int, text: str) -> Played:
        values = text.split(",")
        if len(values) != len(self._columns):
            what = Message("{} values, where there are {} columns", len(values), len(self._columns))
            raise self._wrong(line, what)
        named = dict(zip(self._columns, values, strict=True))
        t_s = self._time(line, named.pop("t_s"))
        found = {name: self._whole(line, name, value) for name, value in named.items()}
        for name, (low, high) in self._limits.items():
            if name in found and not low <= found[name] <= high:
                raise self._wrong(line, Message("the column {} has {}", name, found[name]))
        place = self._place.get(found["number"])
        if place is None:
            raise self._wrong(line, Message("the wheel has no number {}", found["number"]))
        if found["direction"] == 0:
            raise self._wrong(line, Message("the column {} has {}", "direction", 0))
        total = sum(found[f"q{gap}"] for gap in range(len(self.wheel.beams_deg)))
        if total and abs(total - _PPM) > _ROUNDED:
            raise self._wrong(line, Message("the chances of all gaps are {} ppm", total))
        return Played(line, t_s, coup_of(line, place, found))

    def _act(self, line: int, text: str) -> Acted | Corrected:
        said = self._json(line, text, "! ")
        t_s, kind = said.get("t_s"), said.get("act")
        if not isinstance(t_s, int | float) or isinstance(t_s, bool) or not 0 <= t_s <= _T_MAX:
            raise self._wrong(line, Message("`{}` is no time", "t_s"))
        if not isinstance(kind, str) or not kind.isidentifier():
            raise self._wrong(line, Message("`{}` is no word", "act"))
        if kind != CORRECTED:
            return Acted(line, float(t_s), kind)
        of, number = said.get("line"), said.get("number")
        if type(of) is not int or of >= line:
            raise self._wrong(line, Message("`{}` is no line before it", "line"))
        if number is not None and (type(number) is not int or number not in self._place):
            raise self._wrong(line, Message("the wheel has no number {}", number))
        return Corrected(line, float(t_s), of, None if number is None else self._place[number])

    def _time(self, line: int, text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not 0 <= found <= _T_MAX:
            raise self._wrong(line, Message("`{}` is no time", "t_s"))
        return found

    def _whole(self, line: int, name: str, text: str) -> int:
        digits = text[1:] if text.startswith("-") else text
        if not digits.isdigit() or len(digits) > _DIGITS_MAX:
            raise self._wrong(line, Message("`{}` is no whole number", name))
        return int(text)

    # --- what the wheel is ----------------------------------------------------------------------
    def _json(self, line: int, text: str, sign: str) -> dict[str, Any]:
        found = None
        if text.startswith(sign):
            with contextlib.suppress(ValueError, RecursionError):
                found = json.loads(text[len(sign) :])
        if not isinstance(found, dict):
            raise self._wrong(line, Message("it must be {} and one JSON object", sign.strip()))
        return found

    def _read_wheel(self, said: dict[str, Any]) -> None:
        name, order, beams = said.get("wheel", ""), said.get("order"), said.get("beams_deg")
        sensors = said.get("sensors", SENSORS_MAX)
        if not isinstance(name, str) or len(name) > _NAME_MAX or not name.isprintable():
            raise self._wrong(1, Message("`{}` is no name", "wheel"))
        if (
            not isinstance(order, list)
            or len(order) != said.get("pockets")
            or len(order) not in COMPARTMENTS
            or not all(type(number) is int and 0 <= number <= _MOST for number in order)
            or len(set(order)) != len(order)
        ):
            raise self._wrong(1, Message("`order` must have each number once, `pockets` in all"))
        if (
            not isinstance(beams, list)
            or not 1 <= len(beams) <= BEAMS_MAX
            or not all(type(beam) in (int, float) and 0 <= beam < 360 for beam in beams)
            or any(gap < APART_DEG for gap in _gaps(beams))
        ):
            text = Message("`beams_deg` must be places of beams, ascending, a degree apart")
            raise self._wrong(1, text)
        year = said.get("coups_a_year", YEAR_COUPS)
        if type(year) is not int or not 1 <= year <= _MOST:
            raise self._wrong(1, Message("`coups_a_year` must be 1 to {}", _MOST))
        if type(sensors) is not int or not 0 <= sensors <= SENSORS_MAX:
            raise self._wrong(1, Message("`sensors` must be 0 to {}", SENSORS_MAX))
        self.name = name
        self.numbers: Sequence[int] = tuple(order)
        self.wheel = Wheel(len(order), tuple(float(beam) for beam in beams), sensors, year, True)
        self._place = {number: place for place, number in enumerate(order)}
        self._limits = _limits(len(order), len(beams), sensors)


def coup_of(line: int, place: int, found: Mapping[str, int]) -> Coup:
    """Returns a coup as its columns have it, but for `t_s` and `number`, which is at `place`."""

    def known(name: str) -> int | None:
        value = found.get(name, UNKNOWN)
        return None if value == UNKNOWN else value

    chances: list[int] = []
    while (name := f"q{len(chances)}") in found:
        chances.append(found[name])
    is_foretold = any(chances)
    slowing = found["slowing_ppm"]
    is_unknown = slowing == UNKNOWN_SLOWING or (slowing == UNKNOWN and not is_foretold)
    values = (
        place,
        found["direction"],
        known("rotor_uturn_s"),
        known("gap"),
        tuple(chances) if is_foretold else None,
        known("launch_place"),
        None if is_unknown else slowing,
        known("settle_ms"),
        found["votes"] or None,
        known("croupier"),
        found["ball"],
        known("spin_up_ms"),
        known("duty_permille"),
    )
    return Coup(*values, tie(line, values))


def _gaps(beams_deg: Sequence[float]) -> list[float]:
    """Returns the degrees from each beam to the next one; one beam is a whole turn from itself."""
    ends = [*beams_deg[1:], beams_deg[0] + 360.0]
    return [end - begin for begin, end in zip(beams_deg, ends, strict=True)]


def columns(beams: int) -> tuple[str, ...]:
    """Returns the names of the columns, for a wheel of so many beams."""
    return (*_BEFORE, *[f"q{gap}" for gap in range(beams)], *_AFTER)


def _limits(compartments: int, beams: int, sensors: int) -> dict[str, tuple[int, int]]:
    """Returns the least and the most of each column; UNKNOWN is within where it may be."""
    limits = {
        "direction": (-1, 1),
        "drop_uturn": (UNKNOWN, _PPM - 1),
        "gap": (UNKNOWN, beams - 1),
        "launch_place": (UNKNOWN, compartments - 1),
        "slowing_ppm": (UNKNOWN_SLOWING, _MOST),
        "votes": (0, (1 << sensors) - 1),
        "ball": (0, _MOST),
    }
    for gap in range(beams):
        limits[f"q{gap}"] = (0, _PPM)
    for name in ("rotor_uturn_s", "settle_ms", "croupier", *MORE):
        limits[name] = (UNKNOWN, _MOST)
    return limits
