"""A scene as the page is told it: plain values for JSON, what people read in French and English."""

from typing import Any

from firmware.bus.messages import Call
from tools.call_standing import line
from tools.call_text import ENGLISH, FRENCH
from tools.display import words
from tools.display.scene import Scene, is_shown
from tools.display.tally import Share, Tally


def vocabulary() -> dict[str, Any]:
    """Everything the page says, as pairs of French and English."""
    return {
        "games": words.GAMES,
        "states": words.STATES,
        "more": words.MORE,
        "reasons": words.REASONS,
        "rotors": {str(rotor): pair for rotor, pair in words.ROTORS.items()},
        "letters": words.LETTERS,
        "labels": words.LABELS,
        "manual": words.MANUAL,
        "by_hand": words.BY_HAND,
        "unverified": words.UNVERIFIED,
    }


def told(scene: Scene) -> dict[str, Any]:
    """One scene: all that the page draws, and nothing that it may not show."""
    lit = scene.lit
    number, colour = (lit.number, lit.colour) if is_shown(scene) else (None, None)
    chances: tuple[words.Words, ...] = ()
    if number is not None and colour is not None and lit.game is not None:
        chances = words.chances(lit.game, number, colour)
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


def _call(call: Call | None) -> words.Words | None:
    """Where the prediction of the call stands; None where nothing is predicted."""
    if call is None:
        return None
    lead_us = None if call.lead_ms is None else call.lead_ms * 1000
    french, english = (line(call.coups, lead_us, call.why, each) for each in (FRENCH, ENGLISH))
    return words.Words(french, english)


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        **tally._asdict(),
        "pairs": [(_share(one), _share(other)) for one, other in tally.pairs],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"chance": share.chance, "count": share.count}
