"""A row of a card table's journal in words (firmware/stakes/card_round.py names their kinds)."""

from __future__ import annotations

from typing import Any

from firmware.core.cards import facts
from firmware.core.house import AUTO, CROUPIER
from firmware.lib.language import Message
from firmware.stakes import card_kinds
from firmware.text import card_words
from firmware.text.money import money

KINDS = (
    card_kinds.SHOE,
    card_kinds.ROUND,
    card_kinds.STAKES,
    card_kinds.CARD_ROW,
    card_kinds.CARD_BACK,
    card_kinds.HELD,
    card_kinds.ENGAGEMENT,
    card_kinds.RESULT,
    card_kinds.VOID,
    card_kinds.CORRECTION,
    card_kinds.PAID,
    card_kinds.CLEARED,
)


def row_words(kind: str, body: Any) -> str:
    """Puts a row of one of KINDS into words.

    Raises KeyError, TypeError or ValueError where it is not as a card table writes it.
    """
    if kind == card_kinds.SHOE:
        return _shoe(body)
    if kind == card_kinds.ROUND:
        return Message("faites vos jeux: the stakes are open")
    if kind == card_kinds.STAKES:
        return Message(
            "rien ne va plus; stakes: {count}, {total} in all, sealed",
            count=body["count"],
            total=money(body["total_cents"]),
        )
    if kind == card_kinds.CARD_ROW:
        return _card(body)
    if kind == card_kinds.CARD_BACK:
        return Message("the cards from card {k} on are taken back", k=body["k"])
    if kind == card_kinds.HELD:
        return _held(body)
    if kind == card_kinds.ENGAGEMENT:
        return _engagement(body)
    if kind == card_kinds.PAID:
        return Message(
            "{manager} knows of the Gold Jack, which is paid",
            manager=card_words.person(body["manager"]),
        )
    if kind == card_kinds.CLEARED:
        return Message("cleared by {who}", who=body["who"])
    return _end(kind, body)


def _shoe(body: Any) -> str:
    what, serial = body["what"], body["serial"]
    if what == "loaded":
        return Message(
            "shoe {serial} ({model}, {decks} decks) is at the table, {shoe}",
            serial=serial,
            model=body["model"],
            decks=body["decks"],
            shoe=authenticated(body),
        )
    if what == "begun":
        return Message("shoe {serial} is begun, with all its cards", serial=serial)
    if what == "missed":
        return Message(
            "cards of shoe {serial} that went by unread: {lost}", serial=serial, lost=body["lost"]
        )
    if what == "doubted":
        return Message(
            "the count of shoe {serial} is in doubt: {why}",
            serial=serial,
            why=Message(card_words.HELD[body["why"]]),
        )
    if what == "cut":
        return Message("shoe {serial} is changed once this round is over", serial=serial)
    if what == "ended":
        return Message(
            "shoe {serial} has ended after {drawn} cards", serial=serial, drawn=body["drawn"]
        )
    if what == "confirmed":
        return Message(
            "the count of shoe {serial} is confirmed {people}",
            serial=serial,
            people=card_words.two(body["manual"], body["why"]),
        )
    agrees = body.get("agrees", not body["wrong"])
    if not agrees and not body["wrong"]:
        return Message(
            "shoe {serial} is counted, {left} left, and has a card too many",
            serial=serial,
            left=body["left"],
        )
    if not agrees:
        return Message(
            "shoe {serial} is counted, {left} left, and does not agree: {cards}",
            serial=serial,
            left=body["left"],
            cards=card_words.cards(body["wrong"]),
        )
    return Message(
        "shoe {serial} is counted, {left} left, and agrees", serial=serial, left=body["left"]
    )


def authenticated(body: Any) -> str:
    """Says whether what the shoe said was authenticated."""
    return Message("authenticated") if body["authenticated"] else Message("UNAUTHENTICATED")


def _card(body: Any) -> str:
    how = Message(card_words.HOW[body["how"]])
    if "manual" in body:
        people = card_words.two(body["manual"], body["why"])
        how = Message("{} {}", how, people)
    if body["to"] == facts.BURN:
        return _burned(body, how)
    card = card_words.card(body["card"])
    if body["to"] == "d*":
        return Message("card {k}, the hole card, is {card}, {how}", k=body["k"], card=card, how=how)
    return Message(
        "card {k}: {card}, {place}, {how}",
        k=body["k"],
        card=card,
        place=card_words.place(body["to"]),
        how=how,
    )


def _burned(body: Any, how: str) -> str:
    if body["card"] is None:
        return Message("a card that cannot be read is burned")
    card = card_words.card(body["card"])
    if body.get("exposed"):
        seen = Message("{card}, which players have seen, is burned", card=card)
        if "manual" not in body:
            return seen
        return Message("{} {}", seen, card_words.two(body["manual"], body["why"]))
    return Message("{card} is burned, {how}", card=card, how=how)


def _held(body: Any) -> str:
    if body["why"] is None:
        return Message("the round goes on")
    why = Message(card_words.HELD[body["why"]])
    if body["to"] is None:
        return Message("held, {why}", why=why)
    return Message("held, {why}; due: {place}", why=why, place=card_words.place(body["to"]))


def _engagement(body: Any) -> str:
    does = Message(card_words.DECISIONS[body["do"]])
    if body["cents"] is not None:
        does = Message("{does} with {cents}", does=does, cents=money(body["cents"]))
    return Message(
        "{where} {does}, {by}, after {seen} cards",
        where=card_words.place_of(body["seat"], body["hand"]),
        does=does,
        by=card_words.decider(body["by"]),
        seen=body["seen"],
    )


def _end(kind: str, body: Any) -> str:
    came = end_words(body)
    if kind == card_kinds.CORRECTION:
        return Message(
            "corrected to {outcome} {people}",
            outcome=came,
            people=card_words.two(body["manual"], body["why"]),
        )
    if "who" not in body:
        return came
    who = body["who"]
    if kind == card_kinds.VOID:
        by = Message("by the croupier") if who == CROUPIER else Message("by {who}", who=who)
        return Message("{outcome}, {by}", outcome=came, by=by)
    if who == AUTO:
        return Message("{outcome}, confirmed automatically", outcome=came)
    by = Message("by the croupier") if who == CROUPIER else Message("by {who}", who=who)
    return Message("{outcome}, confirmed {by}", outcome=came, by=by)


def end_words(body: Any) -> str:
    """Says what the row of a result, a void or a correction makes of its round."""
    if body.get("outcome") is None:
        return Message("void ({why})", why=card_words.reason(body["reason"]))
    return card_words.outcome(body["outcome"])
