"""Where a program draws besides its page: a terminal of 80x24, plain lines, JSON lines.

Each face draws only what changed. None of them flashes.
"""

from __future__ import annotations

import json
import os
from typing import Any, Protocol, TextIO

COLUMNS, LINES = 80, 24
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"


class Picture(Protocol):
    """What stands, as each face has it."""

    def fields(self) -> dict[str, Any]:
        """Returns it as JSON; `t_us` alone is no change."""

    def line(self) -> str:
        """Returns it as one line."""

    def news(self) -> object:
        """Returns what has to change before another line is due."""

    def rows(self, *, colours: bool) -> list[str]:
        """Returns it as LINES rows of at most COLUMNS letters."""


class Face(Protocol):
    """Somewhere to draw."""

    @property
    def has_rows(self) -> bool:
        """Returns whether rows are read there now."""

    def show_picture(self, picture: Picture) -> None:
        """Draws a picture; nothing happens if it stands already."""

    def close(self) -> None:
        """Leaves everything as it was found."""


class Silent:
    """Nothing: the page shows it all."""

    has_rows = False

    def show_picture(self, picture: Picture) -> None:
        """Draws nothing."""

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Json:
    """One JSON object a line (contracts/commands.md)."""

    has_rows = False

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown: dict[str, Any] = {}

    def show_picture(self, picture: Picture) -> None:
        """Prints a line if anything changed that is in it."""
        fields = picture.fields()
        shown = {name: value for name, value in fields.items() if name != "t_us"}
        if shown != self._shown:
            self._shown = shown
            print(json.dumps(fields), file=self._out, flush=True)

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Plain:
    """A line for each change, for a pipe, a dumb terminal or one that is too small."""

    has_rows = False

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._news: object = None
        self._line = ""

    def show_picture(self, picture: Picture) -> None:
        """Prints a line if it is another one, and has news."""
        news, line = picture.news(), picture.line()
        if news != self._news and line != self._line:
            self._line = line
            print(line, file=self._out, flush=True)
        self._news = news

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Screen:
    """A terminal of 80x24 or more; one that is smaller gets plain lines until it grows."""

    def __init__(self, out: TextIO, *, colours: bool) -> None:
        self._out = out
        self._colours = colours
        self._plain = Plain(out)
        self._size: os.terminal_size | None = None
        self._rows: list[str] | None = None  # as they stand; None while the screen is not ours

    @property
    def has_rows(self) -> bool:
        """Returns whether they are on the screen."""
        return self._rows is not None

    def show_picture(self, picture: Picture) -> None:
        """Writes the rows that changed."""
        size = os.get_terminal_size(self._out.fileno())
        if size.columns < COLUMNS or size.lines < LINES:
            self.close()
            self._plain.show_picture(picture)
            return
        rows = picture.rows(colours=self._colours)
        written = []
        if self._rows is None or size != self._size:
            written.append(_ENTER)
            self._rows, self._size = [""] * len(rows), size
        for place, row in enumerate(rows):
            if row != self._rows[place]:
                written.append(f"\x1b[{place + 1};1H{row}\x1b[K")
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
