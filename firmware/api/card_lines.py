"""The JSON object of a card table's fact, for who serves wheels too, and has not its records."""

from __future__ import annotations

from typing import Any

# What stands on the croupier's screen has no round; every other fact of a card table has.
_ON_SCREEN = ("Guide", "CardTyped")
_VIEW = "CardView"


def card_line(fact: Any) -> list[tuple[str, Any]] | None:
    """Returns the pairs of a fact's object; None for what is of no round."""
    if not hasattr(fact, "round"):
        return None
    from firmware.core.cards import lines

    return lines.card_line(fact)


def view_line(fact: Any) -> list[tuple[str, Any]] | None:
    """Returns the pairs of what the displays may show; None for any other record."""
    if type(fact).__name__ != _VIEW:
        return None
    from firmware.core.cards import lines

    return lines.view_line(fact)


def screen_line(fact: Any) -> list[tuple[str, Any]] | None:
    """Returns the pairs of what is the croupier's alone; None for any other record."""
    if type(fact).__name__ not in _ON_SCREEN:
        return None
    from firmware.core.cards import lines

    return lines.guide_line(fact)
