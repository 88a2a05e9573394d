"""The header as one SVG file that needs nothing else: to print, and to hang beside the carrier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

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

# All lengths are the picture's own units, a pixel at its natural size.
WIDTH = 920
_CENTRE = WIDTH / 2
_ROW = 30  # from one pair of pins to the next
_TOP = 124  # of the first pair
_BESIDE = 17  # from the centre line to a pin
_NAME = 44  # from the centre line to where names begin
_PILL, _PILL_AT = 188, 132  # a signal's pill: its width, how far from the centre line it begins
_CHIP_ROW = 24

# Power and ground as everybody paints them; ours by which way they go; buses by their kind.
# fmt: off
_FILL = {
    V5: "#d32f2f", V3: "#f57c00", GND: "#212121",
    IN: "#1769aa", OUT: "#2e7d32", UART: "#7b1fa2", I2C: "#00796b",
    RESERVED: "#8d8d8d", FREE: "#d9d9d9",
}
_LEGEND = (
    (V5, "5 V"), (V3, "3.3 V"), (GND, "ground"), (IN, "in, from the wheel"),
    (OUT, "out, to the wheel"), (I2C, "bus I2C"), (UART, "bus UART"), (RESERVED, "reserved"),
    (FREE, "free"),
)
# fmt: on
_STYLE = (
    "text{font-family:Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;fill:#1b1b1b}"
    ".t{font-size:24px;font-weight:650}.s{font-size:13.5px;fill:#5c5c5c}"
    ".n{font-size:13px;font-weight:600}.p{font-size:10.5px;font-weight:700;fill:#fff;"
    "text-anchor:middle}.g{font-size:13.5px;font-weight:600;fill:#fff}"
    ".w{font-size:11.5px;fill:#5c5c5c}.m{font-family:ui-monospace,'DejaVu Sans Mono',"
    "Consolas,monospace}.e{text-anchor:end}.d{fill:#333}"
)


def picture(board: dict[str, Any]) -> str:
    """The whole file."""
    chips = expanders(board)
    legend_at = _TOP + 20 * _ROW + 34
    chips_at = legend_at + 76
    # Two expanders stand side by side.
    height = chips_at + -(-len(chips) // 2) * _chip_height() + 16 if chips else chips_at - 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}"'
        f' viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{_title(board)}">',
        f"<title>{_title(board)}</title><style>{_STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text class="t" x="40" y="52">{escape(board["title"])}</text>',
        f'<text class="s" x="40" y="76">Board <tspan class="m">{escape(board["name"])}</tspan>'
        " · 40-pin header seen from above · pin 1 has the square pad</text>",
        *_connector(),
    ]
    for pin in header(board):
        parts += _drawn(pin)
    parts += _legend(legend_at)
    for at, chip in enumerate(chips):
        parts += _chip(chip, 40 + at % 2 * 440, chips_at + at // 2 * _chip_height())
    return "\n".join([*parts, "</svg>", ""])


def _title(board: dict[str, Any]) -> str:
    return escape(f"Pins of {board['name']}: {board['title']}", {'"': "&quot;"})


def _connector() -> Iterator[str]:
    """The body of the plug."""
    top, height = _TOP - 20, 20 * _ROW + 10
    yield (
        f'<rect x="{_CENTRE - 36}" y="{top}" width="72" height="{height}" rx="9"'
        ' fill="#f1f1ef" stroke="#c9c9c4"/>'
    )


def _drawn(pin: Pin) -> Iterator[str]:
    """A pin: its pad with the number, its name, and the pill of its signal with an arrow."""
    side = 1 if pin.position % 2 == 0 else -1
    y = _TOP + (pin.position - 1) // 2 * _ROW
    x = _CENTRE + side * _BESIDE
    fill = _FILL[pin.kind]
    if pin.position == 1:
        yield f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" fill="{fill}"/>'
    else:
        yield f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}"/>'
    dark = ' style="fill:#333"' if pin.kind == FREE else ""
    yield f'<text class="p"{dark} x="{x}" y="{y + 4}">{pin.position}</text>'
    end = " e" if side < 0 else ""
    colour = fill if pin.kind in (V5, V3, GND) else "#777" if not pin.way else "#1b1b1b"
    yield (
        f'<text class="n{end}" x="{_CENTRE + side * _NAME}" y="{y + 5}"'
        f' style="fill:{colour}">{pin.name}</text>'
    )
    if pin.way:
        yield from _pill(pin, side, y)
    elif pin.signal:
        yield (
            f'<text class="w{end}" x="{_CENTRE + side * _PILL_AT}" y="{y + 4}">'
            f"{escape(pin.signal)}</text>"
        )


def _pill(pin: Pin, side: int, y: float) -> Iterator[str]:
    left = _CENTRE + _PILL_AT if side > 0 else _CENTRE - _PILL_AT - _PILL
    fill = _FILL[pin.kind]
    yield (
        f'<rect x="{left}" y="{y - 12}" width="{_PILL}" height="24" rx="12" fill="{fill}"/>'
        f'<text class="g m" x="{left + _PILL / 2}" y="{y + 4.5}" text-anchor="middle">'
        f"{escape(pin.signal)}</text>"
    )
    tip, tail = _CENTRE + side * (_PILL_AT - 6), _CENTRE + side * (_PILL_AT - 22)
    yield f'<line x1="{tip}" y1="{y}" x2="{tail}" y2="{y}" stroke="{fill}" stroke-width="2"/>'
    if pin.comes:
        yield _head(tail - side * 2, y, -side, fill)
    if pin.goes:
        yield _head(tip + side * 2, y, side, fill)
    end = " e" if side < 0 else ""
    yield (
        f'<text class="w{end}" x="{_CENTRE + side * (_PILL_AT + _PILL + 10)}" y="{y + 4}">'
        f"{escape(pin.way)}</text>"
    )


def _head(x: float, y: float, way: int, fill: str) -> str:
    """An arrow's head whose tip is at x, y."""
    return f'<path d="M{x} {y}l{-way * 7} -4.5v9z" fill="{fill}"/>'


def _legend(y: float) -> Iterator[str]:
    for at, (kind, words) in enumerate(_LEGEND):
        x = 40 + at % 5 * 172
        row = y + at // 5 * 26
        yield f'<circle cx="{x + 7}" cy="{row}" r="7" fill="{_FILL[kind]}"/>'
        yield f'<text class="s d" x="{x + 22}" y="{row + 4.5}">{words}</text>'


def _chip_height() -> int:
    return 16 * _CHIP_ROW // 2 + 92


def _chip(chip: Expander, x: float, y: float) -> Iterator[str]:
    """An expander as a table of its two ports."""
    yield (
        f'<rect x="{x}" y="{y}" width="400" height="{_chip_height() - 24}" rx="10"'
        ' fill="#f7f7f5" stroke="#deded9"/>'
        f'<text class="n" x="{x + 18}" y="{y + 28}">MCP23017 at {chip.address:#04x}</text>'
        f'<text class="w" x="{x + 18}" y="{y + 46}">{escape(chip.bus)} · interrupt'
        f' <tspan class="m">{escape(chip.interrupt)}</tspan></text>'
    )
    for at, (pin, signal) in enumerate(chip.pins):
        left = x + 18 + at // 8 * 190
        row = y + 72 + at % 8 * _CHIP_ROW
        yield f'<text class="w m" x="{left}" y="{row + 4}">{pin}</text>'
        if not signal:
            yield f'<text class="w" x="{left + 107}" y="{row + 4}" text-anchor="middle">free</text>'
            continue
        yield (
            f'<rect x="{left + 44}" y="{row - 10}" width="126" height="20" rx="10"'
            f' fill="{_FILL[IN]}"/><text class="g m" x="{left + 107}" y="{row + 4.5}"'
            f' text-anchor="middle">{escape(signal)}</text>'
        )
