"""A fact as a line: JSON for programs (contracts/trace.md), words for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from firmware.core.facts import fact_line
from firmware.lib.language import N_, Message
from firmware.store.acts import SERVICE_ACTS
from firmware.text.money import entry_words

# What people read of each event; the keys are those of its JSON object.
_WORDS = {
    "coup_started": N_("bets open"),
    "rotor_moving": N_("rotor turns {rotor}"),
    "ball_in_track": N_("ball in the track, {ball}"),
    "no_more_bets": N_("rien ne va plus"),
    "ball_dropped": N_("ball left the track"),
    "detected": N_("number detected"),
    "result": N_("{number} {colour}, compartment {compartment}"),
    "entered": N_("{number} {colour}, entered by hand"),
    "void": N_("void: {reason}"),
    "corrected": N_("corrected: {number} {colour} (seq {seq} in the place of {corrects})"),
    "corrected_void": N_("corrected: void (seq {seq} in the place of {corrects})"),
}


# The same for who stands at the table, as a sentence that begins with its name.
_SENTENCES = {
    "coup_started": N_("the bets are open"),
    "rotor_moving": N_("the rotor turns {rotor}"),
    "ball_in_track": N_("the ball runs in the track, {ball}"),
    "no_more_bets": N_("rien ne va plus"),
    "ball_dropped": N_("the ball has left the track"),
    "detected": N_("a number is detected, and not official yet"),
    "result": N_("the number is {number}, {colour}"),
    "entered": N_("the number is {number}, {colour}, entered by hand"),
    "void": N_("the coup is void: {reason}"),
    "corrected": N_("it is corrected, the number is {number}, {colour}"),
    "corrected_void": N_("it is corrected, the coup is void: {reason}"),
}
# What stands on a card table's croupier's screen; its facts have a round. No wheel imports them.
_ON_SCREEN = ("Guide", "CardTyped")
_DONE = {act.what: act.done for act in SERVICE_ACTS}
_WAYS = {"cw": N_("clockwise"), "ccw": N_("counter-clockwise")}


def json_line(fact: Any) -> str | None:
    """Returns the fact's JSON object; None for an order, which is the loop's alone."""
    pairs = _pairs(fact)
    return None if pairs is None else json.dumps(dict(pairs), ensure_ascii=False)


def human_line(fact: Any) -> str | None:
    """Puts the fact into words, with its time in seconds; None for an order."""
    pairs = _pairs(fact)
    return None if pairs is None else words_of(dict(pairs))


def _pairs(fact: Any) -> list[tuple[str, Any]] | None:
    pairs = fact_line(fact)
    if pairs is None and (hasattr(fact, "round") or type(fact).__name__ in _ON_SCREEN):
        from firmware.text import card_text

        return card_text.pairs_of(fact)
    return pairs


def words_of(values: dict[str, Any]) -> str:
    """Puts the JSON object of a fact into words, with its time in seconds."""
    if _is_of_cards(values):
        from firmware.text import card_text

        return card_text.words_of(values)
    at = f"{values['t_us'] / 1e6:12.3f} s"
    what = _of_no_coup(values)
    if what is not None:
        return Message("{at}  {what}", at=at, what=what)
    what = _of_coup(values, _WORDS)
    return Message("{at}  coup {coup:<5d} {what}", at=at, coup=values["coup"], what=what)


def sentence_of(name: str, values: dict[str, Any]) -> str:
    """Puts the JSON object of a fact into a sentence that begins with the table's name."""
    if _is_of_cards(values):
        from firmware.text import card_text

        return card_text.sentence_of(name, values)
    what = _of_no_coup(values)
    if what is not None:
        end = "" if what.endswith((".", "!", "?")) else "."
        return Message("{name}: {what}{end}", name=name, what=what, end=end)
    way = {key: rotation(values[key]) for key in ("rotor", "ball") if values.get(key)}
    what = _of_coup(values | way, _SENTENCES)
    return Message("{name}: coup {coup}, {what}.", name=name, coup=values["coup"], what=what)


def _is_of_cards(values: dict[str, Any]) -> bool:
    """Whether it is told of a card table: what a wheel never imports then says it."""
    return "round" in values or values["event"] in ("guide", "card_typed")


def rotation(way: str) -> Message:
    """Says which way something turns, seen from above."""
    return Message(_WAYS.get(way, way))


def _of_no_coup(values: dict[str, Any]) -> Message | None:
    """What is told of the table and of no coup; None for what is of one."""
    if values["event"] == "orphelin_paid_in":
        return Message(values["text"])
    if values["event"] == "fault":
        code, _, what = values["text"].partition(": ")
        return Message("fault {code}: {what}", code=code, what=Message(what))
    if values["event"] == "fault_ended":
        return fault_ended_words(values["text"])
    if values["event"] == "employees":
        return Message("at the table: {names}", names=names_of(values["present"]))
    if values["event"] == "entered":
        return Message(entry_words(values["kind"], values["body"]))
    if values["event"] == "act":
        return Message(act_words(values))
    return None


def _of_coup(values: dict[str, Any], words: dict[str, str]) -> Message:
    if values["event"] == "number_keyed":
        return _keyed(values["number"], values["colour"])
    what = Message(words[_key(values)], **_said(values))
    if not values.get("layout_verified", True):
        what = Message("{what} (UNVERIFIED layout)", what=what)
    return what


def fault_ended_words(text: str) -> Message:
    """Says that a fault has ended; `text` begins with its code (core/faults.end)."""
    code, _, what = text.partition(": ")
    return Message("fault {code} has ended: {what}", code=code, what=Message(what))


def names_of(present: Sequence[str]) -> str:
    """Says who of the house is at the table."""
    return ", ".join(present) if present else Message("nobody")


def act_words(values: dict[str, Any]) -> str:
    """Says what a technician did, from an Act's JSON object or its row in the journal."""
    what = str(values.get("what"))
    what, role = Message(_DONE.get(what, what)), Message(str(values.get("role")))
    words = Message("{what} by {who}, {role}", what=what, who=values.get("who"), role=role)
    if not values.get("detail"):
        return words
    return Message("{words}: {detail}", words=words, detail=values["detail"])


def _said(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a fact for people: a code in words, to be translated."""
    return {
        name: Message(value.replace("_", " ")) if isinstance(value, str) else value
        for name, value in values.items()
    }


def _keyed(number: int | None, colour: str | None) -> Message:
    """What the croupier's key has counted."""
    if number is None:
        return Message("the croupier's key: nothing counted")
    if colour is None:
        return Message("the croupier's key: {number} counted", number=number)
    return Message(
        "the croupier's key: {number} {colour} counted", number=number, colour=Message(colour)
    )


def _key(values: dict[str, Any]) -> str:
    """Which of _WORDS the event is told with."""
    event: str = values["event"]
    if event == "result" and not values["verified"]:
        return "entered"
    if event == "correction":
        return "corrected_void" if values["number"] is None else "corrected"
    return event
