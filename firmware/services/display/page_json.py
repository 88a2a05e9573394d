"""A scene as the page is told it, by codes; and the words for them, by the code of a language."""

from typing import Any

from firmware.lib.language import LANGUAGES
from firmware.services.display.scene import Scene, is_shown
from firmware.services.display.tally import Share, Tally
from firmware.text import display_words


def vocabulary() -> dict[str, Any]:
    """Returns everything the page says, by the code of its language."""
    return {language: display_words.words(language) for language in LANGUAGES}


def scene_fields(scene: Scene) -> dict[str, Any]:
    """Returns one scene: all that the page draws, and nothing that it may not show."""
    lit = scene.lit
    number, colour = (lit.number, lit.colour) if is_shown(scene) else (None, None)
    chances: tuple[str, ...] = ()
    if number is not None and colour is not None and lit.game is not None:
        chances = display_words.chances(lit.game, number, colour)
    return {
        "stage": scene.stage,
        "game": lit.game,
        "wheel": lit.wheel,
        "number": number,
        "colour": colour,
        "chances": chances,
        "rotor": lit.rotor,
        "coup": lit.coup,
        "reason": lit.reason,
        "by_hand": lit.manual and number is not None,
        "unverified": lit.layout_verified is False,  # None: nobody is heard
        "last": lit.history,
        "tally": None if scene.tally is None else _tally(scene.tally),
        "limits": None if scene.limits is None else scene.limits._asdict(),
        "asks": scene.asks,
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        **tally._asdict(),
        "pairs": [(_share(one), _share(other)) for one, other in tally.pairs],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"chance": share.chance, "count": share.count}
