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
    "void": "void: {reason}",
}


def json_line(fact: Any) -> str | None:
    """The fact's JSON object, or None for an order, which nobody outside the loop may see."""
    pairs = fact_line(fact)
    return None if pairs is None else json.dumps(dict(pairs), ensure_ascii=False)


def human_line(fact: Any) -> str | None:
    """The fact in words, with its time in seconds; None for an order."""
    pairs = fact_line(fact)
    if pairs is None:
        return None
    values = dict(pairs)
    at = f"{values['t_us'] / 1e6:12.3f} s"
    if values["event"] == "fault":
        return f"{at}  fault {values['code']}: {values['text']}"
    words = _WORDS[values["event"]].format_map(values).replace("_", " ")
    return f"{at}  coup {values['coup']:<5d} {words}"
