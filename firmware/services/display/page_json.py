"""A scene as the page is told it: plain values for JSON, what people read in French and English."""

from typing import Any

from firmware.bus.messages import Call
from firmware.lib.language import ENGLISH, FRENCH
from firmware.services.display.scene import Scene, is_shown
from firmware.services.display.tally import Share, Tally
from firmware.text import display_words
from firmware.text.call_status import line


def vocabulary() -> dict[str, Any]:
    """Returns everything the page says, as pairs of French and English."""
    return {
        "games": display_words.GAMES,
        "states": display_words.STATES,
        "more": display_words.MORE,
        "reasons": display_words.REASONS,
        "rotors": {str(rotor): pair for rotor, pair in display_words.ROTORS.items()},
        "letters": display_words.LETTERS,
        "labels": display_words.LABELS,
        "manual": display_words.MANUAL,
        "by_hand": display_words.BY_HAND,
        "unverified": display_words.UNVERIFIED,
    }


def scene_fields(scene: Scene) -> dict[str, Any]:
    """Returns one scene: all that the page draws, and nothing that it may not show."""
    lit = scene.lit
    number, colour = (lit.number, lit.colour) if is_shown(scene) else (None, None)
    chances: tuple[display_words.Words, ...] = ()
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
        "call": None if lit.table is None else _call(lit.table.call),
    }


def _call(call: Call | None) -> display_words.Words | None:
    """Returns where the prediction of the call stands; None where nothing is predicted."""
    if call is None:
        return None
    lead_us = None if call.lead_ms is None else call.lead_ms * 1000
    french, english = (line(call.coups, lead_us, call.why, each) for each in (FRENCH, ENGLISH))
    return display_words.Words(french, english)


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        **tally._asdict(),
        "pairs": [(_share(one), _share(other)) for one, other in tally.pairs],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"chance": share.chance, "count": share.count}
