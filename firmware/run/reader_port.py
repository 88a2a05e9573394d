"""What names the cards of a table without a shoe of its own, at its port: a barcode reader, keys.

Each says for the shoe what a table has to know of one (drivers/plain_shoe.py). While it is gone
the shoe is silent: a round that needs a card waits.
"""

import os
from collections.abc import Callable
from typing import Any

from drivers import plain_shoe
from drivers.card_keys import CardKeys, SerialCardKeys, UsbCardKeys
from drivers.shoe_barcode import ShoeBarcode, TypingReader
from firmware.core.cards import facts
from firmware.core.facts import Trouble, TroubleEnded
from firmware.run.device_port import DevicePort

KEYS_GONE = "K22"  # a code of firmware.core.faults


class BarcodePort(DevicePort):
    """A barcode reader before the shoe: it types, or it is at a serial port."""

    def __init__(self, path: str, now_us: Callable[[], int], decks: int) -> None:
        """Opens nothing yet. `now_us`: the loop's clock. `decks`: that the table plays."""
        DevicePort.__init__(self, path, now_us)
        self._reader = ShoeBarcode()
        self._said = _Said(facts.BARCODE, decks)
        self.start_driver()

    def start_driver(self) -> None:
        """Takes that it is open."""
        self._typing = TypingReader()

    def receive(self, data: bytes, now_us: int) -> list[Any]:
        """Takes the bytes that came; gives the cards."""
        typed = self._typing.receive(data) if self.is_usb else data
        return self._said.first(now_us) + self._reader.receive(typed, now_us)

    def tell_lost(self, now_us: int) -> list[Any]:
        """Gives that the shoe is silent."""
        return [facts.ShoeTrouble(now_us, facts.SILENT, self.path)]

    def tell_found(self, now_us: int) -> list[Any]:
        """Gives that it is not any more."""
        return [facts.ShoeTroubleEnded(now_us, facts.SILENT)]


class CardKeysPort(DevicePort):
    """Keys on which people enter cards. A FactListener too: what was entered may be taken back
    until something follows from it.
    """

    def __init__(self, path: str, now_us: Callable[[], int], decks: int | None) -> None:
        """Opens nothing yet. `decks`: that the table plays; None: a reader names the cards, and
        people enter the one that it cannot.
        """
        DevicePort.__init__(self, path, now_us)
        self._keys = CardKeys()
        self._said = None if decks is None else _Said(facts.PEOPLE, decks)
        self.start_driver()

    def start_driver(self) -> None:
        """Takes that it is open: its lines are numbered anew."""
        keys = self._keys
        self._driver = UsbCardKeys(keys) if self.is_usb else SerialCardKeys(keys)

    def receive(self, data: bytes, now_us: int) -> list[Any]:
        """Takes the bytes that came; gives what is typed, and cards."""
        told = [] if self._said is None else self._said.first(now_us)
        return told + self._driver.receive(data, now_us)

    def tell_lost(self, now_us: int) -> list[Any]:
        """Gives that nothing is typed, and that nobody can."""
        told = self._keys.lose(now_us)
        if self._said is None:
            return [*told, Trouble(0, KEYS_GONE, self.path)]
        return [*told, facts.ShoeTrouble(now_us, facts.SILENT, self.path)]

    def tell_found(self, now_us: int) -> list[Any]:
        """Gives that people can enter cards again."""
        if self._said is None:
            return [TroubleEnded(0, KEYS_GONE, self.path)]
        return [facts.ShoeTroubleEnded(now_us, facts.SILENT)]

    def decided(self, refusal: str | None) -> None:
        """Has a card that is refused be none that may be taken back."""
        if refusal is not None:
            self._keys.keep()

    def take_fact(self, fact: Any) -> None:
        """Has what was entered stay, once a decision follows."""
        if type(fact) is facts.Engaged:
            self._keys.keep()


class _Said:
    """What the shoe is, said once."""

    def __init__(self, how: str, decks: int) -> None:
        self._how, self._decks = how, decks
        self._boot = int.from_bytes(os.urandom(8)) or 1
        self._is_said = False

    def first(self, now_us: int) -> list[Any]:
        """Gives what it is, the first time."""
        if self._is_said:
            return []
        self._is_said = True
        return [plain_shoe.loaded(self._how, self._decks, self._boot, now_us)]
