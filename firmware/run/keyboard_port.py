"""The croupier's keyboard at its port, USB or serial: keys for the loop."""

from collections.abc import Callable, Sequence
from typing import Any

from drivers.croupier_keyboard import CroupierKeys, KeysIgnored, SerialKeyboard, UsbKeyboard
from firmware.core.facts import Trouble, TroubleEnded
from firmware.run.device_port import DevicePort

IGNORED = "K20"  # codes of firmware.core.faults
GONE = "K21"


class KeyboardPort(DevicePort):
    """One keyboard."""

    def __init__(self, path: str, now_us: Callable[[], int]) -> None:
        """Opens nothing yet. `now_us`: the loop's clock."""
        DevicePort.__init__(self, path, now_us)
        self._keys = CroupierKeys()
        self.start_driver()

    def start_driver(self) -> None:
        """Takes that it is open: its lines are numbered anew."""
        self._usb, self._serial = UsbKeyboard(self._keys), SerialKeyboard(self._keys)

    def wait(self, now_us: int) -> list[Any]:
        """Lets time pass: a key is held."""
        return told_of(self._keys.tick(now_us))

    def receive(self, data: bytes, now_us: int) -> list[Any]:
        """Takes the bytes that came; gives keys, and those that act on nothing."""
        if self.is_usb:
            return told_of(self._usb.receive(data))
        return told_of(self._serial.receive(data, now_us))

    def tell_lost(self, now_us: int) -> list[Any]:
        """Gives that it is gone, and its switches turned back."""
        return told_of([*self._keys.lose(now_us), Trouble(0, GONE, self.path)])

    def tell_found(self, now_us: int) -> list[Any]:
        """Gives that it is there again."""
        return [TroubleEnded(0, GONE, self.path)]


def told_of(told: Sequence[Any]) -> list[Any]:
    """Returns what the loop takes of what the keys came to: those that act on nothing are told."""
    return [
        Trouble(0, IGNORED, f"{', '.join(each.keys) or 'keys'}: {each.why}")
        if type(each) is KeysIgnored
        else each
        for each in told
    ]
