"""What systemd is told of `cylindre run`: ready, alive, how it stands, stopping (sd_notify(3)).

One datagram a message to the socket that $NOTIFY_SOCKET names; that page promises the protocol to
whoever speaks it without libsystemd. Nothing here waits or raises: a controller that cannot tell
plays on, and systemd restarts what it does not hear of.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Any

from drivers.watchdog import ProgressWatchdog
from firmware.loop import Progress
from firmware.run.app import LoopWatchdog
from firmware.store.journal import Journal

# sd_watchdog_enabled(3) wants a message every half of the time; one may be lost besides.
FEEDS = 4
STATUS_MAX = 200  # characters: one line of `systemctl status`


class Manager:
    """Whoever started us and wants to hear of it. For the loop it shows views: the status."""

    def __init__(
        self,
        address: str,
        watchdog_us: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`address`: a path, or an abstract name behind @. `watchdog_us`: after so long without
        a word it takes us for dead; None: never."""
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)
        self.watches = watchdog_us is not None
        self._every_s = (watchdog_us or 0) / 1e6 / FEEDS
        self._clock = clock
        self._next_s = clock()

    def notify(self, *assignments: str) -> bool:
        """Says `NAME=value`, several at once. Returns whether it was taken."""
        try:
            self._socket.sendto("\n".join(assignments).encode(), self._address)
        except OSError:  # its queue is full, or nobody is there any more
            return False
        return True

    def feed(self) -> None:
        """Tells systemd that the loop makes progress: often enough, not every time."""
        now_s = self._clock()
        if now_s >= self._next_s and self.notify("WATCHDOG=1"):
            self._next_s = now_s + self._every_s

    def show_view(self, view: Any) -> None:
        """Tells the state of the table, which every display shows too."""
        self.status(f"coup {view.coup}: {view.state}")

    def status(self, text: str) -> None:
        """Tells one line for people, as `systemctl status` shows it."""
        self.notify("STATUS=" + text.replace("\n", " ")[:STATUS_MAX])

    def close(self) -> None:
        """Closes the socket: nothing more is told."""
        self._socket.close()


class Announced:
    """The port `Progress` of another: says READY when the loop has come round for once."""

    def __init__(self, manager: Manager, inner: Progress | None) -> None:
        self._manager = manager
        self._inner = inner
        self._ready = False

    def poll(self, now_us: int) -> None:
        """Polls the other, then says READY at the first round."""
        if self._inner is not None:
            self._inner.poll(now_us)
        if not self._ready:
            self._ready = self._manager.notify("READY=1")


def manager(environment: Mapping[str, str]) -> Manager | None:
    """Returns whoever $NOTIFY_SOCKET names; None: nobody wants to be told, or not in a way we
    speak."""
    address = environment.get("NOTIFY_SOCKET", "")
    if len(address) < 2 or address[0] not in "/@":
        return None
    return Manager(address, _watchdog_us(environment))


def _watchdog_us(environment: Mapping[str, str]) -> int | None:
    """Returns how long it waits for a word, where it waits for one of this very process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    text = environment.get("WATCHDOG_USEC", "")
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else None


def watch(
    manager: Manager | None, journal: Journal, hardware: Callable[[], LoopWatchdog | None]
) -> Progress | None:
    """Returns whom the loop's progress feeds: systemd where it watches, else what `hardware` opens.

    Never both: systemd feeds the machine's watchdog itself (docs/device.md). One of ours would stay
    armed after a clean stop, and reset a machine that is in safe mode.
    """
    if manager is None:
        return hardware()
    inner = LoopWatchdog(ProgressWatchdog(manager), journal) if manager.watches else hardware()
    return Announced(manager, inner)
