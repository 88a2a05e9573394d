"""What programs say in English, in French beside it: for the service page, which has both."""

from __future__ import annotations

from typing import Any

from firmware.core.faults import FAULTS
from firmware.lib.catalogue import catalogue
from firmware.lib.language import FRENCH, HOLE

SAID = ("text", "group", "part", "note", "why", "unit", "name", "wrong", "measured", "drawing")


def with_french(step: dict[str, Any]) -> dict[str, Any]:
    """The same; what of it is said to people besides in French, by key, under "french"."""
    recognised = catalogue(FRENCH).recognised
    found = {key: recognised(step[key]) for key in SAID if isinstance(step.get(key), str)}
    known = {key: text for key, text in found.items() if text is not None}
    return {**step, "french": known} if known else step


def faults() -> dict[str, tuple[str, str]]:
    """The French of each code: what is wrong and what to do; {}: the detail."""
    french = catalogue(FRENCH).messages
    return {kind.code: (french[kind.text], french[kind.remedy]) for kind in FAULTS}


def templates() -> dict[str, str]:
    """What the browser recognises (static/said.mjs): {} stands for a value, {0} for the first."""
    found = {}
    for text, french in catalogue(FRENCH).messages.items():
        names = [hole[1] or str(place) for place, hole in enumerate(HOLE.finditer(text))]
        places = iter(names)

        def numbered(hole: Any, names: list[str] = names, places: Any = places) -> str:
            return f"{{{names.index(hole[1] or next(places))}}}"

        found[HOLE.sub("{}", text)] = HOLE.sub(numbered, french)
    return found
