"""What programs say in English, in the other languages beside it: for the service page."""

from __future__ import annotations

from typing import Any

from firmware.core.faults import FAULTS
from firmware.lib.catalogue import catalogue
from firmware.lib.language import ENGLISH, HOLE, LANGUAGES

SAID = ("text", "group", "part", "note", "why", "unit", "name", "wrong", "measured", "drawing")


def with_translations(step: dict[str, Any]) -> dict[str, Any]:
    """The same; under "translations", by language and key, what of it is said to people."""
    found = {language: _translated(step, language) for language in LANGUAGES}
    known = {language: texts for language, texts in found.items() if texts}
    return {**step, "translations": known} if known else step


def _translated(step: dict[str, Any], language: str) -> dict[str, str]:
    if language == ENGLISH:
        return {}
    recognised = catalogue(language).recognised
    found = {key: recognised(step[key]) for key in SAID if isinstance(step.get(key), str)}
    return {key: text for key, text in found.items() if text is not None}


def faults(language: str) -> dict[str, tuple[str, str]]:
    """Each code in a language: what is wrong and what to do; {}: the detail."""
    if language == ENGLISH:
        return {kind.code: (kind.text, kind.remedy) for kind in FAULTS}
    said = catalogue(language).messages
    return {
        kind.code: (said.get(kind.text, kind.text), said.get(kind.remedy, kind.remedy))
        for kind in FAULTS
    }


def templates(language: str) -> dict[str, str]:
    """What the browser recognises (static/said.mjs): {} stands for a value, {0} for the first."""
    if language == ENGLISH:
        return {}
    found = {}
    for text, said in catalogue(language).messages.items():
        names = [hole[1] or str(place) for place, hole in enumerate(HOLE.finditer(text))]
        places = iter(names)

        def numbered(hole: Any, names: list[str] = names, places: Any = places) -> str:
            return f"{{{names.index(hole[1] or next(places))}}}"

        found[HOLE.sub("{}", text)] = HOLE.sub(numbered, said)
    return found
