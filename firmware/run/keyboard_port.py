"""The croupier's keyboard at its port, USB or serial: keys for the loop."""

from collections.abc import Sequence
from typing import Any

from drivers.croupier_keyboard import CroupierKeys, KeysIgnored, SerialKeyboard, UsbKeyboard
from firmware.core.facts import Trouble, TroubleEnded
from firmware.lib.errors import Failure
from firmware.lib.input_device import InputDevice
from firmware.lib.serial_line import Line, LineLostError

BAUD = 115_200
RETRY_US = 1_000_000
INPUT_DEVICES = "/dev/input/"
IGNORED = "K20"  # codes of firmware.core.faults
GONE = "K21"


class KeyboardPort:
    """One keyboard: an EventSource of the loop. One that is pulled out is opened again."""

    def __init__(self, path: str, now_us: Any) -> None:
        """Opens nothing yet. `now_us`: the loop's clock."""
        self._path = path
        self._now_us = now_us
        self._keys = CroupierKeys()
        self._is_usb = path.startswith(INPUT_DEVICES)
        self._device: Any = InputDevice(path) if self._is_usb else Line(path, BAUD)
        self._reader: Any = None
        self._retry_us = 0

    def open(self) -> None:
        """Opens it. Raises Failure(NO_DEVICE)."""
        self._device.open()
        self._reader = UsbKeyboard(self._keys) if self._is_usb else SerialKeyboard(self._keys)

    def take_events(self) -> Sequence[Any]:
        """Returns the keys since the last call, and what they came to where nothing follows."""
        now_us = self._now_us()
        told = list(self._keys.tick(now_us))
        if not self._device.is_open:
            told += self._reopen(now_us)
        if self._device.is_open:
            try:
                data = self._device.read()
                told += (
                    self._reader.receive(data)
                    if self._is_usb
                    else self._reader.receive(data, now_us)
                )
            except LineLostError:
                told += self._lose(now_us)
        return told_of(told)

    def decided(self, refusal: str | None) -> None:
        """Does nothing: a refusal is told as P10, on the croupier's screen."""

    def close(self) -> None:
        """Gives the device back."""
        self._device.close()

    def _lose(self, now_us: int) -> list[Any]:
        self._retry_us = now_us + RETRY_US
        return [*self._keys.lose(now_us), Trouble(0, GONE, self._path)]

    def _reopen(self, now_us: int) -> list[Any]:
        if now_us < self._retry_us:
            return []
        self._retry_us = now_us + RETRY_US
        try:
            self.open()
        except Failure:
            return []
        return [TroubleEnded(0, GONE, self._path)]


def told_of(told: Sequence[Any]) -> list[Any]:
    """Returns what the loop takes of what the keys came to: those that act on nothing are told."""
    return [
        Trouble(0, IGNORED, f"{', '.join(each.keys) or 'keys'}: {each.why}")
        if type(each) is KeysIgnored
        else each
        for each in told
    ]
