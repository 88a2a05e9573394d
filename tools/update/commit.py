"""What every start does once: keeps a slot that proves itself, leaves one that does not.

A slot on trial has used up its only start: whatever stops it before it is kept, a power cut, a
watchdog, a hang, the next start is that of the old one. To keep it is one write of the boot words.
"""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.exits import FAILED, Failure
from tools.image.layout import Slot
from tools.update import bootenv, release, slots, state
from tools.update.state import FAILED_TRY, GOOD, HALF, TRIED, Known, State

_LIMIT_S = 300.0  # a controller and its displays are up in one minute; a Zero 2 W takes two
_PAUSE_S = 2.0  # between two looks at what is not ready yet
_ONE_S = 120.0  # for one check: a journal of years is verified in less
_WHY_MAX = 300  # characters


class Check(NamedTuple):
    """A command that ends with 0 where that part of the wheel works."""

    name: str
    command: tuple[str, ...]


class Settled(NamedTuple):
    """`kept`: what runs is what starts from now on. Else the old slot has to be started."""

    slot: str
    version: str
    kept: bool
    trial: bool
    why: str | None = None


def device_checks(keys: str, journal: str, socket: str) -> tuple[Check, ...]:
    """Those of a wheel: self-test, journal, controller and displays."""
    return (
        Check("self-test", ("cylindre", "selftest", "--quick", "--socket", socket)),
        Check("journal", ("cylindre", "journal", "verify", journal, "--keys", keys)),
        Check("controller", ("cylindre", "update", "answers", "--socket", socket)),
    )


def settle(
    root: Path,
    checks: Sequence[Check],
    *,
    limit_s: float = _LIMIT_S,
    pause_s: float = _PAUSE_S,
    say: Callable[[str], None] = lambda _: None,
) -> Settled:
    """Decides about the slot that runs. Raises Failure: this machine has no slots, or no memory."""
    slot = slots.booted(root)
    if slot is None:
        raise Failure(FAILED, "This machine was not started from a slot: there is nothing to keep.")
    choice = bootenv.choice(bootenv.read(root))
    now = state.load(root)
    if now.trial == slot.bootname or (now.of(slot).kind != GOOD and not choice.left[slot.bootname]):
        return _tried(
            root, slot, now, choice.order, lambda: first_failure(checks, limit_s, pause_s, say)
        )
    running = release.running(root).version
    lost = slots.other(slot)
    if now.of(lost).kind == TRIED or now.trial or choice.order[:1] == (lost.bootname,):
        known = now.of(lost)
        why = known.why or "it was started and did not come up, or lost its power"
        now = now.with_slot(lost, Known(FAILED_TRY, known.version, why))
    _keep(root, slot, now, running)
    return Settled(slot.bootname, running, kept=True, trial=False)


def _tried(
    root: Path,
    slot: Slot,
    now: State,
    order: tuple[str, ...],
    check: Callable[[], str | None],
) -> Settled:
    now = now.with_slot(slot, now.of(slot)._replace(kind=TRIED))
    running = now.of(slot).version or "unknown"
    try:
        state.save(root, now)
        running = release.running(root).version
        why = check()
        if why is None:
            _keep(root, slot, now, running)
            return Settled(slot.bootname, running, kept=True, trial=True)
    except Failure as failure:
        why = failure.sentence
    back = slots.other(slot)
    if back.bootname not in order or now.of(back).kind in (HALF, FAILED_TRY):
        text = f"{why} The other slot is no better: this one goes on, and is not kept."
        raise Failure(FAILED, text)
    # This slot has no start left: the old one starts next, even if nothing can be written any more.
    with contextlib.suppress(Failure):
        failed = Known(FAILED_TRY, running, why[:_WHY_MAX])
        state.save(root, now.with_slot(slot, failed)._replace(trial=None))
        bootenv.choose(root, back.bootname)
    return Settled(slot.bootname, running, kept=False, trial=True, why=why)


def _keep(root: Path, slot: Slot, now: State, running: str) -> None:
    """The boot words first: they alone decide. The rest is told again at the next start."""
    back = slots.other(slot)
    also = (back.bootname,) if now.of(back).kind == GOOD else ()
    bootenv.choose(root, slot.bootname, *also)
    highest = state.newest(running, now.highest)
    kept = now.with_slot(slot, Known(GOOD, running))._replace(trial=None, highest=highest)
    if kept != state.load(root):
        state.save(root, kept)


def first_failure(
    checks: Sequence[Check], limit_s: float, pause_s: float, say: Callable[[str], None]
) -> str | None:
    """What still fails when the time is over, in words; None: everything passed.

    What fails is asked again until then: a controller and its displays take their time to start.
    """
    end_s = time.monotonic() + limit_s
    for check in checks:
        while (why := _run(check, end_s - time.monotonic())) is not None:
            if time.monotonic() + pause_s >= end_s:
                return why
            time.sleep(pause_s)
        say(f"{check.name}: passed")
    return None


def _run(check: Check, left_s: float) -> str | None:
    try:
        done = subprocess.run(
            check.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            check=False,
            timeout=max(1.0, min(left_s, _ONE_S)),
        )
    except subprocess.TimeoutExpired:
        return f"{check.name}: no answer in time."
    except OSError as error:
        return f"{check.name}: {(error.strerror or str(error)).lower()}."
    if done.returncode == 0:
        return None
    said = " ".join(done.stderr.split()[-60:]) or f"ended with {done.returncode}"
    return f"{check.name}: {said}"
