"""A wheel's own journal, as the watch over its health reads it.

A coup counts if sensors gave its number. Its line is the one that it has in the journal's export
as a file of coups, so both give the same answers. Coups of before the journal had what the watch
needs are not judged.
"""

from __future__ import annotations

import contextlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import boards
import rules
from boards import apparatus
from firmware.bus import record
from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.facts import CCW, CW
from firmware.core.health import facts
from firmware.core.health.budget import YEAR_COUPS
from firmware.core.health.facts import Wheel
from firmware.health.coup_file import HEADERS, UNKNOWN, UNKNOWN_SLOWING, coup_of
from firmware.health.items import SENSORS_MAX, Acted, Corrected, Item, Played
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message
from firmware.store.acts import SERVICE_ACTS
from firmware.store.database import chunks, damaged, last_point, reading, select
from firmware.store.rows import ACT, JournalError, Row, decoded
from firmware.store.signing import rules_hash

ACTS = (*[act.what for act in SERVICE_ACTS], facts.CALIBRATION)  # that the watch heeds
LOST_MAX = 0.05  # of the coups of one direction: more of them may hide a bias, or look like one
_LOST_MIN = 20  # fewer lost coups say nothing of a share
_EVIDENCE = "evidence"
_NEEDED = ("gap", "settled_us", "rotor_uturn_s")  # a coup that has none of them is of before
_WAYS = {CCW: N_("counter-clockwise"), CW: N_("clockwise")}
# Columns that the evidence has as they are.
_SAME = ("rotor_uturn_s", "gap", "launch_place", "duty_permille")
_MORE = ("spin_up_us", "duty_permille")
Columns = dict[str, int]


class JournalCoups:
    """What one journal holds for the watch."""

    def __init__(self, path: Path, game: Game | None = None, *, until: int | None = None) -> None:
        """Reads what the wheel is. Raises Failure.

        `game`: as the wheel's configuration has it; None: that of the journal's own rules, on the
        first board of their apparatus. `until`: the last coup that counts.
        """
        self._path = path
        self._until = until
        with self._read() as connection:
            first = select(connection, "ORDER BY n LIMIT 1")
            said = record.parse(first[0].body) if first else None
            if said is None:
                raise damaged(path, 1)
            self.size = last_point(connection).n
            (began,) = connection.execute("SELECT min(utc) FROM journal").fetchone()
            self.began_s = _seconds(began)  # since 1970, of the earliest row
        game = game or _own_game(said.rules, said.rules_hash)
        layout = tuple(game.rules["layout"])
        geometry = game.board["geometry"]
        sensors = min(len(geometry.get("pocket_deg", ())), SENSORS_MAX)
        beams_deg = tuple(float(beam) for beam in geometry["rim_deg"])
        self.name = str(said.wheel)
        self.wheel = Wheel(len(layout), beams_deg, sensors, YEAR_COUPS, True)
        self.numbers: Sequence[int] = layout
        if len(set(layout)) < len(layout):
            self.numbers = range(len(layout))
        self._layout = layout
        self.done = 0  # rows
        self.not_judged = 0  # coups of before the journal had what is needed
        self.void = 0
        self._unverified: int | None = None  # the first coup that says so
        self._other_order: int | None = None
        self._ended = {CCW: 0, CW: 0}  # coups, by the ball's direction
        self._lost = {CCW: 0, CW: 0}  # those of them without a number of the sensors
        # Of each line twice the number of the coup before it; one more if the line is no coup.
        self._lines = array("q")

    def items(self) -> Iterator[Item]:
        """Yields coups, acts and corrections. Raises Failure."""
        for item, _ in self.with_columns():
            yield item

    def with_columns(self) -> Iterator[tuple[Item, Columns]]:
        """Yields the same with the columns of a coup, as in a file of coups. Raises Failure."""
        line, coup, said = HEADERS, 0, {}
        try:
            for row in self._rows():
                is_new = row.n > self.done
                self.done = max(self.done, row.n)
                body = decoded(row).body
                item: Item | None = None
                found: Columns = {}
                if row.kind == _EVIDENCE:
                    said = body
                elif row.kind == record.CORRECTION:
                    item = self._corrected(row, line + 1, body)
                elif row.kind == ACT:
                    if body["what"] in ACTS:
                        item = Acted(line + 1, self._t_s(row), body["what"])
                else:
                    if self._until is not None and body["coup"] > self._until:
                        return
                    coup = body["coup"]
                    explained = said if said.get("seq") == body["seq"] else {}
                    if is_new:
                        self._count(body, explained)
                    if _counts(row.kind, body, explained):
                        found = self._columns(body, explained)
                        place = body["compartment"]
                        item = Played(line + 1, self._t_s(row), coup_of(line + 1, place, found))
                if item is not None:
                    line += 1
                    if line - HEADERS > len(self._lines):
                        self._lines.append(2 * coup + (not isinstance(item, Played)))
                    yield item, found
        except JournalError as error:
            raise Failure(USAGE, str(error)) from error
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            text = Message("{path}: row {n} is not as a wheel writes it.", path=self._path, n=row.n)
            raise Failure(USAGE, text) from error

    def coup_at(self, line: int) -> int:
        """Returns the coup that a line is of, or that ended last before it."""
        return self._lines[line - HEADERS - 1] // 2

    def has_motor(self) -> bool:
        """Returns whether the motor is told of at any coup. Raises Failure."""
        where = f"kind = '{_EVIDENCE}' AND (instr(body, ?) OR instr(body, ?))"
        keys = [f'"{key}"'.encode() for key in _MORE]
        with self._read() as connection:
            found = connection.execute(f"SELECT 1 FROM journal WHERE {where} LIMIT 1", keys)
            return found.fetchone() is not None

    def remarks(self) -> list[Message]:
        """Returns why health cannot be judged from what was read, a clause each."""
        found = []
        if self._unverified is not None:
            found.append(Message("no source gives the order of the compartments"))
        if self._other_order is not None:
            found.append(
                Message("coup {} has another order of the compartments", self._other_order)
            )
        for way, lost in self._lost.items():
            if lost >= _LOST_MIN and lost > LOST_MAX * self._ended[way]:
                percent = 100.0 * lost / self._ended[way]
                found.append(
                    Message(
                        "{percent:.0f} % of the coups whose ball ran {way} have no number",
                        percent=percent,
                        way=Message(_WAYS[way]),
                    )
                )
        return found

    # --- rows -----------------------------------------------------------------------------------
    @contextlib.contextmanager
    def _read(self) -> Iterator[Any]:
        try:
            with reading(self._path) as connection:
                yield connection
        except JournalError as error:
            raise Failure(USAGE, str(error)) from error

    def _rows(self) -> Iterator[Row]:
        kinds = (_EVIDENCE, ACT, *record.OUTCOMES)
        with self._read() as connection:
            for chunk in chunks(connection):
                yield from [row for row in chunk if row.kind in kinds]

    def _t_s(self, row: Row) -> float:
        return _seconds(row.utc) - self.began_s

    def _corrected(self, row: Row, line: int, body: dict[str, Any]) -> Corrected | None:
        """Returns None for a correction of a coup that does not count."""
        at = bisect_left(self._lines, 2 * body["coup"])
        if at == len(self._lines) or self._lines[at] != 2 * body["coup"]:
            return None
        return Corrected(line, self._t_s(row), HEADERS + 1 + at, body.get("compartment"))

    def _columns(self, body: dict[str, Any], said: dict[str, Any]) -> Columns:
        gaps = len(self.wheel.beams_deg)
        gap, chances = said.get("gap", UNKNOWN), said.get("gaps_ppm") or [0] * gaps
        if gap >= gaps or len(chances) != gaps:
            text = Message("{}: coup {} was played with other beams than those of its board.",
                           self._path, body["coup"])  # fmt: skip
            raise Failure(USAGE, text)
        found = {name: said.get(name, UNKNOWN) for name in _SAME}
        found |= {f"q{at}": chance for at, chance in enumerate(chances)}
        votes = 0
        for sensor, *_ in said.get("votes", ()):
            votes |= 1 << sensor if sensor < self.wheel.sensors else 0
        return found | {
            "number": self.numbers[body["compartment"]],
            "direction": _direction(body),
            "drop_uturn": UNKNOWN if gap == UNKNOWN else self._middle(gap),
            "slowing_ppm": said.get("slowing_ppm", UNKNOWN_SLOWING),
            "settle_ms": _ms(said.get("settled_us")),
            "votes": votes,
            "croupier": UNKNOWN,
            "ball": 1,
            "spin_up_ms": _ms(said.get("spin_up_us")),
        }

    def _middle(self, gap: int) -> int:
        """Returns the middle of a gap, counter-clockwise from the first beam, in micro-turns."""
        beams = self.wheel.beams_deg
        ends = beams[gap + 1] if gap + 1 < len(beams) else beams[0] + 360.0
        return int(((beams[gap] + ends) / 2.0 - beams[0]) / 360.0 * 1e6) % 1_000_000

    def _count(self, body: dict[str, Any], said: dict[str, Any]) -> None:
        """Counts a coup that has ended for `remarks`."""
        is_manual, place = "manual" in body, body.get("compartment")
        if "reason" in body:
            self.void += 1
        elif not is_manual:
            if not any(key in said for key in _NEEDED):
                self.not_judged += 1
                return
            if not body["layout_verified"] and self._unverified is None:
                self._unverified = body["coup"]
            if place is None or self._layout[place : place + 1] != (body["number"],):
                self._other_order = self._other_order or body["coup"]
        if body["ball"] or not ("reason" in body or is_manual):
            self._ended[_direction(body)] += 1
            self._lost[_direction(body)] += "reason" in body or is_manual


def _counts(kind: str, body: dict[str, Any], said: dict[str, Any]) -> bool:
    is_sensors = kind == record.RESULT and "manual" not in body and body["compartment"] is not None
    return is_sensors and any(key in said for key in _NEEDED)


def _direction(body: dict[str, Any]) -> int:
    """Returns the ball's direction; against the rotor where no beam has told it."""
    found: int = body["ball"] or -body["rotor"] or CCW
    return found


def _ms(us: int | None) -> int:
    return UNKNOWN if us is None else (us + 500) // 1000


def _seconds(utc: str) -> float:
    return datetime.fromisoformat(utc).timestamp()


def _own_game(name: str, digest: bytes) -> Game:
    """Returns the game of those rules. Raises Failure for rules that are not known."""
    if name not in rules.NAMES:
        raise Failure(USAGE, Message("The rules {} are not known here.", name))
    of = rules.load(name)["apparatus"]
    board = next(each for each in boards.NAMES if boards.load(each)["apparatus"] == of)
    found = choose(board, Config(rules=name))
    if "cups" in found.board["geometry"]:
        for cups in apparatus.BOULE.compartments:
            other = choose(board, Config(rules=name, cups=cups))
            if rules_hash(other.rules) == digest:
                return other
    return found
