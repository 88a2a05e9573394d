"""On a full line a record comes again after .8 s only: what came too early is not lost."""

from typing import Any

import pytest
from test_receiver import BEAT, KEY, LEDGER, OTHER, Hand, corrected

from firmware.bus import frame, message_bytes
from firmware.bus.believed import HEARD_MAX
from firmware.bus.receiver import DARK, Receiver
from firmware.store import signing


def framed(data: bytes) -> bytes:
    return frame.encode(message_bytes.record_bytes(data))


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
