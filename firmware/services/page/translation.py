"""What programs say in English, in the other languages beside it: for the service page."""

from __future__ import annotations

from typing import Any

from firmware.core.faults import FAULTS, sentence
from firmware.health.words import KINDS
from firmware.lib.catalogue import catalogue
from firmware.lib.language import ENGLISH, LANGUAGES, unpacked
from firmware.store.acts import ACKNOWLEDGED, SERVICE_ACTS

# What of anything told is said to people.
SAID = frozenset(
    "text remedy why detail unread trouble fram group part note unit name wrong measured drawing"
    " whole".split()
)
_CODES = frozenset(kind.code for kind in FAULTS)  # a controller of another day may have more
# A person's own words.
_OWN = frozenset(
    ("note", "service on", "service off", ACKNOWLEDGED, *(act.what for act in SERVICE_ACTS))
)


def with_translations(told: dict[str, Any]) -> dict[str, Any]:
    """The same; under "translations", by language and key, what of it is said to people.

    What came from the controller with its templates (docs/service.md) is filled in exactly.
    """
    others = (language for language in LANGUAGES if language != ENGLISH)
    found = {language: _translated(told, language) for language in others}
    known = {language: texts for language, texts in found.items() if texts}
    rest = {key: value for key, value in told.items() if key != "said"} if _packed(told) else told
    return {**rest, "translations": known} if known else rest


def _translated(told: dict[str, Any], language: str) -> dict[str, str]:
    known, packed = catalogue(language).known, _packed(told)
    found = {}
    for key, text in told.items():
        if key in SAID and isinstance(text, str) and not (key == "detail" and _is_own(told)):
            found[key] = known(unpacked(packed[key], text) if key in packed else text)
    if told.get("event") == "fault":
        detail = _detail(told["code"], told["text"]) if told["code"] in _CODES else None
        found["detail"] = None if detail is None else known(detail)
    return {key: text for key, text in found.items() if text is not None}


def _packed(told: dict[str, Any]) -> dict[str, Any]:
    """What came with its templates, by key."""
    given = told.get("said")
    return given if isinstance(given, dict) else {}


def _detail(code: str, text: str) -> str | None:
    """What stands for {} in the sentence of a fault; None: nothing does."""
    before, hole, after = sentence(code, "{}").partition("{}")
    if not hole or not (text.startswith(before) and text.endswith(after)):
        return None
    return text[len(before) : len(text) - len(after)]


def _is_own(told: dict[str, Any]) -> bool:
    return told.get("what") in _OWN


def service_acts(language: str) -> dict[str, tuple[str, str]]:
    """Returns each kind of work on the wheel in a language: in a word or two, and what it means."""
    known = {} if language == ENGLISH else catalogue(language).messages
    said = known.get
    return {
        act.what: (said(act.done, act.done), said(act.meaning, act.meaning)) for act in SERVICE_ACTS
    }


def faults(language: str) -> dict[str, tuple[str, str]]:
    """Returns each code in a language: what is wrong and what to do; {}: the detail."""
    if language == ENGLISH:
        return {kind.code: (kind.text, kind.remedy) for kind in FAULTS}
    said = catalogue(language).messages
    return {
        kind.code: (said.get(kind.text, kind.text), said.get(kind.remedy, kind.remedy))
        for kind in FAULTS
    }


def health_kinds(language: str) -> dict[str, str]:
    """Returns what each kind of notice about the wheel's health says in a language; {}: its
    place."""
    known = catalogue(language).messages if language != ENGLISH else {}
    return {kind: known.get(text, text) for kind, text in KINDS.items()}
