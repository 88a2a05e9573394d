"""TOML of outside, judged before it is parsed: what would grow in the parser does not reach it.

tomllib keeps every beginning of a dotted key, so 24 kB of dots take more than a gigabyte. Here the
text is walked once, character by character as TOML reads it, and refused where it has more of
something than anybody writes.
"""

import re
import tomllib
from typing import Any

from firmware.lib.language import Message

LINE_MAX = 8192  # characters; the longest text that a key takes has 4096 bytes
PARTS_MAX = 8  # of a dotted key; what is read here has three at most
DEPTH_MAX = 8  # brackets and braces in each other; what is read here has three
NAMES_MAX = 2000  # keys, sections and entries; a configuration of every key has some 100
_DIGITS_MAX = 40  # of a whole number: the longest that a key takes has 10

_MARK = re.compile(r"""["'#\[\]{}=.,\n]""")
# The rest of a text after its opening quotes. Three quotes end one that may have more lines, and
# two more may stand before them.
_REST = {
    '"': re.compile(r'(?:[^"\\\n]|\\[^\n])*+"'),
    "'": re.compile(r"[^'\n]*+'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"(?:[^']|'(?!''))*+'{3,5}"),
}
_NUMBER = re.compile(rf"[+-]?(?:0[xob])?[0-9A-Fa-f_]{{{_DIGITS_MAX + 1},}}")


class TooMuch(Exception):
    """A text that is not parsed. `line`: where; `why`: words that end a sentence."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


def loads(text: str) -> dict[str, Any]:
    """Returns what the text says. Raises TooMuch, or tomllib.TOMLDecodeError."""
    text = text.replace("\r\n", "\n")
    judge(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (RecursionError, ValueError):  # a net below judge
        raise TooMuch(1, Message("a value is too long")) from None


def judge(text: str) -> None:
    """Walks the text, whose lines end in newlines alone. Raises TooMuch."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_MAX:
            why = Message("a line has more than {most} characters", most=LINE_MAX)
            has_value = "=" in line[:LINE_MAX]
            raise TooMuch(number, Message("a value is too long") if has_value else why)
    at, parts, depth, names, in_value = 0, 1, 0, 0, False
    while (mark := _MARK.search(text, at)) is not None:
        here = mark.start()
        if in_value and here - at > _DIGITS_MAX and _NUMBER.match(text[at:here].strip()):
            raise _too_much(text, at, Message("a value is too long"))
        at, sign = mark.end(), mark[0]
        if sign in "\"'":
            at = _after_text(text, here, sign)
            continue
        if sign == "#":
            at = _end_of_line(text, at)
            continue
        parts = parts + 1 if sign == "." else 1
        if sign in "[{" and in_value:
            depth += 1
        elif sign in "]}":
            depth = max(0, depth - 1)
        elif sign == "=":
            in_value = True
        elif sign == "\n" and not depth:
            in_value = False
        names += sign in "=,["
        if parts > PARTS_MAX:
            raise _too_much(text, here, Message("a key has more than {most} parts", most=PARTS_MAX))
        if depth > DEPTH_MAX:
            why = Message("brackets lie more than {most} deep", most=DEPTH_MAX)
            raise _too_much(text, here, why)
        if names > NAMES_MAX:
            why = Message("it has more than {most} keys and values", most=NAMES_MAX)
            raise _too_much(text, here, why)
    if in_value and _NUMBER.match(text[at:].strip()):
        raise _too_much(text, at, Message("a value is too long"))


def _after_text(text: str, here: int, quote: str) -> int:
    """Returns where a text ends that begins here; one without an end takes its line, or all."""
    opening = quote * 3 if text.startswith(quote * 3, here) else quote
    found = _REST[opening].match(text, here + len(opening))
    if found is not None:
        return found.end()
    return len(text) if len(opening) == 3 else _end_of_line(text, here)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _too_much(text: str, at: int, why: str) -> TooMuch:
    return TooMuch(text.count("\n", 0, at) + 1, why)
