"""Rotations: to which key they lead a display, and at what cost."""

import pytest
from hand import OPEN, Hand, counted, framed

from firmware.bus import record
from firmware.bus.slots import FRESH_US
from tools.bench.busbench import Ledger


def behind(rotations: int) -> tuple[Ledger, Hand]:
    """A wheel that rotated its key so often, and a display that hears of the newest one."""
    ledger, hand = Ledger(), Hand()
    for turn in range(rotations):
        ledger.rotate(b"key number %3d.................." % turn)
    hand.ask(0)
    hand.tell(OPEN._replace(kid=ledger.signer.kid, digest=bytes(8), seq=0, past=0), 1_000)
    return ledger, hand


def test_an_earlier_rotation_played_again_leads_nobody_back() -> None:
    ledger, hand = behind(3)
    for at in (0, 1, 0, 0, 2):
        hand.record(ledger.rotations[at], 2_000)
    assert hand.display._record_chain.kid == ledger.signer.kid


@pytest.mark.req("IEC-CR-1.9")
def test_a_rotation_that_the_wheel_did_not_sign_leads_nowhere() -> None:
    ledger, thief, hand = Ledger(), Ledger(b"a thief's key..................."), Hand()
    thief.rotate(b"a thief's second key............")
    fake = thief.rotations[0].replace(record.key_id(thief.root), ledger.signer.kid)
    hand.ask(0)
    hand.tell(OPEN._replace(kid=bytes(8)), 1_000)
    hand.record(fake, 2_000)
    assert hand.display._record_chain.kid == ledger.signer.kid


def test_any_number_of_rotations_is_followed_and_no_key_kept_but_two() -> None:
    ledger, hand = behind(40)
    for rotation in ledger.rotations:
        hand.record(rotation, 2_000)
    assert hand.display._record_chain.kid == ledger.signer.kid


def test_a_forged_rotation_costs_one_check_until_the_display_asks_again() -> None:
    ledger, hand = Ledger(), Hand()
    ledger.rotate(b"the house's second key..........")
    checked = counted(hand)
    hand.ask(0)
    hand.tell(OPEN._replace(kid=ledger.signer.kid), 1_000)
    true = ledger.rotations[0]
    for turn in range(50):
        hand.record(true[:-1] + bytes([true[-1] ^ 1 + turn]), 2_000)
    assert len(checked) == 1
    hand.record(true, 3_000)
    assert len(checked) == 1
    hand.ask(4_000)
    hand.record(true, 5_000)
    assert hand.display._record_chain.kid == ledger.signer.kid
    hand.record(true, 6_000)
    assert len(checked) == 2  # who lacks nothing checks nothing


def test_a_rotation_that_waits_when_the_display_goes_dark_costs_no_check() -> None:
    ledger, hand = behind(1)
    checked = counted(hand)
    hand.display.feed(framed(ledger.rotations[0]), 2_000)
    assert hand.display.waits(3_000)
    hand.display.tick(FRESH_US)
    assert not hand.display.waits(FRESH_US)
    assert not hand.display.work()
    assert checked == []


def test_a_rotation_that_no_heartbeat_asks_for_any_more_costs_no_check() -> None:
    """Two wait, and the key that the first gives is the one that signs."""
    ledger, hand = behind(2)
    first = record.parse(ledger.rotations[0])
    assert first is not None
    checked = counted(hand)
    for rotation in ledger.rotations:
        hand.display.feed(framed(rotation), 2_000)
    told = OPEN._replace(counter=2, digest=bytes(8), seq=0, past=0)
    hand.tell(told._replace(kid=record.key_id(first.next_key)), 3_000)
    assert hand.display._record_chain.kid == record.key_id(first.next_key)
    assert len(checked) == 1
