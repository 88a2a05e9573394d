"""One display, asked and told by hand: whom it believes, and for how long."""

from typing import Any

import pytest
from hand import BEAT, KEY, LEDGER, OPEN, OTHER, TOLD_TABLE, Hand, framed, lit
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.bus import frame, message_bytes, messages, record
from firmware.bus.messages import Envelope
from firmware.bus.receiver import CHALLENGES_MAX, DARK, FRESH_US
from firmware.store import signing
from tools.bench.busbench import TABLE, Ledger


def test_there_is_a_dash_before_anything_is_heard() -> None:
    display = Hand().display
    assert display.lit == DARK
    assert display.deadline_us is None


@pytest.mark.req("LU-37-1.shown")
def test_a_named_and_signed_number_is_lit() -> None:
    found = lit().display.lit
    assert (found.state, found.number, found.colour, found.seq) == ("CONFIRMED", 20, "black", 3)
    assert (found.epoch, found.coup, found.rotor, found.game) == (1, 3, 1, "roulette")
    assert found.history == ((17, "black"), (18, "red"), (20, "black"))
    assert (found.wheel, found.layout_verified, found.manual) == ("table 7", True, False)


def test_the_dash_comes_a_second_after_the_challenge_not_after_the_answer() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN, 900_000)
    assert hand.display.deadline_us == FRESH_US
    hand.display.tick(FRESH_US - 1)
    assert hand.display.lit.state == "BETS_OPEN"
    hand.display.tick(FRESH_US)
    assert hand.display.lit == DARK


def test_a_challenge_answered_after_a_second_lights_nothing() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN, FRESH_US)
    assert hand.lit_at_once == hand.display.lit == DARK


def test_an_older_challenge_answered_later_shortens_nothing() -> None:
    hand = Hand()
    hand.ask(0)
    first = hand.challenge
    hand.ask(400_000)
    hand.tell(OPEN, 410_000)
    hand.tell(OPEN._replace(counter=2), 420_000, first)
    assert hand.display.deadline_us == 400_000 + FRESH_US


def test_a_heartbeat_that_answers_nobody_here_changes_nothing() -> None:
    hand = lit()
    before = hand.display.lit
    told = message_bytes.heartbeat_bytes(OPEN._replace(counter=9))
    for answers in ([], [(4, KEY, hand.challenge)], [(3, bytes(32), hand.challenge)]):
        hand.send(message_bytes.answered(told, answers), 500_000)
    assert hand.display.lit == before
    assert hand.display.deadline_us == FRESH_US


def test_what_comes_again_or_in_disorder_changes_nothing() -> None:
    hand = lit()
    hand.tell(OPEN._replace(counter=5), 3_000)
    assert hand.display.lit.state == "BETS_OPEN"
    for counter in (5, 4, 1):
        hand.tell(BEAT._replace(counter=counter), 4_000)
    assert hand.display.lit.state == "BETS_OPEN"


def test_a_challenge_never_comes_twice() -> None:
    hand = Hand()
    seen = []
    for turn in range(300):
        answer = hand.ask(turn * 10_000)
        assert answer is not None
        seen.append(answer.challenge)
    assert len(set(seen)) == 300
    assert len(hand.display._challenges) == CHALLENGES_MAX


def test_a_session_that_is_alive_is_the_only_one_that_is_answered() -> None:
    hand = lit()
    assert hand.ask(500_000, session=2) is None
    assert hand.ask(FRESH_US - 1) is not None  # but no heartbeat answers it
    assert hand.ask(FRESH_US, session=2) is not None
    hand.tell(OPEN._replace(session=2), FRESH_US + 1_000)
    assert hand.display.lit.state == "BETS_OPEN"
    assert hand.ask(FRESH_US + 2_000, session=1, counter=99) is None


def test_two_sessions_that_asked_do_not_take_turns() -> None:
    hand = Hand()
    hand.ask(0, session=1)
    first = hand.challenge
    hand.ask(10_000, session=2)
    hand.tell(OPEN._replace(session=2), 20_000)
    hand.tell(BEAT._replace(session=1, counter=50), 30_000, first)
    assert hand.display.lit.state == "BETS_OPEN"


def test_the_greatest_counter_does_not_outlive_who_said_it() -> None:
    """Somebody had the display's key for a while, and the session."""
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN._replace(counter=2**32 - 1), 1_000)
    hand.ask(500_000)
    hand.tell(BEAT._replace(counter=7), 501_000)
    assert hand.display.lit.state == "BETS_OPEN"
    hand.ask(FRESH_US + 1)
    hand.tell(BEAT._replace(counter=8), FRESH_US + 2)
    assert hand.display.lit.state == "CONFIRMED"


def test_a_session_is_believed_only_for_what_it_asked_itself() -> None:
    hand = Hand()
    hand.ask(0, session=1)
    hand.tell(OPEN._replace(session=2), 1_000)
    assert hand.display.lit == DARK


def test_an_ask_counts_once() -> None:
    hand = Hand()
    assert hand.ask(0, counter=7) is not None
    assert hand.ask(1_000, counter=7) is None
    assert hand.ask(2_000, counter=6) is None
    assert hand.ask(3_000, counter=8) is not None


def test_an_ask_that_is_not_the_last_frame_is_answered_no_more() -> None:
    hand = Hand()
    asked = frame.encode(message_bytes.ask_bytes(Envelope(3, 1, 1), KEY))
    other = frame.encode(message_bytes.answered(message_bytes.heartbeat_bytes(BEAT), []))
    assert hand.display.feed(asked + other, 0) == b""
    asked = frame.encode(message_bytes.ask_bytes(Envelope(3, 1, 2), KEY))
    assert hand.display.feed(other + asked, 0) != b""


def test_an_ask_to_another_address_or_with_another_key_is_not_answered() -> None:
    hand = Hand()
    for address, key in ((4, KEY), (3, bytes(32))):
        asked = frame.encode(message_bytes.ask_bytes(Envelope(address, 1, 1), key))
        assert hand.display.feed(asked, 0) == b""
    assert hand.display._challenges == []


def test_it_answers_what_it_lights_believes_and_lacks() -> None:
    hand = Hand()
    answer = hand.ask(0)
    assert answer is not None
    assert answer.lit == messages.lit_digest("STALE", None, 0, 0)
    assert (answer.epoch, answer.seq, answer.want, answer.table) == (0, 0, 0, bytes(4))
    hand.tell(BEAT, 1_000)
    answer = hand.ask(2_000)
    assert answer is not None
    assert (answer.want, answer.lit) == (3, messages.lit_digest("CONFIRMED", None, 1, 3))
    hand.record(LEDGER.records[2], 3_000)
    hand.send(TOLD_TABLE, 3_000)
    answer = hand.ask(4_000)
    assert answer is not None
    assert answer.lit == messages.lit_digest("CONFIRMED", 20, 1, 3)
    assert (answer.epoch, answer.seq, answer.want) == (1, 3, 2)
    assert answer.table == BEAT.table[:4]
    assert hand.display.lit.table == TABLE
    assert answer.kid == record.key_id(LEDGER.root)


def test_a_table_that_no_live_heartbeat_names_is_not_believed() -> None:
    hand = Hand()
    hand.send(TOLD_TABLE, 0)
    hand.ask(0)
    hand.tell(OPEN._replace(table=bytes(8)), 1_000)
    hand.send(TOLD_TABLE, 2_000)
    assert hand.display.lit.table is None
    hand.tell(OPEN._replace(counter=2), 3_000)
    hand.send(TOLD_TABLE.replace(b"table 7", b"table 8"), 4_000)
    assert hand.display.lit.table is None
    hand.send(TOLD_TABLE, 4_000)
    assert hand.display.lit.table == TABLE
    hand.tell(OPEN._replace(counter=3, table=bytes(8)), 5_000)
    assert hand.display.lit.table is None


def test_a_lost_port_is_a_dash_at_once_and_nothing_old_answers() -> None:
    hand = lit()
    hand.display.drop()
    assert hand.display.lit == DARK
    hand.tell(BEAT._replace(counter=2), 3_000)
    assert hand.display.lit == DARK
    hand.ask(4_000)
    hand.tell(BEAT._replace(counter=3), 5_000)
    assert hand.display.lit.number == 20  # the records are still here


@pytest.mark.parametrize("state", ["DETECTED", "MANUAL", "FAULT", "BETS_OPEN", "VOID"])
def test_no_other_state_lights_the_number(state: str) -> None:
    hand = lit()
    hand.tell(BEAT._replace(counter=2, state=state), 3_000)
    found = hand.display.lit
    assert (found.state, found.number, found.colour, found.reason) == (state, None, None, None)


def test_who_checks_slowly_is_dark_meanwhile_and_lit_afterwards() -> None:
    """A microcontroller that takes 3 s for a signature, with a screen of its own."""
    takes_us, now_us, screen = 3_000_000, [0], [DARK]
    hand = Hand()

    def verify(public: bytes, signature: bytes, message: bytes) -> bool:
        assert screen[0] == DARK
        now_us[0] += takes_us
        return signing.verify(public, signature, message)

    hand.display._record_chain._verify = verify
    for turn in range(1, 40):
        now_us[0] += 100_000
        hand.ask(now_us[0])
        told = message_bytes.heartbeat_bytes(BEAT._replace(counter=turn))
        for payload in (
            message_bytes.answered(told, [(3, KEY, hand.challenge)]),
            message_bytes.record_bytes(LEDGER.records[2]),
        ):
            hand.display.feed(frame.encode(payload), now_us[0])
            screen[0] = hand.display.lit
            while hand.display.waits(now_us[0], takes_us):
                screen[0] = hand.display.lit
                hand.display.work()
                hand.display.tick(now_us[0])
                screen[0] = hand.display.lit
    assert now_us[0] < 8_000_000
    assert screen[0].number == 20


def test_who_checks_quickly_stays_lit() -> None:
    hand = lit()
    ledger = Ledger()
    for number in (17, 18, 20, 36):
        ledger.result(number)
    named = record.digest(ledger.records[3])
    told = message_bytes.heartbeat_bytes(
        BEAT._replace(counter=2, coup=4, seq=4, past=4, digest=named)
    )
    assert not hand.display.waits(3_000)
    for payload in (
        message_bytes.answered(told, [(3, KEY, hand.challenge)]),
        message_bytes.record_bytes(ledger.records[3]),
    ):
        hand.display.feed(frame.encode(payload), 3_000)
    assert hand.display.waits(FRESH_US - 20_001, 20_000)
    assert hand.display.lit.state == "CONFIRMED"
    assert hand.display.waits(FRESH_US - 20_000, 20_000)
    assert hand.display.lit == DARK
    hand.display.work()
    hand.display.tick(FRESH_US - 1_000)
    assert hand.display.lit.number == 36


SOUP = (
    [framed(data) for data in LEDGER.records + OTHER.records]
    + [frame.encode(TOLD_TABLE), b"\x00noise", b"\xff" * 600]
    + [
        frame.encode(
            message_bytes.answered(
                message_bytes.heartbeat_bytes(BEAT._replace(counter=counter)),
                [(3, key, bytes(8))],
            )
        )
        for counter, key in ((2, bytes(32)), (2**32 - 1, KEY))
    ]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, len(SOUP) - 1), st.binary(max_size=6)), max_size=40))
def test_nothing_unproved_changes_anything(parts: list[Any]) -> None:
    """True records, false ones, heartbeats for other challenges, noise; before and while lit."""
    dark, bright = Hand(), lit()
    shown = bright.display.lit
    deadline = bright.display.deadline_us
    for place, noise in parts:
        data = noise + b"\0" + SOUP[place]
        for hand in (dark, bright):
            assert hand.display.feed(data, 5_000) == b""
            while hand.display.work():
                pass
            hand.display.tick(5_000)
        assert dark.display.lit == DARK
        assert bright.display.lit._replace(table=None) == shown._replace(table=None)
        assert bright.display.deadline_us == deadline
    assert dark.display._record_chain.newest == (0, 0)
    answer = dark.ask(6_000)
    assert answer is not None
    assert (answer.want, answer.kid, answer.table) == (0, record.key_id(LEDGER.root), bytes(4))
