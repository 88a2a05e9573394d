"""What a card table's terminals and followers say, byte by byte."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.bus import follower_messages, terminal_messages
from firmware.bus.follower_bytes import (
    follower_poll_bytes,
    follower_reply_bytes,
    open_follower_poll,
    open_follower_reply,
)
from firmware.bus.follower_messages import (
    Follow,
    FollowerPoll,
    FollowerReply,
    FollowerSignOff,
    FollowerSignOn,
    TakeBackBehind,
)
from firmware.bus.mac import signed
from firmware.bus.terminal_bytes import open_poll, open_reply, poll_bytes, proof, reply_bytes
from firmware.bus.terminal_messages import (
    CARD_BETS,
    DECISIONS,
    CardPayments,
    Decide,
    Envelope,
    Poll,
    Reply,
    Sentence,
    SignOnProof,
)
from firmware.stakes.answers import CardDue, CardPaid

KEY = bytes(range(32))
ENVELOPE = Envelope(3, 0x1122334455667788, 9)
DUE = CardDue("decision", 3, 2, ("hit", "stand", "double"), 5_000, 9, 7_250_000, "7/17")
POLL = Poll(0xAABBCCDD, 5, "PLAYING", 7, 6, 4, 1, 6, 0, 3, 2_500, None, DUE)
REPLY = Reply(0xAABBCCDD, 6, 4, 6, 0, 3, 5, Decide(7, 3, 2, "double", 2_500, 9))
_HEAD = "8877665544332211" + "09000000"
_POLL = "ddccbbaa" + "05000000" + "0e" + "07000000" + "46" + "04000000" + "01" + "06000000"
_DUE = "01" + "0302" + "07" + "88130000" + "09" + "4800" + "0701"
FOLLOWERS = FollowerPoll(
    0xAABBCCDD, 5, "BETS_OPEN", 7, 3, 480, 144, 142,
    (None, Sentence("2.9.2", "non"), Sentence("2.9.2", "non")), ((12, True, 2_500),),
    6, {"dealer": 19}, ((12, 2, 1, (CardPaid(141, "behind", 4, 1, 1_000, -1_000),)),),
)  # fmt: skip
ASKS = (
    Follow(12, 7, 4, True, 1_000), Follow(13, 7, 5, False, 500), TakeBackBehind(12, 4),
    FollowerSignOff(13),
)  # fmt: skip
FOLLOWED = FollowerReply(0xAABBCCDD, 6, 142, 7, ASKS, 3)


def test_what_is_due_stands_in_these_very_bytes_before_the_part() -> None:
    body = _POLL + "00" + "03" + "c4090000" + "00" + _DUE
    payload = signed(KEY, bytes.fromhex("070303" + _HEAD + body))
    assert poll_bytes(ENVELOPE, POLL, KEY, 50_000).hex() == payload.hex()
    opened = open_poll(payload, KEY, 1_000_000)
    left_us = 7_200_000  # tenths
    assert opened == (ENVELOPE, POLL._replace(due=DUE._replace(until_us=1_000_000 + left_us)))


def test_payments_of_a_round_are_these_very_bytes() -> None:
    paid = CardPaid(2, "insurance", 3, 1, 500, -500)
    part = CardPayments({"winner": "tie", "player": 6, "banker": 6}, 1, (paid,))
    poll = POLL._replace(due=None, paid=2, part=part)
    body = _POLL.replace("4604", "0604") + "02" + "03" + "c4090000" + "03"
    body += "03060601" + "02000000" + "4b" + "0301" + "f4010000" + "0cfeffffffffffff"
    payload = signed(KEY, bytes.fromhex("070303" + _HEAD + body))
    assert poll_bytes(ENVELOPE, poll, KEY).hex() == payload.hex()
    assert open_poll(payload, KEY) == (ENVELOPE, poll)


@pytest.mark.parametrize("outcome", [None, {"dealer": 26}])
def test_payments_and_what_is_due_come_together(outcome: Any) -> None:
    poll = POLL._replace(part=CardPayments(outcome, 0, ()), due=DUE._replace(until_us=None))
    assert open_poll(poll_bytes(ENVELOPE, poll, KEY, 9), KEY, 77) == (ENVELOPE, poll)


def test_a_decision_is_these_very_bytes() -> None:
    body = "ddccbbaa" + "06000000" + "04000000" + "06000000" + "0003" + "05000000" + "06"
    body += "07000000" + "0302" + "04" + "c4090000" + "09"
    payload = signed(KEY, bytes.fromhex("070403" + _HEAD + body))
    assert reply_bytes(ENVELOPE, REPLY, KEY).hex() == payload.hex()
    assert open_reply(payload, KEY) == (ENVELOPE, REPLY)


def test_the_poll_of_the_followers_is_these_very_bytes() -> None:
    body = "ddccbbaa" + "05000000" + "01" + "07000000" + "03" + "e001" + "90000000" + "8e000000"
    body += "03" + "01" + "01" + "01" + "000101" + "09" + b"2.9.2\0non".hex()
    body += "0c000000" + "01" + "c4090000" + "06000000" + "041300" + "0c000000" + "020101"
    body += "8d000000" + "45" + "0401" + "e8030000" + "18fcffffffffffff"
    payload = signed(KEY, bytes.fromhex("070903" + _HEAD + body))
    assert follower_poll_bytes(ENVELOPE, FOLLOWERS, KEY).hex() == payload.hex()
    assert open_follower_poll(payload, KEY) == (ENVELOPE, FOLLOWERS)
    assert open_poll(payload, KEY) is None
    assert open_follower_reply(payload, KEY) is None


def test_what_followers_ask_is_these_very_bytes() -> None:
    body = "ddccbbaa" + "06000000" + "8e000000" + "07000000" + "04" + "03"
    body += "44" + "0c000000" + "e8030000" + "53" + "0d000000" + "f4010000"
    body += "45" + "0c000000" + "02" + "0d000000"
    payload = signed(KEY, bytes.fromhex("070a03" + _HEAD + body))
    assert follower_reply_bytes(ENVELOPE, FOLLOWED, KEY).hex() == payload.hex()
    assert open_follower_reply(payload, KEY) == (ENVELOPE, FOLLOWED)


@pytest.mark.req("IEC-CR-1.2")
def test_a_follower_shows_his_own_key_in_that_one_reply() -> None:
    own = KEY[::-1]
    reply = FOLLOWED._replace(asks=(FollowerSignOn(12, own),))
    said = follower_reply_bytes(ENVELOPE, reply, KEY)
    assert own not in said
    shown = proof(ENVELOPE, KEY, 12, own)
    opened = open_follower_reply(said, KEY)
    assert opened is not None and opened[1].asks == (SignOnProof(12, shown),)
    assert open_follower_reply(said, bytes(32)) is None
    again = follower_reply_bytes(ENVELOPE._replace(counter=10), reply, KEY)
    assert shown not in again


def test_every_bet_of_cards_and_every_decision_has_a_code() -> None:
    taken = {bet.name for game in rules.CARD_GAMES for bet in rules.load(game)["bets"]}
    assert {name for _, name in CARD_BETS} == taken | {"insurance", "insurance_behind"}
    codes = {code for code, _ in (*terminal_messages.BETS, *CARD_BETS)}
    assert len(codes) == len(terminal_messages.BETS) + len(CARD_BETS)
    assert [code for code, _ in DECISIONS] == [1 << at for at in range(len(DECISIONS))]


# What a key holder could sign and mean nothing by.
@pytest.mark.parametrize(
    ("place", "value"), [(45, 0), (45, 3), (48, 0x40), (57, 2), (28, 0x06), (44, 3)]
)
def test_what_is_due_and_contradicts_itself_is_none(place: int, value: int) -> None:
    payload = bytearray(poll_bytes(ENVELOPE, POLL, KEY)[:-8])
    payload[place] = value
    assert open_poll(signed(KEY, bytes(payload)), KEY) is None


@pytest.mark.parametrize(
    ("place", "value"), [(23, 0), (39, 4), (40, 0), (40, 2), (41, 2), (42, 2), (52, 32), (60, 5)]
)
def test_a_poll_of_followers_that_contradicts_itself_is_none(place: int, value: int) -> None:
    payload = bytearray(follower_poll_bytes(ENVELOPE, FOLLOWERS, KEY)[:-8])
    payload[place] = value
    assert open_follower_poll(signed(KEY, bytes(payload)), KEY) is None


@pytest.mark.parametrize(("place", "value"), [(31, 3), (31, 5), (33, 0x40), (33, 0x46), (33, 0x41)])
def test_a_reply_of_followers_that_contradicts_itself_is_none(place: int, value: int) -> None:
    payload = bytearray(follower_reply_bytes(ENVELOPE, FOLLOWED, KEY)[:-8])
    payload[place] = value
    assert open_follower_reply(signed(KEY, bytes(payload)), KEY) is None


def test_no_ask_has_a_number_behind_which_none_is() -> None:
    for first, count in ((2**32 - 1, 0), (2**32 - 2, 1), (2**32 - 5, 4)):
        reply = FOLLOWED._replace(first=first, asks=ASKS[:count])
        assert open_follower_reply(follower_reply_bytes(ENVELOPE, reply, KEY), KEY) is not None
    for first, count in ((2**32 - 1, 1), (2**32 - 1, 2), (2**32 - 4, 4)):
        reply = FOLLOWED._replace(first=first, asks=ASKS[:count])
        assert open_follower_reply(follower_reply_bytes(ENVELOPE, reply, KEY), KEY) is None


@given(st.binary(max_size=200))
def test_whatever_a_key_signed_is_opened_or_refused(body: bytes) -> None:
    for kind, opened in (
        (follower_messages.FOLLOWER_POLL, open_follower_poll),
        (follower_messages.FOLLOWER_REPLY, open_follower_reply),
    ):
        payload = signed(KEY, bytes([terminal_messages.VERSION, kind]) + body)
        found: Any = opened(payload, KEY)
        assert found is None or found[0].address == body[0]


_WHOLE = st.integers(0, 2**32 - 1)
_ASKS = st.one_of(
    st.builds(Follow, _WHOLE, st.just(7), st.integers(1, 15), st.booleans(), _WHOLE),
    st.builds(TakeBackBehind, _WHOLE, st.integers(1, 15)),
    st.builds(FollowerSignOff, _WHOLE),
)


@given(st.lists(_ASKS, max_size=40), st.integers(1, 2**32 - 1 - 40))
def test_any_asks_come_back(asks: list[Any], first: int) -> None:
    reply = FollowerReply(1, 2, first, 7, tuple(asks), 0)
    opened = open_follower_reply(follower_reply_bytes(ENVELOPE, reply, KEY), KEY)
    assert opened == (ENVELOPE, reply)


@given(st.lists(st.sampled_from([None, Sentence("a", "b"), Sentence("", "é")]), max_size=100))
def test_any_verdicts_come_back(verdicts: list[Any]) -> None:
    poll = FOLLOWERS._replace(verdicts=tuple(verdicts))
    opened = open_follower_poll(follower_poll_bytes(ENVELOPE, poll, KEY), KEY)
    assert opened == (ENVELOPE, poll)
