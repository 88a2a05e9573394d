"""TOML text as people write it: as far as it is TOML, with the line of every key and mistake.

Knows nothing of which keys there are; firmware/config/keys.py does.
"""

import re
import tomllib
from typing import Any

from firmware.config.judged_toml import PARTS_MAX, TooMuch, judge, loads
from firmware.lib.language import Message

# A file with more broken lines than this is not a configuration.
SYNTAX_ERRORS_MAX = 10
# Characters parsed in all, beyond which no further broken line is looked for: 10 times 12 kB.
_PARSED_MAX = 131_072
_ASIDE = "[_]"  # stands for a section whose header is no TOML


def read(
    text: str, errors_max: int = SYNTAX_ERRORS_MAX
) -> tuple[dict[str, Any], list[tuple[int, str]], "Lines"]:
    """Returns the text as far as it is TOML, each line that is not, and where everything stands.

    `errors_max`: broken lines that are looked for, one at least; where there are so many, nothing
    of it is taken. tomllib stops at its first complaint, so that line is set aside and the rest is
    read again.
    """
    kept = text.replace("\r\n", "\n").split("\n")
    mistakes: list[tuple[int, str]] = []
    try:
        judge("\n".join(kept))
    except TooMuch as error:
        return {}, [_refused(error)], Lines([])
    lines = Lines(kept)
    parsed = 0
    while True:
        parsed += len(text)
        try:
            found = loads("\n".join(kept))
            found.pop("_", None)
            return found, mistakes, lines
        except tomllib.TOMLDecodeError as error:
            line = _line_of(error, kept)
            why = re.sub(r" \(at .*\)$", "", str(error))
            mistakes.append(
                (
                    line,
                    Message(
                        "this is not TOML: {why}. A text stands in quotes.",
                        why=Message(_lower(why)),
                    ),
                )
            )
            if len(mistakes) >= errors_max or not kept[line - 1].strip():
                return {}, mistakes, lines
            # Without its header, what follows a section would be read as another section's.
            kept[line - 1] = _ASIDE if kept[line - 1].lstrip().startswith("[") else ""
            if kept.count(_ASIDE) > 1 or parsed + len(text) > _PARSED_MAX:
                return {}, mistakes, lines
        except TooMuch as error:  # in what a broken line hid
            return {}, [*mistakes, _refused(error)], lines


class Lines:
    """On which line each section and key stands; tomllib does not tell."""

    def __init__(self, lines: list[str]) -> None:
        self._lines: dict[tuple[str, ...], int] = {}
        self._headers: list[tuple[int, str | None]] = []  # None: one that is no TOML
        section: tuple[str, ...] = ()
        for number, line in enumerate(lines, 1):
            if header := header_of(line):
                section = header
                self._headers.append((number, section[0]))
                self._lines.setdefault(section, number)
            elif key := key_of(line):
                path = section + key
                for depth in range(1, len(path) + 1):
                    self._lines.setdefault(path[:depth], number)
            elif line.lstrip().startswith("["):
                self._headers.append((number, None))

    def find(self, *path: str) -> int:
        """Returns the line of a key, of its section if the key is not found, or 1."""
        return self._lines.get(path) or self._lines.get(path[:1], 1)

    def section_of(self, line: int) -> str | None:
        """Returns the section that a line which is no TOML stands in; None if it may be any."""
        above = [name for number, name in self._headers if number < line]
        is_header = any(number == line for number, _ in self._headers)
        return above[-1] if above and not is_header else None


def header_of(line: str) -> tuple[str, ...]:
    """Returns the parts of a section's name, if the line is its header; else ()."""
    line = line.strip()
    name, closed, _ = line.lstrip("[").partition("]")
    return _path(name) if line.startswith("[") and closed else ()


def key_of(line: str) -> tuple[str, ...]:
    """Returns the parts of the key that the line gives a value; else ()."""
    name, equals, _ = line.partition("=")
    return _path(name) if equals and "#" not in name else ()


def _refused(error: TooMuch) -> tuple[int, str]:
    return error.line, Message("this is no configuration: {why}.", why=error.why)


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


def _path(dotted: str) -> tuple[str, ...]:
    """Returns its parts; () of nothing, and of what no key is."""
    if not dotted.strip() or dotted.count(".") >= PARTS_MAX:  # in a text of several lines
        return ()
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
