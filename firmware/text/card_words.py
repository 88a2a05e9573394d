"""Words of a card table that its facts, its guide and its rows share.

A card is written as on the screens, "10♥", "V♠" (rules/cards/deck.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from firmware.core.cards import facts, hold, reasons
from firmware.core.cards.people import BY_SWITCHES
from firmware.lib.language import N_, Message, listed
from firmware.text.money import money
from rules.cards import deck
from rules.cards.bets import french

_PLACES = {
    "d": N_("dealer"),
    "d*": N_("the hole card"),
    "P": N_("player's side"),
    "B": N_("banker's side"),
    facts.BURN: N_("burned"),
}
DECISIONS = {
    "hit": N_("draws"),
    "stand": N_("stands"),
    "double": N_("doubles"),
    "split": N_("splits"),
    "insure": N_("is insured"),
    "no_insurance": N_("is not insured"),
}
# How a card was read.
HOW = {
    facts.SHOE: N_("read by the shoe"),
    facts.BARCODE: N_("read by its code"),
    facts.PEOPLE: N_("entered by hand"),
}
REASONS = {
    reasons.BY_CROUPIER: N_("declared at the table"),
    reasons.INTERRUPTED: N_("a restart of the controller interrupted it"),
    reasons.FOREIGN_CARD: N_("a card was none of the shoe's"),
    reasons.HOLE_UNREADABLE: N_("the hole card could not be read"),
    reasons.SHOE_EXHAUSTED: N_("the shoe ran out"),
    reasons.SHOE_CHANGED: N_("the shoe was changed"),
    reasons.MISDEALT: N_("the cloth contradicted what stood"),
}
# Why a round is held.
HELD = {
    facts.JAM: N_("the shoe is jammed"),
    facts.SILENT: N_("the shoe does not answer"),
    facts.LYING: N_("what the shoe says contradicts itself"),
    hold.UNREAD: N_("the card is not read"),
    hold.EARLY: N_("a card was drawn too early"),
    hold.EXTRA: N_("a card that nobody asked for"),
    hold.EXPOSED: N_("players have seen the card too many"),
    hold.BACK: N_("the card went back into the shoe"),
    hold.MISSED: N_("a card went by unread"),
    hold.REBOOT: N_("the reader of the shoe began anew"),
    hold.RESCAN: N_("the round is read again from its first card"),
}
WINNERS = {
    "player": N_("the player wins"),
    "banker": N_("the banker wins"),
    "tie": N_("a tie"),
}
# A bet that is laid on a seat as a whole, and on no hand of it.
_OF_SEAT = ("perfect", "super", "insurance")
_SWITCHES = {
    facts.SWITCH_CROUPIER: N_("the croupier's key"),
    facts.SWITCH_MANAGEMENT: N_("the management's key"),
}


def place(to: str) -> str:
    """Says where a card lies: "seat 3", "seat 3, hand 2", "dealer"."""
    if to in _PLACES:
        return Message(_PLACES[to])
    seat, _, hand = to[1:].partition(".")
    return place_of(seat, hand or 1)


def place_of(seat: Any, hand: Any) -> str:
    """Says whose hand it is; the first of a seat is called by the seat."""
    if str(hand) == "1":
        return Message("seat {seat}", seat=seat)
    return Message("seat {seat}, hand {hand}", seat=seat, hand=hand)


def seats(numbers: Sequence[int]) -> str:
    """Says several seats: "seat 3", "seats 2, 5"."""
    if len(numbers) == 1:
        return place_of(numbers[0], 1)
    return Message("seats {numbers}", numbers=", ".join(map(str, numbers)))


def card(text: str) -> str:
    """Returns a card "TH" as screens have it, "10♥". Raises rules.limits.WrongInput."""
    return deck.french(deck.card_of(text))


def cards(texts: Sequence[str]) -> str:
    """Returns cards in a row."""
    return " ".join(map(card, texts))


def reason(code: str) -> str:
    """Says why a round is void."""
    return Message(REASONS.get(code, code.replace("_", " ")))


def decider(by: str) -> str:
    """Says who decided, or how it was decided."""
    if by == facts.BY_KEYS:
        return Message("by the croupier's keys")
    if by == facts.BY_TIME:
        return Message("as the time was up")
    if by.isdecimal():
        return Message("at terminal {number}", number=by)
    return Message("by {who}", who=by)


def person(name: str) -> str:
    """Says who it is: a name, or whose key was turned."""
    return Message(_SWITCHES[name]) if name in _SWITCHES else name


def two(manual: Sequence[str], why: str) -> str:
    """Says which two people did it, and why, if they could say that."""
    who, manager = map(person, manual)
    said = Message("by {who} in the presence of {manager}", who=who, manager=manager)
    if why == BY_SWITCHES:
        return said
    return Message("{said}: {why}", said=said, why=why.rstrip("."))


def outcome(came: dict[str, Any]) -> str:
    """Says in short what a round came to."""
    if "winner" in came:
        return Message(
            "{winner}: player {player}, banker {banker}",
            winner=Message(WINNERS[came["winner"]]),
            player=came["player"],
            banker=came["banker"],
        )
    return Message("dealer {points}", points=_points(came["dealer"]))


def outcome_lines(came: dict[str, Any]) -> Iterator[str]:
    """Says what came: the dealer and the hands, or both sides and who wins."""
    if "winner" in came:
        for side in ("player", "banker"):
            yield f"{french(side)}: {cards(came[side + '_cards'])} = {came[side]}"
        yield french(came["winner"])
        return
    dealer = came["dealer"]
    yield f"banque: {cards(dealer['cards'])} = {_points(dealer)}"
    for hand in came["hands"]:
        yield Message(
            "{where}: {cards}",
            where=Message("seat {seat}, hand {hand}", seat=hand["seat"], hand=hand["hand"]),
            cards=f"{cards(hand['cards'])} = {_points(hand)}",
        )


def bet(name: str, seat: int | None, hand: int | None) -> str:
    """Says a bet, and the place it lay at."""
    called = french(name)
    if seat is None:
        return called
    if hand is None or name.startswith(_OF_SEAT):
        return Message("{bet}, seat {seat}", bet=called, seat=seat)
    return Message("{bet}, seat {seat}, hand {hand}", bet=called, seat=seat, hand=hand)


def gains(held: Sequence[dict[str, Any]]) -> str:
    """Says what is won by payments of one kind: "seat 2 (p2) 150.00, seat 5 (p5) 300.00"."""
    return listed(
        Message(
            "seat {seat} ({player}) {won}",
            seat=one["seat"],
            player=one["player"],
            won=money(one["won_cents"]),
        )
        for one in held
    )


def _points(hand: dict[str, Any]) -> str:
    return "Black Jack" if hand["black_jack"] else str(hand["points"])
