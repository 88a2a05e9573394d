"""Heartbeats, asks, answers and the table as bytes (messages.py).

`open_*` answers None for whatever is not whole, not consistent, or not made with the key of its one
display; the code is checked first.
"""

import hashlib
import struct

from firmware.bus import cbor_small, mac, messages
from firmware.bus.messages import Answer, Call, Envelope, Heartbeat, Table
from firmware.shims.typed import Any, Sequence
from rules.limits import printable

_STATE_NAMES = dict(messages.STATES)
_BET_CODES = {name: code for code, name in messages.BETS}
_BET_NAMES = dict(messages.BETS)
_CALL_CODES = {name: code for code, name, _ in messages.CALLS}
_CALL_NAMES = {code: name for code, name, _ in messages.CALLS}
# What turns the direction of a text or does not show: a name that has it is not shown at all.
_UNSEEN = ((0x061C, 0x061C), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF))
_NO_CALL = (0, 0, messages.NO_LEAD)


def kind(payload: bytes) -> int:
    """Gives what kind of message this claims to be; 0 if it is none of this version."""
    if len(payload) < messages.RECORD_SIZE or payload[0] != messages.VERSION:
        return 0
    return payload[1]


def heartbeat_bytes(heartbeat: Heartbeat) -> bytes:
    """Gives what all displays are told: a heartbeat without its answers."""
    return struct.pack(
        messages.HEARTBEAT_FORMAT,
        messages.VERSION,
        messages.HEARTBEAT,
        heartbeat.session,
        heartbeat.counter,
        messages.GAME_CODES[heartbeat.game],
        messages.STATE_CODES[heartbeat.state],
        heartbeat.coup,
        heartbeat.epoch,
        heartbeat.seq,
        heartbeat.digest,
        heartbeat.past,
        heartbeat.kid,
        heartbeat.rotor,
        messages.VERIFIED if heartbeat.layout_verified else 0,
        heartbeat.table,
    )


def answered(told: bytes, answers: "Sequence[tuple[int, bytes, bytes]]") -> bytes:
    """Gives the payload of a heartbeat or notice. `answers`: address, key and challenge of each
    display.
    """
    payload = told + bytes([len(answers)])
    for address, key, challenge in answers:
        payload += bytes([address]) + _code(told, address, key, challenge)
    return payload


def open_heartbeat(
    payload: bytes, address: int, key: bytes, challenges: "Sequence[bytes]"
) -> "tuple[Heartbeat, int] | None":
    """Gives the heartbeat in a payload and the place, in `challenges`, of the one it answers.

    `challenges`: no two the same, oldest first.
    """
    size = messages.HEARTBEAT_SIZE
    if kind(payload) != messages.HEARTBEAT:
        return None
    place = answering(payload, size, address, key, challenges)
    heartbeat = None if place is None else _heartbeat(payload[:size])
    return None if heartbeat is None or place is None else (heartbeat, place)


def notice_bytes(session: int, counter: int, name: str) -> bytes:
    """Gives what some displays are told: a notice without its answers."""
    told = cut(name.encode(), messages.NOTICE_NAME_MAX)
    head = struct.pack(
        messages.NOTICE_FORMAT, messages.VERSION, messages.NOTICE, session, counter, len(told)
    )
    return head + told


def open_notice(
    payload: bytes, address: int, key: bytes, challenges: "Sequence[bytes]"
) -> "tuple[int, int, str, int] | None":
    """Gives session, counter and name of a notice, and the place of the challenge that it answers,
    as `open_heartbeat`. None too for a name that would spoil or turn a line.
    """
    if kind(payload) != messages.NOTICE or len(payload) < messages.NOTICE_SIZE:
        return None
    head = struct.unpack(messages.NOTICE_FORMAT, payload[: messages.NOTICE_SIZE])
    session, counter, length = head[2:]
    size = messages.NOTICE_SIZE + length
    if not 0 < length <= messages.NOTICE_NAME_MAX:
        return None
    place = answering(payload, size, address, key, challenges)
    name = None if place is None else _name(payload[messages.NOTICE_SIZE : size])
    if place is None or name is None or not _is_seen(name):
        return None
    return session, counter, name, place


def answering(
    payload: bytes, size: int, address: int, key: bytes, challenges: "Sequence[bytes]"
) -> "int | None":
    """Returns the place of the challenge that the first `size` bytes answer, by what follows them:
    how many answers, and each of them. None: they answer none of these.
    """
    if len(payload) <= size or len(payload) != size + 1 + payload[size] * messages.ANSWERED_SIZE:
        return None
    told = payload[:size]
    for at in range(size + 1, len(payload), messages.ANSWERED_SIZE):
        if payload[at] == address:
            code = payload[at + 1 : at + messages.ANSWERED_SIZE]
            # The newest first: it is answered, unless that answer was lost.
            for place in range(len(challenges) - 1, -1, -1):
                if mac.is_same(code, _code(told, address, key, challenges[place])):
                    return place
            return None
    return None


def ask_bytes(envelope: Envelope, key: bytes) -> bytes:
    """Gives the payload of an ask."""
    return mac.signed(key, envelope_bytes(messages.ASK, envelope))


def open_ask(payload: bytes, address: int, key: bytes) -> "Envelope | None":
    """Gives the ask in a payload, if it is to this address and made with its key."""
    if len(payload) != messages.ASK_SIZE or address_of(payload, messages.ASK) != address:
        return None
    return _opened(payload, key)


def answer_bytes(envelope: Envelope, answer: Answer, key: bytes) -> bytes:
    """Gives the payload of an answer."""
    body = struct.pack(messages.ANSWER_FORMAT, *answer)
    return mac.signed(key, envelope_bytes(messages.ANSWER, envelope) + body)


def open_answer(payload: bytes, key: bytes) -> "tuple[Envelope, Answer] | None":
    """Gives the answer in a payload, if that key made it."""
    if len(payload) != messages.ANSWER_SIZE or kind(payload) != messages.ANSWER:
        return None
    envelope = _opened(payload, key)
    if envelope is None:
        return None
    body = payload[messages.ENVELOPE_SIZE : -messages.CODE_SIZE]
    return envelope, Answer(*struct.unpack(messages.ANSWER_FORMAT, body))


def address_of(payload: bytes, wanted: int) -> int:
    """Tells whose message of that kind this claims to be; 0 if it is none. Checks nothing yet."""
    if len(payload) < messages.ENVELOPE_SIZE or kind(payload) != wanted:
        return 0
    return payload[2]


def envelope_bytes(code: int, begin: Envelope) -> bytes:
    """Tells how such a message begins, of that kind."""
    return struct.pack(
        messages.ENVELOPE_FORMAT,
        messages.VERSION,
        code,
        begin.address,
        begin.session,
        begin.counter,
    )


def envelope_of(payload: bytes) -> Envelope:
    """Tells how a message begins that is long enough."""
    fields = struct.unpack(messages.ENVELOPE_FORMAT, payload[: messages.ENVELOPE_SIZE])
    return Envelope(*fields[2:])


def record_bytes(record: bytes) -> bytes:
    """Gives the payload that carries a record."""
    return bytes([messages.VERSION, messages.RECORD]) + record


def table_bytes(table: Table) -> bytes:
    """Writes the payload of the table. Cuts names to their size, leaves out bets without a code.

    Raises struct.error for limits that do not fit their fields. `call` is one of messages.call_of.
    """
    rules = cut(table.rules.encode(), messages.TABLE_NAME_MAX)
    wheel = cut(table.wheel.encode(), messages.TABLE_NAME_MAX)
    maxima = [(_BET_CODES[bet], multiple) for bet, multiple in table.maxima if bet in _BET_CODES]
    why, coups, lead_ms = _call_fields(table.call)
    head = struct.pack(
        messages.TABLE_FORMAT,
        messages.VERSION,
        messages.TABLE,
        table.minimum_cents,
        table.table_minimum_cents,
        why,
        coups,
        lead_ms,
        len(rules),
        len(wheel),
        len(maxima),
    )
    told = [struct.pack(messages.MAXIMUM_FORMAT, code, multiple) for code, multiple in maxima]
    return head + rules + wheel + b"".join(told)


def table_digest(payload: bytes) -> bytes:
    """Tells how a heartbeat names a table's message."""
    return hashlib.sha256(payload).digest()[: len(messages.NO_DIGEST)]


def open_table(payload: bytes, digest: bytes) -> "Table | None":
    """Gives the table in a payload, if it has that digest, and names that only print: no control
    character may paint on a terminal what no key has signed.
    """
    if kind(payload) != messages.TABLE or not messages.TABLE_SIZE <= len(payload):
        return None
    if len(payload) > messages.TABLE_MAX or table_digest(payload) != digest:
        return None
    head = struct.unpack(messages.TABLE_FORMAT, payload[: messages.TABLE_SIZE])
    minimum, table_minimum, why, coups, lead_ms, rules, wheel, count = head[2:]
    names = messages.TABLE_SIZE + rules + wheel
    if len(payload) != names + count * messages.MAXIMUM_SIZE:
        return None
    maxima = []
    for at in range(names, len(payload), messages.MAXIMUM_SIZE):
        told = payload[at : at + messages.MAXIMUM_SIZE]
        code, multiple = struct.unpack(messages.MAXIMUM_FORMAT, told)
        if code not in _BET_NAMES:
            return None
        maxima.append((_BET_NAMES[code], multiple))
    rules_name = _name(payload[messages.TABLE_SIZE : messages.TABLE_SIZE + rules])
    wheel_name = _name(payload[messages.TABLE_SIZE + rules : names])
    if rules_name is None or wheel_name is None:
        return None
    if why not in _CALL_NAMES:
        return None
    call = None
    name = _CALL_NAMES[why]
    if name is not None:
        call = Call(coups, None if lead_ms == messages.NO_LEAD else lead_ms, name)
    elif (why, coups, lead_ms) != _NO_CALL:
        return None
    return Table(rules_name, wheel_name, minimum, table_minimum, tuple(maxima), call)


def _call_fields(call: "Call | None") -> "tuple[int, int, int]":
    if call is None:
        return _NO_CALL
    lead_ms = messages.NO_LEAD if call.lead_ms is None else call.lead_ms
    return _CALL_CODES[call.why], call.coups, lead_ms


def _name(told: bytes) -> "str | None":
    name = told.decode() if cbor_small.is_utf8(told) else None
    return name if name is not None and printable(name) else None


def _is_seen(name: str) -> bool:
    for letter in name:
        for first, last in _UNSEEN:
            if first <= ord(letter) <= last:
                return False
    return True


def cut(text: bytes, size: int) -> bytes:
    """Gives UTF-8 of at most `size` bytes, no character cut in two."""
    if len(text) > size:
        while size and text[size] & 0xC0 == 0x80:
            size -= 1
    return text[:size]


def _code(told: bytes, address: int, key: bytes, challenge: bytes) -> bytes:
    return mac.hmac_sha256(key, told + bytes([address]) + challenge)[: messages.CODE_SIZE]


def _heartbeat(told: bytes) -> "Heartbeat | None":
    """Returns what was told, its code checked; None for codes that this version does not have."""
    fields: Any = struct.unpack(messages.HEARTBEAT_FORMAT, told)
    session, counter, game, state, coup, epoch, seq, digest, past, kid, rotor, flags, table = (
        fields[2:]
    )
    if game not in messages.GAME_NAMES or state not in _STATE_NAMES or rotor not in messages.ROTORS:
        return None
    if past > messages.HISTORY_MAX or past > seq or flags & ~messages.VERIFIED:
        return None
    return Heartbeat(
        session,
        counter,
        messages.GAME_NAMES[game],
        _STATE_NAMES[state],
        coup,
        epoch,
        seq,
        digest,
        past,
        kid,
        rotor,
        flags == messages.VERIFIED,
        table,
    )


def _opened(payload: bytes, key: bytes) -> "Envelope | None":
    """Returns the envelope of a payload that this key made."""
    if not mac.is_signed(key, payload):
        return None
    return envelope_of(payload)
