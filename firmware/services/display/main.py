"""The display as a process: a serial line in, light out, until somebody stops it."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from typing import NamedTuple, TextIO

from firmware.bus.receiver import Receiver
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, unwritten_output
from firmware.lib.faces import Face, Screen, Silent, face_for
from firmware.lib.language import Message, translated
from firmware.lib.serial_line import Line
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.display.display import Display
from firmware.shims.boottime import boot_us

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
            raise Failure(FAILED, unwritten_output(error)) from error
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
        told = translated(Message("Table display: {address}", address=address))
        if isinstance(face, Silent):
            print(told, file=out, flush=True)
        elif isinstance(face, Screen):  # it covers whatever said how to stop
            display.set_notice(f"{told} · {translated(Message('Ctrl-C stops'))}")
        else:
            display.set_notice(told)

    return run_bridge(display, wake, page_port, opened)


def _drop_output(out: TextIO) -> None:
    """Lets what `out` still holds go nowhere: it would fail once more at the interpreter's end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out.fileno())
    os.close(nowhere)
