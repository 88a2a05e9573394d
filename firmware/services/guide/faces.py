"""Where the guide is drawn besides its page: a terminal of 80x24, plain lines, JSON lines.

Each draws only what changed. None of them flashes.
"""

from __future__ import annotations

import json
import os
import textwrap
from typing import Any, Protocol, TextIO

from firmware.lib.language import Message, current, translated
from firmware.services.guide import words
from firmware.services.guide.scene import GO, HELD, LOCKED, WAIT

COLUMNS, LINES = 80, 24
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
_COLOURS = {GO: "\x1b[1;32m", WAIT: "\x1b[1m", HELD: "\x1b[1;33m", LOCKED: "\x1b[1;31m"}
# Beside the colour, for whoever cannot tell colours.
_MARKS = {GO: "> ", WAIT: ". ", HELD: "! ", LOCKED: "X "}
_PLAIN = "\x1b[0m"


class Face(Protocol):
    """Somewhere to draw."""

    def show_scene(self, scene: dict[str, Any]) -> None:
        """Draws a scene; nothing happens if it stands already."""

    def close(self) -> None:
        """Leaves everything as it was found."""


class Silent:
    """Nothing: the page shows it all."""

    def show_scene(self, scene: dict[str, Any]) -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Json:
    """Each scene that differs as one JSON object a line; its sentences in one language."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown: dict[str, Any] = {}

    def show_scene(self, scene: dict[str, Any]) -> None:
        """Prints a line if anything changed."""
        if scene != self._shown:
            self._shown = scene
            told = scene | {"say": scene["say"][current()]}
            print(json.dumps(told, ensure_ascii=False), file=self._out, flush=True)

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Plain:
    """A line for each sentence, for a pipe, a dumb terminal or one that is too small."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._line = ""

    def show_scene(self, scene: dict[str, Any]) -> None:
        """Prints a line if something else is due."""
        line = sentence(scene)
        if line != self._line:
            self._line = line
            print(line, file=self._out, flush=True)

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Screen:
    """A terminal of 80x24 or more; one that is smaller gets plain lines until it grows."""

    def __init__(self, out: TextIO, *, colours: bool) -> None:
        self._out = out
        self._colours = colours
        self._plain = Plain(out)
        self._size: os.terminal_size | None = None
        self._rows: list[str] | None = None  # as they stand; None while it is not ours

    def show_scene(self, scene: dict[str, Any]) -> None:
        """Writes the rows that changed."""
        size = os.get_terminal_size(self._out.fileno())
        if size.columns < COLUMNS or size.lines < LINES:
            self.close()
            self._plain.show_scene(scene)
            return
        rows = draw(scene, colours=self._colours)
        written = []
        if self._rows is None or size != self._size:
            written.append(_ENTER)
            self._rows, self._size = [""] * LINES, size
        for at, row in enumerate(rows):
            if row != self._rows[at]:
                written.append(f"\x1b[{at + 1};1H{row}\x1b[K")
        self._rows = rows
        if written:
            self._out.write("".join(written))
            self._out.flush()

    def close(self) -> None:
        """Gives the terminal back: its cursor, and what stood there before."""
        if self._rows is not None:
            self._rows = None
            self._out.write(_LEAVE)
            self._out.flush()


def face_for(out: TextIO, *, as_json: bool, terminal: bool) -> Face:
    """Returns the face that fits `out`; neither JSON nor terminal: none."""
    if as_json:
        return Json(out)
    if not terminal:
        return Silent()
    utf8 = (out.encoding or "").lower().replace("-", "") == "utf8"
    if out.isatty() and utf8 and os.environ.get("TERM", "dumb") != "dumb":
        return Screen(out, colours="NO_COLOR" not in os.environ)
    return Plain(out)


def sentence(scene: dict[str, Any]) -> str:
    """Returns what is due as one line, with what was refused or announced."""
    say = scene["say"][current()]
    if scene["stage"] == "gone":
        return str(say["due"])
    parts = [_label("simulated")] if scene["simulated"] else []
    return " · ".join([*parts, say["whole"], *say["announce"], *say["notes"]])


def draw(scene: dict[str, Any], *, colours: bool) -> list[str]:
    """Returns LINES rows of at most COLUMNS characters, colours apart."""
    say = scene["say"][current()]
    if scene["stage"] == "gone":
        rows = ["", *_wrapped(say["due"], 2)]
        return _filled(rows)
    grade = scene["grade"]
    head = [scene["table"], say["game"], f"{_label('round')} {scene['round']}"]
    head += [_label("simulated")] if scene["simulated"] else []
    head += [_label("last")] if scene["last"] else []
    due = [_MARKS[grade] + line for line in textwrap.wrap(say["due"], COLUMNS - 2)[:3]]
    if scene["left_s"] is not None and due:
        left = f"{scene['left_s']} s"
        room = COLUMNS - len(left) - 1
        due = [due[0][:room].ljust(room) + " " + left, *due[1:]]
    if colours:
        due = [_COLOURS[grade] + line + _PLAIN for line in due]
    rows = [" · ".join(part for part in head if part)[:COLUMNS], "-" * COLUMNS, *due]
    rows += _wrapped(say["then"], 1)
    for text in (*say["announce"], *say["notes"]):
        rows += _wrapped("* " + text, 2)
    paid = "paid_players" if scene["game"] == "baccarat" else "paid"
    for title, texts in (("ways", say["ways"]), ("wrong", say["wrong"]), (paid, say["paid"])):
        if texts:
            rows.append(_label(title) + ":")
            for text in texts:
                rows += ["  " + line for line in textwrap.wrap(text, COLUMNS - 2)[:2]]
    rows += ["", *_cloth(scene)]  # last: of what is cut the croupier sees the cloth itself
    caps = [f"[{cap['name']}]" for cap in scene["keys"]]
    asks = [f"({translated(Message(words.ASKS[ask['do']]))})" for ask in scene["asks"]]
    return _filled(rows, [*_side_by_side(caps), *_side_by_side(asks)])


def _side_by_side(names: list[str]) -> list[str]:
    """As many rows as they take, none of them cut."""
    rows: list[str] = []
    for name in names:
        if rows and len(rows[-1]) + len(name) + 2 <= COLUMNS:
            rows[-1] += "  " + name
        else:
            rows.append(name)
    return rows


def _filled(rows: list[str], last: list[str] | None = None) -> list[str]:
    """As many rows as there are, `last` at the bottom."""
    last = last or []
    room = LINES - len(last)
    rows = rows if len(rows) <= room else [*rows[: room - 1], "…"]
    return [*rows, *[""] * (LINES - len(rows) - len(last)), *last]


def _wrapped(text: str, most: int) -> list[str]:
    return textwrap.wrap(text, COLUMNS)[:most]


def _cloth(scene: dict[str, Any]) -> list[str]:
    """A row for each hand, marked where it is due, and the next."""
    rows = []
    shown = {hand["to"] for hand in scene["hands"]}
    for place in scene["places"]:
        if place not in shown and place not in ("shoe", "cloth"):
            scene = scene | {"hands": [*scene["hands"], {"to": place, "cards": [], "points": ""}]}
    for hand in scene["hands"]:
        is_next = hand["to"] == scene["then"]
        mark = "=>" if hand["to"] in scene["places"] else "->" if is_next else "  "
        cards = " ".join("▒▒" if suit == "back" else text for text, suit in hand["cards"])
        rows.append(f"{mark} {place_name(hand['to']):<18} {hand['points']:>6}  {cards}"[:COLUMNS])
    return rows


def place_name(to: str) -> str:
    """Returns the name of a place, as the cloth has it."""
    sides = {"d": "dealer", "P": "player", "B": "banker"}
    if to in sides:
        return _label(sides[to])
    seat, _, hand = to[1:].partition(".")
    return f"{_label('seat')} {seat}" + (f", {_label('hand')} {hand}" if hand else "")


def _label(name: str) -> str:
    return translated(Message(words.LABELS[name]))
