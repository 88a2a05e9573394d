"""The gateway as a process: the controller's status in, ASCII lines out, until it is stopped."""

import contextlib
import select
import sys
from collections.abc import Callable
from pathlib import Path

from firmware.lib.errors import FAILED, INTERRUPTED, NO_DEVICE, OK, Failure
from firmware.lib.serial_line import LineLostError
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.gateway.facts import facts
from firmware.services.gateway.link import Link, LinkLostError, Port
from firmware.services.gateway.translator import FRESH_US, Translator
from firmware.shims.boottime import boot_us

ASK_US = 100_000  # a fifth of the interval: no line is older than that
RETRY_US = 500_000


def run_gateway(port: str, socket: Path, translator: Translator) -> int:
    """Tells the displays on `port` what the controller at `socket` says, until a signal ends it.

    Returns the exit code. Raises Failure(NO_DEVICE) if either is not there at the start; what goes
    away later is waited for. To be called in the main thread: it takes the signals.
    """
    gateway = Gateway(Port(port), Link(socket), translator, boot_us)
    with Wake() as wake:
        try:
            gateway.open()
            stopped_by = gateway.run(wake)
        finally:
            gateway.close()
    return INTERRUPTED if stopped_by == SIGINT else OK


class Gateway:
    """One port, one controller, one clock (microseconds; it counts a suspended machine too)."""

    def __init__(
        self, port: Port, link: Link, translator: Translator, clock: Callable[[], int]
    ) -> None:
        self._port = port
        self._link = link
        self._translator = translator
        self._clock = clock
        self._ask_us = self._retry_us = clock()
        self._said = ""

    def open(self) -> None:
        """Opens port and controller. Raises Failure(NO_DEVICE) for one that is not there."""
        try:
            self._link.open()
        except OSError as error:
            path = self._link.path
            text = f"No controller is running at {path}. Start one with cylindre run."
            if isinstance(error, PermissionError):
                text = f"You may not use {path}. Let its owner give you the right to."
            raise Failure(NO_DEVICE, text) from None
        self._port.open()

    def run(self, wake: Wake) -> int:
        """Runs until a signal stops it; returns its number."""
        while True:
            waits_for = [part for part in (self._link, self._port) if part.is_open]
            ready, _, _ = select.select([wake, *waits_for], [], [], self._wait_us() / 1e6)
            if wake in ready:
                wake.read_signals()
                if wake.stopped_by is not None:
                    return wake.stopped_by
            self.step(self._link in ready, self._port in ready)

    def close(self) -> None:
        """Gives port and socket back."""
        self._link.close()
        self._port.close()

    def step(self, told: bool, polled: bool) -> None:
        """Does what is due; `told`, `polled`: something waits at the socket, on the line."""
        now_us = self._clock()
        if now_us >= self._retry_us:
            self._try_again(now_us)
        try:
            self._listen(told, now_us)
        except LinkLostError:
            self._translator.lost()
            self._say(f"The controller at {self._link.path} is gone: the line is silent.")
        try:
            self._speak(polled, now_us)
        except LineLostError:
            self._translator.lost()
            self._say(f"The port {self._port.port} is gone: plug it in again, the gateway waits.")

    def _wait_us(self) -> int:
        due = self._retry_us
        if self._link.is_open:
            due = min(due, self._ask_us)
        deadline_us = self._translator.deadline_us
        if deadline_us is not None and self._port.is_open:
            due = min(due, deadline_us)
        return max(0, due - self._clock())

    def _try_again(self, now_us: int) -> None:
        """Opens what is not open, the one whether or not the other is there."""
        self._retry_us = now_us + RETRY_US
        if not self._link.is_open:
            with contextlib.suppress(OSError):
                self._link.open()
                self._ask_us = now_us
        if not self._port.is_open:
            with contextlib.suppress(Failure):
                self._port.open()
                self._translator.lost()  # what was news while nobody could be told is none now

    def _listen(self, told: bool, now_us: int) -> None:
        """Asks the controller when it is time, and takes what it answers."""
        if not self._link.is_open:
            return
        if told:
            came = self._link.read()
            if came is not None:
                status, asked_us = came
                try:
                    self._translator.take_answer(facts(status), asked_us)
                except ValueError as error:
                    raise Failure(
                        FAILED,
                        f"The controller at {self._link.path} does not say {error} as it should:"
                        " start it and the gateway from the same version.",
                    ) from None
                if self._port.is_open:
                    self._say("")
        waits_us = self._link.asked_us
        if waits_us is not None and now_us - waits_us >= FRESH_US:
            self._link.close()
            raise LinkLostError(str(self._link.path))
        if now_us >= self._ask_us:
            self._ask_us = now_us + ASK_US
            self._link.ask(now_us)

    def _speak(self, polled: bool, now_us: int) -> None:
        """Sends what is due, and what a poll asks for."""
        if not self._port.is_open:
            return
        if polled:
            answer = self._translator.poll(self._port.read(), now_us)
            if answer:
                self._port.put(answer)
        due = self._translator.lines(now_us)
        if due:
            self._port.put(due)

    def _say(self, sentence: str) -> None:
        """On standard error, when it is new."""
        if sentence != self._said:
            print(sentence or "It is back: the line speaks again.", file=sys.stderr, flush=True)
        self._said = sentence
