"""The tables of docs/bus.md, from firmware/bus: what lies on the line, code by code."""

import struct
from collections.abc import Sequence

from firmware.bus import exchange, frame, host, mac, messages, receiver, sender, slots, terminal
from tools.docs.part import Part

_TYPES = {"B": "u8", "b": "i8", "H": "u16", "I": "u32", "Q": "u64", "q": "i64"}
_BAUDS = (9_600, 19_200, 38_400, 57_600, 115_200)


def render() -> str:
    """All tables, as they stand in the page."""
    parts = [
        "### Frame",
        _table(
            ("field", "type", "meaning"),
            [(name, _TYPES.get(code, "bytes"), meaning) for name, code, meaning in frame.FIELDS],
        ),
        f"Between two `00` at most {frame.STUFFED_MAX} bytes; a longer run is thrown away.",
        "### Every message to the displays begins",
        _fields(messages.HEADER_FIELDS, 0),
        f"### Status (kind {messages.STATUS}), goes on",
        _fields(messages.STATUS_FIELDS, _size(messages.HEADER_FORMAT)),
        f"### History (kind {messages.HISTORY}), goes on",
        _fields(messages.HISTORY_FIELDS, _size(messages.HEADER_FORMAT)),
        f"Then {messages.OUTCOME_MEANING}.",
        "### States",
        _table(("code", "state"), messages.STATES),
        "### Games",
        _table(
            ("code", "game", "numbers"),
            [(code, name, f"{low} to {high}") for code, name, low, high in messages.GAMES],
        ),
        "### Colours",
        _table(("code", "colour"), [(code, name or "none") for code, name in messages.COLOURS]),
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
        *_terminals(),
    ]
    return "\n\n".join(parts)


def _terminals() -> list[str]:
    """What concerns the terminals alone."""
    envelope = _size(exchange.ENVELOPE_FORMAT)
    body = envelope + _size(exchange.POLL_FORMAT)
    asked = envelope + _size(exchange.REPLY_FORMAT)
    payments = body + _size(exchange.PAYMENTS_FORMAT)
    return [
        "### Every poll and reply begins",
        _fields(exchange.ENVELOPE_FIELDS, 0),
        f"And ends with {mac.SIZE} bytes: HMAC-SHA-256, cut, of all before them.",
        f"### Poll (kind {exchange.POLL}), goes on",
        _fields(exchange.POLL_FIELDS, envelope),
        f"Part {exchange.SENTENCE}: {exchange.SENTENCE_MEANING}. Part {exchange.PAYMENTS}, and then"
        f" {exchange.PAYMENTS_MAX} payments at most:",
        _fields(exchange.PAYMENTS_FIELDS, body),
        _fields(exchange.PAYMENT_FIELDS, payments),
        f"### Reply (kind {exchange.REPLY}), goes on",
        _fields(exchange.REPLY_FIELDS, envelope),
        f"Ask {exchange.SIGN_ON}: {exchange.SIGN_ON_MEANING}. Ask {exchange.STAKE}, and then"
        f" {exchange.STAKE_MEANING}:",
        _fields(exchange.STAKE_FIELDS, asked),
        f"Ask {exchange.TAKE_BACK}:",
        _fields(exchange.TAKE_BACK_FIELDS, asked),
        "### Bets",
        _table(("code", "bet"), exchange.BETS),
        "### Slots",
        _table(
            ("baud", "longest poll, ms", "slot after its last byte, ms", "terminals at most"),
            [
                (
                    baud,
                    slots.wire_us(exchange.POLL_SIZE + exchange.PART_SIZE, baud) // 1000,
                    slots.reply_us(baud) // 1000,
                    slots.terminals_max(baud),
                )
                for baud in _BAUDS
            ],
        ),
        _table(
            ("what", "ms"),
            [
                ("a terminal's round, at most", slots.ROUND_US // 1000),
                ("a terminal's round, at least", slots.LEAST_ROUND_US // 1000),
                ("from a poll to a reply's first byte, at most", slots.REPLY_US // 1000),
                ("silence after which a terminal is not linked", host.SILENT_US // 1000),
                ("silence after which the controller is not heard", terminal.STALE_US // 1000),
            ],
        ),
    ]


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
