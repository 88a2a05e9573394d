"""The call of one coup in words, English and French: why it came when it did.

The one place for `journal show` and `explain`. Where the prediction stands, call_status.py says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from firmware.core.coup import evidence
from firmware.lib.language import ENGLISH, FRENCH, N_, Message, translated

_MILLION = 1_000_000
_BILLION = 1_000_000_000

# fmt: off
_CALLS = dict(evidence.CALLS)
_DROPS = dict(evidence.DROPS)
# From when times after a call count: one that takes no time has no beginning of its own.
_SINCE = (N_("after the call"), N_("after the call began"))
# Why the call kept to the cautious speed although something had been learned.
_CARES = {
    "new": N_("that is too little this way round"),
    "strange": N_("this ball moved unlike those"),
}
_SENTENCES = {
    "call": N_("Coup {coup}: rien ne va plus {at} s after the coup began; {why}."),
    "motion": N_("The ball had made {turns} turns; its last lap took {lap} s, then it ran {speed}"
              " turns/s and slowed by {slowing} turns/s each second."),
    "taught": N_("{who} taught that it leaves at {drop} turns/s{spread}"),
    "margin": N_("; with a margin of {margin} the call is due at {speed} turns/s{more}.{spoken}"),
    "care": N_("; but {care}, so the call is due at a cautious {speed} turns/s{more}.{spoken}"),
    "cautious": N_("Nothing was learned yet: the call is due at a cautious {speed}"
                " turns/s{more}.{spoken}"),
    "one_way": N_("Nothing was learned yet of balls that run this way: the call is due at a"
               " cautious {speed} turns/s{more}.{spoken}"),
    "spread": N_(" (give or take {spread} %; this ball's speed was known to {doubt} %)"),
    "late": N_(", so that less than one call in {one} comes after the drop"),
    "spoken": N_(" The call itself takes {call} s, so it began that much before."),
    "expected": N_("It was expected to leave at {drop} s, {lead} s {since}."),
    "past": N_("By then it was expected to have left already, at {drop} s."),
    "guard": N_("The threshold stood by at a lap of {lap} s."),
    "spoke": N_("The threshold stands at a lap of {lap} s: it spoke before the prediction."),
    "left": N_("The ball was known to have left the track {after} s {since}; {how}."),
}
# fmt: on


def number(value: float, decimals: int, language: str) -> str:
    """Returns a number with its decimals, in French behind a comma."""
    return f"{value:.{decimals}f}".replace(".", "," if language == FRENCH else ".")


def coups_words(coups: int, language: str) -> str:
    """Says how many coups."""
    single = coups == 1 or (coups == 0 and language == FRENCH)
    many = Message("{coups} coup", coups=coups) if single else Message("{coups} coups", coups=coups)
    return translated(many, language)


# --- one call -------------------------------------------------------------------------------------
def why_called(call: Any, language: str = ENGLISH) -> str:
    """Says why it came, of the evidence `call`, in a few words."""
    return translated(Message(_CALLS.get(call.get("why"), str(call.get("why")))), language)


def how_dropped(drop: Any, language: str = ENGLISH) -> str:
    """Says what told that the ball had left, of the evidence `drop`."""
    return translated(Message(_DROPS.get(drop.get("by"), str(drop.get("by")))), language)


def opening(coup: int, call: Any, language: str) -> str:
    """Returns the sentence that names the coup, when the call came in it, and why."""
    at = _seconds(call["at_us"], language)
    return _say(language, "call", coup=coup, at=at, why=why_called(call, language))


def reasons(call: Any, language: str = ENGLISH) -> Iterator[str]:
    """Says what a predicted call went by, of the evidence; nothing for one that was not predicted.

    Records of before 2026-11-22 have less in them, and less is told of them.
    """
    if "speed_uturn_s" not in call:
        return
    yield _say(
        language,
        "motion",
        turns=number(call.get("turns_uturn", 0) / _MILLION, 1, language),
        lap=_seconds(call["lap_us"], language),
        speed=_turns(call["speed_uturn_s"], language),
        slowing=_turns(call["slowing_uturn_s2"], language),
    )
    yield _due(call, language)
    if "drop_us" in call:
        lead_us = call["drop_us"] - call["at_us"]
        yield _say(
            language,
            "expected" if lead_us >= 0 else "past",
            drop=_seconds(call["drop_us"], language),
            lead=_seconds(lead_us, language),
            since=since(call, language),
        )
    if "guard_lap_us" in call:
        spoke = call.get("why") == evidence.THRESHOLD
        lap = _seconds(call["guard_lap_us"], language)
        yield _say(language, "spoke" if spoke else "guard", lap=lap)


def left(call: Any, drop: Any, language: str) -> str:
    """Says when the ball was known to have left, and by what."""
    after = _seconds(drop["at_us"] - call["at_us"], language)
    how = how_dropped(drop, language)
    return _say(language, "left", after=after, since=since(call, language), how=how)


def since(call: Any, language: str = ENGLISH) -> str:
    """Says from when times after this call count, of the evidence: its own beginning."""
    return translated(Message(_SINCE[1 if call.get("call_us") else 0]), language)


def _due(call: Any, language: str) -> str:
    """At which speed the call was due, and what had taught that."""
    values = {"speed": _turns(call["call_speed_uturn_s"], language), "more": "", "spoken": ""}
    if call.get("call_us"):
        values["spoken"] = _say(language, "spoken", call=_seconds(call["call_us"], language))
    if "drop_speed_uturn_s" not in call:
        return _say(language, "one_way" if call.get("learned") else "cautious", **values)
    learned = call.get("learned")
    taught = _say(
        language,
        "taught",
        who=translated(_taught(learned), language),
        drop=_turns(call["drop_speed_uturn_s"], language),
        spread=_spread(call, language),
    )
    care = _CARES.get(call.get("care"))
    if care is not None:
        return taught + _say(language, "care", care=translated(Message(care), language), **values)
    if call.get("late_ppb"):
        one = f"{round(_BILLION / call['late_ppb']):,}".replace(",", " ")
        values["more"] = _say(language, "late", one=one)
    margin = _turns(call["call_speed_uturn_s"] - call["drop_speed_uturn_s"], language)
    return taught + _say(language, "margin", margin=margin, **values)


def _taught(learned: int | None) -> Message:
    """By how many coups; where that is not recorded, by earlier ones."""
    if not learned:
        return Message("Earlier coups had")
    if learned == 1:
        return Message("{n} coup had", n=learned)
    return Message("{n} coups had", n=learned)


def _spread(call: Any, language: str) -> str:
    """How far drop speeds scatter, and how well this ball's speed was known."""
    if "spread_ppm" not in call or "doubt_ppm" not in call:
        return ""
    spread, doubt = (
        number(call[name] / 10_000, 1, language) for name in ("spread_ppm", "doubt_ppm")
    )
    return _say(language, "spread", spread=spread, doubt=doubt)


def _say(language: str, what: str, **values: Any) -> str:
    return translated(Message(_SENTENCES[what], **values), language)


def _seconds(time_us: int, language: str) -> str:
    return number(time_us / _MILLION, 2, language)


def _turns(uturn: int, language: str) -> str:
    return number(uturn / _MILLION, 3, language)
