"""What a display lights, as each face has it (firmware/lib/faces.py)."""

import time
from functools import cache
from typing import Any, NamedTuple

from firmware.lib.language import current
from firmware.services.display import picture
from firmware.services.display.page_json import scene_fields
from firmware.services.display.scene import Scene
from firmware.text.display_words import Words, at_table

_ROTORS = {1: "ccw", -1: "cw", 0: None}
_words = cache(at_table)


class Shown(NamedTuple):
    """A scene, and a sentence about the port."""

    scene: Scene
    note: str
    t_us: int

    def fields(self) -> dict[str, Any]:
        """Returns it as contracts/commands.md has it."""
        scene, lit = self.scene, self.scene.lit
        shown = {
            "t_us": self.t_us,
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
        return shown

    def line(self) -> str:
        """Returns it as one line of ASCII."""
        return picture.sentence(self.scene.lit, self.scene.asks, self._without_roads())

    def news(self) -> object:
        """Returns all but what follows of itself: history and roads."""
        return self.scene.lit._replace(history=()), self.scene.asks, self._without_roads()

    def rows(self, *, colours: bool) -> list[str]:
        """Returns it with the time of day."""
        words: dict[str, dict[str, Words]] = _words(current())
        painter = picture.Painter(colours=colours)
        return picture.draw(self.scene, self.note, time.strftime("%H:%M"), painter, words)

    def _without_roads(self) -> Any:
        cloth = self.scene.cloth
        return None if cloth is None else cloth._replace(roads=None)
