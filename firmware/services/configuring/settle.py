"""What becomes of a configuration on trial when nobody watches: at a start of the controller.

An `apply` that is killed, or loses its power, leaves one. systemd asks before each start (count it,
or go back) and after it (it came up: it has proved itself).
"""

from __future__ import annotations

from pathlib import Path

from firmware.config import ConfigError, survey
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.services.configuring import health_check
from firmware.services.configuring.cross_checks import check
from firmware.services.configuring.trial import STARTS_MAX, Busy, Trial

UP_S = 30.0  # the controller says itself when its loop has begun; so long it may take besides


def before_start(file: Path) -> str:
    """Counts a start of what is on trial, or goes back; what was done, in a sentence."""
    trial = Trial(file)
    try:
        with trial.alone(Message("A start of the controller")):
            mark = trial.mark()
            if mark is None:
                return Message("No configuration is on trial.")
            if not trial.lies(mark):
                trial.forget()
                return Message("{file} is not what was on trial: it is taken as it is.", file=file)
            if mark.starts >= STARTS_MAX or not _is_sound(file):
                trial.go_back()
                return Message(
                    "{file} did not prove itself: it is the last good one again.", file=file
                )
            try:
                trial.count(mark)
            except OSError as error:  # else a wheel that does not come up would never go back
                trial.go_back()
                why = cause(error)
                return Message(
                    "{file} is the last good one again: its starts cannot be counted ({why}).",
                    file=file,
                    why=Message(why),
                )
            return Message(
                "{file} is on trial: start {starts} of {starts_max}.",
                file=file,
                starts=mark.starts + 1,
                starts_max=STARTS_MAX,
            )
    except Busy as busy:  # `apply` restarts the controller, and judges by itself
        return busy.sentence


def would(file: Path) -> str:
    """Returns what the next start would do, in a sentence; changes nothing."""
    trial = Trial(file)
    mark = trial.mark()
    if mark is None:
        return Message("No configuration is on trial.")
    if not trial.lies(mark):
        return Message("{file} is not what was on trial: it would be taken as it is.", file=file)
    if mark.starts >= STARTS_MAX or not _is_sound(file):
        return Message(
            "{file} has not proved itself: the last good one would take its place.", file=file
        )
    return Message(
        "{file} is on trial: the next start would be {starts} of {starts_max}.",
        file=file,
        starts=mark.starts + 1,
        starts_max=STARTS_MAX,
    )


def after_start(file: Path, sockets: Path) -> str:
    """Keeps the configuration on trial if the wheel is up. Raises Failure if it is not."""
    trial = Trial(file)
    if trial.mark() is None:
        return Message("No configuration is on trial.")
    try:
        with trial.alone(Message("A start of the controller")):
            # Whatever locks the wheel, it plays with this configuration.
            why = health_check.wait(sockets, UP_S, may_be_locked=True)
            if why is not None:
                raise Failure(
                    FAILED,
                    Message("{file} has not proved itself: {why}.", file=file, why=Message(why)),
                )
            mark = trial.mark()
            if mark is None or not trial.lies(mark):
                trial.forget()
                return Message("{file} is not what was on trial: it is taken as it is.", file=file)
            trial.proved()
            return Message("{file} has proved itself: it is the last good one now.", file=file)
    except Busy as busy:
        return busy.sentence


def _is_sound(file: Path) -> bool:
    try:
        return not check(survey(file)).mistakes
    except ConfigError:
        return False
