"""A scene as a terminal of 80x24 has it, and as one line.

It is drawn by firmware/lib/faces.py.
"""

from __future__ import annotations

import textwrap
from typing import Any, NamedTuple

from firmware.lib.faces import COLUMNS, LINES
from firmware.lib.language import Message, current, translated
from firmware.services.guide import words
from firmware.services.guide.scene import GO, HELD, LOCKED, WAIT

_COLOURS = {GO: "\x1b[1;32m", WAIT: "\x1b[1m", HELD: "\x1b[1;33m", LOCKED: "\x1b[1;31m"}
# Beside the colour, for whoever cannot tell colours.
_MARKS = {GO: "> ", WAIT: ". ", HELD: "! ", LOCKED: "X "}
_PLAIN = "\x1b[0m"


class Drawn(NamedTuple):
    """A scene, as each face has it (firmware/lib/faces.py), and what came of the last key.

    `has_keys`: the letters of the page press them here, too.
    """

    scene: dict[str, Any]
    note: str = ""
    has_keys: bool = False

    def fields(self) -> dict[str, Any]:
        """Returns the scene, its sentences in one language."""
        return self.scene | {"say": self.scene["say"][current()]}

    def line(self) -> str:
        """Returns what is due, with what was refused or announced."""
        scene, say = self.scene, self.scene["say"][current()]
        if scene["stage"] == "gone":
            return str(say["due"])
        parts = [_label("simulated")] if scene["simulated"] else []
        return " · ".join([*parts, say["whole"], *say["announce"], *say["notes"]])

    def news(self) -> object:
        """Returns the line."""
        return self.line()

    def rows(self, *, colours: bool) -> list[str]:
        """Returns what fits, what is due first."""
        return draw(self.scene, colours=colours, note=self.note, has_keys=self.has_keys)


def draw(
    scene: dict[str, Any], *, colours: bool, note: str = "", has_keys: bool = False
) -> list[str]:
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
    for text in (*say["announce"], *say["notes"], *filter(None, [note])):
        rows += _wrapped("* " + text, 2)
    paid = "paid_players" if scene["game"] == "baccarat" else "paid"
    for title, texts in (("ways", say["ways"]), ("wrong", say["wrong"]), (paid, say["paid"])):
        if texts:
            rows.append(translated(Message("{title}:", title=_label(title))))
            for text in texts:
                rows += ["  " + line for line in textwrap.wrap(text, COLUMNS - 2)[:2]]
    rows += ["", *_cloth(scene)]  # last: of what is cut the croupier sees the cloth itself
    caps = [f"{_letter(cap, has_keys)}[{cap['name']}]" for cap in scene["keys"]]
    asks = [
        f"{_letter(ask, has_keys)}({translated(Message(words.ASKS[ask['do']]))})"
        for ask in scene["asks"]
    ]
    return _filled(rows, [*_side_by_side(caps), *_side_by_side(asks)])


def _letter(offered: dict[str, Any], has_keys: bool) -> str:
    return f"{offered['letter']} " if has_keys else ""


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
