"""Whether a wheel by which a player could gain may open on another gaming day."""

from __future__ import annotations

import datetime
from pathlib import Path

from firmware.config import Config
from firmware.config.keys import HOLD
from firmware.config.season import gaming_day
from firmware.core.health.codes import CODES
from firmware.core.health.facts import GAIN
from firmware.keys.rotation import public_keys
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.store import acts, reader
from firmware.store.rows import HEALTH, JournalError

_CODE = CODES[GAIN]


def check(config: Config, journal: Path, keys: Path) -> None:
    """Raises Failure where the house holds such a wheel, and the day of the notice is over.

    `keys`: the folder of the wheel's. Asked once, before anything moves: a controller that runs
    from one day into the next opens none, but plays on.
    """
    if config.health_gain != HOLD:
        return
    try:
        told = next((row for row in reader.of_kind(journal, HEALTH) if _is_gain(row.body)), None)
        if told is None or acts.acknowledged(journal, _CODE, told.n, public_keys(keys)):
            return
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    at = datetime.datetime.fromisoformat(told.utc).astimezone()
    if gaming_day(at) == gaming_day(datetime.datetime.now()):
        return
    text = Message(
        '[health] gain = "hold": a player could gain by this wheel, as {code} told on {day}. It'
        " opens on another day once a supervisor has acknowledged that: at the service page,"
        " or cylindre acknowledge {code} --why TEXT --as NAME, both in safe mode too"
        " (cylindre safe).",
        code=_CODE,
        day=at.date().isoformat(),
    )
    raise Failure(FAILED, text)


def _is_gain(body: object) -> bool:
    return isinstance(body, dict) and body.get("code") == _CODE
