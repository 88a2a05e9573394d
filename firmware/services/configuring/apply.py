"""Applies a configuration, and goes back by itself if the wheel does not come up with it.

    checked -> a person logs in; where limits change a director signs; the acts are in the journal
            -> last good one kept -> on trial
    -> restarted -> up and running: it is the last good one
                 -> not: the last good one again, restarted again

The controller that runs checks the PIN. Where none runs nobody can, and `offline` says that this is
known: who may write the file may then apply it, and the act is written down when the wheel is up.
"""

from __future__ import annotations

import contextlib
import hashlib
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware.client import director
from firmware.client.ask import ask
from firmware.client.session import Session
from firmware.client.signing import check_name
from firmware.config import (
    FILE_MAX,
    ConfigError,
    Mistake,
    SourcedValue,
    decoded,
    made,
    survey,
    table_limits,
)
from firmware.config.table_limits import LimitsChange
from firmware.lib import signals
from firmware.lib.errors import CONFIGURATION, FAILED, NO_DEVICE, USAGE, Failure, cause, of_file
from firmware.lib.language import N_, Message, listed
from firmware.lib.named_file import begin_named, read_named
from firmware.services.configuring import effective, health_check
from firmware.services.configuring.cross_checks import check
from firmware.services.configuring.effective import Row
from firmware.services.configuring.restarting import restart
from firmware.services.configuring.trial import SIZE_MAX, Trial

LIMIT_S = 60.0  # a slow card and a long journal: some 20 s
COUP_MAX_S = 180.0  # a coup lasts 45 s; one that a person must end may last
_POLL_S = 0.1
_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Change(NamedTuple):
    """A configuration that may be applied: its bytes, and what it would change."""

    file: Path
    data: bytes
    before: bytes | None  # None: there was no file
    keys: list[tuple[Row, Row]]
    notices: list[Mistake]
    limits: LimitsChange | None = None  # that a director signs

    @property
    def sha256(self) -> str:
        """Returns the hash of the new file."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def is_none(self) -> bool:
        """Returns whether the file says just that already."""
        return self.data == self.before


class How(NamedTuple):
    """How it is applied. `pin`: None with `name`. `say`: tells people how far it is.

    `recorded`: the acts stand in the journal already, as those of people whom the page knew.
    """

    sockets: Path
    name: str | None
    pin: str | None
    offline: bool
    restart: tuple[str, ...]
    limit_s: float
    say: Callable[[str], None]
    recorded: bool = False
    director: str | None = None  # who signs new limits, with `director_pin`
    director_pin: str | None = None


def prepare(new: Path, file: Path) -> Change:
    """Checks `new` as it would be in the place of `file`. Raises Failure with every mistake."""
    try:
        data = begin_named(new, FILE_MAX + 1, own_handles=True)
        found = survey(file, decoded(str(new), data))
        mistakes, notices = check(found)
    except OSError as error:
        raise Failure(
            CONFIGURATION,
            Message(
                "{new}: {why}. Give a file to apply.",
                new=new,
                why=cause(error),
            ),
        ) from error
    except ConfigError as error:
        mistakes, notices = error.mistakes, []
    if mistakes:
        raise Failure(CONFIGURATION, listed(map(str, mistakes), "\n"))
    before = _said(file)
    keys = effective.differences(before, found.said)
    limits = table_limits.change(made(before), made(found.said))
    return Change(file, data, _there(file), keys, notices, limits)


def check_director(change: Change, name: str | None) -> None:
    """Raises Failure if limits change that no director is to sign, or one is to sign none."""
    if name is not None and change.limits is None:
        text = N_(
            "There is nothing for a director to sign: no limit changes, or neither [wheel] board"
            " nor [game] rules say of which game. Leave --director out, or name one."
        )
        raise Failure(USAGE, text)
    if name is None and change.limits is not None and change.limits.must:
        text = Message(
            "{why} Let one sign, with --director NAME.", why=director.unsigned(change.limits)
        )
        raise Failure(FAILED, text)


def apply(change: Change, how: How) -> str:
    """Applies it; what became of it, in one sentence. Raises Failure, exit 1, when it went back.

    An interruption goes back too, and then is raised.
    """
    trial = Trial(change.file)
    with signals.as_ctrl_c(), trial.alone(how.name or "Somebody"):
        _still(change)
        before = health_check.find_controller(how.sockets)
        later = _is_later(how, before)
        _record_before(change, how, later=later)
        _put_on_trial(trial, change, how.say)
        try:
            why = _try_out(change, how, before, later=later)
            if why is None:
                trial.proved()
                return Message("The wheel plays with {file} as it is now.", file=change.file)
        except OSError as error:
            why = Message("{}: {}", error.filename or change.file, cause(error))
        except BaseException:
            _go_back(trial, how, before)
            raise
        raise Failure(FAILED, f"{why}. {_go_back(trial, how, before)}")


def check_people(how: How) -> None:
    """Raises Failure where it is refused whatever PINs are given: they are asked for after that."""
    for name in (how.name, how.director):
        if name is not None:
            check_name(name)
    _want_writer(how, later=_is_later(how, health_check.find_controller(how.sockets)))


def _is_later(how: How, before: health_check.Seen | None) -> bool:
    """Returns whether nobody can write it down now: that is done once the wheel is up."""
    return before is None or (how.offline and before.records_nothing)


def _still(change: Change) -> None:
    """Raises Failure if what it was compared with is not there any more: it would undo that."""
    if _there(change.file) != change.before:
        raise Failure(
            FAILED,
            Message(
                "{file} was changed meanwhile: nothing is changed. Look at it with cylindre"
                " config show, then apply again.",
                file=change.file,
            ),
        )


def _there(file: Path) -> bytes | None:
    """What the configuration's file holds; None where there is none. Raises Failure."""
    try:
        return read_named(file, SIZE_MAX)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise of_file(file, error, CONFIGURATION) from error


def _put_on_trial(trial: Trial, change: Change, say: Callable[[str], None]) -> None:
    """Keeps the last good one, then puts the new one in its place. Raises Failure, changed nothing.

    What is there is no good one while it is on trial itself, for somebody killed an `apply`; nor if
    it has mistakes.
    """
    with signals.handled(_ignored, *_ALL):
        mark = trial.mark()
        unproved = mark is not None and trial.lies(mark)
        if unproved:
            say(Message("What is there had not proved itself: it is none to go back to."))
        try:
            if not unproved and (not trial.good.exists() or not _mistakes(change.file)):
                trial.keep()
            trial.begin_trial(change.data)
        except OSError as error:
            if not unproved:
                trial.forget()
            why = Message("{}: {}", error.filename, cause(error))
            text = Message(
                "{why}: nothing is changed. Free or replace the storage, then apply again.",
                why=Message(why),
            )
            raise Failure(FAILED, text) from None


def _want_writer(how: How, *, later: bool) -> None:
    """Raises Failure where nobody could write down who applies it."""
    if later:
        if not how.offline:
            raise Failure(
                NO_DEVICE,
                Message(
                    "No controller answers at {sockets}, so nobody can log in. Start it, or give"
                    " --offline where it cannot be started.",
                    sockets=how.sockets,
                ),
            )
        if how.director is not None:
            text = N_(
                "No controller runs that could write down what the director signs. Start it with"
                " the limits of before, or without [stakes] and [maxima], then apply again."
            )
            raise Failure(NO_DEVICE, text)
    elif how.name is None and not how.recorded:
        raise Failure(USAGE, N_("A controller runs here: say who applies this, with --as NAME."))


def _record_before(change: Change, how: How, *, later: bool) -> None:
    """The person logs in, and what will be tried stands in the journal. Raises Failure."""
    _want_writer(how, later=later)
    if later:
        return
    if how.recorded:
        _wait_for_the_coup(how)
        return
    assert how.name is not None and how.pin is not None
    with Session(how.sockets, how.name, how.pin) as session:
        if change.limits is not None and how.director is not None and how.director_pin is not None:
            ask(how.sockets, director.request(change.limits, how.director, how.director_pin))
        _wait_for_the_coup(how)
        session.act(
            "config",
            Message("{file} is tried: {summary}", file=change.file, summary=_summary(change)),
            change.sha256,
        )


def _wait_for_the_coup(how: How) -> None:
    """A restart would make an open coup void. Raises Failure if it does not end."""
    end_s = time.monotonic() + COUP_MAX_S
    told = False
    if (here := health_check.find_controller(how.sockets)) is not None and here.in_service:
        raise Failure(
            FAILED,
            N_(
                "Somebody has taken the wheel out of play, and a restart would put it back:"
                " nothing is changed. Let it be put back, then apply again."
            ),
        )
    while (seen := health_check.find_controller(how.sockets)) is not None and seen.open:
        if time.monotonic() > end_s:
            raise Failure(
                FAILED,
                Message(
                    "The coup has not ended in {coup_max_s:g} s: nothing is changed. End it, then"
                    " apply again.",
                    coup_max_s=COUP_MAX_S,
                ),
            )
        if not told:
            how.say(Message("Waiting for the end of the coup ..."))
            told = True
        time.sleep(_POLL_S)


def _try_out(
    change: Change, how: How, before: health_check.Seen | None, *, later: bool
) -> str | None:
    """Restarts the wheel with it; why it did not come up, or None. `later`: writes it down then."""
    how.say(Message("Restarting the controller ..."))
    why = restart(how.restart, how.limit_s)
    if why is None:
        how.say(Message("Waiting for the wheel to come up ..."))
        why = health_check.wait(
            how.sockets,
            how.limit_s,
            old_pid=None if before is None else before.pid,
            may_be_locked=before is not None and before.locked,
        )
    if why is not None:
        return Message("The wheel did not come up: {why}", why=Message(why))
    if later and how.name is not None and how.pin is not None:
        try:
            with Session(how.sockets, how.name, how.pin) as session:
                detail = Message(
                    "{file} applied offline: {summary}", file=change.file, summary=_summary(change)
                )
                session.act("config", detail, change.sha256)
        except Failure as failure:
            return Message(
                "This cannot be written down: {sentence}",
                sentence=Message(failure.sentence).rstrip("."),
            )
    return None


def _go_back(trial: Trial, how: How, before: health_check.Seen | None) -> str:
    """Returns the last good configuration again, whatever happens; what became of it, in a
    sentence.

    Nobody interrupts it: half a way back would leave the wheel still.
    """
    with signals.handled(_ignored, *_ALL):
        how.say(Message("Going back to the last good configuration ..."))
        tried = health_check.find_controller(how.sockets)
        try:
            trial.go_back()
        except OSError as error:
            raise Failure(
                FAILED,
                Message(
                    "{path} cannot be put back ({cause}): free the storage, then cylindre config"
                    " settle.",
                    path=trial.path,
                    cause=cause(error),
                ),
            ) from error
        why = restart(how.restart, how.limit_s)
        if not trial.path.exists():
            return Message(
                "As there was none before, {path} is gone; it lies beside as .failed.",
                path=trial.path,
            )
        why = why or health_check.wait(
            how.sockets,
            max(how.limit_s, LIMIT_S),
            old_pid=None if tried is None else tried.pid,
            may_be_locked=before is not None and before.locked,
        )
        if why is not None:
            return Message(
                "The last good configuration is back in {path}, but the wheel did not come up"
                " with it either: {why}. See cylindre doctor.",
                path=trial.path,
                why=Message(why),
            )
        if how.name is not None and how.pin is not None:
            with contextlib.suppress(Failure), Session(how.sockets, how.name, how.pin) as session:
                session.act(
                    "config", Message("{path} went back to the last good one", path=trial.path)
                )
        return Message(
            "{path} is the last good one again, and the wheel plays with it.", path=trial.path
        )


def _ignored(number: int, frame: object) -> None:
    """Not SIG_IGN: what is restarted meanwhile would inherit that."""


def _summary(change: Change) -> str:
    """Returns what changes, on one line."""
    told = [f"{row.section}.{row.key} {effective.shown(row.value)}" for _, row in change.keys]
    return ", ".join(told) or Message("no key changes")


def _said(file: Path) -> dict[tuple[str, str], SourcedValue]:
    """Returns what is said now; nothing, as far as that cannot be read."""
    try:
        return survey(file).said
    except ConfigError:
        return {}


def _mistakes(file: Path) -> list[Mistake]:
    """Of the configuration that lies there now: with one it is none to go back to."""
    try:
        return check(survey(file)).mistakes
    except ConfigError as error:
        return error.mistakes
