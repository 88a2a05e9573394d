"""What the sockets answer, as JSON objects on lines."""

import json
from typing import Any

from firmware.api.values import Refused
from firmware.bus.displays import SILENT_US
from firmware.core import faults
from firmware.lib.language import packed


def not_now(refusal: str) -> dict[str, str]:
    """Returns the error of a request that the core refused.

    `refusal` is the text of its fault P10.
    """
    remedy = faults.find("P10").remedy
    text = refusal.removesuffix(remedy).rstrip()
    return Refused("not_now", text, remedy).error


def displays(parts: dict[str, Any]) -> dict[str, int | None]:
    """Returns what `status` says of the displays: how many there are and how many answer.

    Both null where no line to displays is opened.
    """
    there = parts.get("displays")
    if there is None:
        return {"displays": None, "displays_heard": None}
    heard_ms = [display["heard_ms"] for display in there]
    answering = sum(age is not None and age < SILENT_US // 1000 for age in heard_ms)
    return {"displays": len(heard_ms), "displays_heard": answering}


def line(told: dict[str, Any]) -> bytes:
    """Returns one answer or fact, with its newline; a refusal with what made its sentences."""
    if "error" in told:
        said = {key: packed(text) for key, text in told["error"].items()}
        said = {key: each for key, each in said.items() if each is not None}
        if said:
            told = {"error": told["error"] | {"said": said}}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
