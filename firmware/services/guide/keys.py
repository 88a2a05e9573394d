"""Which keys mean something now, and what people may ask together: from the guide alone.

The controller decides; what is not offered here it would refuse.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from boards import card_tables
from firmware.core.cards import facts
from firmware.services.guide.croupier_screen import CroupierScreen


class Cap(NamedTuple):
    """One key. `name`: as on the croupier's keyboard (docs/shoe.md); `letter`: of an ordinary one.
    `is_final`: it takes back what was played, so it is touched twice."""

    key: str
    name: str
    letter: str
    is_final: bool = False


# fmt: off
CAPS = {
    cap.key: cap
    for cap in (
        Cap(facts.KEY_START, "START", "S"),
        Cap(facts.KEY_NO_MORE_BETS, "RIEN NE VA PLUS", "N"),
        Cap(facts.KEY_CONFIRM, "CONFIRM", "O"),
        Cap(facts.KEY_VOID, "VOID", "V", is_final=True),
        Cap(facts.KEY_BURN, "BURN", "B"),
        Cap(facts.KEY_EXPOSED, "EXPOSED", "E"),
        Cap(facts.KEY_CUT, "CUT", "U", is_final=True),
        Cap(facts.KEY_TURNED, "TURNED", "T"),
        Cap(facts.KEY_CARD, "CARTE", "C"),
        Cap(facts.KEY_STAND, "RESTE", "R"),
        Cap(facts.KEY_DOUBLE, "DOUBLE", "D"),
        Cap(facts.KEY_PAIR, "PAIRE", "P"),
        Cap(facts.KEY_INSURANCE, "ASSURANCE", "A"),
        *(Cap(key, f"PLACE {at}", str(at)) for at, key in enumerate(facts.SEAT_KEYS, 1)),
    )
}
_DECISIONS = {"hit": facts.KEY_CARD, "stand": facts.KEY_STAND, "double": facts.KEY_DOUBLE,
              "split": facts.KEY_PAIR}
# By the code of the guide: the keys that do what is due.
_DUE = {
    facts.LOAD: (facts.KEY_START,),
    facts.BETS: (facts.KEY_NO_MORE_BETS,),
    facts.TURN: (facts.KEY_TURNED,),
    facts.CONFIRM: (facts.KEY_CONFIRM,),
    facts.NEXT: (facts.KEY_START,),
    facts.BURN_ALL: (facts.KEY_START,),
}
_WAYS = {facts.PUT_AWAY: facts.KEY_BURN, facts.SHOW: facts.KEY_EXPOSED, facts.ON: facts.KEY_CONFIRM,
         facts.MAKE_VOID: facts.KEY_VOID}
# Codes while a round is open, and may be void; and those at which the cut card may come.
_OPEN = (facts.BETS, facts.DEAL, facts.LATE, facts.INSURE, facts.DECIDE, facts.TURN, facts.CONFIRM)
_CUT = (*_OPEN, facts.NEXT, facts.BURN_ALL)

# What is asked with names and PINs: its request at the controller, and its letter here.
CARD, BURN, COUNT, RESCAN, PAY, CORRECT, CLEAR = (
    "card", "burn", "count", "rescan", "pay", "correct_round", "clear")
LETTERS = {CARD: "K", BURN: "Q", COUNT: "X", RESCAN: "W", PAY: "G", CORRECT: "Z", CLEAR: "H"}
_BOTH = ("why", "croupier", "management")
# What comes with each.
FIELDS: dict[str, tuple[str, ...]] = {
    CARD: ("card", *_BOTH), BURN: _BOTH, COUNT: _BOTH, RESCAN: (), PAY: ("management",),
    CORRECT: ("cards", "decisions", *_BOTH), CLEAR: (),
}
# fmt: on


def keys_now(screen: CroupierScreen) -> tuple[str, ...]:
    """Returns the keys that mean something, those that do what is due first."""
    guide = screen.guide
    if guide is None:
        return ()
    code = guide["code"]
    found = (*_due(code, guide), *_chips(code, screen.game))
    if code in _OPEN:
        found = (*found, facts.KEY_VOID)
    if code in _CUT and not guide.get("last"):
        found = (*found, facts.KEY_CUT)
    return found


def _chips(code: str, game: str | None) -> tuple[str, ...]:
    """Where chips lie, before the call: at baccarat they have no seat."""
    has_seats = game == card_tables.BLACKJACK.name
    return facts.SEAT_KEYS if code == facts.BETS and has_seats else ()


def _due(code: str, guide: dict[str, Any]) -> tuple[str, ...]:
    if code == facts.DECIDE:
        if guide.get("at_terminal"):
            return ()
        return tuple(_DECISIONS[do] for do in guide["choices"])
    if code == facts.HELD:
        return tuple(_WAYS[way] for way in guide["ways"] if way in _WAYS)
    if code == facts.BURNING:
        return (facts.KEY_BURN,) if guide.get("by_key") else ()
    if code == facts.INSURE:
        if guide.get("seat") is not None:
            return (facts.KEY_INSURANCE, facts.KEY_STAND, *_seats(guide))
        own = _seats(guide)
        return (*own, facts.KEY_NO_MORE_BETS) if own else ()
    return _DUE.get(code, ())


def _seats(guide: dict[str, Any]) -> tuple[str, ...]:
    held = guide.get("at_terminals", ())
    return tuple(facts.SEAT_KEYS[seat - 1] for seat in guide["seats"] if seat not in held)


def asks_now(screen: CroupierScreen) -> tuple[str, ...]:
    """Returns what people may ask now, keys of FIELDS."""
    guide = screen.guide
    if guide is None:
        return ()
    code = guide["code"]
    if code == facts.HELD:
        ways = {facts.ENTER: CARD, facts.BURN_BY_TWO: BURN, facts.RESCAN: RESCAN}
        return tuple(ways[way] for way in guide["ways"] if way in ways)
    if code == facts.COUNT:
        return (COUNT,)
    if code == facts.LOCKED:
        return (COUNT, CLEAR)
    is_known = screen.paid() is not None  # not after a restart of the controller
    if code == facts.GOLD_JACK:
        return (PAY, CORRECT) if is_known else (PAY,)
    if code in (facts.NEXT, facts.BURN_ALL):
        return (CORRECT,) if is_known else ()
    if code in _OPEN and code != facts.BETS and screen.cards and not screen.decisions:
        return (RESCAN,)
    return ()
