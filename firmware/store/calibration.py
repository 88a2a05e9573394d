"""A calibration: where this wheel's sensors are, measured, signed with the wheel's key (CPython).

docs/calibration.md has the values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.lib.language import Message
from firmware.store import signed_object
from firmware.store.signed_object import CUT, OTHER_KEY, NotSigned

FORMAT = 1
SIZE_MAX = 2048  # bytes; one of a wheel with eight beams takes some 600
_DOMAIN = b"cylindre calibration"
_TURN_MDEG = 360_000
_NAME_MAX = 64
_SENSORS_MAX = 16  # in the ring, or at the rim
_UTC_MAX = 2**40
_RPM = (5, 28)  # what `turn` takes (firmware/core/coup/maintenance.py)
_UNCERTAIN_MDEG_MAX = 10_000
_NEW = Message("Calibrate anew: cylindre calibrate.")


class BadCalibration(Exception):
    """Values that are none, or bytes that are no calibration of this wheel; the text says why."""


class Calibration(NamedTuple):
    """What was measured, by whom and when (seconds since 1970)."""

    values: dict[str, Any]
    who: str
    role: str
    utc: int


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _angles(value: Any) -> bool:
    """Of sensors in their order: whole milli-degrees, each within a turn."""
    if not isinstance(value, list) or not 0 < len(value) <= _SENSORS_MAX:
        return False
    return all(type(mdeg) is int and 0 <= mdeg < _TURN_MDEG for mdeg in value)


def _level(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(type(mdeg) is int and abs(mdeg) <= 10_000 for mdeg in value)


def _name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _NAME_MAX and value.isprintable()


_UNCERTAIN = _whole(0, _UNCERTAIN_MDEG_MAX)
# What a calibration may have: whether a value is good, and what it has to be.
# fmt: off
_VALUES: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("board", _name, Message("the name of a board")),
    ("pocket_mdeg", _angles, Message("milli-degrees within a turn, one a ring sensor")),
    ("pocket_sd_mdeg", _UNCERTAIN, Message("milli-degrees, 10000 at most")),
    ("index_mdeg", _whole(-_TURN_MDEG // 2, _TURN_MDEG // 2),
     Message("milli-degrees within half a turn")),
    ("index_sd_mdeg", _UNCERTAIN, Message("milli-degrees, 10000 at most")),
    ("rim_mdeg", _angles, Message("milli-degrees within a turn, one a beam")),
    ("rim_sd_mdeg", _UNCERTAIN, Message("milli-degrees, 10000 at most")),
    ("level_zero_mdeg", _level, Message("milli-degrees about x and y")),
    ("target_rpm_min", _whole(*_RPM), Message("turns a minute, 5 to 28")),
    ("target_rpm_max", _whole(*_RPM), Message("turns a minute, 5 to 28")),
    ("ball_pockets", lambda value: isinstance(value, list) and 0 < len(value) <= _SENSORS_MAX
        and all(type(at) is int and 0 <= at < 255 for at in value), "compartments"),
    ("turns", _whole(1, 100_000), Message("whole turns")),
    ("laps", _whole(0, 100_000), Message("whole laps")),
)
# fmt: on
_MUST = ("board",)
# Values that mean nothing without each other.
_TOGETHER = (
    ("pocket_mdeg", "pocket_sd_mdeg", "index_mdeg", "index_sd_mdeg", "ball_pockets", "turns"),
    ("rim_mdeg", "rim_sd_mdeg", "laps"),
    ("target_rpm_min", "target_rpm_max"),
)


def check(values: Any) -> dict[str, Any]:
    """Returns the values, if each is one. Raises BadCalibration."""
    if not isinstance(values, dict):
        raise BadCalibration(Message("The values are no object."))
    known = [name for name, _, _ in _VALUES]
    for name in values:
        if name not in known:
            raise BadCalibration(Message("A calibration has no {name}.", name=name))
    for name, is_good, wants in _VALUES:
        if name in values and not is_good(values[name]):
            raise BadCalibration(Message("{name} must be {wants}.", name=name, wants=wants))
    for name in _MUST:
        if name not in values:
            raise BadCalibration(Message("{name} is missing.", name=name))
    for names in _TOGETHER:
        there = [name for name in names if name in values]
        if there and len(there) < len(names):
            absent = ", ".join(name for name in names if name not in values)
            raise BadCalibration(
                Message("{there} comes with {absent}.", there=there[0], absent=absent)
            )
    if values.get("target_rpm_min", 0) > values.get("target_rpm_max", 0):
        raise BadCalibration(Message("target_rpm_min is more than target_rpm_max."))
    return values


def sign(private: bytes, values: dict[str, Any], who: str, role: str, utc: int) -> bytes:
    """Returns the calibration, signed with the wheel's private key. Raises BadCalibration."""
    check(values)
    if not _name(who) or not _name(role) or not 0 <= utc <= _UTC_MAX:
        raise BadCalibration(
            Message("A calibration needs somebody who made it, a role and a time.")
        )
    said = {"format": FORMAT, "values": values, "who": who, "role": role, "utc": utc}
    data = signed_object.sign(private, _DOMAIN, said)
    if len(data) > SIZE_MAX:
        raise BadCalibration(
            Message(
                "A calibration of {count} bytes: {size_max} is the limit.",
                count=len(data),
                size_max=SIZE_MAX,
            )
        )
    return data


def read(data: bytes, public: bytes) -> Calibration:
    """Returns what the key `public` signed. Raises BadCalibration."""
    if len(data) > SIZE_MAX:
        raise BadCalibration(
            Message(
                "The calibration is longer than {size_max} bytes. {new}",
                size_max=SIZE_MAX,
                new=_NEW,
            )
        )
    try:
        said = signed_object.read(data, public, _DOMAIN)
    except NotSigned as error:
        if error.why == CUT:
            text = Message("This is no calibration, or it was cut. {new}", new=_NEW)
        elif error.why == OTHER_KEY:
            text = Message("The calibration was signed with another key. {new}", new=_NEW)
        else:
            text = Message(
                "The calibration was altered: its signature does not hold. {new}", new=_NEW
            )
        raise BadCalibration(text) from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise BadCalibration(
            Message("The calibration is of another version of the program. Update it.")
        )
    return Calibration(check(said["values"]), said["who"], said["role"], said["utc"])
