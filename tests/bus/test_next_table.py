"""A table that changes within a session: a controller of before told the call's standing in it."""

from __future__ import annotations

from hand import OPEN, Hand

from firmware.bus import message_bytes, slots
from firmware.bus.messages import Call
from tools.bench.busbench import TABLE

NEXT = TABLE._replace(call=Call(212, 520, "learned"))
TOLD_NEXT = message_bytes.table_bytes(NEXT)
NEXT_DIGEST = message_bytes.table_digest(TOLD_NEXT)


def with_table() -> Hand:
    hand = Hand()
    hand.ask(0)
    hand.tell(OPEN, 1_000)
    hand.send(message_bytes.table_bytes(TABLE), 2_000)
    assert hand.display.lit.table == TABLE
    return hand


def test_a_display_shows_the_sessions_table_until_the_next_is_here() -> None:
    """Else its limits would be gone for a moment after every coup."""
    hand = with_table()
    hand.tell(OPEN._replace(counter=2, table=NEXT_DIGEST), 3_000)
    assert hand.display.lit.table == TABLE
    hand.send(TOLD_NEXT, 4_000)
    assert hand.display.lit.table == NEXT
    answer = hand.ask(5_000)
    assert answer is not None
    assert answer.table == NEXT_DIGEST[:4]


def test_a_table_of_another_session_is_not_shown_for_the_one_it_names() -> None:
    """Its limits may be other ones: the controller was started again."""
    hand = with_table()
    later_us = 3 * slots.FRESH_US
    hand.ask(later_us, session=2)
    hand.tell(OPEN._replace(session=2, counter=1, table=NEXT_DIGEST), later_us + 1_000)
    assert hand.display.lit.state == "BETS_OPEN"
    assert hand.display.lit.table is None
    hand.send(TOLD_NEXT, later_us + 2_000)
    assert hand.display.lit.table == NEXT


def test_the_same_table_is_shown_at_once_to_another_session_that_names_it() -> None:
    hand = with_table()
    later_us = 3 * slots.FRESH_US
    hand.ask(later_us, session=2)
    hand.tell(OPEN._replace(session=2, counter=1), later_us + 1_000)
    assert hand.display.lit.table == TABLE
    hand.tell(OPEN._replace(session=2, counter=2, table=NEXT_DIGEST), later_us + 2_000)
    assert hand.display.lit.table == TABLE
