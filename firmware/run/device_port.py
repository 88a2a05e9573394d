"""What people press, or a reader types, at its port: an input device or a serial line."""

from collections.abc import Callable, Sequence
from typing import Any

from firmware.lib.errors import Failure
from firmware.lib.input_device import InputDevice
from firmware.lib.serial_line import Line, LineLostError

BAUD = 115_200
RETRY_US = 1_000_000
INPUT_DEVICES = "/dev/input/"


class DevicePort:
    """One device: an EventSource of the loop. One that is pulled out is opened again."""

    def __init__(self, path: str, now_us: Callable[[], int]) -> None:
        """Opens nothing yet. `now_us`: the loop's clock."""
        self.path = path
        self.is_usb = path.startswith(INPUT_DEVICES)
        self._now_us = now_us
        self._device: Any = InputDevice(path) if self.is_usb else Line(path, BAUD)
        self._retry_us = 0

    # --- what each has of its own -----------------------------------------------------------------

    def start_driver(self) -> None:
        """Takes that it is open: what it says begins anew."""
        raise NotImplementedError

    def wait(self, now_us: int) -> list[Any]:
        """Lets time pass; gives what follows."""
        return []

    def receive(self, data: bytes, now_us: int) -> list[Any]:
        """Takes the bytes that came, perhaps none; gives what follows."""
        raise NotImplementedError

    def tell_lost(self, now_us: int) -> list[Any]:
        """Gives what follows from it being gone."""
        raise NotImplementedError

    def tell_found(self, now_us: int) -> list[Any]:
        """Gives what follows from it being there again."""
        raise NotImplementedError

    # --- the loop's side --------------------------------------------------------------------------

    def open(self) -> None:
        """Opens it. Raises Failure(NO_DEVICE)."""
        self._device.open()
        self.start_driver()

    def take_events(self) -> Sequence[Any]:
        """Returns what it said since the last call, and what follows from its coming and going."""
        now_us = self._now_us()
        told = self.wait(now_us)
        if not self._device.is_open:
            told += self._reopen(now_us)
        if self._device.is_open:
            try:
                told += self.receive(self._device.read(), now_us)
            except LineLostError:
                self._retry_us = now_us + RETRY_US
                told += self.tell_lost(now_us)
        return told

    def decided(self, refusal: str | None) -> None:
        """Does nothing: a refusal is told as P10, on the croupier's screen."""

    def close(self) -> None:
        """Gives the device back."""
        self._device.close()

    def _reopen(self, now_us: int) -> list[Any]:
        if now_us < self._retry_us:
            return []
        self._retry_us = now_us + RETRY_US
        try:
            self.open()
        except Failure:
            return []
        return self.tell_found(now_us)
