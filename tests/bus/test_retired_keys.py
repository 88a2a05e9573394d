"""A key that signs no more: what it signed before stays good, and who stole it makes nothing."""

from typing import Any

import pytest
from hand import BEAT, OPEN, Hand

from firmware.bus import record
from tools.bench.busbench import Ledger

SECOND = b"the house's second key.........."
THIRD = b"the house's third key..........."
THIEFS = b"a thief's key..................."
_DARK: dict[str, Any] = {"digest": bytes(8), "seq": 0, "past": 0}


def house(before: int = 3) -> Ledger:
    """So many results, a rotation."""
    ledger = Ledger()
    for number in (17, 18, 20, 36, 0)[:before]:
        ledger.result(number)
    ledger.rotate(SECOND)
    return ledger


def thief(seq: int, epoch: int = 1) -> bytes:
    """What somebody makes of the retired first key: 36 as the outcome `seq`."""
    forger = Ledger(epoch=epoch)
    while forger.seq < seq:
        forger.result(36)
    return forger.records[-1]


def naming(data: bytes, counter: int, kid: bytes) -> Any:
    """A heartbeat for a record: of the controller, or of who has this display's key."""
    said = record.parse(data)
    assert said is not None
    return BEAT._replace(
        counter=counter, coup=said.coup, epoch=said.epoch, seq=said.seq, past=min(said.seq, 20),
        digest=record.digest(data), kid=kid,
    )  # fmt: skip


def rotated(ledger: Ledger, hand: Hand) -> None:
    """The display learns the key of today."""
    hand.ask(0)
    hand.tell(OPEN._replace(kid=ledger.signer.kid, **_DARK), 1_000)
    for rotation in ledger.rotations:
        hand.record(rotation, 2_000)
    assert hand.display._record_chain.kid == ledger.signer.kid


@pytest.mark.req("IEC-CR-1.9")
@pytest.mark.parametrize(("seq", "epoch"), [(4, 1), (5, 1), (20, 1), (1, 2), (4, 2**32 - 1)])
@pytest.mark.parametrize("names_itself", [False, True])
def test_a_stolen_old_key_lights_nothing_newer_than_its_rotation(
    seq: int, epoch: int, names_itself: bool
) -> None:
    ledger, hand = house(3), Hand()
    rotated(ledger, hand)
    forged = thief(seq, epoch)
    kid = record.kid(forged) if names_itself else ledger.signer.kid
    assert kid is not None
    hand.tell(naming(forged, 2, kid), 3_000)
    hand.record(forged, 4_000)
    assert (hand.display.lit.state, hand.display.lit.number) == ("CONFIRMED", None)
    answer = hand.ask(5_000)
    assert answer is not None
    assert (answer.epoch, answer.seq) == (0, 0)  # nor does it believe that it was recorded


def test_what_the_old_key_signed_before_its_rotation_is_lit() -> None:
    ledger, hand = house(3), Hand()
    rotated(ledger, hand)
    hand.tell(naming(ledger.records[2], 2, ledger.signer.kid), 3_000)
    for data in reversed(ledger.records):
        hand.record(data, 4_000)
    assert hand.display.lit.number == 20
    assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"))


def test_two_rotations_on_end_leave_the_last_outcome_to_the_key_that_signed_it() -> None:
    """The key between them has signed none."""
    ledger, hand = house(3), Hand()
    ledger.rotate(THIRD)
    rotated(ledger, hand)
    hand.tell(naming(ledger.records[2], 2, ledger.signer.kid), 3_000)
    for data in reversed(ledger.records):
        hand.record(data, 4_000)
    assert hand.display.lit.number == 20
    assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"))


def test_a_key_signs_nothing_from_before_it_came() -> None:
    """Each outcome has one key that may have signed it."""
    ledger, hand = house(3), Hand()
    other = Ledger(SECOND)
    other.root = ledger.root
    for number in (36, 36, 36):
        other.result(number)
    rotated(ledger, hand)
    hand.tell(naming(other.records[2], 2, ledger.signer.kid), 3_000)
    hand.record(other.records[2], 4_000)
    assert hand.display.lit.number is None


def test_what_was_forged_before_the_display_knew_of_the_rotation_goes_out_with_it() -> None:
    ledger, hand = house(3), Hand()
    hand.ask(0)
    forged = thief(9)
    hand.tell(naming(forged, 1, ledger.signer.kid), 1_000)
    hand.record(forged, 2_000)
    assert hand.display.lit.number == 36  # switched on just now it cannot know better
    hand.record(ledger.rotations[0], 3_000)
    assert hand.display.lit.number is None
    hand.ask(4_000)
    ledger.result(17)
    hand.tell(naming(ledger.records[3], 3, ledger.signer.kid), 5_000)
    for data in reversed(ledger.records):
        hand.record(data, 6_000)
    assert hand.display.lit.number == 17  # and holds nothing back
    assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"), (17, "black"))


@pytest.mark.parametrize(("seq", "epoch"), [(9, 1), (1, 2**32 - 1)])
def test_who_was_lied_to_learns_of_the_rotation_from_the_controller_all_the_same(
    seq: int, epoch: int
) -> None:
    """Which by then names less than the display believes: that must not keep the truth out."""
    ledger, hand = house(3), Hand()
    hand.ask(0)
    forged = thief(seq, epoch)
    hand.tell(naming(forged, 1, ledger.signer.kid), 1_000)
    hand.record(forged, 2_000)
    assert hand.display.lit.number == 36
    ledger.result(17)
    hand.ask(3_000)
    hand.tell(naming(ledger.records[3], 2, ledger.signer.kid), 3_000)
    for data in (ledger.records[3], *ledger.rotations, *reversed(ledger.records)):
        hand.record(data, 4_000)
    assert hand.display.lit.number == 17
    assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"), (17, "black"))


def test_a_second_rotation_by_a_retired_key_leads_nowhere() -> None:
    """Whoever stole it may name the key it leads to in a heartbeat, and sign with that."""
    ledger, fork = house(3), Ledger()
    fork.rotate(THIEFS)
    hand = Hand()
    rotated(ledger, hand)
    while fork.seq < 5:
        fork.result(36)
    hand.tell(naming(fork.records[4], 2, fork.signer.kid), 3_000)
    hand.record(fork.rotations[0], 4_000)
    hand.record(fork.records[4], 5_000)
    assert hand.display.lit.number is None
    assert hand.display._record_chain.kid == ledger.signer.kid


def test_who_was_led_astray_shows_the_house_no_number_until_it_is_started_again() -> None:
    ledger, fork = house(3), Ledger()
    fork.rotate(THIEFS)
    hand = Hand()
    rotated(fork, hand)
    hand.ask(3_000)
    ledger.result(17)
    hand.tell(naming(ledger.records[3], 2, ledger.signer.kid), 4_000)
    for data in (*ledger.rotations, *reversed(ledger.records)):
        hand.record(data, 5_000)
    assert hand.display.lit.number is None
    answer = hand.ask(6_000)
    assert answer is not None
    assert answer.kid == fork.signer.kid  # which the controller sees
    hand = Hand()
    rotated(ledger, hand)
    hand.tell(naming(ledger.records[3], 2, ledger.signer.kid), 4_000)
    hand.record(ledger.records[3], 5_000)
    assert hand.display.lit.number == 17


def test_every_key_of_a_chain_has_its_own_span() -> None:
    ledger, hand = house(1), Hand()
    ledger.result(18)
    ledger.rotate(THIRD)
    ledger.result(20)
    rotated(ledger, hand)
    hand.tell(naming(ledger.records[2], 2, ledger.signer.kid), 3_000)
    for data in reversed(ledger.records):
        hand.record(data, 4_000)
    assert hand.display.lit.history == ((17, "black"), (18, "red"), (20, "black"))
    old = Ledger(SECOND)
    for number in (36, 36, 36, 36):
        old.result(number)
    hand.tell(naming(old.records[3], 3, ledger.signer.kid), 5_000)
    hand.record(old.records[3], 6_000)
    assert hand.display.lit.number is None


def test_a_key_retired_before_the_first_outcome_signed_none() -> None:
    ledger, hand = house(0), Hand()
    said = record.parse(ledger.rotations[0])
    assert said is not None and said.seq is None
    rotated(ledger, hand)
    forged = thief(1)
    hand.tell(naming(forged, 2, ledger.signer.kid), 3_000)
    hand.record(forged, 4_000)
    assert hand.display.lit.number is None
    ledger.result(17)
    hand.tell(naming(ledger.records[0], 3, ledger.signer.kid), 5_000)
    hand.record(ledger.records[0], 6_000)
    assert hand.display.lit.number == 17
