"""Corrections, voids, epochs and keys, as a display comes to know them."""

from typing import Any

import pytest
from played import S, played, watched

from firmware.bus import message_bytes
from firmware.bus.frame import Deframer
from tools.bench.busbench import Bench, Ledger


def test_keys_are_rotated_and_what_the_old_one_signed_stays() -> None:
    bench = played(2, coups=2)
    bench.ledger.rotate(b"second key of the wheel.........")
    bench.start()
    bench.run(3 * S)
    assert bench.numbers() == [17, 17]
    bench.view(*bench.ledger.result(18))
    bench.run(2 * S)
    assert bench.numbers() == [18, 18]
    bench.ledger.rotate(b"third key of the wheel..........")
    bench.start()
    bench.view(*bench.ledger.result(20))
    bench.run(3 * S)
    assert bench.numbers() == [20, 20]
    bench.displays = []
    again = bench.join(1)
    assert bench.run(3 * S, lambda: again.lit.number == 20)
    bench.run(3 * S)
    assert again.lit.history == ((17, "black"), (17, "black"), (18, "red"), (20, "black"))


def test_the_shown_coup_is_corrected() -> None:
    bench = played(2, coups=3)
    ledger = bench.ledger
    coup = ledger.correct(ledger.seq, 20)
    bench.view("CONFIRMED", coup, ledger.seq, 1, 20, "black", None)
    assert bench.run(100_000, lambda: bench.numbers() == [20, 20])
    lit = bench.displays[0].lit
    assert lit.manual
    assert lit.history == ((17, "black"), (17, "black"), (20, "black"))


def test_the_shown_coup_is_voided_by_a_correction() -> None:
    bench = played(1, coups=2)
    ledger = bench.ledger
    coup = ledger.correct(ledger.seq)
    bench.view("VOID", coup, ledger.seq, 1, None, None, "croupier")
    bench.run(200_000)
    lit = bench.displays[0].lit
    assert (lit.state, lit.number, lit.reason) == ("VOID", None, "croupier")
    assert lit.history == ((17, "black"), None)


def test_an_older_coup_is_corrected_while_another_is_shown() -> None:
    bench = played(1, coups=3)
    ledger = bench.ledger
    ledger.correct(1, 36)
    bench.view("CONFIRMED", ledger.coup, ledger.seq, 1, 17, "black", None)
    bench.run(300_000)
    lit = bench.displays[0].lit
    assert (lit.number, lit.manual, lit.seq) == (17, False, 4)
    assert lit.history == ((36, "red"), (17, "black"), (17, "black"))
    ledger.correct(1, 20)  # and once more
    bench.view("CONFIRMED", ledger.coup, ledger.seq, 1, 17, "black", None)
    bench.run(300_000)
    assert bench.displays[0].lit.history[0] == (20, "black")
    bench.view(*ledger.result(18))
    bench.run(300_000)
    assert bench.displays[0].lit.history == (
        (20, "black"), (17, "black"), (17, "black"), (18, "red"),
    )  # fmt: skip


def test_a_correction_that_is_corrected_is_not_what_stands() -> None:
    """The second names the first, as the core does (firmware/core/coup/correction.py)."""
    bench = played(1, coups=2)
    ledger = bench.ledger
    for number, colour in ((36, "red"), (20, "black")):
        coup = ledger.correct(ledger.seq, number)
        bench.view("CONFIRMED", coup, ledger.seq, 1, number, colour, None)
        bench.run(300_000)
        assert bench.displays[0].lit.number == number
        assert bench.displays[0].lit.history == ((17, "black"), (number, colour))


def test_a_display_that_missed_a_correction_lights_nothing_before_it_has_it() -> None:
    bench = played(1, coups=2)
    ledger = bench.ledger
    coup = ledger.correct(ledger.seq, 20)
    ledger.correct(1, 36)
    lost = message_bytes.record_bytes(ledger.records[2])

    def hurt(who: Any, data: bytes) -> list[bytes]:
        return [] if lost in Deframer().feed(data) else [data]

    bench.wire.hurt = hurt
    bench.view("CONFIRMED", coup, ledger.seq, 1, 20, "black", None)
    seen = watched(bench, S)
    assert {number for _, number, seq in seen if seq == 4} == {None}
    bench.wire.hurt = lambda who, data: [data]
    assert bench.run(S, lambda: bench.numbers() == [20])


def test_a_void_is_shown_with_its_reason_and_a_manual_result_as_such() -> None:
    bench = Bench(1)
    bench.view(*bench.ledger.void("two_balls"))
    bench.run(S)
    lit = bench.displays[0].lit
    assert (lit.state, lit.number, lit.reason) == ("VOID", None, "two_balls")
    bench.view(*bench.ledger.result(18, manual=True))
    bench.run(S)
    lit = bench.displays[0].lit
    assert (lit.number, lit.manual, lit.history) == (18, True, (None, (18, "red")))


def test_a_new_epoch_is_newer_whatever_its_sequence() -> None:
    bench = played(1, coups=3)
    bench.ledger = Ledger(epoch=2, coup=3)
    bench.start()
    bench.view(*bench.ledger.result(18))
    bench.run(3 * S)
    lit = bench.displays[0].lit
    assert (lit.number, lit.epoch, lit.seq, lit.history) == (18, 2, 1, ((18, "red"),))
    assert bench.troubles == []


def test_the_last_result_of_the_epoch_before_is_still_shown() -> None:
    bench = played(1, coups=3)
    bench.ledger.epoch = 2
    bench.start()
    bench.run(3 * S)
    assert bench.numbers() == [17]
    bench.view(*bench.ledger.result(18))
    bench.run(S)
    lit = bench.displays[0].lit
    assert (lit.number, lit.epoch, lit.history) == (18, 2, (*[(17, "black")] * 3, (18, "red")))
    assert bench.troubles == []


def test_what_the_talker_keeps_has_a_limit() -> None:
    bench = Bench(1)
    for _ in range(60):
        bench.view(*bench.ledger.result(17))
        bench.run(300_000)
    assert len(bench.display_host._record_cache._held) <= 24
    assert len(bench.displays[0]._record_chain._records) <= 20
    assert len(bench.displays[0].lit.history) == 20


def test_an_older_coup_of_the_epoch_before_is_corrected_in_the_new_one() -> None:
    bench = played(1, coups=3)
    bench.ledger.epoch = 2  # the journal was adopted
    bench.start()
    bench.ledger.correct(3, 20)
    bench.view("CONFIRMED", 3, 4, 1, 20, "black", None)
    assert bench.run(2 * S, lambda: bench.numbers() == [20])
    bench.displays = []
    again = bench.join(1)
    assert bench.run(5 * S, lambda: again.lit.number == 20)
    assert bench.run(5 * S, lambda: len(again.lit.history) == 3)


@pytest.mark.parametrize("rotations", [2, 8])
def test_a_full_line_that_starts_after_rotations_is_lit_within_two_seconds(rotations: int) -> None:
    bench = Bench(32)
    for turn in range(rotations):
        bench.ledger.rotate(b"key number %3d.................." % turn)
    bench.displays = []
    bench.last_view = bench.ledger.result(17)
    bench.start()
    bench.run(S)
    for address in bench.keys:
        bench.join(address)
    assert bench.run(2 * S, lambda: bench.numbers() == [17] * 32)


def test_others_stay_lit_while_one_hears_of_all_rotations() -> None:
    bench = Bench(32)
    for turn in range(20):
        bench.ledger.rotate(b"key number %3d.................." % turn)
    bench.last_view = bench.ledger.result(17)
    bench.start()
    bench.run(12 * S)
    assert bench.numbers() == [17] * 32
    bench.displays[0] = bench.displays.pop()
    again = bench.join(1)
    for _ in range(1_000):
        bench.run(10_000)
        assert {one.lit.number for one in bench.displays if one is not again} == {17}
    assert again.lit.number == 17
