"""Which records a display believes, and what it lights by them."""

import pytest
from hand import BEAT, LEDGER, OTHER, Hand, corrected, counted, forged, framed, lit

from firmware.bus import record
from firmware.bus.messages import HISTORY_MAX
from tools.bench.busbench import Ledger


def test_a_number_that_no_record_names_is_a_dash() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)
    hand.record(OTHER.records[2], 1_000)  # of another wheel
    hand.record(LEDGER.records[1], 1_000)  # the one before
    assert hand.display.lit.number is None
    hand.tell(BEAT._replace(counter=2, coup=9), 2_000)
    hand.record(LEDGER.records[2], 2_000)  # true, but of another coup than the heartbeat's
    assert hand.display.lit.number is None


def test_a_record_of_another_digest_is_not_the_one_that_is_named() -> None:
    hand = Hand()
    hand.ask(0)
    twin = Ledger()
    for number in (17, 18, 36):
        twin.result(number)
    hand.tell(BEAT, 1_000)
    hand.record(twin.records[2], 1_000)  # truly signed, for the same seq: it cannot exist
    assert hand.display.lit.number is None
    assert not hand.display.work()


def test_two_records_of_one_sequence_are_a_dash() -> None:
    """A journal put back to an old copy without a new epoch: both are signed."""
    hand = lit()
    twin = Ledger()
    for number in (17, 18, 36):
        twin.result(number)
    hand.tell(BEAT._replace(counter=2, digest=record.digest(twin.records[2])), 3_000)
    hand.record(twin.records[2], 3_000)
    assert hand.display.lit.number is None


def test_a_record_of_another_epoch_never_fills_a_gap() -> None:
    old = Ledger(epoch=2)
    old.result(36)
    old.result(36)
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    assert hand.ask(3_000).want == 2
    hand.record(old.records[1], 4_000)
    assert hand.display.lit.history == ((20, "black"),)
    assert hand.ask(5_000).want == 2


def test_below_what_was_believed_nothing_is_lit() -> None:
    hand = lit()
    old = BEAT._replace(counter=2, seq=2, coup=2, past=2, digest=record.digest(LEDGER.records[1]))
    hand.tell(old, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.number is None
    hand.tell(BEAT._replace(counter=3), 5_000)
    assert hand.display.lit.number == 20


def test_an_old_record_named_as_one_of_another_epoch_takes_nobody_back() -> None:
    """By who has this display's key: what it believed last would be the old one from there on."""
    new, hand = Ledger(epoch=2), Hand()
    new.result(36)
    hand.ask(0)
    today = BEAT._replace(epoch=2, seq=1, coup=1, past=1, digest=record.digest(new.records[0]))
    hand.tell(today, 1_000)
    hand.record(new.records[0], 2_000)
    assert hand.display.lit.number == 36
    for counter, epoch in ((2, 3), (3, 1)):
        hand.tell(BEAT._replace(counter=counter, epoch=epoch), 3_000)
        hand.record(LEDGER.records[2], 4_000)
        assert hand.display.lit.number is None
    answer = hand.ask(5_000)
    assert answer is not None
    assert (answer.epoch, answer.seq) == (2, 1)


def test_another_game_of_a_record_is_not_lit() -> None:
    hand = lit()
    hand.tell(BEAT._replace(counter=2, game="boule"), 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())


def test_there_is_no_history_while_the_newest_which_may_correct_it_is_on_its_way() -> None:
    hand = lit()
    ledger = Ledger()
    for number in (17, 18, 20, 36):
        ledger.result(number)
    named = record.digest(ledger.records[3])
    told = BEAT._replace(counter=2, coup=4, seq=4, past=4, digest=named)
    hand.tell(told, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.record(ledger.records[3], 4_000)
    found = hand.display.lit
    assert found.history == ((17, "black"), (18, "red"), (20, "black"), (36, "red"))


def test_what_the_wheel_did_not_sign_fills_no_gap() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    hand.record(forged(2), 3_000)
    assert hand.display.lit.history == ((20, "black"),)
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def test_what_the_wheel_did_not_sign_is_not_lit_though_a_heartbeat_names_it() -> None:
    """Who stole the display's key makes heartbeats, but no number."""
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT._replace(digest=record.digest(forged(3))), 1_000)
    hand.record(forged(3), 2_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)
    assert hand.display._record_chain.newest == (0, 0)
    fake = OTHER.records[2].replace(OTHER.signer.kid, LEDGER.signer.kid)
    hand.tell(BEAT._replace(counter=2, digest=record.digest(fake)), 3_000)
    hand.record(fake, 3_000)
    assert hand.display.lit.number is None


def test_forged_records_cost_no_check_and_true_ones_one_for_all() -> None:
    hand = Hand()
    checked = counted(hand)
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    for seq in (1, 2, 3):
        hand.record(forged(seq), 2_000)
    assert checked == []
    assert hand.ask(2_500).want == 3
    for data in reversed(LEDGER.records):
        hand.record(forged(1), 3_000)
        hand.record(data, 3_000)
    assert len(hand.display.lit.history) == 3
    assert len(checked) == 1


def test_what_is_named_and_waits_to_be_checked_is_asked_for_no_more() -> None:
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.display.feed(framed(LEDGER.records[2]), 2_000)
    assert hand.ask(3_000).want == 0
    assert hand.display.work()
    hand.display.tick(4_000)
    assert (hand.display.lit.number, hand.ask(5_000).want) == (20, 2)


def test_the_past_is_that_of_the_newest_record_alone() -> None:
    """A journal put back to an old copy, or a fork by a stolen key: all of it is signed."""
    twin, hand = Ledger(), Hand()
    for _ in range(3):
        twin.result(36)
    hand.ask(0)
    hand.tell(BEAT, 1_000)
    hand.record(LEDGER.records[2], 2_000)
    for data in reversed(twin.records):
        hand.record(data, 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (20, ((20, "black"),))
    hand.record(LEDGER.records[1], 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def test_the_number_before_a_correction_is_that_of_the_same_journal() -> None:
    (ledger, told), twin, hand = corrected(), Ledger(), Hand()
    twin.result(36)
    twin.result(36)
    hand.ask(0)
    hand.tell(told, 1_000)
    for data in (ledger.records[2], twin.records[1]):
        hand.record(data, 2_000)
    assert hand.display.lit.number is None
    hand.record(ledger.records[1], 3_000)
    assert hand.display.lit.number == 18


@pytest.mark.parametrize("coup", [1, 2])
def test_the_newest_record_with_an_older_coup_lights_nothing(coup: int) -> None:
    """Somebody has this display's key, and says the rest as it is."""
    hand = lit()
    hand.tell(BEAT._replace(counter=2, coup=coup), 3_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)


@pytest.mark.parametrize(("coup", "number"), [(1, None), (2, 18), (3, None)])
def test_the_corrected_coup_is_lit_only_if_it_is_the_last(coup: int, number: int | None) -> None:
    (ledger, told), hand = corrected(), Hand()
    hand.ask(0)
    hand.tell(told._replace(coup=coup), 1_000)
    for data in reversed(ledger.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == number
    assert hand.display.lit.history == ((20, "black"), (18, "red"))


@pytest.mark.parametrize(("past", "number"), [(0, None), (1, None), (2, 18), (3, 18)])
def test_no_more_is_believed_than_the_heartbeat_says(past: int, number: int | None) -> None:
    (ledger, told), hand = corrected(), Hand()
    hand.ask(0)
    hand.tell(told._replace(past=past), 1_000)
    for data in reversed(ledger.records):
        hand.record(data, 2_000)
    assert hand.display.lit.number == number
    assert len(hand.display.lit.history) <= past


def test_what_is_held_already_is_bound_to_the_heartbeat_just_so() -> None:
    """Whoever has this display's key names an old record as a newer one, or less of the past."""
    hand = lit()
    old = record.digest(LEDGER.records[1])
    hand.tell(BEAT._replace(counter=2, coup=2, seq=9, digest=old), 3_000)
    assert (hand.display.lit.number, hand.display.lit.history) == (None, ())
    hand.tell(BEAT._replace(counter=3, past=2), 4_000)
    assert hand.display.lit.history == ((18, "red"), (20, "black"))


def test_however_often_a_wheel_begins_anew_no_more_is_kept_than_is_shown() -> None:
    """Who has the wheel's key would fill a microcontroller with epochs that all count from one."""
    hand = Hand()
    for epoch in range(1, 30):
        ledger = Ledger(epoch=epoch)
        for number in (17, 18, 20):
            ledger.result(number)
        hand.ask(epoch * 1_000)
        told = BEAT._replace(counter=epoch, epoch=epoch, digest=record.digest(ledger.records[2]))
        hand.tell(told, epoch * 1_000)
        for data in reversed(ledger.records):
            hand.record(data, epoch * 1_000)
        assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"))
        assert len(hand.display._record_chain._records) <= HISTORY_MAX
