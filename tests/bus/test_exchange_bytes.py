import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import message_bytes, terminal_messages
from firmware.bus.mac import signed
from firmware.bus.message_bytes import address_of, cut
from firmware.bus.terminal_bytes import open_poll, open_reply, poll_bytes, proof, reply_bytes
from firmware.bus.terminal_messages import (
    BETS,
    ENVELOPE_SIZE,
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
from rules import WHEEL_GAMES, announced_bets, limits, load

KEY = bytes(range(32))
ENVELOPE = Envelope(3, 0x1122334455667788, 9)
POLL = Poll(0xAABBCCDD, 5, "BETS_OPEN", 7, 3, 4, 1, 6, 0, 3, 2_500, None, None)
REPLY = Reply(0xAABBCCDD, 6, 4, 6, 0, 3, 5, Stake(7, "cheval", 1_000, (1, 2)))
_ENVELOPE = "0703038877665544332211" + "09000000"
_REPLY = "ddccbbaa" + "06000000" + "04000000" + "06000000" + "0003"
_SEAT = "03" + "c4090000"  # and funds


@pytest.mark.parametrize(
    ("poll", "body"),
    [
        (POLL, "00000000" * 0 + "ddccbbaa" + "05000000" + "01" + "07000000" + "03" + "04000000"
         + "01" + "06000000" + "00" + _SEAT + "00"),
        (
            POLL._replace(verdict=2, part=Sentence("art. 47", "non")),
            "ddccbbaa" + "05000000" + "01" + "07000000" + "03" + "04000000" + "02" + "06000000"
            + "00" + _SEAT + "01" + b"art. 47\0non".hex(),
        ),
        (
            POLL._replace(paid=2, part=Payments(17, "black", 1, ((2, 500, -500),))),
            "ddccbbaa" + "05000000" + "01" + "07000000" + "03" + "04000000" + "01" + "06000000"
            + "02" + _SEAT + "02" + "110201" + "02000000" + "f4010000" + "0cfeffffffffffff",
        ),
        (
            POLL._replace(paid=1, part=Payments(None, None, 0, ())),
            "ddccbbaa" + "05000000" + "01" + "07000000" + "03" + "04000000" + "01" + "06000000"
            + "01" + _SEAT + "02" + "ff0000",
        ),
    ],
)  # fmt: skip
def test_a_poll_is_these_very_bytes(poll: Poll, body: str) -> None:
    payload = signed(KEY, bytes.fromhex(_ENVELOPE + body))
    assert poll_bytes(ENVELOPE, poll, KEY).hex() == payload.hex()
    assert open_poll(payload, KEY) == (ENVELOPE, poll)
    assert address_of(payload, terminal_messages.POLL) == 3
    assert address_of(payload, terminal_messages.REPLY) == 0
    assert open_reply(payload, KEY) is None  # the direction is signed


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        (REPLY, "05000000" + "03" + "07000000" + "02" + "e8030000" + "0102"),
        (REPLY._replace(ask=SignOff()), "05000000" + "02"),
        (REPLY._replace(ask=TakeBack(4)), "05000000" + "04" + "04000000"),
        (REPLY._replace(request=0, ask=None), "00000000" + "00"),
    ],
)
def test_a_reply_is_these_very_bytes(reply: Reply, body: str) -> None:
    envelope = "0704" + _ENVELOPE[4:]
    payload = signed(KEY, bytes.fromhex(envelope + _REPLY + body))
    assert reply_bytes(ENVELOPE, reply, KEY).hex() == payload.hex()
    assert open_reply(payload, KEY) == (ENVELOPE, reply)
    assert open_poll(payload, KEY) is None


def test_a_sign_on_shows_a_key_in_that_one_reply_and_never_the_key() -> None:
    said = reply_bytes(ENVELOPE, REPLY._replace(ask=SignOn(7, KEY[::-1])), KEY)
    assert KEY[::-1] not in said
    asked = b"sign on" + said[:ENVELOPE_SIZE] + (7).to_bytes(4, "little") + KEY[::-1]
    shown = hmac.digest(KEY, asked, "sha256")[:16]
    opened = open_reply(said, KEY)
    assert opened is not None and opened[1].ask == SignOnProof(7, shown)
    assert proof(ENVELOPE, KEY, 7, KEY[::-1]) == shown
    others = [
        proof(ENVELOPE._replace(counter=10), KEY, 7, KEY[::-1]),
        proof(ENVELOPE._replace(session=1), KEY, 7, KEY[::-1]),
        proof(ENVELOPE, bytes(32), 7, KEY[::-1]),
        proof(ENVELOPE, KEY, 8, KEY[::-1]),
        proof(ENVELOPE, KEY, 7, KEY),
    ]
    assert shown not in others


def test_money_put_in_comes_back() -> None:
    reply = REPLY._replace(ask=PutIn(5_000))
    said = reply_bytes(ENVELOPE, reply, KEY)
    assert open_reply(said, KEY) == (ENVELOPE, reply)


def test_the_code_of_a_poll_is_this_very_one() -> None:
    assert poll_bytes(ENVELOPE, POLL, KEY)[-8:].hex() == "6df7a5b7135eac22"


def test_every_bet_of_every_game_has_a_code() -> None:
    known = {name for game in WHEEL_GAMES for name in limits.names(load(game))}
    assert {name for _, name in BETS} == known | set(announced_bets.NAMES)
    assert len({code for code, _ in BETS}) == len(BETS)
    assert 0 not in dict(BETS)


@given(st.integers(0, 2**64 - 1), st.sampled_from(BETS), st.integers(0, 2**32 - 1))
def test_any_stake_comes_back(session: int, bet: tuple[int, str], cents: int) -> None:
    envelope = ENVELOPE._replace(session=session)
    reply = REPLY._replace(ask=Stake(7, bet[1], cents, tuple(range(6))))
    assert open_reply(reply_bytes(envelope, reply, KEY), KEY) == (envelope, reply)


@pytest.mark.req("IEC-CR-1.2")
def test_another_terminals_key_opens_nothing() -> None:
    assert open_poll(poll_bytes(ENVELOPE, POLL, KEY), bytes(32)) is None
    assert open_reply(reply_bytes(ENVELOPE, REPLY, KEY), bytes(32)) is None


# What a key holder could sign and mean nothing by.
@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 1), (1, 5), (23, 0), (23, 18), (33, 3), (44, 3), (44, 1), (44, 2)],
)
def test_a_signed_poll_that_contradicts_itself_is_none(place: int, value: int) -> None:
    payload = bytearray(poll_bytes(ENVELOPE, POLL, KEY)[:-8])
    payload[place] = value
    assert open_poll(signed(KEY, bytes(payload)), KEY) is None


@pytest.mark.parametrize(
    ("code", "asked", "rest"),
    [
        (0, 5, ""), (1, 0, "61"), (1, 5, "ff"), (1, 5, "61" * 25), (2, 5, "00"), (3, 5, "07"),
        (3, 5, "07000000" + "02" + "e8030000" + "01" * 7), (4, 5, "0400"), (5, 5, ""),
    ],
)  # fmt: skip
def test_a_signed_reply_that_contradicts_itself_is_none(code: int, asked: int, rest: str) -> None:
    envelope = "0704" + _ENVELOPE[4:]
    ask = asked.to_bytes(4, "little").hex() + f"{code:02x}" + rest
    assert open_reply(signed(KEY, bytes.fromhex(envelope + _REPLY + ask)), KEY) is None


@given(st.binary(max_size=120))
def test_whatever_a_key_signed_is_opened_or_refused(body: bytes) -> None:
    for kind, opened in (
        (terminal_messages.POLL, open_poll),
        (terminal_messages.REPLY, open_reply),
    ):
        payload = signed(KEY, bytes([terminal_messages.VERSION, kind]) + body)
        found = opened(payload, KEY)
        assert found is None or found[0].address == body[0]


def test_a_sentence_that_is_too_long_is_cut_between_characters() -> None:
    assert cut("éé".encode(), 3) == "é".encode()
    part = Sentence("art. 37-1", "é" * 300)
    opened = open_poll(poll_bytes(ENVELOPE, POLL._replace(part=part), KEY), KEY)
    assert opened is not None
    assert opened[1].part == Sentence("art. 37-1", "é" * 115)


def test_displays_take_no_message_of_the_terminals_for_theirs_though_the_key_be_one() -> None:
    for payload in (poll_bytes(ENVELOPE, POLL, KEY), reply_bytes(ENVELOPE, REPLY, KEY)):
        assert message_bytes.open_ask(payload, 3, KEY) is None
        assert message_bytes.open_answer(payload, KEY) is None
        assert message_bytes.open_heartbeat(payload, 3, KEY, [bytes(8)]) is None
