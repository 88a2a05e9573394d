"""A controller without a wheel, for tests of displays: says what it is told to, on a pty."""

import contextlib
import os
import time
import tty
from pathlib import Path
from random import Random

from firmware.core.facts import View
from tools.busfaults.house import House


class Wire:
    """A pty whose far end has a name of our own, so that it can vanish and come back."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        link.symlink_to(os.ttyname(self._slave))

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self.master, data)

    def read(self) -> bytes:
        try:
            return os.read(self.master, 4096)
        except BlockingIOError:
            return b""

    def cut(self) -> None:
        if self.master >= 0:
            self.link.unlink()
            os.close(self.master)
            os.close(self._slave)
            self.master = -1


class Controller:
    """A house with one display, at address 1."""

    def __init__(self) -> None:
        self.house = House(Random(1), range(1, 2))

    def keys(self, folder: Path) -> Path:
        """Writes what the display at address 1 has of the keys; the folder."""
        folder.mkdir(exist_ok=True)
        (folder / "wheel.pub").write_text(self.house.root.hex() + "\n")
        key = folder / "display-01.key"
        key.touch(mode=0o600)
        key.write_text(self.house.keys[1].hex() + "\n")
        return folder

    def state(self, state: str, *, rotor: int = -1) -> None:
        """Shows a state without a number, of the coup after the last."""
        coup = self.house.coup + 1
        self.house.set_view(View(state, coup, self.house.seq, rotor, None, None, None))

    def confirm(self, number: int) -> None:
        """Records a result, of a new coup, and shows it."""
        self.house.coup += 1
        self.house.set_view(self.house.confirm(number))

    def void(self, reason: str) -> None:
        self.house.coup += 1
        self.house.set_view(self.house.void(reason))

    def talk(self, wire: Wire) -> None:
        """Says what is due now, and hears what came."""
        for frame in self.house.exchange(wire.read(), time.monotonic_ns() // 1000):
            wire.write(frame)
