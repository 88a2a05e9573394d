"""The tables of docs/bus.md, from firmware/bus: what lies on the line, code by code."""

import struct
from collections.abc import Sequence

from firmware.bus import frame, messages, receiver, sender
from tools.docs.part import Part

_TYPES = {"B": "u8", "b": "i8", "H": "u16", "I": "u32"}


def render() -> str:
    """All tables, as they stand in the page."""
    parts = [
        "### Frame",
        _table(
            ("field", "type", "meaning"),
            [(name, _TYPES.get(code, "bytes"), meaning) for name, code, meaning in frame.FIELDS],
        ),
        f"Between two `00` at most {frame.STUFFED_MAX} bytes; a longer run is thrown away.",
        "### Every message begins",
        _fields(messages.HEADER_FIELDS, 0),
        f"### Status (kind {messages.STATUS}), goes on",
        _fields(messages.STATUS_FIELDS, _size(messages.HEADER_FORMAT)),
        f"### History (kind {messages.HISTORY}), goes on",
        _fields(messages.HISTORY_FIELDS, _size(messages.HEADER_FORMAT)),
        f"Then {messages.OUTCOME_MEANING}.",
        "### States",
        _table(("code", "state"), messages.STATES),
        "### Reasons of a void",
        _table(("code", "reason"), [(code, name or "none") for code, name in messages.REASONS]),
        "### Times",
        _table(
            ("what", "ms"),
            [
                ("a status, at every change and then every", sender.HEARTBEAT_US // 1000),
                (
                    f"a result or void: {sender.REPEATS} repeats, each after",
                    sender.REPEAT_US // 1000,
                ),
                ("the history, after every outcome and then every", sender.HISTORY_US // 1000),
                ("silence after which a display shows a dash", receiver.STALE_US // 1000),
            ],
        ),
    ]
    return "\n\n".join(parts)


def _size(code: str) -> int:
    return struct.calcsize(code)


def _fields(fields: Sequence[tuple[str, str, str]], offset: int) -> str:
    rows = []
    for name, code, meaning in fields:
        rows.append((offset, name, _TYPES[code], meaning))
        offset += _size(frame.BYTE_ORDER + code)
    return _table(("byte", "field", "type", "meaning"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


PART = Part("bus.md", "tables", "firmware/bus", render)
