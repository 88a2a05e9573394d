"""A calibration as it lies in its file, verified."""

from __future__ import annotations

from pathlib import Path

from firmware.keys.rotation import public_keys
from firmware.lib.errors import CONFIGURATION, Failure, cause
from firmware.lib.language import Message
from firmware.store.calibration import SIZE_MAX, BadCalibration, Calibration, read


def by_wheel(path: Path, keys: Path) -> Calibration:
    """Returns the calibration that a key of the wheel signed, its last or one before.

    Raises Failure.
    """
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_MAX + 1)
    except OSError as error:
        why = cause(error)
        text = Message(
            "{path}: {why}. The wheel has none until cylindre calibrate has signed one.",
            path=path,
            why=Message(why),
        )
        raise Failure(CONFIGURATION, text) from None
    why_not: BadCalibration | None = None
    for public in reversed(public_keys(keys)):
        try:
            return read(data, public)
        except BadCalibration as bad:
            why_not = why_not or bad
    raise Failure(CONFIGURATION, Message("{}: {}", path, Message(str(why_not))))
