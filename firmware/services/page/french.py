"""What tools say in English, in French: for the service page.

Self-test, calibration and the check of a configuration are those of the command line, and speak
English. Each of their sentences stands in a table as it is written in the code, with {} for what is
filled in; here it is recognised, and said in French. What is not known stays English.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from firmware.services.page import french_config, french_told

TOLD = {
    **french_told.WORDS,
    **french_told.PARTS,
    **french_told.LIMITS,
    **french_told.SELFTEST,
    **french_told.CALIBRATION,
    **french_config.MISTAKES,
    **french_config.WANTS,
    **french_config.MEANS,
    **french_config.TOGETHER,
    **french_config.TOML,
}
SAID = ("text", "group", "part", "note", "why", "unit", "name", "wrong", "measured", "drawing")
TEXT_MAX = 4_000  # characters; longer is no sentence of ours
_BETWEEN = re.compile(r"(?<=[.?!])\s+")  # two sentences


def with_french(step: dict[str, Any]) -> dict[str, Any]:
    """The same; what of it is said to people besides in French, by key, under "french"."""
    found = {key: french(step[key]) for key in SAID if isinstance(step.get(key), str)}
    known = {key: text for key, text in found.items() if text is not None}
    return {**step, "french": known} if known else step


@lru_cache(2000)  # some of it was typed: a configuration as it is written
def french(text: str) -> str | None:
    """What was said, in French; None if nobody knows how that is said."""
    if text in TOLD:
        return _filled(TOLD[text], []) if "{" not in text else TOLD[text]
    if len(text) > TEXT_MAX:
        return None
    for cut in _BETWEEN.finditer(text):  # one known sentence after the other, before all at once
        first = _matched(text[: cut.start()])
        rest = first and french(text[cut.end() :])
        if rest:
            return f"{first} {rest}"
    return _matched(text)


def _matched(text: str) -> str | None:
    for pattern, said in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return _filled(said, [_again(each) for each in match.groups()])
    return None


def _again(filled: str) -> str:
    """What was filled in: in French, where it is one of ours; with its spaces as they were."""
    said = french(filled.strip())
    return filled if said is None else filled.replace(filled.strip(), said)


def _filled(said: str, values: list[str]) -> str:
    numbers = iter(range(len(values)))
    return re.sub(r"\{(\d?)\}", lambda hole: values[int(hole[1] or next(numbers))], said)


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Of every sentence; those with most words of their own first, as they are the surest."""
    ranked = sorted(TOLD, key=lambda text: -len(text.replace("{}", "")))
    return [(re.compile("(.*?)".join(map(re.escape, text.split("{}"))), re.S), TOLD[text])
            for text in ranked]  # fmt: skip
