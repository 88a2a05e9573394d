"""Builds the compiled part.

Nothing is written beside the sources. The part takes its place once it is whole.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, NO_DEVICE, Failure, cause
from tools.fast import part
from tools.testing import machine

WANTS = ("gcc", "Python headers")


def build(folder: Path = part.FOLDER) -> None:
    """Compiles, and puts the result in place of what `folder` held; waits for who is at it already.

    Raises Failure without a compiler or headers, where one of both compilers refuses a file, and
    where nothing can be written.
    """
    if lacking := machine.lacking(WANTS):
        remedy = "; ".join(machine.remedies(lacking))
        raise Failure(NO_DEVICE, f"make fast wants {' and '.join(lacking)}: {remedy}")
    try:
        with _alone(folder.parent):
            if part.difference(folder) is not None:  # somebody else may have been quicker
                _build(folder)
    except OSError as error:
        raise Failure(FAILED, f"make fast cannot write {folder}: {cause(error)}.") from None


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else builds in that folder meanwhile."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            click.echo("Another make fast is at work: waiting for it ...", err=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _build(folder: Path) -> None:
    made = part.manifest()
    modules = sum(len(files) for files in part.sources().values())
    click.echo(f"Compiling {modules} modules (a minute or two) ...", err=True)
    began = time.monotonic()
    work = folder.with_name(folder.name + ".part")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        _compile(work)
        made["libraries"] = part.libraries(work / "lib")
        (work / "lib" / part.MANIFEST).write_text(json.dumps(made, indent=1) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        (work / "lib").rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    size = sum(made["libraries"].values()) / 1e6
    click.echo(f"{folder}: {size:.0f} MB in {time.monotonic() - began:.0f} s.", err=True)


def _compile(work: Path) -> None:
    """Leaves the libraries in `work`/lib.

    In a process of its own: a Ctrl-C is lost in mypy, and what breaks mypyc does not break us.
    """
    log = work / "log"
    with log.open("w") as said:
        done = subprocess.run(
            [sys.executable, "-m", "tools.fast.compiling", str(work)],
            cwd=part.ROOT, stdout=said, stderr=said, check=False,
            preexec_fn=parent_death_signal.preexec(signal.SIGKILL),
        )  # fmt: skip
    if done.returncode:
        lines = log.read_text(errors="replace").splitlines() or [f"it ended by {done.returncode}"]
        first = next((line for line in lines if "error:" in line), lines[-1])
        raise Failure(FAILED, f"make fast: {first.strip()}. The sources play as before.")
