"""Where the prediction of the call stands, in words: a line for screens, sentences for people.

What stands is that of the last coup's end, never of a coup that is played
(firmware/core/call/predictor.py).
"""

from __future__ import annotations

from typing import Any

from firmware.lib.language import ENGLISH, N_, Message, filled, translated
from firmware.text.call_text import call_words, coups_words, number

_US = 1_000_000
# fmt: off
_LEARNED = (
    N_("{coups} learned."),
    N_("{coups} learned; the call should end {lead} s before the drop."),
)
_WHYS = {
    "new": N_("Nothing is learned of this wheel yet: the call goes by a cautious speed, at which"
           " no ball leaves any track, and earns its margin coup by coup."),
    "learning": N_("The margin is still wide, for few coups have shown how this wheel's drops"
                " scatter; it narrows with each."),
    "learned": N_("The margin is what the scatter of this wheel's own drops asks for."),
    "relearning": N_("The wheel or its ball changed, or a call came late: the margin was widened"
                  " and is learned anew."),
    "refused": N_("What had been learned was missing or not usable: the call goes by a cautious"
               " speed again, and earns its margin coup by coup."),
}
_UNPREDICTED = {
    "boule": N_("At boule the call comes with the throw, or so long after it as the house"
             " chooses: it needs no prediction."),
    "vingt_trois": N_("At vingt-trois the call comes when the button is pressed, before the plate"
                   " moves: it needs no prediction."),
    "other": N_("The controller has not begun to play yet: ask again in a moment."),
}
# fmt: on
_CAUTIOUS = ("new", "refused")


def line(coups: int, lead_us: int | None, why: str, language: str) -> str:
    """Returns one short line."""
    words = call_words(language)
    lead = ""
    if lead_us is not None:
        lead = filled(words["lead"], {"lead": _lead(lead_us, 1, language)})
    said = words.get(why, words["other"])
    return filled(said, {"coups": coups_words(coups, language), "lead": lead})


def brief(coups: int, lead_us: int | None, why: str, language: str = ENGLISH) -> str:
    """Returns the same line where what it is about stands before it already."""
    return line(coups, lead_us, why, language).partition(": ")[2]


def sentences(game: str | None, call: dict[str, Any] | None, language: str) -> list[str]:
    """Returns one to three sentences of what `status` answers; `call` None: none is predicted."""
    if call is None:
        return [translated(_UNPREDICTED.get(game or "", _UNPREDICTED["other"]), language)]
    found = []
    coups, lead_us, why = call["coups"], call["lead_us"], call["why"]
    if coups or why not in _CAUTIOUS:
        alone, both = _LEARNED
        learned = coups_words(coups, language)
        if lead_us is None:
            said = Message(alone, coups=learned)
        else:
            said = Message(both, coups=learned, lead=_lead(lead_us, 2, language))
        found.append(translated(said, language))
    known = _WHYS.get(why)
    return found if known is None else [*found, translated(known, language)]


def unpredicted(game: str | None, language: str) -> str | None:
    """Returns why an apparatus predicts no call; None for one that does."""
    why = None if game in (None, "other") else _UNPREDICTED.get(game)
    return None if why is None else translated(why, language)


def _lead(lead_us: int, decimals: int, language: str) -> str:
    return number(lead_us / _US, decimals, language)
