"""The keys that a configuration may have, as the editor of the page lists them."""

from __future__ import annotations

from typing import Any

from firmware.config import KEYS
from firmware.services.page.translation import with_translations


def listed() -> list[dict[str, Any]]:
    """Returns every key in the order of the table.

    `text`: what it decides; `note`: what it may be, unless it is one of `choices`. Both in French
    as well. `default`: null where it depends.
    """
    return [
        with_translations(
            {
                "section": key.section,
                "key": key.name,
                "text": key.means,
                "note": key.wants,
                "choices": list(key.choices),
                "default": key.stands_for if key.default is None else key.default,
                "example": key.example,
            }
        )
        for key in KEYS
    ]
