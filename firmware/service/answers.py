"""What the sockets answer, as JSON objects on lines."""

import json
from typing import Any

from firmware.core import faults
from firmware.core.facts import DIRECTION_NAMES, Result, View
from firmware.service.requests import Refused


def status(view: View | None, last: Result | None) -> dict[str, Any]:
    """How the table stands, and its last number; nothing that predicts."""
    return {
        "state": view.state if view else None,
        "coup": view.coup if view else 0,
        "seq": view.seq if view else 0,
        "rotor": DIRECTION_NAMES[view.rotor] if view else None,
        "reason": view.reason if view else None,
        "last_number": last.number if last else None,
        "last_coup": last.coup if last else None,
    }


def not_now(refusal: str) -> dict[str, str]:
    """The error of a request that the core refused; `refusal` is the text of its fault P10."""
    remedy = faults.find("P10").remedy
    text = refusal.removesuffix(remedy).rstrip()
    return Refused("not_now", text, remedy).error


def line(told: dict[str, Any]) -> bytes:
    """One answer or fact, with its newline."""
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
