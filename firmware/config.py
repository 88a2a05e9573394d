"""The configuration of one wheel: a TOML file, read whole, checked whole, or not used at all.

Every mistake is found at once, with its line and what was probably meant; a key that is not in
KEYS is a mistake, for a misspelt one would silently leave its default.
"""

import difflib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import boards
import rules
from firmware.core.house import AUTO, CROUPIER, PEOPLE, VOID, House
from rules.limits import names

# A file with more broken lines than this is not a configuration.
SYNTAX_ERRORS_MAX = 10
FILE_MAX = 65_536  # bytes
_ASIDE = "[_]"  # stands for a section whose header is no TOML


class ConfigError(Exception):
    """A configuration that cannot be used: `sentences`, one for each mistake, in file order."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


SPOKEN_US = 1_000_000  # a croupier says "rien ne va plus" (DESIGN section 3)


@dataclass(frozen=True)
class Config:
    """What a house chooses. None: what the board or the command line says."""

    board: str | None = None
    wheel_id: str = "wheel-1"
    call_us: int | None = None  # None: as a croupier speaks it; with terminals no time at all
    late_ppb: int = 1_000  # one call in a million may come after the drop (DESIGN section 3)
    confirm: str = AUTO
    pace_us: int = 0  # art. 1.1 of the UK's requirements: 50 games an hour when fully automatic
    after_throw_us: int | None = None  # boule: the call so long after the first beam
    alternate_throws: bool | None = None  # article 47 asks it of vingt-trois alone
    undetected: str | None = None  # PEOPLE where somebody can enter a number, else VOID
    people: str | None = None  # the file of those who may enter a number
    rules: str | None = None
    layout: str | None = None
    cups: int | None = None
    drive: str | None = None
    target_rpm: int | None = None
    port: str | None = None
    baud: int | None = None
    displays: int | None = None  # on the bus; None: all that have a key
    terminals: int | None = None  # players' terminals on the bus; None: all that have a key
    keys: str | None = None  # the folder of the keys: the wheel's, displays', terminals'
    stakes_minimum_cents: int | None = None  # None: no terminals are played
    stakes_table_minimum_cents: int | None = None
    season: str = ""  # a minimum may not go down within one
    orphelins: str | None = None  # the file of the register
    maxima: dict[str, int] | None = None  # by bet, in minima; the lower bounds of the rules else
    journal: str | None = None
    fram: str | None = None  # a file that stands in for the chip
    level_warn_mdeg: int = 100  # a tilt that shows in the drop angles alone (PHYSICS.md)
    level_zero_x_mdeg: int = 0  # what the sensor reads on a level wheel
    level_zero_y_mdeg: int = 0
    watchdog_s: int = 0  # none: who stops the program by hand does not want the machine reset

    @property
    def house(self) -> House:
        """What the core is told of it.

        `driven` and an `undetected` that is None depend on more: the app says, tools.parts knows.
        """
        return House(
            confirm=self.confirm,
            driven=False,
            call_us=self._call_us(),
            late_ppb=self.late_ppb,
            pace_us=self.pace_us,
            after_throw_us=self.after_throw_us or 0,
            alternate_throws=self.alternate_throws or False,
            undetected=self.undetected or VOID,
        )

    def _call_us(self) -> int:
        if self.call_us is not None:
            return self.call_us
        return SPOKEN_US if self.stakes_minimum_cents is None else 0


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


def _choice(section: str, name: str, field: str, choices: tuple[str, ...]) -> Key:
    words = " or ".join(f'"{choice}"' for choice in choices)
    return Key(section, name, field, (str,), 0, 0, choices, words)


def _number(
    section: str, name: str, field: str, low: float, high: float, unit: str, *, whole: bool = True
) -> Key:
    kind: tuple[type, ...] = (int,) if whole else (int, float)
    words = f"{'a whole number' if whole else 'a number'} of {unit} from {low} to {high}"
    return Key(section, name, field, kind, low, high, (), words)


def _flag(section: str, name: str, field: str) -> Key:
    return Key(section, name, field, (bool,), 0, 1, (), "true or false")


def _text(section: str, name: str, field: str, wants: str, most: int = 4096) -> Key:
    """`most`: bytes of UTF-8."""
    return Key(section, name, field, (str,), 1, most, (), wants)


_BETS = tuple(dict.fromkeys(bet for name in rules.NAMES for bet in names(rules.load(name))))
# fmt: off
KEYS = (
    _choice("wheel", "board", "board", boards.NAMES),
    _text("wheel", "id", "wheel_id", 'a name in quotes of 24 bytes at most, as "table-3"', 24),
    _number("call", "call_s", "call_us", 0, 5, "seconds", whole=False),
    _number("call", "late_per_million", "late_ppb", 0.001, 100, "late calls", whole=False),
    _choice("confirm", "mode", "confirm", (AUTO, CROUPIER)),
    _choice("manual", "undetected", "undetected", (VOID, PEOPLE)),
    _text("people", "file", "people", "a file's path in quotes"),
    _number("pace", "coup_s", "pace_us", 0, 600, "seconds", whole=False),
    _choice("game", "rules", "rules", rules.NAMES),
    _text("game", "layout", "layout", "a layout file's path in quotes"),
    Key("boule", "cups", "cups", (int,), 0, 0, (9, 18, 36), "9, 18 or 36"),
    _number("boule", "after_throw_s", "after_throw_us", 0, 20, "seconds", whole=False),
    _flag("boule", "alternate", "alternate_throws"),
    _choice("rotor", "drive", "drive", ("driven", "hand")),
    _number("rotor", "target_rpm", "target_rpm", 10, 28, "turns a minute"),
    _text("bus", "port", "port", 'a serial port in quotes, as "/dev/ttyUSB0"'),
    _number("bus", "baud", "baud", 9600, 1_000_000, "bits a second"),
    _number("bus", "displays", "displays", 0, 32, "displays"),
    _text("bus", "keys", "keys", "a folder's path in quotes"),
    _number("stakes", "minimum_cents", "stakes_minimum_cents", 1, 10**9, "cents"),
    _number("stakes", "table_minimum_cents", "stakes_table_minimum_cents", 1, 10**9, "cents"),
    _text("stakes", "season", "season", 'a name in quotes, as "2026-27"'),
    _text("stakes", "orphelins", "orphelins", "a file's path in quotes"),
    _number("stakes", "terminals", "terminals", 1, 32, "terminals"),
    *[_number("maxima", bet, "maxima", 1, 1_000_000, "times the minimum") for bet in _BETS],
    _text("store", "journal", "journal", "a file's path in quotes"),
    _text("store", "fram", "fram", "a file's path in quotes"),
    _number("level", "warn_deg", "level_warn_mdeg", 0.05, 5, "degrees", whole=False),
    _number("level", "zero_x_deg", "level_zero_x_mdeg", -10, 10, "degrees", whole=False),
    _number("level", "zero_y_deg", "level_zero_y_mdeg", -10, 10, "degrees", whole=False),
    _number("watchdog", "timeout_s", "watchdog_s", 0, 15, "seconds"),
)
# fmt: on
# A field is kept in the unit that ends its name; a file says seconds and degrees.
_SCALES = (("_us", 1_000_000), ("_mdeg", 1000), ("_ppb", 1000))
SECTIONS = tuple(dict.fromkeys(key.section for key in KEYS))


def load(path: Path) -> Config:
    """The configuration in `path`. Raises ConfigError with every mistake in it."""
    try:
        with path.open("rb") as file:
            data = file.read(FILE_MAX + 1)
        text = data.decode()
    except OSError as error:
        raise ConfigError([f"{path}: {error.strerror}. Give a file that can be read."]) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError([f"{path}:{line}: this is not UTF-8 text. Save it as UTF-8."]) from None
    if len(data) > FILE_MAX:
        raise ConfigError([f"{path}: longer than {FILE_MAX} bytes, so not a configuration."])
    return parse(text, str(path))


def parse(text: str, name: str = "config") -> Config:
    """The configuration written in `text`; `name` stands in front of the line numbers."""
    lines = text.replace("\r\n", "\n").split("\n")
    found, mistakes = _read(lines)
    where = _Places(lines)
    values: dict[str, Any] = {}
    found.pop("_", None)
    for section, content in found.items():
        if section not in SECTIONS:
            kind = f"section [{section}]" if isinstance(content, dict) else f'key "{section}"'
            known = SECTIONS if isinstance(content, dict) else [key.name for key in KEYS]
            mistakes.append((where.find(section), _unknown(kind, section, known)))
        elif not isinstance(content, dict):
            text = f"[{section}] is a section. Write its keys below a line [{section}]."
            mistakes.append((where.find(section), text))
        else:
            mistakes.extend(_check(section, content, where, values))
    if mistakes:
        raise ConfigError([f"{name}:{line}: {text}" for line, text in sorted(mistakes)])
    return Config(**values)


def _read(lines: list[str]) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The file as far as it is TOML, and each line that is not.

    tomllib stops at its first complaint, so that line is set aside and the rest is read again.
    """
    kept = list(lines)
    mistakes: list[tuple[int, str]] = []
    while True:
        try:
            return tomllib.loads("\n".join(kept)), mistakes
        except tomllib.TOMLDecodeError as error:
            line = _line_of(error, kept)
            why = re.sub(r" \(at .*\)$", "", str(error))
            mistakes.append((line, f"this is not TOML: {_lower(why)}. A text stands in quotes."))
            if len(mistakes) == SYNTAX_ERRORS_MAX or not kept[line - 1].strip():
                return {}, mistakes
            # Without its header, what follows a section would be read as another section's.
            kept[line - 1] = _ASIDE if kept[line - 1].lstrip().startswith("[") else ""
            if kept.count(_ASIDE) > 1:
                return {}, mistakes


def _line_of(error: tomllib.TOMLDecodeError, lines: list[str]) -> int:
    found = re.search(r"at line (\d+)", str(error))
    if found:
        line = int(found[1])
        # An unfinished value is noticed at the line after it.
        return line if line <= len(lines) and lines[line - 1].strip() else _last(lines[:line])
    return _last(lines)


def _last(lines: list[str]) -> int:
    """The last line that says something."""
    return max((at for at, line in enumerate(lines, 1) if line.strip()), default=1)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _check(
    section: str, content: dict[str, Any], where: "_Places", values: dict[str, Any]
) -> Iterator[tuple[int, str]]:
    """Fills `values` from one section; yields the mistakes in it."""
    keys = {key.name: key for key in KEYS if key.section == section}
    for name, value in content.items():
        line = where.find(section, name)
        key = keys.get(name)
        if key is None:
            elsewhere = [other.section for other in KEYS if other.name == name]
            if elsewhere:
                yield line, f'"{name}" belongs in section [{elsewhere[0]}], not in [{section}].'
            else:
                yield line, _unknown(f'key "{name}" in [{section}]', name, list(keys))
        elif not _fits(key, value):
            hint = _meant(value, key.choices) if isinstance(value, str) else ""
            yield line, f"{name} must be {key.wants}, not {_shown(value)}.{hint}"
        else:
            scales = [scale for unit, scale in _SCALES if key.field.endswith(unit)]
            if section == "maxima":
                values.setdefault(key.field, {})[name] = value
            else:
                values[key.field] = round(value * scales[0]) if scales else value


def _fits(key: Key, value: Any) -> bool:
    if type(value) not in key.kind:  # a bool is no number here
        return False
    if key.choices:
        return value in key.choices
    if isinstance(value, str):
        return key.low <= len(value.encode()) <= key.high and value.isprintable()
    return bool(key.low <= value <= key.high)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and len(value) < 60 else "this text"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else "this"


def _unknown(what: str, name: str, known: Any) -> str:
    return f"There is no {what}.{_meant(name, known) or ' Known: ' + ', '.join(known) + '.'}"


def _meant(word: str, known: Any) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f' Did you mean "{near[0]}"?' if near else ""


class _Places:
    """On which line each section and key stands; tomllib does not tell."""

    def __init__(self, lines: list[str]) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        section: tuple[str, ...] = ()
        for number, line in enumerate(lines, 1):
            if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
                section = _path(header[1])
                self._lines.setdefault(section, number)
            elif key := re.match(r"\s*([^=#]+?)\s*=", line):
                path = section + _path(key[1])
                for depth in range(1, len(path) + 1):
                    self._lines.setdefault(path[:depth], number)

    def find(self, *path: str) -> int:
        """The line of a key, of its section if the key is not found, or 1."""
        return self._lines.get(path) or self._lines.get(path[:1], 1)


def _path(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
