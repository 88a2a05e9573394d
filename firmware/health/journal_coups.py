"""A wheel's own journal, as the watch over its health reads it.

A coup counts if sensors gave its number. Its line is the one that it has in the journal's export
as a file of coups, so both give the same answers. Coups of before the journal had what the watch
needs are not judged.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import boards
import rules
from boards import apparatus
from firmware.bus import record
from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.facts import CCW, CW
from firmware.core.health import facts
from firmware.core.health.budget import YEAR_COUPS
from firmware.core.health.codes import CODES, UNJUDGED
from firmware.core.health.facts import Wheel
from firmware.health.coup_file import HEADERS, UNKNOWN, UNKNOWN_SLOWING, coup_of
from firmware.health.items import SENSORS_MAX, Acted, Corrected, Item, Played
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message
from firmware.store.acts import ACKNOWLEDGED, CROUPIER_MAX, SERVICE_ACTS, SHIFT
from firmware.store.database import chunks, damaged, last_point, reading, select
from firmware.store.rows import ACT, START, JournalError, Point, Row, decoded, is_whole
from firmware.store.signing import rules_hash

ACTS = (*[act.what for act in SERVICE_ACTS], facts.CALIBRATION)  # that the watch heeds
LOST_MAX = 0.05  # of the coups of one direction: more of them may hide a bias, or look like one
_LOST_MIN = 20  # fewer lost coups say nothing of a share
_BEGUN, _EVIDENCE = "begun", "evidence"
_NEEDED = ("gap", "settled_us", "rotor_uturn_s")  # a coup that has none of them is of before
_WAYS = {CCW: N_("counter-clockwise"), CW: N_("clockwise")}
# Columns that the evidence has as they are.
_SAME = ("rotor_uturn_s", "gap", "launch_place", "duty_permille")
_MORE = ("spin_up_us", "duty_permille")
Columns = dict[str, int]


class Acknowledged(NamedTuple):
    """That a supervisor knows of a fault. `line`: the last one before."""

    line: int
    who: str
    why: str


class _Shift(NamedTuple):
    """Which croupier throws; 0: nobody has said. `said`: from the next coup that begins on."""

    said: int
    throws: int


_NOBODY = _Shift(0, 0)


class JournalCoups:
    """What one journal holds for the watch."""

    def __init__(
        self,
        path: Path,
        game: Game | None = None,
        *,
        coups_a_year: int = YEAR_COUPS,
        croupiers: bool = False,
        until: int | None = None,
    ) -> None:
        """Reads what the wheel is. Raises Failure.

        `game`: as the wheel's configuration has it; None: that of the journal's own rules, on the
        first board of their apparatus. `coups_a_year`: as the house expects; `croupiers`: whether
        it wants theirs judged that are recorded. `until`: the last that counts.
        """
        self._path = path
        self._until = until
        with self._read() as connection:
            first = select(connection, "ORDER BY n LIMIT 1")
            said = record.parse(first[0].body) if first else None
            if said is None:
                raise damaged(path, 1)
            self.size = last_point(connection).n
            self.began_s = _seconds(first[0].utc)  # since 1970
        game = game or _own_game(said.rules, said.rules_hash)
        layout = tuple(game.rules["layout"])
        geometry = game.board["geometry"]
        sensors = min(len(geometry.get("pocket_deg", ())), SENSORS_MAX)
        beams_deg = tuple(float(beam) for beam in geometry["rim_deg"])
        self.name = str(said.wheel)
        self.wheel = Wheel(len(layout), beams_deg, sensors, coups_a_year, croupiers)
        self.numbers: Sequence[int] = layout
        if len(set(layout)) < len(layout):
            self.numbers = range(len(layout))
        self._layout = layout
        self.done = 0  # rows
        self.not_judged = 0  # coups of before the journal had what is needed
        self.void = 0
        self._unverified: int | None = None  # the first coup that says so
        self._other_order: int | None = None
        self.acknowledged: dict[str, list[Acknowledged]] = {}  # by code
        self._ended = {CCW: 0, CW: 0}  # coups, by the ball's direction
        self._lost = {CCW: 0, CW: 0}  # those of them without a number of the sensors
        self._lines = _Lines()
        self._line = HEADERS  # the last
        self._coup = 0  # the last that has ended
        self._shift = _NOBODY
        self._point = (
            START  # of the last row that is no evidence: that of a coup comes before its end
        )

    def items(self) -> Iterator[Item]:
        """Yields coups, acts and corrections. Raises Failure."""
        for item, _ in self.with_columns():
            yield item

    def follow(self, wait: Callable[[], bool]) -> Iterator[Item]:
        """Yields the same from where this stands, and what comes later.

        `wait`: called whenever all was read; returns whether to read again. Raises Failure.
        """
        for item, _ in self._read_items(self._line, self._coup, self._shift, self._point, wait):
            yield item

    def with_columns(self) -> Iterator[tuple[Item, Columns]]:
        """Yields the same with the columns of a coup, as in a file of coups. Raises Failure."""
        return self._read_items(HEADERS, 0, _NOBODY, START, lambda: False)

    def _read_items(
        self, line: int, coup: int, shift: _Shift, after: Point, wait: Callable[[], bool]
    ) -> Iterator[tuple[Item, Columns]]:
        said: dict[str, Any] = {}
        try:
            for row in self._rows(after, wait):
                is_new = row.n > self._point.n
                self.done = max(self.done, row.n)
                if is_new and row.kind != _EVIDENCE:
                    self._point = row.point
                body = decoded(row).body
                item: Item | None = None
                found: Columns = {}
                if row.kind == _EVIDENCE:
                    said = body
                elif row.kind == record.CORRECTION:
                    item = self._corrected(row, line + 1, body)
                elif row.kind == _BEGUN:
                    shift = shift._replace(throws=shift.said)
                elif row.kind == ACT:
                    if body["what"] in ACTS:
                        item = Acted(line + 1, self._t_s(row), body["what"])
                    elif body["what"] == SHIFT:
                        shift = shift._replace(said=_croupier(body["detail"]))
                    elif body["what"] == ACKNOWLEDGED and is_new:
                        self._acknowledge(line, body)
                else:
                    if self._until is not None and body["coup"] > self._until:
                        return
                    coup = body["coup"]
                    explained = said if said.get("seq") == body["seq"] else {}
                    if is_new:
                        self._count(body, explained)
                    if _counts(row.kind, body, explained):
                        found = self._columns(body, explained)
                        # Exported, it has no croupier (HEALTH section 5).
                        played = coup_of(line + 1, body["compartment"], found)
                        played = played._replace(croupier=shift.throws or None)
                        item = Played(line + 1, self._t_s(row), played)
                if item is not None:
                    line += 1
                    if is_new:
                        self._lines.add(line, coup if isinstance(item, Played) else None)
                        self._line = line
                self._coup = max(self._coup, coup)
                self._shift = shift if is_new else self._shift
                if item is not None:
                    yield item, found
        except JournalError as error:
            raise Failure(USAGE, str(error)) from error
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            text = Message("{path}: row {n} is not as a wheel writes it.", path=self._path, n=row.n)
            raise Failure(USAGE, text) from error

    def coup_at(self, line: int) -> int:
        """Returns the coup that a line is of, or that ended last before it."""
        return self._lines.coup_at(line)

    def has_motor(self) -> bool:
        """Returns whether the motor is told of at any coup. Raises Failure."""
        where = f"kind = '{_EVIDENCE}' AND (instr(body, ?) OR instr(body, ?))"
        keys = [f'"{key}"'.encode() for key in _MORE]
        with self._read() as connection:
            found = connection.execute(f"SELECT 1 FROM journal WHERE {where} LIMIT 1", keys)
            return found.fetchone() is not None

    def remarks(self) -> list[Message]:
        """Returns why health cannot be judged from what was read, a clause each.

        A layout that was acknowledged is told anew at the next coup that has it.
        """
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

    def knows(self, code: str, line: int) -> Acknowledged | None:
        """Returns who first acknowledged what was told by that code at a line; None: nobody."""
        known = self.acknowledged.get(code, ())
        return next((each for each in known if each.line >= line), None)

    def knows_clock(self, line: int) -> bool:
        """Returns whether a supervisor knows that the clock went back at a line."""
        return self.knows(CODES[UNJUDGED], line) is not None

    # --- its state, to go on from ---------------------------------------------------------------
    def save(self) -> dict[str, Any]:
        """Returns where this stands, as JSON has it, for `restore` of the same journal's."""
        return {
            "wheel": self._about(),
            "point": [self._point.n, self._point.hash.hex()],
            "line": self._line,
            "coup": self._coup,
            "shift": self._shift,
            "lines": self._lines.runs,
            "not_judged": self.not_judged,
            "void": self.void,
            "unverified": self._unverified,
            "other_order": self._other_order,
            "acknowledged": self.acknowledged,
            "ended": [self._ended[way] for way in (CCW, CW)],
            "lost": [self._lost[way] for way in (CCW, CW)],
        }

    def restore(self, saved: dict[str, Any]) -> bool:
        """Takes what `save` returned; this is new. Returns False if it was another journal's."""
        with self._read() as connection:
            rows = select(connection, "WHERE n = ?", saved["point"][0])
        points = [[row.n, row.hash.hex()] for row in rows]
        if points != [saved["point"]] or saved["wheel"] != self._about():
            return False
        self._point = rows[0].point
        self.done = self._point.n
        self._line, self._coup, self._lines.runs = saved["line"], saved["coup"], saved["lines"]
        self._shift = _Shift(*saved["shift"])
        self.not_judged, self.void = saved["not_judged"], saved["void"]
        self._unverified, self._other_order = saved["unverified"], saved["other_order"]
        known = saved["acknowledged"].items()
        self.acknowledged = {code: [Acknowledged(*each) for each in said] for code, said in known}
        self._ended = dict(zip((CCW, CW), saved["ended"], strict=True))
        self._lost = dict(zip((CCW, CW), saved["lost"], strict=True))
        return True

    def _about(self) -> list[Any]:
        return [list(each) if isinstance(each, tuple) else each for each in self.wheel]

    # --- rows -----------------------------------------------------------------------------------
    @contextlib.contextmanager
    def _read(self) -> Iterator[Any]:
        try:
            with reading(self._path) as connection:
                yield connection
        except JournalError as error:
            raise Failure(USAGE, str(error)) from error

    def _rows(self, before: Point, wait: Callable[[], bool]) -> Iterator[Row]:
        """Yields rows of the kinds that count; each one read holds on to the one before it."""
        kinds = (_BEGUN, _EVIDENCE, ACT, *record.OUTCOMES)
        with self._read() as connection:
            goes_on = True
            while goes_on:
                for chunk in chunks(connection, before.n):
                    for row in chunk:
                        if not is_whole(row, before):
                            raise damaged(self._path, before.n + 1)
                        before = row.point
                        if row.kind in kinds:
                            yield row
                goes_on = wait()

    def _t_s(self, row: Row) -> float:
        return max(_seconds(row.utc) - self.began_s, 0.0)  # of a clock that went back: 0

    def _corrected(self, row: Row, line: int, body: dict[str, Any]) -> Corrected | None:
        """Returns None for a correction of a coup that does not count."""
        of = self._lines.line_of(body["coup"])
        return None if of is None else Corrected(line, self._t_s(row), of, body.get("compartment"))

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

    def _acknowledge(self, line: int, body: dict[str, Any]) -> None:
        code, _, why = str(body["detail"]).partition(": ")
        self.acknowledged.setdefault(code, []).append(Acknowledged(line, str(body["who"]), why))
        if code == CODES[UNJUDGED]:
            self._unverified = self._other_order = None

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


class _Lines:
    """Which coup each line has: in runs of coups that follow each other, one a line."""

    def __init__(self) -> None:
        self.runs: list[list[int]] = []  # the first line, its coup, how many lines

    def add(self, line: int, coup: int | None) -> None:
        """Takes the next line; None: it has no coup."""
        if coup is None:
            return
        last = self.runs[-1] if self.runs else [0, 0, 0]
        if (line, coup) == (last[0] + last[2], last[1] + last[2]) and last[2]:
            last[2] += 1
        else:
            self.runs.append([line, coup, 1])

    def coup_at(self, line: int) -> int:
        """Returns the coup of a line, or of the last line before that has one; 0: none has."""
        at = bisect_right(self.runs, line, key=lambda run: run[0]) - 1
        if at < 0:
            return 0
        first, coup, count = self.runs[at]
        return coup + min(line - first, count - 1)

    def line_of(self, coup: int) -> int | None:
        """Returns the line of a coup; None if it has none."""
        at = bisect_right(self.runs, coup, key=lambda run: run[1]) - 1
        if at < 0:
            return None
        first, begins, count = self.runs[at]
        return first + coup - begins if coup < begins + count else None


def _counts(kind: str, body: dict[str, Any], said: dict[str, Any]) -> bool:
    is_sensors = kind == record.RESULT and "manual" not in body and body["compartment"] is not None
    return is_sensors and any(key in said for key in _NEEDED)


def _croupier(detail: object) -> int:
    """Returns the number that an act `shift` says; 0 for any other word."""
    said = str(detail)
    is_number = said.isascii() and said.isdigit() and len(said) <= len(str(CROUPIER_MAX))
    return int(said) if is_number else 0


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
    if name in rules.CARD_GAMES:
        raise Failure(USAGE, N_("It is of a card table, and this is for a wheel."))
    if name not in rules.WHEEL_GAMES:
        raise Failure(USAGE, Message("The rules {} are not known here.", name))
    of = rules.load(name)["apparatus"]
    board = next(each for each in boards.WHEELS if boards.load(each)["apparatus"] == of)
    found = choose(board, Config(rules=name))
    if "cups" in found.board["geometry"]:
        for cups in apparatus.BOULE.compartments:
            other = choose(board, Config(rules=name, cups=cups))
            if rules_hash(other.rules) == digest:
                return other
    return found
