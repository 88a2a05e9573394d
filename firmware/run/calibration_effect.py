"""How a calibration takes effect: the board and configuration of a wheel whose sensors were found.

Ring sensors count as measured, the zero mark folded into them: all that the core sees of both is
their sum. Beams of the track stay as drawn: the call learns what each is off from every coup
(firmware/core/call/direction_model.py), and the fingerprint of what it has learned holds for the
drawing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from firmware.lib.language import Message

_Config = TypeVar("_Config", bound=Any)
_TURN_MDEG = 360_000
# An offset that is less than this many of its own standard deviations is none: the disc's keyway
# is truer than a ball that lies anywhere in its compartment.
_SURE = 2
# A sensor that is further off was not moved by a hand that mounts it: its cable is another's.
SENSOR_MAX_MDEG = 3_000
RIM_MAX_MDEG = 3_000


def apart_deg(angle: float, other: float) -> float:
    """Returns the angle from `other` to `angle` the short way, -180 to 180."""
    return (angle - other + 180) % 360 - 180


def board(found: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Returns the board with the measured geometry: `pocket_mdeg` besides `pocket_deg`.

    Raises ValueError, a sentence, for a calibration of another board.
    """
    if values["board"] != found["name"]:
        raise ValueError(
            Message(
                "The calibration is of {board}, the wheel of {name}: calibrate this wheel.",
                board=values["board"],
                name=found["name"],
            )
        )
    if "pocket_mdeg" not in values:
        return found
    drawn = found["geometry"]["pocket_deg"]
    if len(values["pocket_mdeg"]) != len(drawn):
        raise ValueError(
            Message("The calibration has other ring sensors than the board: calibrate anew.")
        )
    index = values["index_mdeg"]
    if abs(index) <= _SURE * values["index_sd_mdeg"]:
        index = 0
    measured = tuple((mdeg + index) % _TURN_MDEG for mdeg in values["pocket_mdeg"])
    return {**found, "geometry": {**found["geometry"], "pocket_mdeg": measured}}


def config(found: _Config, values: dict[str, Any]) -> _Config:
    """Returns the configuration with the measured zero of the level, unless the house set one
    itself.
    """
    if "level_zero_mdeg" not in values or found.level_zero_x_mdeg or found.level_zero_y_mdeg:
        return found
    x, y = values["level_zero_mdeg"]
    changed: _Config = replace(found, level_zero_x_mdeg=x, level_zero_y_mdeg=y)
    return changed
