"""The tables of docs/bus.md, from firmware/bus: what lies on the line, code by code."""

import struct
from collections.abc import Sequence

from firmware.bus import (
    card_messages,
    card_record,
    display_host,
    displays,
    follower_messages,
    frame,
    mac,
    messages,
    receiver,
    record,
    record_cache,
    record_chain,
    sent_views,
    slots,
    terminal,
    terminal_host,
    terminal_messages,
)
from tools.docs import bus_vectors
from tools.docs.field_tables import TYPES, field_table, table
from tools.docs.part import Part

_BAUDS = (9_600, 19_200, 38_400, 57_600, 115_200)
_BESIDE = (0, 1, 2, 4, 8)  # terminals
_OF_CARDS = (1, 2, 4, 8, 16)  # displays
_SEATS = (0, 1, 2, 4, 7)  # terminals of a card table


def render() -> str:
    """All tables, as they stand in the page."""
    parts = [*_common(), *_displays(), *_records(), *_codes(), *_times(), *_terminals()]
    parts += [*_followers(), *_card_lines()]
    return "\n\n".join(parts)


def _common() -> list[str]:
    """What holds for every message."""
    return [
        "### Frame",
        table(
            ("field", "type", "meaning"),
            [(name, TYPES.get(code, "bytes"), meaning) for name, code, meaning in frame.FIELDS],
        ),
        f"Between two `00` at most {frame.STUFFED_MAX} bytes; a longer run is thrown away.",
        "### Messages",
        table(("kind", "message", "from, to"), messages.KINDS),
    ]


def _displays() -> list[str]:
    """Every message to and from a display."""
    return [
        "### Heartbeat",
        field_table(messages.HEARTBEAT_FIELDS, 0),
        f"Then `count`, u8, and so many answers of {messages.ANSWERED_SIZE} bytes each:",
        field_table(messages.ANSWERED_FIELDS, 0),
        "### Record",
        field_table(messages.RECORD_FIELDS, 0),
        f"Then the signed record, {record.RECORD_MAX} bytes at most.",
        "### Table",
        field_table(messages.TABLE_FIELDS, 0),
        f"Then the rules' name and the wheel's, UTF-8, {messages.TABLE_NAME_MAX} bytes each at"
        " most (a table with a control character in one is none: a name must not paint on a"
        " terminal); then the maxima:",
        field_table(messages.MAXIMUM_FIELDS, 0),
        "### Notice",
        field_table(messages.NOTICE_FIELDS, 0),
        f"Then that name, UTF-8, {messages.NOTICE_NAME_MAX} bytes at most (one with a control"
        " character, or one that turns the direction of a text, is none); then `count` and answers"
        " as of a heartbeat.",
        "### Cards",
        field_table(card_messages.CARDS_FIELDS, 0),
        "Then the hands in the order of the deal, the dealer's last, each of these:",
        field_table(card_messages.HAND_FIELDS, 0),
        "and its cards, a byte each: 13 * suit + rank as in a record, 0xFE the back of the hole"
        " card, 0xFF a card that is held, a dash; then the side bets that fell:",
        field_table(card_messages.EVENT_FIELDS, 0),
        f"All that is {card_messages.CARDS_MAX} bytes at most, and less on a slow line; then"
        " `count` and answers as of a heartbeat.",
        table(("code", "how a hand ended"), [(c, n or "none") for c, n in card_messages.ENDS]),
        table(("code", "side bet"), card_messages.EVENTS),
        "### Ask, answer, poll and reply begin",
        field_table(messages.ENVELOPE_FIELDS, 0),
        f"And end with {mac.SIZE} bytes: HMAC-SHA-256, cut, of all before them, under the key of"
        " that one address. An ask has nothing in between.",
        "### Answer, goes on",
        field_table(messages.ANSWER_FIELDS, messages.ENVELOPE_SIZE),
        "`lit` is the SHA-256, cut, of these:",
        field_table(messages.LIT_FIELDS, 0),
    ]


def _records() -> list[str]:
    """What is in a signed record."""
    rows = []
    for key, name, form, limits, meaning in record.FIELDS:
        rows.append((key, name, _form(form, limits), meaning))
    shapes = [
        (code, kind, ", ".join(must), ", ".join(may) or "-")
        for (code, kind), (_, must, may) in zip(record.KINDS, record.SHAPES, strict=True)
    ]
    return [
        "### Fields of a record",
        table(("key", "field", "type", "meaning"), rows),
        "Every record has " + ", ".join(record.ALWAYS) + "; besides these:",
        table(("code", "kind", "must have", "may have"), shapes),
        "Where cards are played these have, instead:",
        table(
            ("game", "kind", "must have", "may have"),
            [
                (game, kind, ", ".join(must), ", ".join(may))
                for game, kind, must, may in record.ROUND_SHAPES
            ],
        ),
        table(("quality", "of utc"), record.QUALITIES),
    ]


def _form(form: str, limits: object) -> str:
    """A field's type and limits, in words."""
    if form == "int" and isinstance(limits, tuple):
        return f"int {limits[0]} to {limits[1]}"
    if form == "text":
        return f"text, {limits} bytes"
    if form == "cards":
        return f"cards, {limits} bytes at most"
    if form == "bytes":
        return f"{limits} bytes"
    if form == "people":
        return f"two texts, {limits} bytes each"
    return form


def _codes() -> list[str]:
    """The codes that messages and records share."""
    return [
        "### States",
        table(("code", "state"), messages.STATES),
        "### Games",
        table(
            ("code", "game", "numbers"),
            [(code, name, f"{low} to {high}") for code, name, low, high in messages.GAMES]
            + [(code, name, "none: cards") for code, name in messages.CARD_GAMES],
        ),
        "### Winners",
        table(("code", "winner"), card_record.WINNERS),
        "### Colours",
        table(("code", "colour"), [(code, name or "none") for code, name in messages.COLOURS]),
        "### Reasons of a void",
        table(("code", "reason"), [(code, name or "none") for code, name in messages.REASONS]),
        "### Where the call stands",
        table(
            ("code", "name", "meaning"),
            [(code, name or "none", meaning) for code, name, meaning in messages.CALLS],
        ),
        f"With code 0 there are no coups, and a lead of 0x{messages.NO_LEAD:04X}.",
        "### Bets",
        table(("code", "bet"), terminal_messages.BETS),
        "### Bets of cards",
        table(("code", "bet"), terminal_messages.CARD_BETS),
        "### Decisions",
        table(("code", "decision"), terminal_messages.DECISIONS),
    ]


def _times() -> list[str]:
    """Times, limits, and how many displays a line carries."""
    capacity = [
        (baud, *[slots.displays_max(baud, terminals) for terminals in _BESIDE]) for baud in _BAUDS
    ]
    return [
        "### Times",
        table(
            ("what", "ms"),
            [
                ("a challenge is good, and a display lit after it, for", slots.FRESH_US // 1000),
                ("a heartbeat, at every change and then every", slots.HEARTBEAT_US // 1000),
                ("a round of asks, at least", slots.LEAST_ROUND_US // 1000),
                (
                    "from an ask's last byte to the answer's first, on a full line at most",
                    slots.ANSWER_LEAST_US // 1000,
                ),
                ("the same on a line with few displays", slots.ANSWER_MOST_US // 1000),
                (
                    f"an outcome's record, {display_host.COPIES} times: from one to the next,"
                    " at least",
                    slots.REPEAT_US // 1000,
                ),
                (
                    "cards, at every change and then every",
                    slots.CARDS_US // 1000,
                ),
                (
                    f"but no more than {slots.CARDS_TIMES[0]} times, on a full line"
                    f" {slots.CARDS_TIMES[1]} or {slots.CARDS_TIMES[2]} times, in",
                    slots.FRESH_US // 1000,
                ),
                ("the table, to who lacks it: every", display_host.TABLE_US // 1000),
                (
                    "silence, or a dash, after which a display is told",
                    displays.SILENT_US // 1000,
                ),
                ("what was told may still be lit for", sent_views.LATE_US // 1000),
            ],
        ),
        "### Limits",
        table(
            ("what", "at most"),
            [
                ("challenges that a display keeps", receiver.CHALLENGES_MAX),
                ("records that it keeps", messages.HISTORY_MAX),
                ("rotations that wait for their signature to be checked", record_chain.WAITING_MAX),
                ("records that the controller keeps at hand", record_cache.HELD_MAX),
                ("asks repeated in a round", slots.RETRIES_MAX),
            ],
        ),
        "### Displays on a line",
        table(
            ("baud", *[f"beside {terminals} terminals" for terminals in _BESIDE]), capacity
        ),
        table(
            ("baud", "displays", "window of an answer, ms", "between two records or tables, ms",
             "heartbeat, ms", "record, ms"),
            [row for baud in _BAUDS for row in _plans(baud)],
        ),
        "A line of a card table, with bytes of cards at a time (-: it has time for so many displays"
        " and for no cards; empty: not for so many):",
        table(
            ("baud", "terminals", *[_displays_of(count) for count in _OF_CARDS]),
            [row for baud in _BAUDS for row in _cards_rows(baud)],
        ),
    ]  # fmt: skip


def _displays_of(count: int) -> str:
    return "1 display" if count == 1 else f"{count} displays"


def _cards_rows(baud: int) -> list[Sequence[object]]:
    """How many bytes of cards a line tells at a time, beside so many seats, and the followers."""
    rows: list[Sequence[object]] = [
        (baud, seats, *_cards_told(baud, seats, followers=False)) for seats in _SEATS
    ]
    most = _SEATS[-1]
    with_host = _cards_told(baud, most + 1, followers=True)
    return [*rows, (baud, f"{most} and the followers' host", *with_host)]


def _cards_told(baud: int, terminals: int, *, followers: bool) -> list[object]:
    """How many bytes of cards a line tells at a time, by how many displays there are."""
    extra_us = slots.card_extra_us(baud, terminals, followers=followers) if terminals else 0
    plans = [slots.card_plan(baud, count, terminals, extra_us=extra_us) for count in _OF_CARDS]
    return ["" if plan is None else plan.cards or "-" for plan in plans]


def _plans(baud: int) -> list[Sequence[object]]:
    """How a line is shared: one display, and as many as it carries."""
    rows: list[Sequence[object]] = []
    for count in sorted({1, slots.displays_max(baud)}):
        plan = slots.plan(baud, count, 0) if count else None
        if plan is not None:
            beat_us, record_us = slots.heartbeat_us(baud, count), slots.record_us(baud)
            times = (plan.answer_us, plan.apart_us, beat_us, record_us)
            rows.append((baud, count, *[us // 1000 for us in times]))
    return rows


def _terminals() -> list[str]:
    """What concerns the terminals alone."""
    envelope = messages.ENVELOPE_SIZE
    body = envelope + _size(terminal_messages.POLL_FORMAT)
    asked = envelope + _size(terminal_messages.REPLY_FORMAT)
    payments = body + _size(terminal_messages.PAYMENTS_FORMAT)
    card_payments = body + _size(terminal_messages.CARD_PAYMENTS_FORMAT)
    return [
        f"### Poll (kind {terminal_messages.POLL}), goes on",
        field_table(terminal_messages.POLL_FIELDS, envelope),
        f"Part {terminal_messages.SENTENCE}: {terminal_messages.SENTENCE_MEANING}."
        f" Part {terminal_messages.PAYMENTS}, and then"
        f" {terminal_messages.PAYMENTS_MAX} payments at most:",
        field_table(terminal_messages.PAYMENTS_FIELDS, body),
        field_table(terminal_messages.PAYMENT_FIELDS, payments),
        f"Part {terminal_messages.CARD_PAYMENTS}, and then {terminal_messages.PAYMENTS_MAX}"
        " payments at most:",
        field_table(terminal_messages.CARD_PAYMENTS_FIELDS, body),
        field_table(terminal_messages.CARD_PAYMENT_FIELDS, card_payments),
        f"With flag {terminal_messages.DUE} these stand between `part` and what the part says:",
        field_table(terminal_messages.DUE_FIELDS, body),
        f"### Reply (kind {terminal_messages.REPLY}), goes on",
        field_table(terminal_messages.REPLY_FIELDS, envelope),
        f"Ask {terminal_messages.SIGN_ON}: {terminal_messages.SIGN_ON_MEANING}."
        f" Ask {terminal_messages.STAKE}, and then"
        f" {terminal_messages.STAKE_MEANING}:",
        field_table(terminal_messages.STAKE_FIELDS, asked),
        f"Ask {terminal_messages.TAKE_BACK}:",
        field_table(terminal_messages.TAKE_BACK_FIELDS, asked),
        f"Ask {terminal_messages.DECIDE}:",
        field_table(terminal_messages.DECIDE_FIELDS, asked),
        "### Terminals on a line",
        table(
            (
                "baud",
                "longest poll, ms",
                "slot after its last byte, ms",
                "terminals at most (no displays)",
            ),
            [
                (
                    baud,
                    slots.wire_us(terminal_messages.POLL_SIZE + terminal_messages.PART_SIZE, baud)
                    // 1000,
                    slots.reply_us(baud) // 1000,
                    slots.terminals_max(baud),
                )
                for baud in _BAUDS
            ],
        ),
        table(
            ("what", "ms"),
            [
                ("a terminal's round, at most", slots.ROUND_US // 1000),
                ("a terminal's round, at least", slots.LEAST_ROUND_US // 1000),
                ("from a poll to a reply's first byte, at most", slots.REPLY_US // 1000),
                ("silence after which a terminal is not linked", terminal_host.SILENT_US // 1000),
                ("silence after which the controller is not heard", terminal.STALE_US // 1000),
            ],
        ),
    ]


def _followers() -> list[str]:
    """What concerns the host of followers alone."""
    envelope = messages.ENVELOPE_SIZE
    told = envelope + follower_messages.FOLLOWER_POLL_SIZE
    asked = envelope + follower_messages.FOLLOWER_REPLY_SIZE
    return [
        f"### Follower poll (kind {follower_messages.FOLLOWER_POLL}), goes on",
        field_table(follower_messages.FOLLOWER_POLL_FIELDS, envelope),
        f"Then the verdicts, {follower_messages.VERDICT_MEANING}; the sentences,"
        f" {follower_messages.SENTENCE_MEANING}. Then the funds:",
        field_table(follower_messages.FUNDS_FIELDS, 0),
        "Where players are paid, the round:",
        field_table(follower_messages.SETTLED_FIELDS, 0),
        "And each of them, his payments behind him:",
        field_table(follower_messages.PLAYER_FIELDS, 0),
        f"Without verdicts, sentences, funds and payments it has {told + mac.SIZE} bytes.",
        f"### Follower reply (kind {follower_messages.FOLLOWER_REPLY}), goes on",
        field_table(follower_messages.FOLLOWER_REPLY_FIELDS, envelope),
        "Then the asks:",
        field_table(follower_messages.FOLLOWER_ASK_FIELDS, asked),
        f"Behind {follower_messages.SIGN_ON} the proof, as of a terminal's ask; behind"
        f" {follower_messages.FOLLOW} and {follower_messages.FOLLOW_ALL}:",
        field_table(follower_messages.FOLLOW_FIELDS, asked + follower_messages.FOLLOWER_ASK_SIZE),
    ]


def _card_lines() -> list[str]:
    """How many displays a card table's line carries."""
    rows = []
    for baud in _BAUDS:
        cells: list[object] = [baud]
        for terminals, followers in ((7, False), (8, True)):
            extra_us = slots.card_extra_us(baud, terminals, followers=followers)
            cells.append(slots.displays_max(baud, terminals, extra_us))
        rows.append(tuple(cells))
    return [
        "### Displays on a card table's line",
        table(("baud", "beside 7 seats", "beside 7 seats and the followers' host"), rows),
        table(
            ("what", "at most"),
            [
                ("players at one host of followers", follower_messages.FOLLOWERS_MAX),
                ("bytes of its poll and its reply, in its turn", slots.FOLLOWERS_SHORT),
                ("the same if time allows", slots.FOLLOWERS_LONG),
                ("ms from a poll of it to the next, if time allows", slots.FOLLOWERS_US // 1000),
            ],
        ),
    ]


def _size(code: str) -> int:
    return struct.calcsize(code)


PART = Part("bus.md", "tables", "firmware/bus", render)
VECTORS = Part("bus.md", "vectors", "tools/docs/bus_vectors.py", bus_vectors.render)
