"""`cylindre`: the one console command.

`main` is the one place where an ending becomes an exit code and one sentence.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import sys
import time
from typing import Any, TextIO

from firmware.lib import language, process_start
from firmware.lib.errors import (
    FAILED,
    INTERRUPTED,
    OK,
    OUTPUT,
    Failure,
    cause,
    naming,
    of_file,
    unwritten_output,
)
from firmware.lib.language import N_, Message, translated

# Programs that run for long, and the module that reads a plain line of arguments: click stays out.
_PROGRAMS = {"display": "firmware.services.display.start"}
# Commands that may ask for a PIN: what is typed is not shown from their start on.
ASKING = frozenset((
    "terminal", "manual", "correct", "employee", "unseat", "account admit", "account bar",
    "account close-day", "account deposit", "account open", "account payout", "account redeem",
    "account release", "account renew", "account reprint", "account withhold", "orphelins close",
    "orphelins correct", "orphelins found", "orphelins mark", "orphelins return", "selftest",
    "calibrate", "config apply", "support-bundle", "act", "acknowledge", "shift", "people add",
    "update install", "update rollback", "cards burn", "cards correct", "cards count",
    "cards enter", "cards pay",
))  # fmt: skip


def main(arguments: list[str] | None = None) -> int:
    """Runs one command line; returns its exit code. Nothing that goes wrong leaves a traceback."""
    started_us = process_start.start_us() if arguments is None else time.monotonic_ns() // 1000
    _open_standard_streams()
    if arguments is None:
        _name_output()
    language.choose(None)
    try:
        line = sys.argv[1:] if arguments is None else arguments
        with _hiding(line):
            result = _run(line, started_us)
        sys.stdout.flush()
        return result if isinstance(result, int) else OK
    except Failure as failure:
        return _say(failure.sentence, failure.exit_code)
    except KeyboardInterrupt:
        return _say(N_("Interrupted."), INTERRUPTED)
    except OSError as error:
        if os.environ.get("CYLINDRE_DEBUG"):
            raise
        return _say(_refused(error), FAILED)
    except Exception as error:
        if os.environ.get("CYLINDRE_DEBUG"):
            raise
        why = f"{type(error).__name__}: {error}".strip().replace("\n", " ")
        sentence = Message(
            "This is a mistake in cylindre itself ({why})."
            " Run it again with CYLINDRE_DEBUG=1 to see where, and report that.",
            why=why,
        )
        return _say(sentence, FAILED)
    finally:
        if arguments is None:
            gc.freeze()  # else the end of the process looks through all of it again: 10 ms of 100


def _hiding(line: list[str]) -> contextlib.AbstractContextManager[None]:
    """Returns what hides what is typed meanwhile, for a command that may ask for a PIN."""
    words = [
        word
        for before, word in zip(["", *line], line, strict=False)
        if not word.startswith("-") and before != "--lang"
    ]
    if ASKING.isdisjoint((" ".join(words[:1]), " ".join(words[:2]))):
        return contextlib.nullcontext()
    from firmware.lib.unseen import unseen  # before click, which takes its time

    return unseen()


def _run(line: list[str], started_us: int) -> Any:
    """Runs one command line; returns what its command does."""
    if line and line[0] in _PROGRAMS:
        program = importlib.import_module(_PROGRAMS[line[0]])
        given = program.read(line[1:])
        if given is not None:
            return _straight(program, given, started_us)
    from tools.commands import group  # here: a program needs no click

    return group.run(line, started_us)


def _straight(program: Any, given: dict[str, Any], started_us: int) -> Any:
    """Starts a program; it ends as a command that click calls."""
    try:
        return program.start(**given, started_us=started_us)
    except KeyboardInterrupt:
        print(file=sys.stderr)  # closes the line of the terminal's ^C
        raise
    except BrokenPipeError:
        _drop(sys.stdout)
        _drop(sys.stderr)
        return FAILED


def _open_standard_streams() -> None:
    """Puts /dev/null where the caller closed a standard stream.

    Else the next file to be opened, a journal even, would take its number and get its output.
    Standard output still refuses to be written, so that nothing is lost without a word.
    """
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            # Takes the lowest free number: this one.
            os.open(os.devnull, os.O_RDONLY if handle == 1 else os.O_RDWR)
    for handle, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(handle, "r" if handle == 0 else "w", closefd=False))  # noqa: SIM115


class _Output(io.FileIO):
    """Standard output, whose errors have its name."""

    def write(self, data: Any) -> int:
        """Writes as much as goes. Raises OSError."""
        with naming(OUTPUT):
            return super().write(data)


def _name_output() -> None:
    """Has standard output name itself in its errors."""
    plain = sys.stdout
    assert isinstance(plain, io.TextIOWrapper)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(plain.fileno(), "w", closefd=False)),
        encoding=plain.encoding,
        errors=plain.errors,
        line_buffering=plain.line_buffering,
        write_through=plain.write_through,
    )


def _refused(error: OSError) -> str:
    """What the machine did not do, and with which file."""
    if error.filename == OUTPUT or isinstance(error, BrokenPipeError):
        # What is still buffered will not go out; without this, Python would say so at exit.
        _drop(sys.stdout)
        return unwritten_output(error)
    if error.filename is not None:
        return of_file(error.filename, error).sentence
    return Message(
        "The machine refuses to go on: {why}. CYLINDRE_DEBUG=1 shows where.", why=cause(error)
    )


def _drop(stream: TextIO) -> None:
    """Lets what a stream still holds go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _say(sentence: str, exit_code: int) -> int:
    try:
        print(translated(sentence), file=sys.stderr, flush=True)
    except OSError:  # nobody to be told: the exit code says it
        _drop(sys.stderr)
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
