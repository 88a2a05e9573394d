"""A fact as a line: JSON for programs (contracts/trace.md), words for people."""

from __future__ import annotations

import json
from typing import Any

from firmware.core.facts import fact_line

# What people read of each event; the keys are those of its JSON object.
_WORDS = {
    "coup_started": "bets open",
    "rotor_moving": "rotor turns {rotor}",
    "ball_in_track": "ball in the track, {ball}",
    "no_more_bets": "rien ne va plus",
    "ball_dropped": "ball left the track",
    "detected": "number detected",
    "result": "{number} {colour}, compartment {compartment}",
    "entered": "{number} {colour}, entered by hand",
    "void": "void: {reason}",
    "corrected": "corrected: {number} {colour} (seq {seq} in the place of {corrects})",
    "corrected_void": "corrected: void (seq {seq} in the place of {corrects})",
}


def json_line(fact: Any) -> str | None:
    """The fact's JSON object, or None for an order, which nobody outside the loop may see."""
    pairs = fact_line(fact)
    return None if pairs is None else json.dumps(dict(pairs), ensure_ascii=False)


def human_line(fact: Any) -> str | None:
    """The fact in words, with its time in seconds; None for an order."""
    pairs = fact_line(fact)
    return None if pairs is None else words_of(dict(pairs))


def words_of(values: dict[str, Any]) -> str:
    """The JSON object of a fact in words, with its time in seconds."""
    at = f"{values['t_us'] / 1e6:12.3f} s"
    if values["event"] == "orphelin_paid_in":
        return f"{at}  {values['text']}"
    if values["event"] == "fault":
        return f"{at}  fault {values['text']}"  # which begins with the code
    if values["event"] == "act":
        return f"{at}  {act_words(values)}"
    if values["event"] == "number_keyed":
        counted = "nothing" if values["number"] is None else str(values["number"])
        if values["colour"] is not None:
            counted += f" {values['colour']}"
        return f"{at}  coup {values['coup']:<5d} the croupier's key: {counted} counted"
    words = _WORDS[_key(values)].format_map(values).replace("_", " ")
    if not values.get("layout_verified", True):
        words += " (UNVERIFIED layout)"
    return f"{at}  coup {values['coup']:<5d} {words}"


def act_words(values: dict[str, Any]) -> str:
    """What a technician did, in words: from an Act's JSON object or its row in the journal."""
    words = f"{values.get('what')} by {values.get('who')}, {values.get('role')}"
    return f"{words}: {values['detail']}" if values.get("detail") else words


def _key(values: dict[str, Any]) -> str:
    """Which of _WORDS the event is told with."""
    event: str = values["event"]
    if event == "result" and not values["verified"]:
        return "entered"
    if event == "correction":
        return "corrected_void" if values["number"] is None else "corrected"
    return event
