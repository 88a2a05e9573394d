"""The header as lines of text, 80 columns at most, with colours where a terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from firmware.lib.language import Message, translated
from tools.pinout.header import (
    FREE,
    GND,
    I2C,
    IN,
    OUT,
    RESERVED,
    UART,
    V3,
    V5,
    Expander,
    Pin,
    expanders,
    header,
)

_SIGNAL = 17  # columns; the longest of ours is lamp_no_more_bets
_ROWS_OF_A_CHIP = 8

# fmt: off
_COLOURS: dict[str, dict[str, Any]] = {
    V5: {"fg": "red", "bold": True}, V3: {"fg": "yellow"}, GND: {"dim": True},
    IN: {"fg": "cyan"}, OUT: {"fg": "green"}, UART: {"fg": "magenta"}, I2C: {"fg": "blue"},
    RESERVED: {"dim": True}, FREE: {"dim": True},
}
# Whether something goes to the right, and to the left.
_ARROWS = {(True, False): "→", (False, True): "←", (True, True): "↔", (False, False): " "}
_PLAIN = str.maketrans({"→": ">", "←": "<", "↔": "=", "│": "|", "●": "o", "■": "#", "·": "."})
# fmt: on


def lines(board: dict[str, Any], *, colours: bool, plain: bool) -> Iterator[str]:
    """The header of a board and its expanders. `plain`: no sign beyond ASCII."""
    for line in map(translated, _lines(board, colours)):
        yield line.translate(_PLAIN) if plain else line


def _lines(board: dict[str, Any], colours: bool) -> Iterator[str]:
    pins = header(board)
    yield Message("{}: {}", board["name"], Message(board["title"]))
    yield ""
    for left, right in zip(pins[::2], pins[1::2], strict=True):
        yield _row(left, right, colours)
    yield ""
    yield Message("Seen from above; pin 1 (■) has the square pad. Arrows: which way a signal goes.")
    for chip in expanders(board):
        yield ""
        yield from _expander(chip, colours)


def _row(left: Pin, right: Pin, colours: bool) -> str:
    arrow = _ARROWS[left.comes, left.goes]
    one = _painted(f"{left.signal:>{_SIGNAL}} {arrow} {left.name:>7}", left.kind, colours)
    arrow = _ARROWS[right.goes, right.comes]
    two = _painted(f"{right.name:<7} {arrow} {right.signal}".rstrip(), right.kind, colours)
    mark = "■" if left.position == 1 else "●"
    dots = f"{_painted(mark, left.kind, colours)} {_painted('●', right.kind, colours)}"
    return f" {one} {left.position:>2} │ {dots} │ {right.position:<2} {two}"


def _expander(chip: Expander, colours: bool) -> Iterator[str]:
    yield Message(
        "Expander MCP23017 at {address:#04x} of {bus}, interrupt {interrupt}",
        address=chip.address,
        bus=chip.bus,
        interrupt=chip.interrupt,
    )
    halves = chip.pins[:_ROWS_OF_A_CHIP], chip.pins[_ROWS_OF_A_CHIP:]
    for (pin, signal), (other, second) in zip(*halves, strict=True):
        one = _painted(f"{signal or '·':>{_SIGNAL}}", IN if signal else FREE, colours)
        two = _painted(second or "·", IN if second else FREE, colours)
        yield f" {one} → {pin:>7}    │     │    {other:<7} ← {two}"


def _painted(text: str, kind: str, colours: bool) -> str:
    return click.style(text, **_COLOURS[kind]) if colours else text
