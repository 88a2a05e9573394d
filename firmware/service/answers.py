"""What the sockets answer, as JSON objects on lines."""

import json
from typing import Any

from firmware.core import faults
from firmware.service.values import Refused


def not_now(refusal: str) -> dict[str, str]:
    """The error of a request that the core refused; `refusal` is the text of its fault P10."""
    remedy = faults.find("P10").remedy
    text = refusal.removesuffix(remedy).rstrip()
    return Refused("not_now", text, remedy).error


def line(told: dict[str, Any]) -> bytes:
    """One answer or fact, with its newline."""
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
