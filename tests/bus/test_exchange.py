"""The talk of controller and terminals, over a line that takes its time (wire.py)."""

from itertools import pairwise
from typing import Any

import pytest
from players import on
from wire import KEYS, Bench, one_behind_the_other

from firmware.bus import slots
from firmware.bus.frame import Deframer
from firmware.bus.message_bytes import address_of
from firmware.bus.terminal import Decided, NotInPlay, NotTold, Settled
from firmware.bus.terminal_bytes import open_poll
from firmware.bus.terminal_host import SILENT_US, TerminalHost
from firmware.bus.terminal_messages import POLL, SignOff, Stake, TakeBack
from firmware.stakes.book import ELSEWHERE

RED = Stake(0, "rouge", 500, ())
SEVENTEEN = Stake(0, "plein", 500, (17,))


def end(bench: Bench, number: int | None = 17, colour: str = "black") -> None:
    """The coup's call and end."""
    coup = bench.book.coup
    body: dict[str, Any] = {"coup": coup, "seq": coup, "stakes": bench.book.close(coup)["seal"]}
    if number is None:
        body["reason"] = "croupier"
    else:
        body.update({"number": number, "colour": colour})
    bench.book.ended(body)


def test_a_stake_is_accepted_and_paid() -> None:
    bench = Bench()
    anna, bert = bench.terminals
    assert bench.asked(anna, on("anna")).accepted
    placed = bench.asked(anna, SEVENTEEN)
    assert placed.accepted
    assert bench.book.accepted_stakes(1) == [(placed.request, 500)]
    end(bench)
    assert bench.run(2_000_000, lambda: bench.of(anna, Settled) != [])
    assert bench.of(anna, Settled) == [Settled(7, 17, "black", ((placed.request, 500, 17_500),))]
    assert bench.of(bert, Settled) == []
    assert bench.run(1_000_000, lambda: bench.book.settled(1).paid == ())


def test_a_refusal_comes_with_its_sentence() -> None:
    bench = Bench()
    anna, bert = bench.terminals
    assert bench.asked(anna, on("anna")).accepted
    twice = bench.asked(bert, on("anna"))
    assert (twice.accepted, twice.rule) == (False, "art. 20-3 a")
    assert "simultanément sur plusieurs terminaux" in twice.why
    odd = bench.asked(anna, Stake(0, "rouge", 501, ()))
    assert "501 cents are odd" in odd.why
    wrong = bench.asked(anna, Stake(0, "rot", 500, ()))
    assert wrong.rule == "art. 37-2"
    bench.book.close(7)
    late = bench.asked(anna, SEVENTEEN)
    assert (late.accepted, late.rule) == (False, "art. 37-1")
    assert late.why.endswith("au moment du « rien ne va plus » »")


def test_stakes_that_waited_over_the_call_are_refused_and_not_booked_for_the_next_coup() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    for _ in range(3):
        anna.ask(RED)
    end(bench)
    assert bench.run(2_000_000, lambda: anna.idle)
    late = bench.of(anna, Decided)[-3:]
    assert [(one.ask.coup, one.accepted, one.rule) for one in late] == [(7, False, "art. 37-1")] * 3
    assert bench.book.accepted_stakes(1) == []
    again = bench.asked(anna, RED)
    assert (again.ask.coup, again.accepted) == (8, True)


def test_stakes_asked_before_the_controller_is_heard_are_for_the_first_coup_it_tells() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    for ask in (on("anna"), RED, RED):
        anna.ask(ask)
    assert bench.run(2_000_000, lambda: anna.standing.state is not None)
    end(bench)
    assert bench.run(2_000_000, lambda: anna.idle)
    assert [one.ask.coup for one in bench.of(anna, Decided)[-2:]] == [7, 7]
    assert bench.book.accepted_stakes(1) == []


def test_a_stake_asked_while_the_line_is_lost_is_for_the_coup_that_was_told_last() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    anna.drop()
    anna.ask(RED)
    end(bench)
    assert bench.run(2_000_000, lambda: anna.idle)
    late = bench.of(anna, Decided)[-1]
    assert (late.ask.coup, late.accepted, late.rule) == (7, False, "art. 37-1")
    assert bench.book.accepted_stakes(1) == []


@pytest.mark.parametrize("coup", [-1, 2**32])
def test_a_coup_that_no_frame_can_carry_is_refused_at_once(coup: int) -> None:
    anna = Bench().terminals[0]
    with pytest.raises(ValueError, match=f"no coup {coup}"):
        anna.ask(Stake(coup, "rouge", 500, ()))
    assert anna.idle


def test_a_stake_is_taken_back_and_the_player_leaves() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    placed = bench.asked(anna, RED)
    assert not bench.asked(anna, SignOff()).accepted
    assert bench.asked(anna, TakeBack(placed.request)).accepted
    assert bench.book.accepted_stakes(1) == []
    assert bench.asked(anna, SignOff()).accepted
    assert bench.run(1_000_000, lambda: not anna.standing.seated)


@pytest.mark.parametrize("baud", [19_200, 115_200])
@pytest.mark.parametrize("silent", [False, True])
def test_each_terminal_is_polled_once_a_second_beside_the_displays(baud: int, silent: bool) -> None:
    """At the number of terminals that the line allows, at its speed, however they reply."""
    displays = 1 if baud == 19_200 else 8
    count = slots.terminals_max(baud, displays)
    bench = Bench(count, displays=displays, baud=baud, latency_us=4_000)
    if silent:
        bench.terminals = []
    for terminal in bench.terminals:
        terminal.ask(on("Zoë"))
        for _ in range(20):
            terminal.ask(Stake(0, "cheval", 500, (1, 36)))  # each refused, in many words
    bench.run(2_000_000)
    for _ in range(6):
        bench.view(*bench.ledger.result())
        bench.run(1_200_000)
        assert set(bench.numbers()) == {17}
        bench.view("BETS_OPEN", bench.ledger.coup + 1, bench.ledger.seq, -1, None, None, None)
        bench.run(300_000)
        assert [display.lit.state for display in bench.displays] == ["BETS_OPEN"] * displays
    polled: dict[int, list[int]] = {}
    for at_us, who, data in bench.wire.log:
        for payload in Deframer().feed(data) if who is bench.line else ():
            address = address_of(payload, POLL)
            if address:
                polled.setdefault(address, []).append(at_us)
    assert len(polled) == count
    gaps = [later - earlier for at in polled.values() for earlier, later in pairwise(at)]
    assert max(gaps) <= slots.ROUND_US
    assert bench.wire.collisions == 0


@pytest.mark.parametrize(
    ("baud", "displays", "count"), [(19_200, 0, 8), (115_200, 0, 23), (115_200, 8, 12)]
)
def test_as_many_terminals_as_docs_bus_says_and_no_more(
    baud: int, displays: int, count: int
) -> None:
    assert slots.terminals_max(baud, displays) == count
    bench = Bench(1)
    keys = {address: KEYS[address] for address in range(1, count + 1)}
    TerminalHost(1, keys, bench.book, baud=baud, displays=displays)
    keys[count + 1] = KEYS[count + 1]
    with pytest.raises(ValueError, match=rf"time for {count} terminals.*, not {count + 1}"):
        TerminalHost(1, keys, bench.book, baud=baud, displays=displays)


def test_a_result_still_goes_out_at_once() -> None:
    bench = Bench(12, displays=8)
    bench.run(1_000_000)
    bench.view(*bench.ledger.result())
    assert bench.run(130_000, lambda: bench.numbers() == [17] * 8)


def test_the_counter_of_polls_lasts_longer_than_any_controller() -> None:
    """32 bits: at ten a second 13 years, however many others are polled in between."""
    bench = Bench(18)
    bench.run(1_000_000)
    opened = [
        open_poll(payload, KEYS[address_of(payload, POLL)])
        for _, who, data in bench.wire.log
        for payload in (Deframer().feed(data) if who is bench.line else ())
        if address_of(payload, POLL)
    ]
    assert len(opened) > 18
    assert max(one[0].counter for one in opened if one is not None) <= 11


def test_nobody_speaks_unasked() -> None:
    bench = Bench(3)
    for at, terminal in enumerate(bench.terminals):
        terminal.ask(on(f"player {at}"))
    bench.line._question = lambda now_us: None  # type: ignore[method-assign]
    bench.run(3_000_000)
    assert {who for _, who, _ in bench.wire.log} == {bench.line}


def test_a_terminal_that_falls_silent_keeps_its_seat_and_is_told() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    bench.asked(anna, RED)
    bench.terminals.remove(anna)
    bench.run(5_000_000)
    assert bench.troubles == [("T13", "1")]
    assert bench.book.player(1) == "anna"
    assert bench.book.accepted_stakes(1) != []
    bench.terminals.append(anna)
    bench.run(1_000_000)
    bench.terminals.remove(anna)
    bench.run(5_000_000)
    assert bench.troubles == [("T13", "1")] * 2


def test_a_player_whose_terminal_died_sits_down_elsewhere_and_is_told_there_what_he_won() -> None:
    """Another who sits down at his old terminal is told nothing of it."""
    bench = Bench()
    dead, spare = bench.terminals
    bench.asked(dead, on("anna"))
    bench.asked(dead, RED)
    bench.terminals.remove(dead)
    bench.run(5_000_000)
    assert not bench.asked(spare, on("anna")).accepted  # art. 20-3 a
    end(bench, 1, "red")
    bench.run(1_000_000)
    bench.terminals.append(dead)
    assert bench.asked(dead, on("bert")).accepted
    bench.run(2_000_000)
    assert bench.of(dead, Settled) == bench.of(dead, NotInPlay) == []
    assert bench.asked(spare, on("anna")).accepted
    bench.run(2_000_000)
    assert bench.of(spare, Settled) == [Settled(7, 1, "red", ((ELSEWHERE, 500, 500),))]
    assert bench.of(dead, Settled) == []
    assert bench.troubles == [("T13", "1")]


def test_two_who_sit_at_one_terminal_one_after_the_other_are_each_told_their_own() -> None:
    """Of one coup, as many payments each, and the first is still being told his."""
    bench = Bench()
    here, there = bench.terminals
    bench.asked(here, on("anna"))
    bench.asked(there, on("bert"))
    bench.asked(here, RED)
    bench.asked(there, RED._replace(bet="noir"))
    end(bench, 1, "red")
    bench.book.unseat(1, "has left")
    bench.book.unseat(2, "comes over")
    assert bench.asked(here, on("bert")).accepted
    assert bench.run(2_000_000, lambda: bench.of(here, Settled) != [])
    assert bench.of(here, Settled) == [Settled(7, 1, "red", ((ELSEWHERE, 500, -500),))]
    assert bench.asked(there, on("anna")).accepted
    assert bench.run(2_000_000, lambda: bench.of(there, Settled) != [])
    assert bench.of(there, Settled) == [Settled(7, 1, "red", ((ELSEWHERE, 500, 500),))]
    assert bench.of(here, NotInPlay) == bench.of(there, NotInPlay) == []


def test_a_terminal_that_nobody_sits_at_may_be_off() -> None:
    bench = Bench()
    bench.terminals = []
    bench.run(5_000_000)
    assert bench.troubles == []


def test_two_terminals_at_one_address_are_both_refused_and_told() -> None:
    """A duplicate terminal (the issue): neither can be believed to be the player's."""
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    twin = bench.sit(1)
    one_behind_the_other(bench)
    bench.run(500_000)
    for terminal in (anna, twin):
        terminal.ask(RED)
    bench.run(3_000_000)
    for terminal in (anna, twin):
        last = bench.of(terminal, Decided)[-1]
        assert (last.accepted, last.rule) == (False, "T12")
    assert bench.troubles == [("T12", "1")]
    assert bench.book.accepted_stakes(1) == []
    assert anna.standing.conflict
    bench.terminals.remove(twin)
    bench.run(4_000_000)
    assert not anna.standing.conflict
    assert bench.asked(anna, SEVENTEEN).accepted


def test_a_terminal_that_restarts_is_no_second_one() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    placed = bench.asked(anna, RED)
    bench.terminals.remove(anna)
    again = bench.sit(1)
    left_us = bench.now_us
    assert bench.asked(again, on("anna")).accepted
    # Not before the other is known to be gone: it might only have been quiet.
    assert bench.now_us - left_us > SILENT_US - 200_000
    second = bench.asked(again, SEVENTEEN)
    assert second.accepted
    assert second.request > placed.request  # never the number of another stake
    assert bench.troubles == []
    end(bench, 1, "red")
    assert bench.run(2_000_000, lambda: bench.of(again, Settled) != [])
    paid = bench.of(again, Settled)[0].entries
    assert sorted(paid) == [(placed.request, 500, 500), (second.request, 500, -500)]


def test_a_lost_acknowledgement_is_asked_for_again_and_books_nothing_twice() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    bench.wire.hurt = lambda who, data: [] if who is bench.line else [data]
    anna.ask(RED)
    bench.run(1_000_000)
    bench.wire.hurt = lambda who, data: [data]
    assert bench.run(2_000_000, lambda: len(bench.of(anna, Decided)) == 2)
    assert bench.of(anna, Decided)[-1].accepted
    assert len(bench.book.accepted_stakes(1)) == 1


def test_payments_wait_for_a_terminal_that_slept_over_the_end() -> None:
    bench = Bench(1)
    anna = bench.terminals.pop()
    bench.terminals.append(anna)
    bench.asked(anna, on("anna"))
    first = bench.asked(anna, RED)
    bench.terminals.remove(anna)
    end(bench, 1, "red")
    end(bench, 2, "black")
    bench.run(5_000_000)
    bench.terminals.append(anna)
    bench.run(2_000_000)
    assert bench.of(anna, Settled) == []  # nobody sits there any more
    assert bench.asked(anna, on("anna")).accepted
    bench.run(2_000_000)
    assert bench.of(anna, Settled) == [Settled(7, 1, "red", ((first.request, 500, 500),))]


def test_many_payments_come_in_parts_and_whole() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    for _ in range(40):
        anna.ask(RED)
    assert bench.run(20_000_000, lambda: anna.idle)
    end(bench, None)
    bench.run(3_000_000)
    (told,) = bench.of(anna, Settled)
    assert told[:3] == (7, None, None)
    assert len(told.entries) == 40
    assert {entry[1:] for entry in told.entries} == {(500, 0)}


def test_a_controller_that_restarts_is_believed_and_stakes_it_lost_are_said_to_be_lost() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    placed = bench.asked(anna, RED)
    again = Bench(1)
    bench.book = again.book
    bench.start((1,))
    bench.run(500_000)
    assert (anna.standing.state, anna.standing.seated) == ("BETS_OPEN", False)
    # At once, not when the coup is over: there is time to place them again.
    assert bench.of(anna, NotInPlay) == [NotInPlay(7, (placed.request,))]
    bench.asked(anna, on("anna"))
    second = bench.asked(anna, RED)
    end(bench, None)
    bench.run(1_000_000)
    assert bench.of(anna, NotInPlay) == [NotInPlay(7, (placed.request,))]
    assert [told.entries for told in bench.of(anna, Settled)] == [((second.request, 500, 0),)]


def test_payments_that_a_restarted_controller_tells_again_are_told_once() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    placed = bench.asked(anna, RED)
    record = bench.book.close(7)
    body = {"coup": 7, "seq": 7, "number": 1, "colour": "red", "stakes": record["seal"]}
    bench.book.ended(body)
    bench.run(2_000_000)
    bench.book.ended({"coup": 8, "seq": 8, "reason": "croupier"})
    bench.run(1_000_000)
    bench.book = Bench(1).book
    bench.book.restore(record, body)
    bench.start((1,))
    bench.run(2_000_000)
    assert [told.entries for told in bench.of(anna, Settled)] == [((placed.request, 500, 500),)]
    assert bench.book.settled(1).paid == ()  # and confirmed


def test_what_a_coup_paid_before_the_second_of_two_restarts_is_said_to_be_told_no_more() -> None:
    """A restarted controller knows the last coup alone: no stake of one before it took no part."""
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    paid = bench.asked(anna, RED)
    bench.wire.hurt = lambda who, data: [] if who is bench.line else [data]
    bench.book.close(7)
    end(bench, 1, "red")
    bench.book = Bench(1).book
    bench.book.coup = 8
    bench.start((1,))
    bench.wire.hurt = lambda who, data: [data]
    record = bench.book.close(8)
    bench.book.ended({"coup": 8, "reason": "interrupted", "stakes": record["seal"]})
    bench.run(1_000_000)
    assert bench.of(anna, Settled) == bench.of(anna, NotTold) == []
    assert bench.asked(anna, on("anna")).accepted
    bench.run(1_000_000)
    assert bench.of(anna, NotTold) == [NotTold(7, (paid.request,))]
    assert bench.of(anna, Settled) == bench.of(anna, NotInPlay) == []


def test_an_answer_that_a_restart_lost_is_the_truth_and_not_told_to_be_lost() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))

    def hurt(who, data):
        return [] if who is bench.line and bench.book.accepted_stakes(1) else [data]

    bench.wire.hurt = hurt
    anna.ask(RED)
    bench.run(1_000_000)
    record = bench.book.close(7)
    assert record["count"] == 1
    assert not anna.idle
    bench.book = Bench(1).book
    bench.book.restore(record, {"coup": 7, "reason": "interrupted", "stakes": record["seal"]})
    bench.wire.hurt = lambda who, data: [data]
    bench.start((1,))
    bench.run(2_000_000)
    (placed,) = [one for one in bench.of(anna, Decided) if one.ask == RED._replace(coup=7)]
    assert placed.accepted
    assert bench.asked(anna, on("anna")).accepted
    bench.run(1_000_000)
    assert [told.entries for told in bench.of(anna, Settled)] == [((placed.request, 500, 0),)]
    bench.book.ended({"coup": 8, "reason": "croupier"})
    bench.run(1_000_000)
    assert bench.of(anna, NotInPlay) == []


def test_a_new_journal_that_begins_at_coup_1_is_understood() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    placed = bench.asked(anna, RED)
    bench.book = Bench(1).book
    bench.book.coup = 1
    bench.book.employee("claire", True)
    bench.start((1,))
    assert bench.asked(anna, on("anna")).accepted
    assert bench.of(anna, NotInPlay) == [NotInPlay(7, (placed.request,))]
    again = bench.asked(anna, RED)
    assert (again.accepted, again.ask.coup) == (True, 1)
    end(bench, 1, "red")
    bench.run(2_000_000)
    assert [told.coup for told in bench.of(anna, Settled)] == [1]


def test_out_of_play_is_told_and_refuses() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    bench.view("FAULT", 7, 6, 1, None, None, None)
    assert "out of play" in bench.asked(anna, RED).why
    assert (anna.standing.state, anna.standing.open) == ("FAULT", False)


def test_a_controller_that_falls_silent_is_not_believed_to_be_there() -> None:
    bench = Bench(1)
    bench.run(1_000_000)
    anna = bench.terminals[0]
    assert anna.standing.state == "BETS_OPEN"
    bench.wire.hurt = lambda who, data: []
    bench.run(4_000_000)
    assert anna.standing.state is None
    assert anna.deadline_us is None
