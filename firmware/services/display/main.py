"""The display as a process: a serial line in, light out, until somebody stops it."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import sys
import time
from collections.abc import Callable
from typing import NamedTuple, TextIO

from firmware.bus.receiver import Receiver
from firmware.bus.slots import FRESH_US
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure
from firmware.lib.serial_line import Line, LineLostError
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.display.faces import Face, Silent, face_for
from firmware.services.display.hearing import Hearing
from firmware.services.display.scene import Director
from firmware.shims.boottime import boot_us

# How long it waits at most: a port that is gone is tried as often.
_WAIT_US = 500_000

# What people chose. `as_json` and `terminal` False: the page alone. `page_port` None: no page.
Choices = NamedTuple(
    "Choices",
    [
        ("port", str),
        ("baud", int),
        ("as_json", bool),
        ("terminal", bool),
        ("page_port", int | None),
    ],
)


def run_display(
    choices: Choices, receiver: Receiver, out: TextIO, *, started_us: int | None = None
) -> int:
    """Lights what the controller says on a port, until SIGINT, SIGTERM or SIGHUP.

    `started_us`, of the monotonic clock, is where `t_us` counts from; None: now. Returns the exit
    code. Raises Failure(NO_DEVICE) if the port cannot be opened at the start (one that vanishes
    later is waited for), Failure(FAILED) if `out` cannot be written or the page not be served,
    BrokenPipeError if nobody reads `out` any more. To be called in the main thread: it takes the
    signals.
    """
    line = Line(choices.port, choices.baud)
    face = face_for(out, as_json=choices.as_json, terminal=choices.terminal)
    age_us = 0 if started_us is None else time.monotonic_ns() // 1000 - started_us
    began_us = boot_us() - age_us
    display = Display(line, face, receiver, lambda: boot_us() - began_us)
    with Wake() as wake:
        try:
            line.open()
            stopped_by = _run(display, wake, choices.page_port, face, out)
            face.close()
        except BrokenPipeError:
            raise
        except OSError as error:  # the line's own are Failure and LineLostError
            _drop_output(out)
            if error.errno == errno.EIO:  # the terminal was closed over us
                return OK
            sentence = f"The display cannot write what it lights: {error.strerror}."
            raise Failure(FAILED, sentence) from error
        finally:
            line.close()
            with contextlib.suppress(OSError):
                face.close()
    return INTERRUPTED if stopped_by == SIGINT else OK


def _run(display: Display, wake: Wake, page_port: int | None, face: Face, out: TextIO) -> int:
    if page_port is None:
        return display.run(wake)
    from firmware.services.display.bridge import (
        run_bridge,  # here: whoever serves no page needs no asyncio
    )

    def opened(address: str) -> None:
        if isinstance(face, Silent):
            print(f"Table display: {address}", file=out, flush=True)
        else:
            display.say(f"Table display: {address}")

    return run_bridge(display, wake, page_port, opened)


def _drop_output(out: TextIO) -> None:
    """Lets what `out` still holds go nowhere: it would fail once more at the interpreter's end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)


class Display:
    """One line, one receiver, its faces, one clock (microseconds, monotonic)."""

    def __init__(
        self, line: Line, face: Face, receiver: Receiver, clock: Callable[[], int]
    ) -> None:
        self.line = line
        self.clock = clock
        self.faces = [face]
        self._receiver = receiver
        self._director = Director()
        self._hearing = Hearing(line.port, line.baud)
        self._note = self._standing = ""
        self._listened_us = clock()

    def run(self, wake: Wake) -> int:
        """Until a signal stops it; returns its number."""
        while True:
            self.show()
            waits_for: list[Wake | Line] = [wake, self.line] if self.line.is_open else [wake]
            ready, _, _ = select.select(waits_for, [], [], self.wait_us() / 1e6)
            if wake in ready:
                wake.look()
                if wake.stopped_by is not None:
                    return wake.stopped_by
            self.step(self.line in ready)

    def show(self) -> None:
        """Lights on every face what is to be lit now."""
        now_us = self.clock()
        receiver = self._receiver
        scene = self._director.scene(receiver.lit, now_us, lambda: receiver.outcomes)
        for face in self.faces:
            face.show(scene, self._note, now_us)

    def wait_us(self) -> int:
        """When to call `step` again if nothing comes before."""
        deadline_us = self._receiver.deadline_us
        if deadline_us is None:
            return _WAIT_US
        return max(0, min(_WAIT_US, deadline_us - self.clock()))

    def step(self, readable: bool) -> None:
        """Lets time pass and takes what came; `readable` says that something did."""
        now_us = self.clock()
        overslept = now_us - self._listened_us > FRESH_US
        self._listened_us = now_us
        self._receiver.tick(now_us)
        if not self.line.is_open:
            self._try_again()
            return
        try:
            if overslept:
                # Suspended, or held up by a reader: dark by now, and what waits here is old.
                self.line.forget()
            elif readable:
                data = self.line.read()
                reply = self._receiver.feed(data, now_us)
                if reply:
                    self.line.write(reply)
                while self._receiver.work():
                    self._receiver.tick(self.clock())
                self._explain(data, now_us)
        except LineLostError:
            self._receiver.drop()
            self._note = f"The port {self.line.port} is gone: plug it in again, the display waits."
            self._tell(self._note)

    def say(self, sentence: str) -> None:
        """What stands on the bottom line as long as there is nothing else to say."""
        self._note = self._standing = sentence
        self._tell(sentence)

    def _explain(self, data: bytes, now_us: int) -> None:
        dark = self._receiver.deadline_us is None
        why = self._hearing.hear(data, now_us, dark=dark)
        if why is not None:
            self._note = why
            self._tell(why)
        elif not dark:
            self._note = self._standing

    def _try_again(self) -> None:
        try:
            self.line.open()
        except Failure:
            return
        self._note = self._standing

    def _tell(self, sentence: str) -> None:
        """On standard error too, unless that is a screen which has it."""
        if not (self.faces[0].has_notes and sys.stderr.isatty()):
            print(sentence, file=sys.stderr, flush=True)
