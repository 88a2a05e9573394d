"""Tables without a shoe of their own: a barcode reader and keys for the cards, at real lines."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serial_pair import SerialPair

from drivers.checked_line import written
from drivers.plain_shoe import loaded
from firmware.core.cards import facts
from firmware.core.facts import Trouble, TroubleEnded
from firmware.lib.errors import Failure
from firmware.run.device_port import RETRY_US, DevicePort
from firmware.run.reader_port import KEYS_GONE, BarcodePort, CardKeysPort
from rules.cards.deck import card_of

Make = Callable[[str, Callable[[], int]], DevicePort]


class Desk:
    """A port at the end of a pty that can be pulled out."""

    def __init__(self, folder: Path, make: Make) -> None:
        self.us = 1_000_000
        self.path = folder / "reader"
        self.port = make(str(self.path), lambda: self.us)
        self._number = 0
        self.plug()
        self.port.open()

    def plug(self) -> None:
        """The device is there, under its name."""
        self._line = SerialPair()
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(self._line.name)

    def pull(self) -> None:
        """It is gone."""
        self._line.close()

    def say(self, *fields: str) -> list[Any]:
        """What follows from a line with these fields, a tenth of a second later."""
        return self.send(written(fields).encode() + b"\r\n")

    def send(self, data: bytes) -> list[Any]:
        """What follows from these bytes."""
        self.us += 100_000
        self._line.write(data)
        return list(self.port.take_events())

    def press(self, *keys: str) -> list[Any]:
        """What follows from the last of some keys."""
        found: list[Any] = []
        for key in keys:
            self._number += 1
            found = self.say(key, f"{self._number:03}")
        return found

    def close(self) -> None:
        self.port.close()
        self.pull()


def opened(folder: Path, make: Make) -> Iterator[Desk]:
    desk = Desk(folder, make)
    yield desk
    desk.close()


@pytest.fixture
def barcode(tmp_path: Path) -> Iterator[Desk]:
    yield from opened(tmp_path, lambda path, now_us: BarcodePort(path, now_us, 6))


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Desk]:
    yield from opened(tmp_path, lambda path, now_us: CardKeysPort(path, now_us, 8))


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Desk]:
    """Keys at a table whose shoe reads the cards."""
    yield from opened(tmp_path, lambda path, now_us: CardKeysPort(path, now_us, None))


def test_a_barcode_reader_says_what_the_shoe_is_and_each_card(barcode: Desk) -> None:
    hello, card = barcode.say("S17", "0345", "TH")
    assert hello == loaded("barcode", 6, hello.boot, barcode.us)
    assert (hello.decks, hello.is_authenticated) == (6, False)
    assert card == facts.CardRead(barcode.us, 1, card_of("TH"), "S17-0345", facts.BARCODE)
    assert barcode.send(b"S17-0346-9") == []
    (card,) = barcode.send(b"C*A\r\n")  # its check is wrong
    assert card == facts.CardRead(barcode.us, 2, None, "", facts.BARCODE)
    assert barcode.say("S17", "0000", "XX") == [facts.CutCardSeen(barcode.us)]


def test_a_barcode_reader_that_goes_is_a_silent_shoe_until_it_is_there_again(
    barcode: Desk,
) -> None:
    barcode.say("S17", "0345", "TH")
    barcode.pull()
    assert barcode.port.take_events() == [
        facts.ShoeTrouble(barcode.us, facts.SILENT, str(barcode.path))
    ]
    assert barcode.port.take_events() == []  # once
    barcode.plug()
    barcode.us += RETRY_US
    assert barcode.port.take_events() == [facts.ShoeTroubleEnded(barcode.us, facts.SILENT)]
    (card,) = barcode.say("S17", "0346", "9C")  # the same shoe, and its numbers go on
    assert (card.n, card.card) == (2, card_of("9C"))


def test_a_reader_that_is_not_there_is_refused(tmp_path: Path) -> None:
    port = BarcodePort(str(tmp_path / "none"), lambda: 0, 6)
    with pytest.raises(Failure):
        port.open()


def test_a_card_is_typed_seen_in_full_and_taken_back_until_a_decision(hand: Desk) -> None:
    hello, typed = hand.press("T")
    assert hello == loaded("people", 8, hello.boot, hand.us)
    assert typed == facts.CardTyped(hand.us, "T", "")
    assert hand.press("H") == [facts.CardTyped(hand.us, "T", "H")]
    card = facts.CardRead(hand.us + 100_000, 1, card_of("TH"), "", facts.PEOPLE)
    assert hand.press("OK") == [card]
    assert hand.press("BACK") == [facts.CardPulledBack(hand.us, 1, facts.PEOPLE)]
    hand.press("9", "C", "OK")
    assert isinstance(hand.port, CardKeysPort)
    hand.port.take_fact(facts.Engaged(hand.us, 1, 1, 2, 1, "hit", "keys", 3, None))
    assert hand.press("BACK") == [facts.CardTyped(hand.us, "", "")]


def test_a_typed_card_that_is_refused_is_none_to_take_back(hand: Desk) -> None:
    hand.press("9", "C", "OK")
    hand.port.decided("the shoe reads the cards here")
    assert hand.press("BACK") == [facts.CardTyped(hand.us, "", "")]


def test_a_lost_line_of_the_keys_wipes_out_what_is_typed(hand: Desk) -> None:
    hand.press("T")
    hand._number += 1
    assert hand.press("OK") == [facts.CardTyped(hand.us, "", "")] * 2
    assert hand.send(b"T-005*0\r\n") == [facts.CardTyped(hand.us, "", "")]


def test_keys_that_go_are_a_silent_shoe_where_they_name_the_cards(hand: Desk) -> None:
    hand.press("T")
    hand.pull()
    silent = facts.ShoeTrouble(hand.us, facts.SILENT, str(hand.path))
    assert hand.port.take_events() == [facts.CardTyped(hand.us, "", ""), silent]
    hand.plug()
    hand.us += RETRY_US
    assert hand.port.take_events() == [facts.ShoeTroubleEnded(hand.us, facts.SILENT)]


def test_keys_beside_a_shoe_say_nothing_of_it_and_are_told_when_they_go(beside: Desk) -> None:
    assert beside.press("T") == [facts.CardTyped(beside.us, "T", "")]
    beside.pull()
    gone = Trouble(0, KEYS_GONE, str(beside.path))
    assert beside.port.take_events() == [facts.CardTyped(beside.us, "", ""), gone]
    beside.plug()
    beside.us += RETRY_US
    assert beside.port.take_events() == [TroubleEnded(0, KEYS_GONE, str(beside.path))]
