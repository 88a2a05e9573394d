"""A fact as a line: JSON for programs (contracts/trace.md), words for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from firmware.core.facts import fact_line
from firmware.lib.language import N_, Message
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


def json_line(fact: Any) -> str | None:
    """Returns the fact's JSON object; None for an order, which is the loop's alone."""
    pairs = fact_line(fact)
    return None if pairs is None else json.dumps(dict(pairs), ensure_ascii=False)


def human_line(fact: Any) -> str | None:
    """Puts the fact into words, with its time in seconds; None for an order."""
    pairs = fact_line(fact)
    return None if pairs is None else words_of(dict(pairs))


def words_of(values: dict[str, Any]) -> str:
    """Puts the JSON object of a fact into words, with its time in seconds."""
    at = f"{values['t_us'] / 1e6:12.3f} s"
    if values["event"] == "orphelin_paid_in":
        return Message("{at}  {what}", at=at, what=Message(values["text"]))
    if values["event"] == "fault":
        code, _, what = values["text"].partition(": ")
        return Message("{at}  fault {code}: {what}", at=at, code=code, what=Message(what))
    if values["event"] == "employees":
        return Message("{at}  at the table: {names}", at=at, names=names_of(values["present"]))
    if values["event"] == "entered":
        return Message("{at}  {what}", at=at, what=entry_words(values["kind"], values["body"]))
    if values["event"] == "act":
        return Message("{at}  {what}", at=at, what=act_words(values))
    if values["event"] == "number_keyed":
        what = _keyed(values["number"], values["colour"])
    else:
        what = Message(_WORDS[_key(values)], **_said(values))
    if not values.get("layout_verified", True):
        what = Message("{what} (UNVERIFIED layout)", what=what)
    return Message("{at}  coup {coup:<5d} {what}", at=at, coup=values["coup"], what=what)


def names_of(present: Sequence[str]) -> str:
    """Says who of the house is at the table."""
    return ", ".join(present) if present else Message("nobody")


def act_words(values: dict[str, Any]) -> str:
    """Says what a technician did, from an Act's JSON object or its row in the journal."""
    said = {name: Message(str(values.get(name))) for name in ("what", "role")}
    words = Message("{what} by {who}, {role}", who=values.get("who"), **said)
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
