"""Where the prediction of the call stands, in words, and what the last calls reached.

What stands is that of the last coup's end, never of a coup that is played
(firmware/core/call/predictor.py). What was reached is told as measured, never as predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from firmware.lib.language import ENGLISH, N_, Message, translated
from firmware.text.call_text import coups_words, number

if TYPE_CHECKING:
    from firmware.text.journal_coup import Lead

_US = 1_000_000
# fmt: off
_BRIEF = {
    "new": N_("new wheel, cautious"),
    "refused": N_("what was learned is unusable, cautious"),
    "relearning": N_("learning anew"),
}
_LEARNED = N_("{coups} learned.")
# What the last calls reached: of one, of several. A spoken call takes a second; times count from
# its beginning.
_TRACK = (
    N_("Measured in the last call, of coup {coup}: a beam still saw the ball in the track {least} s"
       " after the call began."),
    N_("Measured in the last {count} calls: a beam still saw the ball in the track {least} s after"
       " the call began at least (coup {coup}), {median} s in the median (coup {middle})."),
)
_DROP = (
    N_("The drop of coup {coup} was known {least} s after the call began."),
    N_("The drop was known {least} s after the call began at least (coup {coup}), {median} s in the"
       " median (coup {middle}), in {count} calls."),
)
_UNMEASURED = N_("No call was measured yet.")
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


def brief(coups: int, lead_us: int | None, why: str, language: str = ENGLISH) -> str:
    """Returns it in a few words. `lead_us`, what the margin asks for, is no measure of any call."""
    said = Message(_BRIEF.get(why, _LEARNED), coups=coups_words(coups, language))
    return translated(said, language).rstrip(".")


def sentences(game: str | None, call: dict[str, Any] | None, language: str) -> list[str]:
    """Returns one to three sentences of what `status` answers; `call` None: none is predicted."""
    if call is None:
        return [translated(_UNPREDICTED.get(game or "", _UNPREDICTED["other"]), language)]
    found = []
    coups, why = call["coups"], call["why"]
    if coups or why not in _CAUTIOUS:
        learned = Message(_LEARNED, coups=coups_words(coups, language))
        found.append(translated(learned, language))
    known = _WHYS.get(why)
    return found if known is None else [*found, translated(known, language)]


def unpredicted(game: str | None, language: str) -> str | None:
    """Returns why an apparatus predicts no call; None for one that does."""
    why = None if game in (None, "other") else _UNPREDICTED.get(game)
    return None if why is None else translated(why, language)


def measured(leads: Sequence[Lead]) -> dict[str, Any]:
    """Returns the least and the median of what the last calls reached, each with its coup.

    `track`: until a beam saw the ball in the track last; `drop`: until it was known to have left.
    None where nothing is known.
    """
    return {
        "track": _spread([(lead.track_us, lead.coup) for lead in leads]),
        "drop": _spread([(lead.drop_us, lead.coup) for lead in leads]),
    }


def measured_sentences(found: dict[str, Any], language: str) -> list[str]:
    """Returns one or two sentences of it."""
    said = [
        _measured(texts, found[name], language)
        for name, texts in (("track", _TRACK), ("drop", _DROP))
        if found[name] is not None
    ]
    return said or [translated(_UNMEASURED, language)]


def _spread(times: Sequence[tuple[int | None, int]]) -> dict[str, int] | None:
    known = sorted((time_us, coup) for time_us, coup in times if time_us is not None)
    if not known:
        return None
    (least_us, least_coup), (median_us, median_coup) = known[0], known[(len(known) - 1) // 2]
    return {
        "calls": len(known),
        "least_us": least_us,
        "least_coup": least_coup,
        "median_us": median_us,
        "median_coup": median_coup,
    }


def _measured(texts: tuple[str, str], spread: dict[str, int], language: str) -> str:
    one, several = texts
    values = {
        "coup": spread["least_coup"],
        "least": number(spread["least_us"] / _US, 2, language),
    }
    if spread["calls"] == 1:
        return translated(Message(one, **values), language)
    values |= {
        "count": spread["calls"],
        "middle": spread["median_coup"],
        "median": number(spread["median_us"] / _US, 2, language),
    }
    return translated(Message(several, **values), language)
