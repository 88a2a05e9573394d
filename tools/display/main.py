"""The display as a process: a serial line in, light out, until somebody stops it."""

import contextlib
import errno
import os
import select
import sys
import time
from collections.abc import Callable
from typing import TextIO

from firmware.bus.receiver import STALE_US, Receiver
from tools.display.faces import Face, face_for
from tools.display.line import Line, LineLostError
from tools.exits import FAILED, INTERRUPTED, OK, Failure
from tools.wake import SIGINT, Wake

# How long it waits at most: a port that is gone is tried as often.
_WAIT_US = 500_000


def run_display(
    port: str, baud: int, as_json: bool, out: TextIO, *, started_us: int | None = None
) -> int:
    """Lights on `out` what the controller says on `port`, until SIGINT, SIGTERM or SIGHUP.

    `started_us`, of the monotonic clock, is where `t_us` counts from; None: now. Returns the exit
    code. Raises Failure(NO_DEVICE) if the port cannot be opened at the start (one that vanishes
    later is waited for), Failure(FAILED) if `out` cannot be written, BrokenPipeError if nobody
    reads it any more. To be called in the main thread: it takes the signals.
    """
    line = Line(port, baud)
    face = face_for(out, as_json=as_json)
    receiver = Receiver()
    if started_us is None:
        started_us = _now_us()
    display = Display(line, face, receiver, lambda: _now_us() - started_us)
    with Wake() as wake:
        try:
            line.open()
            stopped_by = display.run(wake)
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


def _drop_output(out: TextIO) -> None:
    """Lets what `out` still holds go nowhere: it would fail once more at the interpreter's end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)


class Display:
    """One line, one receiver, one face, one clock (microseconds, monotonic)."""

    def __init__(
        self, line: Line, face: Face, receiver: Receiver, clock: Callable[[], int]
    ) -> None:
        self._line = line
        self._face = face
        self._receiver = receiver
        self._note = ""
        self._clock = clock
        self._listened_us = clock()

    def run(self, wake: Wake) -> int:
        """Until a signal stops it; returns its number."""
        while True:
            self._face.show(self._receiver.lit, self._note, self._clock())
            waits_for: list[Wake | Line] = [wake, self._line] if self._line.is_open else [wake]
            ready, _, _ = select.select(waits_for, [], [], self._wait_us() / 1e6)
            if wake in ready:
                wake.look()
                if wake.stopped_by is not None:
                    return wake.stopped_by
            self.step(self._line in ready)

    def _wait_us(self) -> int:
        deadline_us = self._receiver.deadline_us
        if deadline_us is None:
            return _WAIT_US
        return max(0, min(_WAIT_US, deadline_us - self._clock()))

    def step(self, readable: bool) -> None:
        """Lets time pass and takes what came; `readable` says that something did."""
        now_us = self._clock()
        overslept = now_us - self._listened_us > STALE_US
        self._listened_us = now_us
        self._receiver.tick(now_us)
        if not self._line.is_open:
            self._try_again()
            return
        try:
            if overslept:
                # Suspended, or held up by a reader: dark by now, and what waits here is old.
                self._line.forget()
            elif readable:
                self._receiver.feed(self._line.read(), now_us)
        except LineLostError:
            self._receiver.drop()
            self._say(f"The port {self._line.port} is gone: plug it in again, the display waits.")

    def _try_again(self) -> None:
        try:
            self._line.open()
        except Failure:
            return
        self._say("")

    def _say(self, sentence: str) -> None:
        """On the bottom line of a screen, and on standard error unless that is the same screen."""
        self._note = sentence
        if sentence and not (self._face.has_notes and sys.stderr.isatty()):
            print(sentence, file=sys.stderr, flush=True)


def _now_us() -> int:
    return time.monotonic_ns() // 1000
