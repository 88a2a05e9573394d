"""Where a display lights what it lights: a terminal, plain lines, or JSON lines.

Each face draws only what changed. None of them flashes.
"""

import json
import os
import time
from typing import Any, Protocol, TextIO

from firmware.bus.receiver import Lit
from firmware.lib.language import current
from firmware.services.display import picture
from firmware.services.display.cloth import Cloth
from firmware.services.display.page_json import scene_fields
from firmware.services.display.scene import Scene
from firmware.text.display_words import at_table

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
_LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"
_ROTORS = {1: "ccw", -1: "cw", 0: None}


class Face(Protocol):
    """Somewhere to light things."""

    @property
    def has_notes(self) -> bool:
        """Returns whether `note` can be read there now."""

    def show_scene(self, scene: Scene, note: str, t_us: int) -> None:
        """Shows a scene and a sentence about the port; nothing happens if both stand already."""

    def close(self) -> None:
        """Leaves everything as it was found."""


class Silent:
    """Nothing: the page shows it all."""

    has_notes = False

    def show_scene(self, scene: Scene, note: str, t_us: int) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Json:
    """One JSON object a line (contracts/commands.md)."""

    has_notes = False

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._shown: dict[str, Any] = {}

    def show_scene(self, scene: Scene, note: str, t_us: int) -> None:
        """Prints a line if anything changed that is in it."""
        lit = scene.lit
        shown = {
            "state": lit.state,
            "game": lit.game,
            "shown": lit.number,
            "colour": lit.colour,
            "epoch": lit.epoch,
            "seq": lit.seq,
            "coup": lit.coup,
            "rotor": _ROTORS[lit.rotor],
            "reason": lit.reason,
            "manual": lit.manual,
            "layout_verified": lit.layout_verified,
        }
        if scene.cloth is not None:
            shown["cloth"] = scene_fields(scene)["cloth"]
        if scene.asks is not None:
            shown["asks"] = scene.asks
        if shown != self._shown:
            self._shown = shown
            print(json.dumps({"t_us": t_us, **shown}), file=self._out, flush=True)

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Plain:
    """A line for each change, for a pipe, a dumb terminal or one that is too small."""

    has_notes = False

    def __init__(self, out: TextIO) -> None:
        self._out = out
        # What was lit, but for the history, which follows, and its line.
        self._lit: tuple[Lit, str | None, Cloth | None] | None = None
        self._line = ""

    def show_scene(self, scene: Scene, note: str, t_us: int) -> None:
        """Prints a line if it says anything new but the history."""
        # The roads follow, and are on no line.
        cloth = None if scene.cloth is None else scene.cloth._replace(roads=None)
        lit = (scene.lit._replace(history=()), scene.asks, cloth)
        line = picture.sentence(scene.lit, scene.asks, cloth)
        if lit != self._lit and line != self._line:
            self._line = line
            print(line, file=self._out, flush=True)
        self._lit = lit

    def close(self) -> None:
        """Does nothing: there is nothing to restore."""


class Screen:
    """A terminal of 80x24 or more; one that is smaller gets plain lines until it grows."""

    def __init__(self, out: TextIO, *, colours: bool) -> None:
        self._out = out
        self._painter = picture.Painter(colours=colours)
        self._words = at_table(current())
        self._plain = Plain(out)
        self._size: os.terminal_size | None = None
        # The rows as they stand on the screen; None while it is not ours.
        self._rows: list[str] | None = None

    @property
    def has_notes(self) -> bool:
        """Returns whether the rows are on the screen."""
        return self._rows is not None

    def show_scene(self, scene: Scene, note: str, t_us: int) -> None:
        """Writes the rows that changed."""
        size = os.get_terminal_size(self._out.fileno())
        if size.columns < picture.COLUMNS or size.lines < picture.LINES:
            self.close()
            self._plain.show_scene(scene, note, t_us)
            return
        clock = time.strftime("%H:%M")
        rows = picture.draw(scene, note, clock, self._painter, self._words)
        written = []
        if self._rows is None or size != self._size:
            written.append(_ENTER)
            self._rows = [""] * len(rows)
            self._size = size
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
