"""Polls and replies of a host of followers as bytes (follower_messages.py).

`open_*` answers None for whatever is not whole, not consistent, or not signed with the key of its
one address; the code is checked first.
"""

import struct

from firmware.bus import follower_messages, mac, messages, terminal_bytes, terminal_messages
from firmware.bus.follower_messages import (
    Follow,
    FollowerPoll,
    FollowerReply,
    FollowerSignOff,
    FollowerSignOn,
    TakeBackBehind,
)
from firmware.bus.message_bytes import cut, envelope_bytes
from firmware.bus.terminal_messages import Envelope, Sentence, SignOnProof
from firmware.shims.typed import Any, Sequence

_STATE_NAMES = dict(messages.STATES)
_COUNT_MAX = 255  # of anything in one message


def follower_poll_bytes(envelope: Envelope, poll: FollowerPoll, key: bytes) -> bytes:
    """Gives the payload of a poll of a host of followers, signed."""
    codes, sentences = _verdict_bytes(poll.verdicts)
    body = struct.pack(
        follower_messages.FOLLOWER_POLL_FORMAT,
        poll.boot,
        poll.echo,
        messages.STATE_CODES[poll.state],
        poll.coup,
        poll.flags,
        poll.room,
        poll.answered,
        poll.first,
        len(codes),
        len(sentences),
        len(poll.funds),
        len(poll.settled),
    )
    parts = [body, codes] + sentences
    for account, seated, cents in poll.funds:
        told = (account, 1 if seated else 0, min(cents, terminal_messages.FUNDS_MAX))
        parts.append(struct.pack(follower_messages.FUNDS_FORMAT, *told))
    if poll.settled:
        winner = terminal_bytes.outcome_codes(poll.outcome)
        parts.append(struct.pack(follower_messages.SETTLED_FORMAT, poll.paid_coup, *winner))
    for account, of, first, paid in poll.settled:
        parts.append(struct.pack(follower_messages.PLAYER_FORMAT, account, of, first, len(paid)))
        parts.append(terminal_bytes.card_paid_bytes(paid))
    begin = envelope_bytes(follower_messages.FOLLOWER_POLL, envelope)
    return mac.signed(key, begin + b"".join(parts))


def sentence_bytes(sentence: Sentence) -> bytes:
    """Gives a sentence as a poll has it."""
    said = cut((sentence.rule + "\0" + sentence.why).encode(), terminal_messages.SENTENCE_MAX)
    return bytes([len(said)]) + said


def open_follower_poll(payload: bytes, key: bytes) -> "tuple[Envelope, FollowerPoll] | None":
    """Gives the poll in a payload, if its key signed it."""
    opened = terminal_bytes.open_signed(
        payload, follower_messages.FOLLOWER_POLL, follower_messages.FOLLOWER_POLL_SIZE, key
    )
    if opened is None:
        return None
    envelope, body, rest = opened
    fields = struct.unpack(follower_messages.FOLLOWER_POLL_FORMAT, body)
    boot, echo, state, coup, flags, room, answered, first, verdicts, said, funds, paid = fields
    reader = _Reader(rest)
    codes = reader.take(verdicts)
    sentences = []
    for _ in range(said):
        (size,) = reader.unpack("<B")
        sentences.append(terminal_bytes.sentence_of(reader.take(size)))
    known = [reader.unpack(follower_messages.FUNDS_FORMAT) for _ in range(funds)]
    paid_coup, outcome, settled = 0, None, []
    if paid:
        paid_coup, winner, points, banker = reader.unpack(follower_messages.SETTLED_FORMAT)
        outcome = terminal_bytes.outcome_of(winner, points, banker)
        for _ in range(paid):
            account, of, before, entries = reader.unpack(follower_messages.PLAYER_FORMAT)
            told = reader.take(entries * terminal_messages.CARD_PAYMENT_SIZE)
            settled.append((account, of, before, terminal_bytes.card_paid_of(told)))
    if not reader.is_over() or state not in _STATE_NAMES or outcome is False or False in sentences:
        return None
    if [code for code in codes if code > said] or [one for one in known if one[1] > 1]:
        return None
    return envelope, FollowerPoll(
        boot,
        echo,
        _STATE_NAMES[state],
        coup,
        flags,
        room,
        answered,
        first,
        tuple([sentences[code - 1] if code else None for code in codes]),
        tuple([(account, seated == 1, cents) for account, seated, cents in known]),
        paid_coup,
        outcome,
        tuple(settled),
    )


def follower_reply_bytes(envelope: Envelope, reply: FollowerReply, key: bytes) -> bytes:
    """Gives the payload of a reply, signed."""
    body = struct.pack(
        follower_messages.FOLLOWER_REPLY_FORMAT,
        reply.boot,
        reply.number,
        reply.first,
        reply.coup,
        len(reply.asks),
        min(_COUNT_MAX, reply.more),
    )
    asked = [_ask_bytes(ask, envelope, key) for ask in reply.asks]
    begin = envelope_bytes(follower_messages.FOLLOWER_REPLY, envelope)
    return mac.signed(key, begin + body + b"".join(asked))


def ask_size(ask: Any) -> int:
    """Gives the bytes that an ask has in a reply."""
    if isinstance(ask, FollowerSignOn):
        return follower_messages.FOLLOWER_ASK_SIZE + terminal_messages.PROOF_SIZE
    if isinstance(ask, Follow):
        return follower_messages.FOLLOW_SIZE
    return follower_messages.FOLLOWER_ASK_SIZE


def open_follower_reply(payload: bytes, key: bytes) -> "tuple[Envelope, FollowerReply] | None":
    """Gives the reply in a payload, if its key signed it. A Follow has the reply's coup."""
    opened = terminal_bytes.open_signed(
        payload, follower_messages.FOLLOWER_REPLY, follower_messages.FOLLOWER_REPLY_SIZE, key
    )
    if opened is None:
        return None
    envelope, body, rest = opened
    boot, number, first, coup, count, more = struct.unpack(
        follower_messages.FOLLOWER_REPLY_FORMAT, body
    )
    reader = _Reader(rest)
    asks = [_ask(reader, coup) for _ in range(count)]
    if not reader.is_over() or None in asks or (count and not first):
        return None
    if first + count - 1 > follower_messages.NUMBER_MAX:
        return None
    return envelope, FollowerReply(boot, number, first, coup, tuple(asks), more)


class _Reader:
    """Takes one thing behind the other out of bytes. Too few are no error before `is_over`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        """Gives the next bytes; zeros for those that are missing."""
        taken = bytes(self._data[self._at : self._at + size])
        self._at += size
        return taken + bytes(size - len(taken))

    def unpack(self, form: str) -> Any:
        """Gives the next fields."""
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def is_over(self) -> bool:
        """Tells whether that was all there is, and no more."""
        return self._at == len(self._data)


def _verdict_bytes(verdicts: "Sequence[Any]") -> "tuple[bytes, list[bytes]]":
    """Returns the codes, and the sentences that they name, each once."""
    codes, sentences = [], []  # type: tuple[list[int], list[bytes]]
    for sentence in verdicts:
        if sentence is None:
            codes.append(0)
            continue
        said = sentence_bytes(sentence)
        if said not in sentences:
            sentences.append(said)
        codes.append(sentences.index(said) + 1)
    return bytes(codes), sentences


def _ask_bytes(ask: Any, envelope: Envelope, key: bytes) -> bytes:
    act, seat, rest = follower_messages.SIGN_OFF, 0, b""
    if isinstance(ask, FollowerSignOn):
        act = follower_messages.SIGN_ON
        rest = terminal_bytes.proof(envelope, key, ask.account, ask.key)
    elif isinstance(ask, Follow):
        act = follower_messages.FOLLOW_ALL if ask.double else follower_messages.FOLLOW
        seat, rest = ask.seat, struct.pack(follower_messages.FOLLOW_FORMAT, ask.cents)
    elif isinstance(ask, TakeBackBehind):
        act, seat = follower_messages.TAKE_BACK, ask.seat
    code = act + follower_messages.SEATS * seat
    return struct.pack(follower_messages.FOLLOWER_ASK_FORMAT, code, ask.account) + rest


def _ask(reader: _Reader, coup: int) -> Any:
    """Returns the next ask; None for what is none."""
    code, account = reader.unpack(follower_messages.FOLLOWER_ASK_FORMAT)
    act, seat = code % follower_messages.SEATS, code // follower_messages.SEATS
    if act in (follower_messages.FOLLOW, follower_messages.FOLLOW_ALL):
        (cents,) = reader.unpack(follower_messages.FOLLOW_FORMAT)
        return Follow(account, coup, seat, act == follower_messages.FOLLOW_ALL, cents)
    if act == follower_messages.TAKE_BACK:
        return TakeBackBehind(account, seat)
    if act == follower_messages.SIGN_ON and not seat:
        return SignOnProof(account, reader.take(terminal_messages.PROOF_SIZE))
    return FollowerSignOff(account) if act == follower_messages.SIGN_OFF and not seat else None
