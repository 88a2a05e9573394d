"""What a display lights, as 24 lines of 80 columns. Draws; knows of no terminal and no port."""

from typing import Any

import rules
from firmware.bus.receiver import Lit
from tools.display import digits, words

COLUMNS = 80
LINES = 24

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_INVERSE = "\x1b[1;7m"
# White on the colour of the pocket: the 256-colour palette, whose colours a theme leaves alone.
_GROUNDS = {
    "red": "\x1b[1;38;5;231;48;5;160m",
    "black": "\x1b[1;38;5;231;48;5;16m",
    "green": "\x1b[1;38;5;231;48;5;28m",
}
_BOX = 2 * digits.WIDTH + 2 + 4
_TITLE = "CYLINDRE · table"
_ARROWS = {1: "↺", -1: "↻", 0: "·"}


class Painter:
    """Puts colours on text, or leaves it as it is (`colours` False: NO_COLOR)."""

    def __init__(self, game: dict[str, Any], *, colours: bool) -> None:
        self.game = game
        self._colours = colours

    def on(self, style: str, text: str) -> str:
        """`text` in a style."""
        return f"{style}{text}{_RESET}" if self._colours else text

    def pocket(self, number: int, text: str) -> str:
        """`text` on the colour of a number."""
        return self.on(_GROUNDS[rules.colour(self.game, number)], text)


def draw(lit: Lit, note: str, painter: Painter) -> list[str]:
    """LINES lines of at most COLUMNS columns. `note`: a sentence for the bottom line, or empty."""
    coup = f"coup {lit.coup}" if lit.coup else ""
    lines = [
        f"  {_TITLE}{coup:>{COLUMNS - len(_TITLE) - 4}}",
        "  " + "─" * (COLUMNS - 4),
        *_announcement(lit, painter),
        "",
        *_number(lit, painter),
        "",
        f"  Cylindre · rotor   {_rotor(lit)}",
        "",
        "  Les 20 derniers · the last 20            × coup nul · void",
        "  " + _last(lit, painter),
        "",
        f"  {note[: COLUMNS - 4]}",
    ]
    assert len(lines) == LINES
    return [line.rstrip(" ") for line in lines]


def _announcement(lit: Lit, painter: Painter) -> list[str]:
    """Three rows: a bright bar while no bet is taken, plain words else."""
    said = words.STATES[lit.state]
    why = words.REASONS.get(lit.reason or "")
    rows = [
        "",
        f"   {said.french}   {said.english}",
        "" if why is None else f"   {why.french} · {why.english}",
    ]
    style = _INVERSE if lit.state in words.CLOSED else _BOLD
    width = COLUMNS - 4
    return ["  " + painter.on(style, f"{row:<{width}.{width}}") for row in rows]


def _number(lit: Lit, painter: Painter) -> list[str]:
    """The box with the number, or the dash, and beside it what the number is."""
    if lit.number is None:
        rows = digits.big("--")
        beside: tuple[words.Words, ...] = ()
    else:
        rows = digits.big(f"{lit.number:02d}" if lit.number > 9 else f"{lit.number}")
        beside = words.chances(painter.game, lit.number)
    # One blank row above and below; the three words stand at the rows 2, 4 and 6 of the box.
    says = {2 + 2 * place: chance for place, chance in enumerate(beside)}
    lines = ["  ┌" + "─" * _BOX + "┐"]
    for row, text in enumerate(["", *rows, ""]):
        cell = f"{text:^{_BOX}}"
        if lit.number is not None:
            cell = painter.pocket(lit.number, cell)
        chance = says.get(row)
        word = "" if chance is None else f"      {chance.french.upper():<10}{chance.english}"
        lines.append(f"  │{cell}│{word}")
    lines.append("  └" + "─" * _BOX + "┘")
    return lines


def _rotor(lit: Lit) -> str:
    if lit.state == "STALE":
        return ""
    turn = words.ROTORS[lit.rotor]
    return f"{_ARROWS[lit.rotor]}  {turn.french} · {turn.english}"


def _last(lit: Lit, painter: Painter) -> str:
    cells = [
        " ×" if number is None else painter.pocket(number, f"{number:>2}") for number in lit.history
    ]
    return " ".join(cells)


def sentence(lit: Lit, game: dict[str, Any]) -> str:
    """What is lit on one line of plain ASCII, for a pipe or a terminal too small for `draw`."""
    if lit.state == "STALE":
        return "STALE: -"
    turn = {1: "ccw", -1: "cw", 0: "-"}[lit.rotor]
    shown = "-"
    if lit.number is not None:
        chances = [f"{word.french}/{word.english}" for word in words.chances(game, lit.number)]
        shown = f"{lit.number}  {', '.join(chances)}"
    elif lit.reason is not None:
        shown = f"- ({words.REASONS[lit.reason].english})"
    last = " ".join("x" if number is None else str(number) for number in lit.history)
    return f"{lit.state}  coup {lit.coup}  rotor {turn}: {shown}  last: {last or '-'}"
