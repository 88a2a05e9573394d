"""Polls and replies as bytes (terminal_messages.py).

`open_*` answers None for whatever is not whole, not consistent, or not signed with the key of its
one terminal; the code is checked first.
"""

import struct

from firmware.bus import mac, messages, terminal_messages
from firmware.bus.message_bytes import cut, envelope_bytes, envelope_of
from firmware.bus.terminal_messages import (
    Envelope,
    Payments,
    Poll,
    PutIn,
    Reply,
    Sentence,
    SignOff,
    SignOn,
    SignOnProof,
    Stake,
    TakeBack,
)
from firmware.shims.typed import Any

_STATE_NAMES = dict(messages.STATES)
_COLOUR_CODES = {name: code for code, name in messages.COLOURS}
_COLOUR_NAMES = dict(messages.COLOURS)
_BET_CODES = {name: code for code, name in terminal_messages.BETS}
_BET_NAMES = dict(terminal_messages.BETS)


def poll_bytes(envelope: Envelope, poll: Poll, key: bytes) -> bytes:
    """Gives the payload of a poll, signed."""
    body = struct.pack(
        terminal_messages.POLL_FORMAT,
        poll.boot,
        poll.echo,
        messages.STATE_CODES[poll.state],
        poll.coup,
        poll.flags,
        poll.answered,
        poll.verdict,
        poll.settled,
        poll.paid,
        poll.seat,
        min(poll.funds, terminal_messages.FUNDS_MAX),
        _part_code(poll.part),
    )
    return mac.signed(
        key, envelope_bytes(terminal_messages.POLL, envelope) + body + _part_bytes(poll.part)
    )


def reply_bytes(envelope: Envelope, reply: Reply, key: bytes) -> bytes:
    """Gives the payload of a reply, signed."""
    code, asked = _ask_bytes(reply.ask, envelope, key)
    body = struct.pack(
        terminal_messages.REPLY_FORMAT,
        reply.boot,
        reply.number,
        reply.known,
        reply.paid_coup,
        reply.paid,
        reply.seat,
        reply.request,
        code,
    )
    return mac.signed(key, envelope_bytes(terminal_messages.REPLY, envelope) + body + asked)


def open_poll(payload: bytes, key: bytes) -> "tuple[Envelope, Poll] | None":
    """Gives the poll in a payload, if its key signed it."""
    opened = _open(payload, terminal_messages.POLL, terminal_messages.POLL_FIELDS_SIZE, key)
    if opened is None:
        return None
    envelope, body, rest = opened
    fields = struct.unpack(terminal_messages.POLL_FORMAT, body)
    boot, echo, state, coup, flags, answered, verdict, settled, paid, seat, funds, code = fields
    part = _part(code, rest)
    if state not in _STATE_NAMES or verdict > terminal_messages.REFUSED or part is False:
        return None
    return envelope, Poll(
        boot, echo, _STATE_NAMES[state], coup, flags, answered, verdict, settled, paid, seat, funds,
        part,
    )  # fmt: skip


def open_reply(payload: bytes, key: bytes) -> "tuple[Envelope, Reply] | None":
    """Gives the reply in a payload, if its key signed it."""
    opened = _open(payload, terminal_messages.REPLY, terminal_messages.REPLY_FIELDS_SIZE, key)
    if opened is None:
        return None
    envelope, body, rest = opened
    boot, number, known, paid_coup, paid, seat, request, code = struct.unpack(
        terminal_messages.REPLY_FORMAT, body
    )
    ask = _ask(code, rest)
    if ask is False or (request == 0) != (ask is None):
        return None
    return envelope, Reply(boot, number, known, paid_coup, paid, seat, request, ask)


def proof(envelope: Envelope, key: bytes, account: int, account_key: bytes) -> bytes:
    """Gives what shows, in the reply to that one poll, that whoever signs on has the account's key.

    Who listens cannot try keys on it, for he lacks `key`, the terminal's; nor say it again.
    """
    said = b"sign on" + envelope_bytes(terminal_messages.REPLY, envelope)
    said += struct.pack(terminal_messages.SIGN_ON_FORMAT, account) + account_key
    return mac.hmac_sha256(key, said)[: terminal_messages.PROOF_SIZE]


def _open(payload: bytes, kind: int, size: int, key: bytes) -> Any:
    """Envelope, fields and rest of a payload of that kind, or None. The code is checked first."""
    if (
        not mac.is_signed(key, payload)
        or len(payload) < terminal_messages.ENVELOPE_SIZE + size + mac.SIZE
    ):
        return None
    if payload[0] != terminal_messages.VERSION or payload[1] != kind:
        return None
    end = terminal_messages.ENVELOPE_SIZE + size
    return (
        envelope_of(payload),
        payload[terminal_messages.ENVELOPE_SIZE : end],
        payload[end : -mac.SIZE],
    )


def _part_code(part: Any) -> int:
    if part is None:
        return terminal_messages.NOTHING
    return terminal_messages.SENTENCE if isinstance(part, Sentence) else terminal_messages.PAYMENTS


def _part_bytes(part: Any) -> bytes:
    if part is None:
        return b""
    if isinstance(part, Sentence):
        return cut((part.rule + "\0" + part.why).encode(), terminal_messages.SENTENCE_MAX)
    number = messages.NO_NUMBER if part.number is None else part.number
    told = struct.pack(
        terminal_messages.PAYMENTS_FORMAT, number, _COLOUR_CODES[part.colour], part.first
    )
    return told + b"".join(
        [struct.pack(terminal_messages.PAYMENT_FORMAT, *entry) for entry in part.entries]
    )


def _part(code: int, rest: bytes) -> Any:
    """Returns the part of a poll; False if it is none."""
    if code == terminal_messages.NOTHING:
        return None if not rest else False
    if code == terminal_messages.SENTENCE:
        try:
            words = bytes(rest).decode().split("\0")
        except (UnicodeError, ValueError):
            return False
        return Sentence(words[0], words[1]) if len(words) == 2 else False
    if (
        code != terminal_messages.PAYMENTS
        or len(rest) < terminal_messages.PAYMENTS_SIZE
        or (len(rest) - terminal_messages.PAYMENTS_SIZE) % terminal_messages.PAYMENT_SIZE
    ):
        return False
    number, colour, first = struct.unpack(
        terminal_messages.PAYMENTS_FORMAT, rest[: terminal_messages.PAYMENTS_SIZE]
    )
    if colour not in _COLOUR_NAMES or (number == messages.NO_NUMBER) != (colour == 0):
        return False
    entries = []
    for at in range(terminal_messages.PAYMENTS_SIZE, len(rest), terminal_messages.PAYMENT_SIZE):
        entries.append(
            struct.unpack(
                terminal_messages.PAYMENT_FORMAT, rest[at : at + terminal_messages.PAYMENT_SIZE]
            )
        )
    told = None if number == messages.NO_NUMBER else number
    return Payments(told, _COLOUR_NAMES[colour], first, tuple(entries))


def _ask_bytes(ask: Any, envelope: Envelope, key: bytes) -> "tuple[int, bytes]":
    if ask is None:
        return terminal_messages.NOTHING, b""
    if isinstance(ask, SignOn):
        begin = struct.pack(terminal_messages.SIGN_ON_FORMAT, ask.account)
        return terminal_messages.SIGN_ON, begin + proof(envelope, key, ask.account, ask.key)
    if isinstance(ask, PutIn):
        return terminal_messages.PUT_IN, struct.pack(terminal_messages.PUT_IN_FORMAT, ask.cents)
    if isinstance(ask, SignOff):
        return terminal_messages.SIGN_OFF, b""
    if isinstance(ask, TakeBack):
        return terminal_messages.TAKE_BACK, struct.pack(terminal_messages.TAKE_BACK_FORMAT, ask.id)
    bet = _BET_CODES.get(ask.bet, 0)
    return terminal_messages.STAKE, struct.pack(
        terminal_messages.STAKE_FORMAT, ask.coup, bet, ask.cents
    ) + bytes(ask.on)


def _ask(code: int, rest: bytes) -> Any:
    """Returns what a reply asks; None for nothing, False if it is neither."""
    if code in (terminal_messages.NOTHING, terminal_messages.SIGN_OFF):
        if rest:
            return False
        return SignOff() if code == terminal_messages.SIGN_OFF else None
    if code == terminal_messages.SIGN_ON:
        if len(rest) != terminal_messages.SIGN_ON_SIZE:
            return False
        size = len(rest) - terminal_messages.PROOF_SIZE
        (account,) = struct.unpack(terminal_messages.SIGN_ON_FORMAT, rest[:size])
        return SignOnProof(account, rest[size:])
    if code == terminal_messages.PUT_IN:
        whole = len(rest) == struct.calcsize(terminal_messages.PUT_IN_FORMAT)
        return PutIn(*struct.unpack(terminal_messages.PUT_IN_FORMAT, rest)) if whole else False
    if code == terminal_messages.TAKE_BACK:
        whole = len(rest) == struct.calcsize(terminal_messages.TAKE_BACK_FORMAT)
        return (
            TakeBack(*struct.unpack(terminal_messages.TAKE_BACK_FORMAT, rest)) if whole else False
        )
    if (
        code != terminal_messages.STAKE
        or not terminal_messages.STAKE_SIZE
        <= len(rest)
        <= terminal_messages.STAKE_SIZE + terminal_messages.ON_MAX
    ):
        return False
    coup, bet, cents = struct.unpack(
        terminal_messages.STAKE_FORMAT, rest[: terminal_messages.STAKE_SIZE]
    )
    return Stake(coup, _BET_NAMES.get(bet, ""), cents, tuple(rest[terminal_messages.STAKE_SIZE :]))
