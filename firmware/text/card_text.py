"""A fact of a card table in words, from its JSON object (firmware/core/cards/lines.py)."""

from __future__ import annotations

from typing import Any

from firmware.core.cards.lines import GUIDE, TYPED, card_line, guide_line
from firmware.lib.language import Message
from firmware.text import card_words
from firmware.text.card_guide import guide_words
from firmware.text.money import money


def pairs_of(fact: Any) -> list[tuple[str, Any]] | None:
    """Returns the pairs of a fact's JSON object, or of a guide's; None for any other record."""
    return card_line(fact) or guide_line(fact)


def words_of(values: dict[str, Any]) -> str:
    """Puts the object of a fact or a guide into words, with its time in seconds."""
    at = f"{values['t_us'] / 1e6:12.3f} s"
    if values["event"] in (GUIDE, TYPED):
        return Message("{at}  {what}", at=at, what=guide_words(values))
    what = _what(values)
    return Message("{at}  round {round:<5d} {what}", at=at, round=values["round"], what=what)


def sentence_of(name: str, values: dict[str, Any]) -> str:
    """Puts the same into a sentence that begins with the table's name."""
    if values["event"] in (GUIDE, TYPED):
        return Message("{name}: {what}", name=name, what=guide_words(values))
    what = _what(values)
    return Message("{name}: round {round}, {what}.", name=name, round=values["round"], what=what)


def _what(values: dict[str, Any]) -> str:
    event = values["event"]
    if event == "round_started":
        return Message("faites vos jeux: the stakes are open")
    if event == "bets_closed":
        return Message(
            "rien ne va plus; stakes: {count}, {total} in all",
            count=values["count"],
            total=money(values["total_cents"]),
        )
    if event == "card_dealt":
        return _dealt(values)
    if event == "hole_turned":
        return Message("the hole card is turned up: {card}", card=card_words.card(values["card"]))
    if event == "hole_checked":
        if values["is_black_jack"]:
            return Message("the hole card is checked: Black Jack")
        return Message("the hole card is checked: no Black Jack")
    if event == "engaged":
        return Message(
            "{where} {does}, {by}, after {seen} cards",
            where=card_words.place_of(values["seat"], values["hand"]),
            does=Message(card_words.DECISIONS[values["do"]]),
            by=card_words.decider(values["by"]),
            seen=values["seen"],
        )
    if event == "held_paid":
        return Message(
            "{manager} knows of the Gold Jack: {gains} paid",
            manager=card_words.person(values["manager"]),
            gains=card_words.gains(values["payments"]),
        )
    if event == "round_void":
        returned = sum(one["cents"] for one in values["returned"])
        return Message(
            "coup nul ({reason}): {returned} in all go back",
            reason=card_words.reason(values["reason"]),
            returned=money(returned),
        )
    return _end(values)


def _dealt(values: dict[str, Any]) -> str:
    if values["card"] is None:
        return Message("card {k}: the hole card, face down", k=values["k"])
    return Message(
        "card {k}: {card}, {place}",
        k=values["k"],
        card=card_words.card(values["card"]),
        place=card_words.place(values["to"]),
    )


def _end(values: dict[str, Any]) -> str:
    """A result, or what a correction makes of a round."""
    if values["event"] == "round_result":
        what = card_words.outcome(values["outcome"])
        if not values["verified"]:
            what = Message("{what} (a card was entered by hand)", what=what)
    elif values["reason"] is not None:
        what = Message("void ({why})", why=card_words.reason(values["reason"]))
    else:
        what = card_words.outcome(values["outcome"])
    if values["event"] == "round_correction":
        what = Message(
            "corrected to {outcome}, seq {seq} in the place of {corrects}",
            outcome=what,
            seq=values["seq"],
            corrects=values["corrects"],
        )
    held = [values["payments"][at] for at in values["held"]]
    if not held:
        return what
    return Message(
        "{what}; the management is to know before {gains} is paid",
        what=what,
        gains=card_words.gains(held),
    )
