"""The wheel as it was measured: a signed calibration beside its journal, kept and heeded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.api.sessions import Person
from firmware.api.values import Refused
from firmware.config import Config
from firmware.config.game import Game
from firmware.keys import folder as key_folder
from firmware.keys.rotation import public_keys
from firmware.lib import durable
from firmware.lib.errors import CONFIGURATION, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named
from firmware.lib.places import CALIBRATION
from firmware.run import calibration_effect
from firmware.run.calibration_effect import RIM_MAX_MDEG, SENSOR_MAX_MDEG, apart_deg
from firmware.store import calibration, clock
from firmware.store.calibration import BadCalibration, Calibration


def path_beside(journal: Path) -> Path:
    """Returns where the calibration of the wheel of that journal lies."""
    return journal.with_suffix(CALIBRATION)


def by_wheel(path: Path, keys: Path) -> Calibration:
    """Returns the calibration that a key of the wheel signed, its last or one before.

    Raises Failure.
    """
    try:
        data = begin_named(path, calibration.SIZE_MAX + 1, own_handles=True)
    except OSError as error:
        why = cause(error)
        text = Message(
            "{path}: {why}. The wheel has none until cylindre calibrate has signed one.",
            path=path,
            why=why,
        )
        raise Failure(CONFIGURATION, text) from None
    why_not: BadCalibration | None = None
    for public in reversed(public_keys(keys)):
        try:
            return calibration.read(data, public)
        except BadCalibration as bad:
            why_not = why_not or bad
    raise Failure(CONFIGURATION, Message("{}: {}", path, Message(str(why_not))))


def with_calibration(
    game: Game, config: Config, *, journal: Path, keys: Path
) -> tuple[Game, Config]:
    """Returns board and configuration with what was measured; as they are, where nothing was.

    Raises Failure for a calibration that is not this wheel's.
    """
    path = path_beside(journal)
    if not path.exists():
        return game, config
    values = by_wheel(path, keys).values
    try:
        return game._replace(
            board=calibration_effect.board(game.board, values)
        ), calibration_effect.config(config, values)
    except ValueError as error:
        raise Failure(CONFIGURATION, Message("{}: {}", path, Message(str(error)))) from None


def calibration_signer(
    path: Path, keys: Path, board: dict[str, Any]
) -> Callable[[dict[str, Any], Person], str]:
    """Returns who signs the values that somebody measured, and keeps them durably, whole or not at
    all.

    What would keep the next start from the table, or contradicts the drawing, is refused here too,
    whatever the program that measured it has judged. Gives the SHA-256 of the file, in hexadecimal;
    raises Refused.
    """

    def keep(values: dict[str, Any], person: Person) -> str:
        utc = clock.read().utc
        try:
            _want_plausible(board, calibration.check(values))
            private = key_folder.read_private(keys)
            data = calibration.sign(private, values, person.name, person.role, utc)
            durable.replace(path, data)
        except BadCalibration as bad:
            raise Refused("wrong_value", str(bad), Message("Measure again.")) from None
        except Failure as failure:
            raise Refused("not_now", failure.sentence, Message("Then ask again.")) from None
        except OSError as error:
            text = Message("{}: {}.", path, cause(error))
            raise Refused("not_now", text, Message("Free or replace the storage.")) from None
        return hashlib.sha256(data).hexdigest()

    return keep


def _want_plausible(board: dict[str, Any], values: dict[str, Any]) -> None:
    """Raises BadCalibration for what this board cannot be."""
    try:
        calibration_effect.board(board, values)
    except ValueError as error:
        raise BadCalibration(str(error)) from None
    drawing = board["geometry"]
    for name, limit_mdeg in (("pocket", SENSOR_MAX_MDEG), ("rim", RIM_MAX_MDEG)):
        measured, drawn = values.get(f"{name}_mdeg", ()), drawing.get(f"{name}_deg", ())
        if measured and len(measured) != len(drawn):
            raise BadCalibration(
                Message(
                    "This board has {count} of the sensors {name}.", count=len(drawn), name=name
                )
            )
        for at, (mdeg, deg) in enumerate(zip(measured, drawn, strict=False)):
            if abs(apart_deg(mdeg / 1000, deg)) * 1000 > limit_mdeg:
                raise BadCalibration(
                    Message("{name}{at} is too far off the drawing.", name=name, at=at)
                )
