"""Polls and replies as bytes (terminal_messages.py).

`open_*` answers None for whatever is not whole, not consistent, or not signed with the key of its
one terminal; the code is checked first.
"""

import struct

from firmware.bus import card_record, mac, messages, terminal_messages
from firmware.bus.message_bytes import cut, envelope_bytes, envelope_of
from firmware.bus.terminal_messages import (
    CardPayments,
    Decide,
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
from firmware.shims.typed import Any, Sequence
from firmware.stakes.answers import CardDue, CardPaid

_STATE_NAMES = dict(messages.STATES)
_COLOUR_CODES = {name: code for code, name in messages.COLOURS}
_COLOUR_NAMES = dict(messages.COLOURS)
_BETS = terminal_messages.BETS + terminal_messages.CARD_BETS
_BET_CODES = {name: code for code, name in _BETS}
_BET_NAMES = dict(_BETS)
_DECISION_NAMES = dict(terminal_messages.DECISIONS)
_DECISION_CODES = {name: code for code, name in terminal_messages.DECISIONS}
_DUE_NAMES = dict(terminal_messages.DUE_KINDS)
_DUE_CODES = {name: code for code, name in terminal_messages.DUE_KINDS}
_WINNER_NAMES = dict(card_record.WINNERS)
_WINNER_CODES = {name: code for code, name in card_record.WINNERS}
_ACE = 10  # points that an ace counts more, once
_TENTH_US = 100_000


def poll_bytes(envelope: Envelope, poll: Poll, key: bytes, now_us: int = 0) -> bytes:
    """Gives the payload of a poll, signed. `now_us`: on the clock of what is due."""
    body = struct.pack(
        terminal_messages.POLL_FORMAT,
        poll.boot,
        poll.echo,
        messages.STATE_CODES[poll.state],
        poll.coup,
        poll.flags | (terminal_messages.DUE if poll.due is not None else 0),
        poll.answered,
        poll.verdict,
        poll.settled,
        poll.paid,
        poll.seat,
        min(poll.funds, terminal_messages.FUNDS_MAX),
        _part_code(poll.part),
    )
    if poll.due is not None:
        body += _due_bytes(poll.due, now_us)
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


def open_poll(payload: bytes, key: bytes, now_us: int = 0) -> "tuple[Envelope, Poll] | None":
    """Gives the poll in a payload, if its key signed it. `now_us`: on the clock that what is due is
    told on.
    """
    opened = open_signed(payload, terminal_messages.POLL, terminal_messages.POLL_FIELDS_SIZE, key)
    if opened is None:
        return None
    envelope, body, rest = opened
    fields = struct.unpack(terminal_messages.POLL_FORMAT, body)
    boot, echo, state, coup, flags, answered, verdict, settled, paid, seat, funds, code = fields
    due = None
    if flags & terminal_messages.DUE:
        flags -= terminal_messages.DUE
        due = _due(rest[: terminal_messages.DUE_SIZE], now_us)
        rest = rest[terminal_messages.DUE_SIZE :]
        if due is None:
            return None
    part = _part(code, rest)
    if state not in _STATE_NAMES or verdict > terminal_messages.REFUSED or part is False:
        return None
    return envelope, Poll(
        boot, echo, _STATE_NAMES[state], coup, flags, answered, verdict, settled, paid, seat, funds,
        part, due,
    )  # fmt: skip


def open_reply(payload: bytes, key: bytes) -> "tuple[Envelope, Reply] | None":
    """Gives the reply in a payload, if its key signed it."""
    opened = open_signed(payload, terminal_messages.REPLY, terminal_messages.REPLY_FIELDS_SIZE, key)
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


def open_signed(payload: bytes, kind: int, size: int, key: bytes) -> Any:
    """Gives envelope, fields and rest of a payload of that kind, or None. The code is checked
    first.
    """
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
    if isinstance(part, CardPayments):
        return terminal_messages.CARD_PAYMENTS
    return terminal_messages.SENTENCE if isinstance(part, Sentence) else terminal_messages.PAYMENTS


def _due_bytes(due: CardDue, now_us: int) -> bytes:
    left = terminal_messages.NO_TIME
    if due.until_us is not None:
        tenths = max(0, due.until_us - now_us) // _TENTH_US
        left = min(terminal_messages.NO_TIME - 1, tenths)
    points = due.points.split("/")
    return struct.pack(
        terminal_messages.DUE_FORMAT,
        _DUE_CODES[due.kind],
        due.seat,
        due.hand,
        sum([_DECISION_CODES[choice] for choice in due.choices]),
        due.cents,
        due.seen,
        left,
        int(points[0] or 0),
        len(points) - 1,
    )


def _due(told: bytes, now_us: int) -> "CardDue | None":
    """Returns what is due; None for what no controller tells."""
    if len(told) != terminal_messages.DUE_SIZE:
        return None
    kind, seat, hand, bits, cents, seen, left, points, soft = struct.unpack(
        terminal_messages.DUE_FORMAT, told
    )
    if kind not in _DUE_NAMES or soft > 1 or bits >= 2 * terminal_messages.DECISIONS[-1][0]:
        return None
    words = "" if not points else str(points)
    if soft:
        words += "/" + str(points + _ACE)
    return CardDue(
        _DUE_NAMES[kind],
        seat,
        hand,
        tuple([name for code, name in terminal_messages.DECISIONS if bits & code]),
        cents,
        seen,
        None if left == terminal_messages.NO_TIME else now_us + left * _TENTH_US,
        words,
    )


def outcome_codes(outcome: Any) -> "tuple[int, int, int]":
    """Gives winner and points as a round's outcome has them on the line."""
    if outcome is None:
        return terminal_messages.VOIDED, 0, 0
    if "dealer" in outcome:
        return terminal_messages.DEALT, outcome["dealer"], 0
    return _WINNER_CODES[outcome["winner"]], outcome["player"], outcome["banker"]


def outcome_of(winner: int, points: int, banker: int) -> Any:
    """Gives the outcome of a round, None for a void; False for what is none."""
    if winner == terminal_messages.VOIDED:
        return None if (points, banker) == (0, 0) else False
    if winner == terminal_messages.DEALT:
        return {"dealer": points} if banker == 0 else False
    if winner not in _WINNER_NAMES:
        return False
    return {"winner": _WINNER_NAMES[winner], "player": points, "banker": banker}


def card_paid_bytes(entries: "Sequence[CardPaid]") -> bytes:
    """Gives payments of a round of cards, one behind the other."""
    told = []
    for one in entries:
        told.append(
            struct.pack(
                terminal_messages.CARD_PAYMENT_FORMAT,
                one.id,
                _BET_CODES.get(one.bet, 0),
                one.seat,
                one.hand,
                one.cents,
                one.won_cents,
            )
        )
    return b"".join(told)


def card_paid_of(told: bytes) -> "tuple[CardPaid, ...] | None":
    """Gives the payments in so many bytes; None if they are none."""
    size = terminal_messages.CARD_PAYMENT_SIZE
    if len(told) % size:
        return None
    entries = []
    for at in range(0, len(told), size):
        number, bet, seat, hand, cents, won = struct.unpack(
            terminal_messages.CARD_PAYMENT_FORMAT, told[at : at + size]
        )
        entries.append(CardPaid(number, _BET_NAMES.get(bet, ""), seat, hand, cents, won))
    return tuple(entries)


def _part_bytes(part: Any) -> bytes:
    if part is None:
        return b""
    if isinstance(part, Sentence):
        return cut((part.rule + "\0" + part.why).encode(), terminal_messages.SENTENCE_MAX)
    if isinstance(part, CardPayments):
        winner, points, banker = outcome_codes(part.outcome)
        head = struct.pack(
            terminal_messages.CARD_PAYMENTS_FORMAT, winner, points, banker, part.first
        )
        return head + card_paid_bytes(part.entries)
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
        return sentence_of(rest)
    if code == terminal_messages.CARD_PAYMENTS:
        return _card_payments(rest)
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


def sentence_of(told: bytes) -> Any:
    """Gives the sentence in so many bytes; False if it is none."""
    try:
        words = bytes(told).decode().split("\0")
    except (UnicodeError, ValueError):
        return False
    return Sentence(words[0], words[1]) if len(words) == 2 else False


def _card_payments(rest: bytes) -> Any:
    """Returns payments of a round of cards; False if they are none."""
    size = terminal_messages.CARD_PAYMENTS_SIZE
    if len(rest) < size:
        return False
    winner, points, banker, first = struct.unpack(
        terminal_messages.CARD_PAYMENTS_FORMAT, rest[:size]
    )
    outcome, entries = outcome_of(winner, points, banker), card_paid_of(rest[size:])
    if outcome is False or entries is None:
        return False
    return CardPayments(outcome, first, entries)


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
    if isinstance(ask, Decide):
        return terminal_messages.DECIDE, struct.pack(
            terminal_messages.DECIDE_FORMAT,
            ask.coup,
            ask.seat,
            ask.hand,
            _DECISION_CODES[ask.do],
            ask.cents,
            ask.seen,
        )
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
    if code == terminal_messages.DECIDE:
        if len(rest) != terminal_messages.DECIDE_SIZE:
            return False
        coup, seat, hand, do, cents, seen = struct.unpack(terminal_messages.DECIDE_FORMAT, rest)
        name = _DECISION_NAMES.get(do)
        return False if name is None else Decide(coup, seat, hand, name, cents, seen)
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
