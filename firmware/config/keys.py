"""Every key that a configuration may have: where it stands, what it may be, what it means.

A key that is not in KEYS is a mistake, for a misspelt one would silently leave its default.
"""

from typing import Any, NamedTuple

import boards
import rules
from firmware.core.house import AUTO, CROUPIER, PEOPLE, VOID
from rules.limits import names


class Key(NamedTuple):
    """One key: where it stands, the field it fills, what it may be, in words and as a check."""

    section: str
    name: str
    field: str
    kind: tuple[type, ...]
    low: float
    high: float
    choices: tuple[Any, ...]
    wants: str
    means: str  # what it decides, and what holds when it is left out


def _choice(section: str, name: str, field: str, choices: tuple[str, ...], means: str) -> Key:
    words = " or ".join(f'"{choice}"' for choice in choices)
    return Key(section, name, field, (str,), 0, 0, choices, words, means)


def _number(
    section: str, name: str, field: str, low: float, high: float, unit: str, means: str
) -> Key:
    words = f"a whole number of {unit} from {low} to {high}"
    return Key(section, name, field, (int,), low, high, (), words, means)


def _fraction(
    section: str, name: str, field: str, low: float, high: float, unit: str, means: str
) -> Key:
    words = f"a number of {unit} from {low} to {high}"
    return Key(section, name, field, (int, float), low, high, (), words, means)


def _flag(section: str, name: str, field: str, means: str) -> Key:
    return Key(section, name, field, (bool,), 0, 1, (), "true or false", means)


def _text(section: str, name: str, field: str, wants: str, means: str, most: int = 4096) -> Key:
    """`most`: bytes of UTF-8."""
    return Key(section, name, field, (str,), 1, most, (), wants, means)


_FILE = "a file's path in quotes"
_FOLDER = "a folder's path in quotes"
_BETS = tuple(dict.fromkeys(bet for name in rules.NAMES for bet in names(rules.load(name))))
# fmt: off
KEYS = (
    _choice("wheel", "board", "board", boards.NAMES,
            "the board; left out: the command line says"),
    _text("wheel", "id", "wheel_id", 'a name in quotes of 24 bytes at most, as "table-3"',
          "the wheel's name, in every record", 24),
    _fraction("call", "call_s", "call_us", 0, 5, "seconds",
              "how long the call takes; left out: 1 s, as it is spoken, or 0 with terminals"),
    _fraction("call", "late_per_million", "late_ppb", 0.001, 100, "late calls",
              "so many calls may come after the drop"),
    _choice("confirm", "mode", "confirm", (AUTO, CROUPIER),
            "who makes a detected number official"),
    _choice("manual", "undetected", "undetected", (VOID, PEOPLE),
            "what becomes of a coup whose number is not detected; left out: people enter it where"
            " a croupier and the management have PINs, or the board has keys"),
    _text("people", "file", "people", _FILE, "who may, with a PIN (cylindre people)"),
    _fraction("pace", "coup_s", "pace_us", 0, 600, "seconds",
              "least time between the beginnings of two coups"),
    _choice("game", "rules", "rules", rules.NAMES, "the rules; left out: the board's own"),
    _text("game", "layout", "layout", "a layout file's path in quotes",
          "an establishment's own order of compartments"),
    Key("boule", "cups", "cups", (int,), 0, 0, (9, 18, 36), "9, 18 or 36",
        "of the dish; left out: the board's"),
    _fraction("boule", "after_throw_s", "after_throw_us", 0, 20, "seconds",
              "the call so long after the throw's first beam; left out: at it"),
    _flag("boule", "alternate", "alternate_throws", "whether each throw goes the other way"),
    _choice("rotor", "drive", "drive", ("driven", "hand"),
            "who turns the rotor; left out: as the board is made"),
    _number("rotor", "target_rpm", "target_rpm", 10, 28, "turns a minute",
            "how fast a motor turns it; left out: as the drive is set"),
    _text("bus", "port", "port", 'a serial port in quotes, as "/dev/ttyUSB0"',
          "the line to displays and terminals; left out: the board's, where it has one"),
    _number("bus", "baud", "baud", 9600, 1_000_000, "bits a second",
            "the line's speed; left out: 115200"),
    _number("bus", "displays", "displays", 0, 32, "displays",
            "on the line; left out: all that have a key"),
    _text("bus", "keys", "keys", _FOLDER, "the keys of the wheel, its displays and terminals"),
    _number("stakes", "minimum_cents", "stakes_minimum_cents", 1, 10**9, "cents",
            "the minimum that the authorisation fixes; without it no money is known here"),
    _number("stakes", "table_minimum_cents", "stakes_table_minimum_cents", 1, 10**9, "cents",
            "the table's own, a multiple of it where the rules allow one"),
    _text("stakes", "season", "season", 'a name in quotes, as "2026-27"',
          "what the rules let change between seasons only, holds within one"),
    _text("stakes", "orphelins", "orphelins", _FILE,
          "the register of abandoned stakes; left out: beside the journal"),
    _number("stakes", "terminals", "terminals", 1, 32, "terminals",
            "on the line; left out: all that have a key"),
    *[_number("maxima", bet, "maxima", 1, 1_000_000, "times the minimum",
              "the most a player may stake there; left out: the rules' lower bound")
      for bet in _BETS],
    _text("store", "journal", "journal", _FILE, "where coups are recorded"),
    _text("store", "fram", "fram", _FILE, "stands in for the FRAM chip where there is none"),
    _fraction("level", "warn_deg", "level_warn_mdeg", 0.05, 5, "degrees",
              "a tilt that is told"),
    _fraction("level", "zero_x_deg", "level_zero_x_mdeg", -10, 10, "degrees",
              "what the sensor reads on a level wheel"),
    _fraction("level", "zero_y_deg", "level_zero_y_mdeg", -10, 10, "degrees",
              "the same, across"),
    _number("watchdog", "timeout_s", "watchdog_s", 0, 15, "seconds",
            "the machine is reset when the loop stands still so long; 0: never"),
)
# fmt: on
# A field is kept in the unit that ends its name; a file says seconds and degrees.
_SCALES = (("_us", 1_000_000), ("_mdeg", 1000), ("_ppb", 1000))
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))
# Fields that name a file or folder: a relative path begins in the configuration's folder.
PATHS = ("people", "layout", "keys", "orphelins", "journal", "fram")


def fits(key: Key, value: Any) -> bool:
    """Whether a key may have that value."""
    if type(value) not in key.kind:  # a bool is no number here
        return False
    if key.choices:
        return value in key.choices
    if isinstance(value, str):
        return key.low <= len(value.encode()) <= key.high and value.isprintable()
    return bool(key.low <= value <= key.high)


def kept(key: Key, value: Any) -> Any:
    """A file's value as the field keeps it."""
    scale = _scale(key)
    return value if scale == 1 else round(value * scale)


def said_as(key: Key, value: Any) -> Any:
    """A field's value as a file says it; None stays None."""
    scale = _scale(key)
    return value if scale == 1 or value is None else value / scale


def _scale(key: Key) -> int:
    return next((scale for unit, scale in _SCALES if key.field.endswith(unit)), 1)
