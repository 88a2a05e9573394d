"""What a display lights, as 24 lines of 80 columns. Draws; knows of no terminal and no port."""

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
    "yellow": "\x1b[1;38;5;16;48;5;220m",
    "white": "\x1b[1;38;5;16;48;5;231m",
}
_BOX = 2 * digits.WIDTH + 2 + 4
_TITLE = "CYLINDRE · "
_ARROWS = {1: "↺", -1: "↻", 0: "·"}


class Painter:
    """Puts colours on text, or leaves it as it is (`colours` False: NO_COLOR)."""

    def __init__(self, *, colours: bool) -> None:
        self._colours = colours

    def on(self, style: str, text: str) -> str:
        """`text` in a style."""
        return f"{style}{text}{_RESET}" if self._colours else text

    def pocket(self, colour: str, text: str) -> str:
        """`text` on the colour of a compartment."""
        return self.on(_GROUNDS[colour], text)


def draw(lit: Lit, note: str, painter: Painter) -> list[str]:
    """LINES lines of at most COLUMNS columns. `note`: a sentence for the bottom line, or empty.

    Without one, that line marks a layout that no source gives.
    """
    if not note and _is_unverified(lit):
        note = f"{words.UNVERIFIED.french} · {words.UNVERIFIED.english}"
    title = _TITLE + ("table" if lit.game is None else words.GAMES[lit.game].french)
    coup = f"coup {lit.coup}" if lit.coup else ""
    lines = [
        f"  {title}{coup:>{COLUMNS - len(title) - 4}}",
        "  " + "─" * (COLUMNS - 4),
        *_announcement(lit, painter),
        "",
        *_number(lit, painter),
        "",
        _rotor(lit),
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
    if lit.number is None or lit.colour is None or lit.game is None:
        rows = digits.big("--")
        beside: tuple[words.Words, ...] = ()
    else:
        rows = digits.big(f"{lit.number:02d}" if lit.number > 9 else f"{lit.number}")
        beside = words.chances(lit.game, lit.number, lit.colour)
    # One blank row above and below; the three words stand at the rows 2, 4 and 6 of the box.
    says = {2 + 2 * place: chance for place, chance in enumerate(beside)}
    lines = ["  ┌" + "─" * _BOX + "┐"]
    for row, text in enumerate(["", *rows, ""]):
        cell = f"{text:^{_BOX}}"
        if lit.colour is not None:
            cell = painter.pocket(lit.colour, cell)
        chance = says.get(row)
        word = "" if chance is None else f"      {chance.french.upper():<10}{chance.english}"
        lines.append(f"  │{cell}│{word}")
    lines.append("  └" + "─" * _BOX + "┘")
    return lines


def _rotor(lit: Lit) -> str:
    if lit.game == "boule":  # a dish does not turn
        return ""
    if lit.state == "STALE":
        return "  Cylindre · rotor"
    turn = words.ROTORS[lit.rotor]
    return f"  Cylindre · rotor   {_ARROWS[lit.rotor]}  {turn.french} · {turn.english}"


def _last(lit: Lit, painter: Painter) -> str:
    cells = [
        " ×" if outcome is None else painter.pocket(outcome[1], f"{outcome[0]:>2}")
        for outcome in lit.history
    ]
    return " ".join(cells)


def sentence(lit: Lit) -> str:
    """What is lit on one line of plain ASCII, for a pipe or a terminal too small for `draw`."""
    if lit.state == "STALE":
        return "STALE: -"
    shown = "-"
    if lit.number is not None and lit.colour is not None and lit.game is not None:
        told = words.chances(lit.game, lit.number, lit.colour)
        shown = f"{lit.number}  {', '.join(f'{word.french}/{word.english}' for word in told)}"
    elif lit.reason is not None:
        shown = f"- ({words.REASONS[lit.reason].english})"
    last = " ".join("x" if outcome is None else str(outcome[0]) for outcome in lit.history)
    said = f"{lit.state}  coup {lit.coup}{_turn(lit)}: {shown}  last: {last or '-'}"
    return f"{said}  {words.UNVERIFIED.english}" if _is_unverified(lit) else said


def _turn(lit: Lit) -> str:
    if lit.game == "boule":  # a dish does not turn
        return ""
    return "  rotor " + {1: "ccw", -1: "cw", 0: "-"}[lit.rotor]


def _is_unverified(lit: Lit) -> bool:
    return lit.layout_verified is False  # None: nobody is heard
