"""What the sockets answer, as JSON objects on lines."""

import json
from typing import Any

from firmware.api.values import Refused
from firmware.bus.displays import BELIEVES_LATER, SILENT_US
from firmware.core import faults
from firmware.lib.language import packed


def not_now(refusal: str) -> dict[str, str]:
    """Returns the error of a request that the core refused.

    `refusal` is the text of its fault P10.
    """
    remedy = faults.find("P10").remedy
    text = refusal.removesuffix(remedy).rstrip()
    return Refused("not_now", text, remedy).error


def displays(parts: dict[str, Any]) -> dict[str, int | list[int] | None]:
    """Returns what `status` says of the displays: how many there are and how many answer.

    `displays_later`: the addresses of those that answer and know of a later result (B14). All are
    null where no line to displays is opened.
    """
    there = parts.get("displays")
    if there is None:
        return {"displays": None, "displays_heard": None, "displays_later": None}
    answering = [
        display
        for display in there
        if display["heard_ms"] is not None and display["heard_ms"] < SILENT_US // 1000
    ]
    later = [display["address"] for display in answering if BELIEVES_LATER in display["faults"]]
    return {
        "displays": len(there),
        "displays_heard": len(answering),
        "displays_later": later,
    }


def line(told: dict[str, Any]) -> bytes:
    """Returns one answer or fact, with its newline; a refusal with what made its sentences."""
    if "error" in told:
        said = {key: packed(text) for key, text in told["error"].items()}
        said = {key: each for key, each in said.items() if each is not None}
        if said:
            told = {"error": told["error"] | {"said": said}}
    return json.dumps(told, separators=(",", ":")).encode() + b"\n"
