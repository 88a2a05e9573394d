"""The croupier's guide as one sentence: what to do next and where; in a hold, each way out.

The croupier reads French, with another language beside it. Words in capitals are keys of the
croupier's keyboard (docs/shoe.md), and stay as they stand there.
"""

from __future__ import annotations

from typing import Any

from firmware.core.cards import facts, hold
from firmware.core.cards.lines import TYPED
from firmware.lib.language import N_, Message, listed
from firmware.text import card_words
from rules.cards import deck

# Codes whose sentence has no arguments.
_PLAIN = {
    facts.LOAD: N_("Put a shoe at the table, then START."),
    facts.COUNT: N_("Count what is left in the shoe, or two people confirm it."),
    facts.TURN: N_("Turn the hole card up, then TURNED."),
    facts.GOLD_JACK_POSSIBLE: N_("Announce: possibilité d'un gold-jack."),
    facts.RECORDING: N_("The end of the round is being recorded: wait."),
    facts.NEXT: N_("The next round: START."),
    facts.LOCKED: N_(
        "Out of play: the management changes and counts the cards of the shoe, then clears it."
    ),
}
PLACES = {
    "d": N_("Dealer"),
    "d*": N_("Hole card, face down"),
    "P": N_("Player"),
    "B": N_("Banker"),
}
CHOICES = {
    "hit": N_("Card"),
    "stand": N_("Stand"),
    "double": N_("Double"),
    "split": N_("Pair"),
}
# What ends a hold.
WAYS = {
    facts.AGAIN: N_("pull the same card over the reader again"),
    facts.ENTER: N_("the croupier and the management enter the card"),
    facts.PUT_AWAY: N_("BURN, if nobody has seen it"),
    facts.SHOW: N_("EXPOSED, if players have seen it"),
    facts.BURN_BY_TWO: N_("the croupier and the management have it burned"),
    facts.ON: N_("CONFIRM, if the cloth lies as the screen says"),
    facts.RESCAN: N_("read the round again from its first card"),
    facts.MAKE_VOID: N_("VOID, which returns all stakes"),
}


def guide_words(values: dict[str, Any]) -> str:
    """Puts the JSON object of a Guide, or of a card that is being typed, into its sentence. Raises
    KeyError for an unknown code.
    """
    if values.get("event") == TYPED:
        return _typed(values["rank"], values["suit"])
    said = _said(values["code"], values)
    if values.get("last"):
        return Message("Dernier coup du sabot. {said}", said=said)
    return said


def _said(code: str, values: dict[str, Any]) -> str:
    if code in (facts.DEAL, facts.LATE):
        return _deal(values, is_late=code == facts.LATE)
    if code == facts.DECIDE and values.get("at_terminal"):
        return Message(
            "{where}: {points}. It is decided at the terminal: wait.",
            where=Message("Seat {seat}, hand {hand}", seat=values["seat"], hand=values["hand"]),
            points=values["points"],
        )
    if code == facts.DECIDE:
        return Message(
            "{where}: {points}. {choices}",
            where=Message("Seat {seat}, hand {hand}", seat=values["seat"], hand=values["hand"]),
            points=values["points"],
            choices=listed((Message(CHOICES[do]) for do in values["choices"]), " / "),
        )
    if code == facts.HELD:
        return _held(values)
    if code == facts.BURNING and values.get("by_key"):
        return Message(
            "Burn {of} cards, BURN for each: {burned}/{of}",
            of=values["of"],
            burned=values["burned"],
        )
    if code == facts.BURNING:
        return Message("Burn {of} cards: {burned}/{of}", of=values["of"], burned=values["burned"])
    if code == facts.BETS:
        if not values["seats"]:
            return Message("Faites vos jeux; then RIEN NE VA PLUS.")
        seats = card_words.seats(values["seats"])
        return Message("Faites vos jeux ({seats}); then RIEN NE VA PLUS.", seats=seats)
    if code == facts.INSURE:
        if "seat" in values:
            seat = card_words.place_of(values["seat"], 1)
            return Message("Insurance? {seat}: ASSURANCE or RESTE.", seat=seat)
        own = [seat for seat in values["seats"] if seat not in values.get("at_terminals", ())]
        if not own:
            seats = card_words.seats(values["seats"])
            return Message("Insurance? {seats}: answered at the terminals, wait.", seats=seats)
        return Message(
            "Insurance? {seats}: the seat's key, then ASSURANCE or RESTE.",
            seats=card_words.seats(own),
        )
    if code == facts.GOLD_JACK:
        return Message(
            "Chef de salle: Gold Jack, {gains}; he knows of it before it is paid.",
            gains=card_words.gains(values["payments"]),
        )
    if code == facts.CONFIRM:
        if "points" not in values:
            return Message("Look at the cloth, then CONFIRM.")
        return Message("Dealer: {points}, stand. Then CONFIRM.", points=values["points"])
    if code == facts.BURN_ALL:
        return Message(
            "Coup nul ({reason}): burn all cards, then START.",
            reason=card_words.reason(values["reason"]),
        )
    return Message(_PLAIN[code])


def _typed(rank: str, suit: str) -> str:
    if not rank and not suit:
        return Message("Nothing is typed.")
    figure = deck.french(deck.card_of(rank + "S"))[:-1] if rank else "…"
    colour = deck.french(deck.card_of("A" + suit))[-1] if suit else "…"
    return Message("Typed: {card}. OK counts it, BACK wipes it out.", card=figure + colour)


def _deal(values: dict[str, Any], *, is_late: bool) -> str:
    if values.get("points") is not None:
        said = Message("Dealer: {points}, draw", points=values["points"])
    elif values["then"] is None:
        said = Message("→ {place}", place=place_words(values["to"]))
    else:
        place, then = place_words(values["to"]), place_words(values["then"])
        said = Message("→ {place}, then {then}", place=place, then=then)
    return Message("{said}: this card is awaited", said=said) if is_late else said


def _held(values: dict[str, Any]) -> str:
    ways = listed((Message(WAYS[way]) for way in values["ways"]), N_("; or "))
    return Message("Held, {why}: {ways}.", why=why_held(values), ways=ways)


def why_held(values: dict[str, Any]) -> str:
    """Says of a Guide's object why the round is held."""
    why = Message(card_words.HELD[values["why"]])
    if values["why"] == hold.UNREAD:
        why = Message(
            "{why} ({place}, {failures}/{most})",
            why=why,
            place=place_words(values["to"]),
            failures=values["failures"],
            most=hold.FAILURES_MAX,
        )
    return why


def place_words(to: str) -> str:
    """Where a card goes, as it begins a line."""
    if to in PLACES:
        return Message(PLACES[to])
    seat, _, hand = to[1:].partition(".")
    if not hand:
        return Message("Seat {seat}", seat=seat)
    return Message("Seat {seat}, hand {hand}", seat=seat, hand=hand)
