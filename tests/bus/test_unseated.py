"""A terminal whose player an employee signed off: what it is told, and what it may go on with."""

from players import money, on
from test_exchange import RED, SEVENTEEN, end
from wire import Bench

import rules
from firmware.bus.terminal import Decided, NotInPlay, Settled, Unseated
from firmware.stakes.book import Book


def seated() -> Bench:
    bench = Bench()
    assert bench.asked(bench.terminals[0], on("anna")).accepted
    return bench


def test_the_terminal_is_told_at_once_and_what_it_placed_is_not_in_play() -> None:
    bench = seated()
    anna = bench.terminals[0]
    placed = bench.asked(anna, RED)
    bench.book.unseat(1, "another's name")
    assert bench.run(2_000_000, lambda: bench.of(anna, NotInPlay) != [])
    assert bench.of(anna, Unseated) == [Unseated(7)]
    assert bench.of(anna, NotInPlay) == [NotInPlay(7, (placed.request,))]
    assert not anna.standing.seated
    bench.run(3_000_000)
    assert len(bench.of(anna, Unseated)) == 1


def test_what_it_goes_on_with_is_refused_with_the_reason() -> None:
    bench = seated()
    anna = bench.terminals[0]
    bench.book.unseat(1, "another's name")
    refused = bench.asked(anna, SEVENTEEN)
    assert not refused.accepted
    assert refused.why == "an employee has signed you off: another's name"


def test_what_waited_at_the_terminal_is_refused_too() -> None:
    bench = seated()
    anna = bench.terminals[0]
    for _ in range(5):
        anna.ask(RED)
    bench.book.unseat(1, "another's name")
    assert bench.run(5_000_000, lambda: anna.idle)
    assert [told.accepted for told in bench.of(anna, Decided)] == [True] + 5 * [False]
    assert bench.book.accepted_stakes(1) == []


def test_replies_of_before_that_come_again_seat_nobody() -> None:
    bench = Bench()
    anna = bench.terminals[0]
    said: list[bytes] = []
    bench.wire.hurt = lambda who, data: [said.append(data) or data]  # type: ignore[func-returns-value]
    assert bench.asked(anna, on("anna")).accepted
    assert bench.asked(anna, RED).accepted
    bench.book.unseat(1, "another's name")
    bench.wire.hurt = lambda who, data: [*said, data]
    bench.run(2_000_000)
    assert bench.book.player(1) is None
    assert bench.book.accepted_stakes(1) == []


def test_what_was_sealed_is_paid_and_told_where_its_player_sits_down() -> None:
    bench = seated()
    anna = bench.terminals[0]
    placed = bench.asked(anna, SEVENTEEN)
    bench.book.close(7)
    bench.book.unseat(1, "another's name")
    assert bench.run(2_000_000, lambda: bench.of(anna, Unseated) != [])
    end(bench)
    bench.run(2_000_000)
    assert bench.of(anna, Settled) == bench.of(anna, NotInPlay) == []
    assert bench.asked(anna, on("anna")).accepted
    assert bench.run(2_000_000, lambda: bench.of(anna, Settled) != [])
    assert bench.of(anna, Settled) == [Settled(7, 17, "black", ((placed.request, 500, 17_500),))]
    assert bench.of(anna, NotInPlay) == []


def test_who_signs_on_anew_plays() -> None:
    bench = seated()
    anna = bench.terminals[0]
    bench.book.unseat(1, "another's name")
    assert bench.run(2_000_000, lambda: bench.of(anna, Unseated) != [])
    assert bench.asked(anna, on("carla")).accepted
    assert bench.asked(anna, RED).accepted
    assert bench.book.player(1) == "carla"


def test_after_a_restart_nobody_sits_there_and_what_was_sealed_is_paid() -> None:
    bench = seated()
    anna = bench.terminals[0]
    placed = bench.asked(anna, SEVENTEEN)
    record = bench.book.close(7)
    bench.book.unseat(1, "another's name")
    again = Book(rules.load("roulette_lu"), minimum_cents=500, terminals=(1, 2), coup=7, **money())
    again.restore(record, None)
    again.employee("claire", True)
    bench.book = again
    bench.start()
    assert bench.run(5_000_000, lambda: anna.standing.state is not None)
    assert again.player(1) is None
    end(bench)
    assert not bench.asked(anna, RED).accepted
    assert bench.asked(anna, on("anna")).accepted
    assert bench.run(5_000_000, lambda: bench.of(anna, Settled) != [])
    assert bench.of(anna, Settled)[0].entries == ((placed.request, 500, 17_500),)
