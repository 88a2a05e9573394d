"""What every start does: a slot that has proved itself gets its starts back, another is tried.

`started` comes before the controller: power cuts while a wheel starts must not bring old software
back. `settle` comes when the controller is up. A slot on trial has used up its only start: whatever
stops it before it is kept, a power cut, a watchdog, a hang, the next start is that of the old one.
To keep it is one write of the boot words.
"""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from firmware.client.ask import LOOP_AGE_MAX_MS, ask
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import N_, Message
from firmware.lib.partitions import TRIES, Slot
from firmware.lib.places import STATUS_ONLY
from firmware.services.update import bootenv, installing, later_results, release, slots, state
from firmware.services.update.bootenv import Choice
from firmware.services.update.state import GOOD, NEW, TRIED, UNKNOWN, Known, State

_LIMIT_S = 300.0  # a controller and its displays are up in one minute; a Zero 2 W takes two
_PAUSE_S = 2.0  # between two looks at what is not ready yet
_ONE_S = 120.0  # for one check: a journal of years is verified in less
_WHY_MAX = 300  # characters
_CUT_OFF = Message("it did not come up, or lost its power")


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
    """Returns those of a wheel: self-test, journal, controller and displays."""
    return (
        Check("self-test", ("cylindre", "selftest", "--quick", "--socket", socket)),
        Check("journal", ("cylindre", "journal", "verify", journal, "--keys", keys)),
        Check("controller", ("cylindre", "update", "answers", "--socket", socket)),
    )


def started(root: Path) -> Settled | None:
    """Gives what has proved itself its starts back; None: it is on trial. Raises Failure."""
    with installing.alone(root, waits=True):
        slot = slots.running_slot(root)
        choice, now = bootenv.choice(bootenv.read(root)), state.load(root)
        if _on_trial(slot, now, choice):
            return None
        running = release.running(root).version
        lost = slots.other(slot)
        if now.of(lost).kind in (NEW, TRIED) or now.trial or choice.order[:1] == (lost.bootname,):
            known = now.of(lost)
            now = now.with_slot(lost, known.failed(known.why or _CUT_OFF))
        # What was being installed when the power went is not any more.
        _keep(root, slot, now._replace(incoming=None), running)
    return Settled(slot.bootname, running, kept=True, trial=False)


def settle(
    root: Path,
    checks: Sequence[Check],
    *,
    limit_s: float = _LIMIT_S,
    pause_s: float = _PAUSE_S,
    say: Callable[[str], None] = lambda _: None,
) -> Settled:
    """Decides about a slot on trial; leaves every other as it is. Raises Failure: it cannot."""
    slot = slots.running_slot(root)
    choice, now = bootenv.choice(bootenv.read(root)), state.load(root)
    if not _on_trial(slot, now, choice):
        return Settled(slot.bootname, release.running(root).version, kept=True, trial=False)
    return _tried(root, slot, choice, lambda: first_failure(checks, limit_s, pause_s, say))


def _on_trial(slot: Slot, now: State, choice: Choice) -> bool:
    """Returns whether the slot that runs has yet to prove itself.

    One of which nothing is known is as flashed, and is kept; unless the words say that it is tried:
    a new slot that cannot mount the data partition knows nothing either.
    """
    if now.of(slot).kind == UNKNOWN:
        return _tried_by_words(slot, choice)
    return not now.proved(slot)


def _tried_by_words(slot: Slot, choice: Choice) -> bool:
    """Returns whether its only start is used up, and the other one has all of its own and starts
    next.
    """
    other = slots.other(slot).bootname
    whole = choice.left[other] >= TRIES and other in choice.order
    return whole and not choice.left[slot.bootname]


def _tried(root: Path, slot: Slot, choice: Choice, check: Callable[[], str | None]) -> Settled:
    running = state.load(root).of(slot).version or "unknown"
    try:
        with installing.alone(root, waits=True):
            now = state.load(root)
            state.save(root, now.with_slot(slot, now.of(slot).tried()))
        running = release.running(root).version
        why = check()
        if why is None:
            with installing.alone(root, waits=True):
                _keep(root, slot, state.load(root), running)
            return Settled(slot.bootname, running, kept=True, trial=True)
    except Failure as failure:
        why = failure.sentence
    _leave(root, slot, choice, why if len(why) <= _WHY_MAX else why[:_WHY_MAX])
    return Settled(slot.bootname, running, kept=False, trial=True, why=Message(why))


def _leave(root: Path, slot: Slot, choice: Choice, why: str) -> None:
    """The other slot starts next. Raises Failure: it is not known to be any better."""
    back, now = slots.other(slot), state.load(root)
    if now.of(back).kind != GOOD:
        if now.of(back).kind == UNKNOWN and _tried_by_words(slot, choice):
            return  # it starts next by the words, which stay as they are
        text = Message(
            "{why} The other slot is no better: this one goes on, and is not kept.",
            why=Message(why),
        )
        raise Failure(FAILED, text)
    # This slot has no start left: the old one starts next, even if nothing can be written any more.
    # It stays the one on trial until then: nobody keeps it meanwhile, or changes the other one.
    with contextlib.suppress(Failure), installing.alone(root, waits=True):
        state.save(root, now.with_slot(slot, now.of(slot).failed(why)))
        bootenv.choose(root, back.bootname)


def _keep(root: Path, slot: Slot, now: State, running: str) -> None:
    """The boot words first: they alone decide. The rest is told again at the next start."""
    back = slots.other(slot)
    # Where this one does not come up thrice; not what failed its last try: nobody would check it.
    also = (back.bootname,) if now.of(back).kind == GOOD and now.of(back).why is None else ()
    bootenv.choose(root, slot.bootname, *also)
    highest = state.newest(running, now.highest)
    kept = now.with_slot(slot, Known(GOOD, running))._replace(trial=None, highest=highest)
    if kept != state.load(root):
        state.save(root, kept)


def first_failure(
    checks: Sequence[Check], limit_s: float, pause_s: float, say: Callable[[str], None]
) -> str | None:
    """Returns what still fails when the time is over, in words; None: everything passed.

    What fails is asked again until then: a controller and its displays take their time to start.
    """
    end_s = time.monotonic() + limit_s
    for check in checks:
        while (why := _run(check, end_s - time.monotonic())) is not None:
            if time.monotonic() + pause_s >= end_s:
                return why
            time.sleep(pause_s)
        say(Message("{name}: passed", name=check.name))
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
        return Message("{name}: no answer in time.", name=check.name)
    except OSError as error:
        return Message("{name}: {said}.", name=check.name, said=cause(error))
    if done.returncode == 0:
        return None
    said = " ".join(done.stderr.split()[-60:]) or Message(
        "ended with {returncode}", returncode=done.returncode
    )
    return Message("{name}: {said}", name=check.name, said=Message(said))


_AGAINST = ("S10",)  # the journal's disk


def check_controller_answers(folder: Path | None, told_before: Collection[int] = ()) -> None:
    """Asks once. Raises Failure: what does not answer, or is told as broken.

    Of several displays one that answers is enough: it shows that port, line and keys are used as
    they must be. Another that is dead was so before, or is noticed as B11 whatever runs.
    `told_before`: the displays that knew of later results before this was tried.
    """
    status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    age_ms = status["loop_age_ms"]
    if status["state"] is None or age_ms is None or age_ms > LOOP_AGE_MAX_MS:
        raise Failure(FAILED, N_("The controller answers, and its loop stands still."))
    if told := [code for code in _AGAINST if code in status["faults"]]:
        raise Failure(
            FAILED,
            Message(
                "The controller tells {names}: what it records is not as it must be."
                " docs/faults.md says what to do.",
                names=", ".join(told),
            ),
        )
    if status["displays"] and not status["displays_heard"]:
        raise Failure(
            FAILED,
            Message(
                "No display answers, and there are {displays}: switch one on, or see to the"
                " line (cylindre selftest).",
                displays=status["displays"],
            ),
        )
    later_results.check(status, told_before)
