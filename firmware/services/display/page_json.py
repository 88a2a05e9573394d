"""A scene as the page is told it, by codes; and the words for them, by the code of a language."""

from collections.abc import Sequence
from typing import Any

from firmware.bus.card_messages import BACK, DASH
from firmware.lib.language import LANGUAGES
from firmware.services.display.cloth import Cloth
from firmware.services.display.scene import Scene, is_shown
from firmware.services.display.tally import Share, Tally
from firmware.text import display_words
from rules.cards.deck import text_of


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
        "cloth": None if scene.cloth is None else _cloth(scene.cloth),
    }


def _cloth(cloth: Cloth) -> dict[str, Any]:
    return {
        **cloth._asdict(),
        "hands": [
            {**hand._asdict(), "cards": None if hand.cards is None else faces(hand.cards)}
            for hand in cloth.hands
        ],
        "result": None if cloth.result is None else cloth.result._asdict(),
        "roads": None if cloth.roads is None else cloth.roads._asdict(),
    }


def faces(cards: Sequence[int]) -> list[str]:
    """Returns cards as "TH"; the hole card is "back", one that is held "dash"."""
    return [{BACK: "back", DASH: "dash"}.get(card) or text_of(card) for card in cards]


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        **tally._asdict(),
        "pairs": [(_share(one), _share(other)) for one, other in tally.pairs],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"chance": share.chance, "count": share.count}
