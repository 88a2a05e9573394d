"""Where the prediction of the call stands, from a controller that tells it to every display."""

from __future__ import annotations

from typing import Any

import pytest
from hand import OPEN, Hand

from firmware.bus import message_bytes, messages, slots
from firmware.bus.frame import Deframer
from firmware.bus.messages import Call
from tools.bench.busbench import TABLE, Bench

S = 1_000_000
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


def tables_said(bench: Bench) -> list[int]:
    """The time of every table on the line, from now on."""
    found: list[int] = []
    say = bench.wire.send

    def heard(who: Any, data: bytes, now_us: int) -> None:
        for payload in Deframer().feed(data):
            if message_bytes.kind(payload) == messages.TABLE:
                found.append(now_us)
        say(who, data, now_us)

    bench.wire.send = heard  # type: ignore[method-assign]
    return found


@pytest.mark.parametrize("displays", [1, slots.displays_max(115_200)])
def test_each_coup_takes_one_table_on_the_line_and_every_display_has_it(displays: int) -> None:
    bench = Bench(displays)
    bench.run(3 * S)
    said = tables_said(bench)
    for coups in range(1, 3 if displays == 1 else 2):
        call = messages.call_of(coups, 1_200_000, "learning")
        bench.view(*bench.ledger.result(17 + coups))
        bench.line.stand(call)
        bench.line.stand(call)  # no news

        def all_have(call: Call = call) -> bool:
            return all(one.lit.table == TABLE._replace(call=call) for one in bench.displays)

        assert bench.run(8 * S, all_have)
        assert all(one.lit.number == 17 + coups for one in bench.displays)
        bench.run(3 * S)  # and no other one: the next would be due after two
        assert len(said) == coups
    assert bench.troubles == []


def test_what_is_no_news_is_not_said_before_its_time() -> None:
    bench = Bench(1)
    bench.run(S)
    next_us = bench.display_host._heartbeat_us
    bench.line.stand(TABLE.call)
    assert bench.display_host._heartbeat_us == next_us
    bench.line.stand(NEXT.call)
    assert bench.display_host._heartbeat_us is None  # at the next poll


def test_a_number_is_lit_no_later_because_the_call_stands_otherwise() -> None:
    took = []
    for stands in (False, True):
        bench = Bench(slots.displays_max(115_200))
        bench.run(3 * S)
        if stands:
            bench.line.stand(messages.call_of(3, 900_000, "learning"))
        bench.view(*bench.ledger.result(17))
        begun_us = bench.now_us
        assert bench.run(3 * S, lambda bench=bench: set(bench.numbers()) == {17})
        took.append(bench.now_us - begun_us)
    assert took[0] == took[1]


def test_a_line_without_a_table_has_nowhere_to_say_it() -> None:
    bench = Bench(1, table=None)
    bench.line.stand(messages.call_of(3, None, "learning"))
    bench.run(3 * S)
    assert bench.displays[0].lit.state == "BETS_OPEN"
    assert bench.displays[0].lit.table is None
