"""On a full line a record comes again after .8 s only: what came too early is not lost."""

from typing import Any

import pytest
from hand import BEAT, KEY, LEDGER, OTHER, Hand, corrected, framed

from firmware.bus import frame, message_bytes, record
from firmware.bus.receiver import DARK, Receiver
from firmware.bus.record_chain import HEARD_MAX
from firmware.store import signing
from tools.bench.busbench import Ledger


def test_what_a_dark_display_heard_is_lit_once_a_heartbeat_names_it() -> None:
    hand = Hand()
    hand.record(LEDGER.records[2], 0)
    assert hand.display.lit == DARK
    hand.ask(1_000)
    hand.tell(BEAT, 2_000)
    assert hand.display.lit.number == 20


def test_a_number_behind_its_correction_is_heard_while_that_waits_to_be_checked() -> None:
    ledger, told = corrected()
    hand = Hand()
    hand.ask(0)
    beat = message_bytes.answered(message_bytes.heartbeat_bytes(told), [(3, KEY, hand.challenge)])
    newest_first = ledger.records[2], ledger.records[1]
    assert hand.display.feed(frame.encode(beat) + b"".join(map(framed, newest_first)), 1_000) == b""
    assert hand.display.work()
    hand.display.tick(2_000)
    assert (hand.display.lit.number, hand.display.lit.colour) == (18, "red")


def test_no_more_than_the_last_few_are_kept() -> None:
    hand = Hand()
    for data in [LEDGER.records[2], *OTHER.records[:HEARD_MAX]]:
        hand.record(data, 0)
    hand.ask(1_000)
    hand.tell(BEAT, 2_000)
    assert (hand.display.lit.number, hand.ask(3_000).want) == (None, 3)
    hand.record(LEDGER.records[2], 4_000)
    assert hand.display.lit.number == 20


def test_a_number_that_waits_to_be_checked_is_not_lost_to_its_correction() -> None:
    """Twice the same, too: that takes nobody's place."""
    ledger, told = corrected()
    first = told._replace(seq=2, past=2, counter=0, digest=record.digest(ledger.records[1]))
    hand = Hand()
    hand.ask(0)
    for beat, records in ((first, [1]), (told, [2, 2])):
        proved = [(3, KEY, hand.challenge)]
        said = frame.encode(message_bytes.answered(message_bytes.heartbeat_bytes(beat), proved))
        hand.display.feed(said + b"".join(framed(ledger.records[at]) for at in records), 1_000)
    while hand.display.work():
        pass
    hand.display.tick(2_000)
    assert (hand.display.lit.number, hand.display.lit.colour) == (18, "red")


def test_a_record_by_a_key_that_rotations_lead_to_waits_for_them() -> None:
    ledger = Ledger()
    ledger.result(17)
    ledger.rotate(b"another key.....................")
    ledger.result(18)
    kid, named = ledger.signer.kid, record.digest(ledger.records[1])
    hand = Hand()
    hand.ask(0)
    hand.tell(BEAT._replace(coup=2, seq=2, past=2, kid=kid, digest=named), 1_000)
    for data in (ledger.records[1], ledger.rotations[0]):
        hand.record(data, 2_000)
    assert hand.display.lit.number == 18


def test_what_was_taken_and_is_forged_is_not_checked_again() -> None:
    """By who has this display's key: his heartbeats are proved."""
    checked: list[Any] = []

    def refuse(*signed: Any) -> bool:
        checked.append(signed)
        return False

    hand = Hand()
    hand.display = Receiver(3, KEY, LEDGER.root, 77, refuse)
    hand.record(LEDGER.records[2], 0)
    hand.ask(1_000)
    for turn in range(5):
        hand.tell(BEAT._replace(counter=2 + turn), 2_000)
    assert (hand.display.lit.number, len(checked)) == (None, 1)


@pytest.mark.parametrize("data", [OTHER.records[2], LEDGER.records[1], LEDGER.records[2][:-1]])
def test_nothing_follows_from_what_is_not_named(data: bytes) -> None:
    checked: list[Any] = []

    def verify(*signed: Any) -> bool:
        checked.append(signed)
        return signing.verify(*signed)

    hand = Hand()
    hand.display = Receiver(3, KEY, LEDGER.root, 77, verify)
    hand.record(data, 0)
    hand.ask(1_000)
    hand.tell(BEAT, 2_000)
    assert (hand.display.lit.number, hand.display.lit.history, checked) == (None, (), [])
