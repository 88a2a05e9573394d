"""What programs say in English, in French beside it: for the service page, which has both."""

from __future__ import annotations

from typing import Any

from firmware.core.faults import FAULTS, sentence
from firmware.lib.catalogue import catalogue
from firmware.lib.language import FRENCH, unpacked

# What of anything told is said to people.
SAID = frozenset(
    "text remedy why detail unread trouble fram group part note unit name wrong measured drawing"
    " whole".split()
)
# A person's own words.
_OWN = frozenset(("note", "service on", "service off"))


def with_french(told: dict[str, Any]) -> dict[str, Any]:
    """The same; what of it is said to people besides in French, by key, under "french".

    What came from the controller with its templates (docs/service.md) is filled in exactly.
    """
    known = catalogue(FRENCH).known
    given = told.get("said")
    packed = given if isinstance(given, dict) else {}
    found = {}
    for key, text in told.items():
        if key in SAID and isinstance(text, str) and not (key == "detail" and _is_own(told)):
            found[key] = known(unpacked(packed[key], text) if key in packed else text)
    if told.get("event") == "fault":
        detail = _detail(told["code"], told["text"])
        found["detail"] = None if detail is None else known(detail)
    french = {key: text for key, text in found.items() if text is not None}
    rest = {key: value for key, value in told.items() if key != "said"} if packed else told
    return {**rest, "french": french} if french else rest


def _detail(code: str, text: str) -> str | None:
    """What stands for {} in the sentence of a fault; None: nothing does."""
    before, hole, after = sentence(code, "{}").partition("{}")
    if not hole or not (text.startswith(before) and text.endswith(after)):
        return None
    return text[len(before) : len(text) - len(after)]


def _is_own(told: dict[str, Any]) -> bool:
    return told.get("what") in _OWN


def faults() -> dict[str, tuple[str, str]]:
    """The French of each code: what is wrong and what to do; {}: the detail."""
    french = catalogue(FRENCH).messages
    return {kind.code: (french[kind.text], french[kind.remedy]) for kind in FAULTS}
