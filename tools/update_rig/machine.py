"""Switches the machine on: the firmware chooses a slot, the kernel boots it, a job runs there."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, Failure
from firmware.lib.partitions import SLOTS, STATE_COPY, STATE_FILE, TRIES, Slot
from firmware.services.update import bootenv
from firmware.services.update.slots import other
from tools.hil.kernel import build
from tools.update_rig import card as cards
from tools.update_rig.root import OUT


def choose_slot(card: Path) -> Slot:
    """The slot that starts now; one of its starts is used up."""
    words = bootenv.parse(cards.read_word_file(card, STATE_FILE))
    if words is None:
        words = bootenv.parse(cards.read_word_file(card, STATE_COPY))
    if words is None:  # a card that somebody wrote on
        words = bootenv.words(("A", "B"), {slot.bootname: TRIES for slot in SLOTS})
    chosen, counted = count_start(words)
    now = bootenv.text(counted)
    for name in (STATE_FILE, STATE_COPY):
        cards.write_word_file(card, name, now)
    return chosen


def count_start(words: dict[str, str]) -> tuple[Slot, dict[str, str]]:
    """The slot that starts by these words, and the words from then on."""
    order, left = bootenv.choice(words)
    by_name = {slot.bootname: slot for slot in SLOTS}
    chosen = next((by_name[name] for name in order if left[name]), None)
    if chosen is not None:
        left[chosen.bootname] -= 1
    else:  # the first of the order once more, and the other one after it
        chosen = by_name[order[0]]
        left[other(chosen).bootname] = 1
    return chosen, bootenv.words(order, left)


LIMIT_S = 120.0  # a start takes two seconds, an installation as many
_MEMORY = "256M"
_LOOK_S = 0.01
_TAIL = 3000  # characters of the console, in an error
TOLD, BEGUN, COUNT, CONSOLE, STATUS = "told.jsonl", "begun", "writes", "console.txt", "status"


class Ran(NamedTuple):
    """`status`: of the job; None: the power was cut. `writes`: to the card, from `begun` on."""

    slot: Slot
    status: int | None
    told: list[dict[str, Any]]
    writes: int


class Cut(NamedTuple):
    """Cuts the power in the middle of that write to the card; 0: counts them. power.c, compiled."""

    library: Path
    at: int


def start(
    card: Path,
    out: Path,
    job: Sequence[str],
    *,
    cut: Cut | None = None,
    reset_s: float | None = None,
) -> Ran:
    """One start, until the job is done and the machine has switched itself off.

    `reset_s`: a watchdog resets it so long after the job has begun. Raises Failure.
    """
    slot = choose_slot(card)
    out.mkdir(parents=True, exist_ok=True)
    for name in (TOLD, BEGUN, COUNT, STATUS):
        (out / name).unlink(missing_ok=True)
    (out / "job.sh").write_text(f"cd {OUT}\nexec {shlex.join([sys.executable, *job])}\n")
    command = [
        str(build.folder() / build.LINUX), f"ubd0={card}", f"mem={_MEMORY}",
        f"root=/dev/ubda{slot.root.number}", "rootfstype=squashfs", "ro", "init=/init",
        "quiet", "loglevel=3", "panic=1", "con=null", "con0=fd:0,fd:1",
        f"rauc.slot={slot.bootname}", f"HIL_OUT={out.resolve()}",
    ]  # fmt: skip
    with (out / CONSOLE).open("wb") as console:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            start_new_session=True,
            preexec_fn=parent_death_signal.preexec(signal.SIGKILL),
            env={**os.environ, **({} if cut is None else _power(card, out, cut))},
        )
        try:
            reset = _wait(process, out, reset_s)
        finally:
            _end(process)
    dead = reset or process.returncode == -signal.SIGKILL
    writes = int.from_bytes((out / COUNT).read_bytes(), sys.byteorder) if cut else 0
    return Ran(slot, None if dead else _status(out, slot), _told(out), writes)


def _power(card: Path, out: Path, cut: Cut) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(cut.library),
        "CUT_CARD": str(card),
        "CUT_BEGUN": str(out.resolve() / BEGUN),
        "CUT_COUNT": str(out.resolve() / COUNT),
        "CUT_AT": str(cut.at),
    }


def _wait(process: subprocess.Popen[bytes], out: Path, reset_s: float | None) -> bool:
    """Until it is off, or the watchdog resets it, which is told. Raises Failure."""
    begun_s, give_up_s = None, time.monotonic() + LIMIT_S
    while process.poll() is None:
        now_s = time.monotonic()
        if begun_s is None and (out / BEGUN).exists():
            begun_s = now_s
        if begun_s is not None and reset_s is not None and now_s - begun_s >= reset_s:
            return True
        if now_s > give_up_s:
            raise failure(f"The machine was not done in {LIMIT_S:.0f} s", out)
        time.sleep(_LOOK_S)
    return False


def _status(out: Path, slot: Slot) -> int:
    path = out / STATUS
    if not path.exists():
        raise failure(f"Slot {slot.bootname} did not come up", out)
    return int(path.read_text())


def _told(out: Path) -> list[dict[str, Any]]:
    path = out / TOLD
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _end(process: subprocess.Popen[bytes]) -> None:
    """No process of the kernel writes any more when this returns."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.killpg(process.pid, 0)
            time.sleep(_LOOK_S)


def failure(what: str, out: Path) -> Failure:
    """What went wrong on the machine, with what it said last."""
    console = (out / CONSOLE).read_text(errors="replace").strip()
    return Failure(FAILED, f"{what}. It said:\n{console[-_TAIL:]}")
