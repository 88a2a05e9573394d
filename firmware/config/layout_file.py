"""An establishment's own layout: a TOML file, read whole, checked whole, or not used at all.

apparatus = "vingt_trois"
source = "Casino de Z, cylinder 3, measured 12 March 2026"
# clockwise seen from above
numbers = [13, 1, 5, ...]
colours = ["white", "red", "black", ...]
"""

import hashlib
import re
import tomllib
from operator import itemgetter
from pathlib import Path
from typing import Any

from boards.apparatus import NAMES, of
from firmware.config import judged_toml
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.mistakes import limited
from firmware.lib.named_file import begin_named
from rules import layouts
from rules.limits import quoted

FILE_MAX = 65_536  # bytes; the longest layout has 36 cups
_COLOURS = ("red", "black", "green", "yellow", "white")
_WANTS = {
    "apparatus": Message("one of ") + ", ".join(f'"{name}"' for name in NAMES),
    "source": Message("a text that says where the order comes from"),
    "numbers": Message("a list of whole numbers, clockwise seen from above"),
    "colours": Message("a list with the colour of each, of ") + ", ".join(_COLOURS),
}
_KEY = re.compile(r"""^[ \t]*["']?([^"'\s=#]+)["']?[ \t]*=[ \t]*""", re.MULTILINE)
# In an array: a comment, a text, the end, anything else that is an entry.
_ENTRY = re.compile(r"""#[^\n]*|"[^"\n]*"|'[^'\n]*'|\]|\n|[^\s,\[\]#"']+""")


class LayoutError(Exception):
    """A layout that cannot be used: `sentences`, one for each mistake, the first twenty of them."""

    def __init__(self, sentences: list[str]) -> None:
        self.sentences = limited(sentences)
        super().__init__("\n".join(self.sentences))


def load(
    path: Path,
    apparatus: str | None = None,
    compartments: int | None = None,
    *,
    own_handles: bool = False,
) -> dict[str, Any]:
    """Returns the layout in `path`, for rules.load; with the SHA-256 of the file's bytes as
    `layout_hash`.

    `apparatus`, `compartments`: what it must be for, where that is known. `own_handles`: as
    open_named has it. Raises LayoutError with every mistake in it.
    """
    try:
        data = begin_named(path, FILE_MAX + 1, own_handles=own_handles)
    except OSError as error:
        why = cause(error)
        raise LayoutError(
            [
                Message(
                    "{path}: {why}. Give a layout file that can be read.",
                    path=path,
                    why=Message(why),
                )
            ]
        ) from None
    except ValueError:
        raise LayoutError([Message("The path of the layout file has a null character.")]) from None
    if len(data) > FILE_MAX:
        raise LayoutError(
            [
                Message(
                    "{path}: longer than {file_max} bytes, so not a layout.",
                    path=path,
                    file_max=FILE_MAX,
                )
            ]
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LayoutError(
            [
                Message(
                    "{path}:{line}: this is not UTF-8 text. Save it as UTF-8.", path=path, line=line
                )
            ]
        ) from None
    layout = _parse(text, str(path), apparatus, compartments)
    layout["layout_hash"] = hashlib.sha256(data).hexdigest()
    return layout


def _parse(text: str, name: str, wanted: str | None, compartments: int | None) -> dict[str, Any]:
    found = _read(text, name)
    lines = _key_lines(text)
    mistakes = [(lines.get(key, 1), why) for key, why in _misshapen(found)]
    numbers, colours = _entries(found, "numbers"), _entries(found, "colours")
    for key, entries in (("numbers", numbers), ("colours", colours)):
        at_line = _Places(text, key, lines)
        mistakes += [
            at_line.of(at, _no_entry(key, found[key][at]))
            for at, entry in enumerate(entries or ())
            if entry is None
        ]
    own = found["apparatus"] if found.get("apparatus") in NAMES else wanted
    if wanted not in (None, own):
        why = Message(
            "This layout is for {apparatus}, not {own_apparatus}.",
            apparatus=own,
            own_apparatus=wanted,
        )
        mistakes.append((lines.get("apparatus", 1), why))
    elif own is not None and numbers is not None:
        places = _Places(text, "numbers", lines)
        known = [None] * len(numbers) if colours is None else colours
        mistakes += [places.of(at, why) for at, why in layouts.problems(own, numbers, known)]
        if compartments not in (None, len(numbers)) and len(numbers) in of(own).compartments:
            why = Message(
                "There are {count} compartments; this board has {compartments}.",
                count=len(numbers),
                compartments=compartments,
            )
            mistakes.append(places.of(None, why))
    if mistakes:
        mistakes.sort(key=itemgetter(0))
        raise LayoutError([Message("{}:{}: {}", name, line, why) for line, why in mistakes])
    return {
        "layout": tuple(found["numbers"]),
        "colours": tuple(found["colours"]),
        "layout_source": found["source"],
        "layout_verified": True,
    }


class _Places:
    """Where the entries of an array stand."""

    def __init__(self, text: str, key: str, lines: dict[str, int]) -> None:
        self._first = lines.get(key, 1)
        self._lines = _entry_lines(text, key)

    def of(self, at: int | None, why: str) -> tuple[int, str]:
        """Returns the line of what is wrong, and what is; `at` None: of the array."""
        if at is None:
            return self._first, Message(why)
        line = self._lines[at] if at < len(self._lines) else self._first
        return line, Message("compartment {at}: {why}", at=at, why=Message(why))


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        return judged_toml.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        why = re.sub(r" \(at .*\)$", "", str(error))
        sentence = Message(
            "this is not TOML: {why}. A text stands in quotes.", why=why[:1].lower() + why[1:]
        )
        raise LayoutError([Message("{}:{}: {}", name, line, sentence)]) from None
    except judged_toml.TooMuch as error:
        raise LayoutError(
            [Message("{name}: this is not a layout: {why}.", name=name, why=error.why)]
        ) from None


def _misshapen(found: dict[str, Any]) -> list[tuple[str, str]]:
    """Keys that are missing, unknown or of the wrong kind, with a sentence each."""
    wrong: list[tuple[str, str]] = [
        (key, Message('There is no key "{key}". Known: {names}.', key=key, names=", ".join(_WANTS)))
        for key in found
        if key not in _WANTS
    ]
    for key, wants in _WANTS.items():
        if key not in found:
            wrong.append((key, Message("{key} is missing: it is {wants}.", key=key, wants=wants)))
        elif not _fits(key, found[key]):
            said = _said(found[key])
            text = Message("{key} must be {wants}, not {said}.", key=key, wants=wants, said=said)
            wrong.append((key, text))
    return wrong


def _fits(key: str, value: Any) -> bool:
    if key == "apparatus":
        return value in NAMES
    if key == "source":
        return isinstance(value, str) and bool(value.strip()) and value.isprintable()
    return isinstance(value, list)


def _entries(found: dict[str, Any], key: str) -> list[Any] | None:
    """Returns the entries of a list, None in the place of each that is none; None: no list."""
    entries = found.get(key)
    if not isinstance(entries, list):
        return None
    if key == "numbers":  # a bool is no number here
        return [entry if type(entry) is int else None for entry in entries]
    return [entry if entry in _COLOURS else None for entry in entries]


def _no_entry(key: str, entry: Any) -> Message:
    """Returns what an entry should have been."""
    if key == "numbers":
        return Message("{said} is no whole number.", said=_said(entry))
    return Message(
        "there is no colour {said}, but {names}.", said=_said(entry), names=", ".join(_COLOURS)
    )


def _said(value: Any) -> Message:
    """Returns a value as the file has it; "this" where that is no single word or number."""
    if isinstance(value, bool):
        return Message(str(value).lower())
    return Message(str(value) if isinstance(value, int | float) else quoted(value))


def _key_lines(text: str) -> dict[str, int]:
    """Returns the line of each key."""
    found: dict[str, int] = {}
    line, end = 1, 0
    for key in _KEY.finditer(text):
        line += text.count("\n", end, key.start())
        end = key.start()
        found.setdefault(key[1], line)
    return found


def _entry_lines(text: str, key: str) -> list[int]:
    """Returns the line of each entry of an array."""
    start = next((each for each in _KEY.finditer(text) if each[1] == key), None)
    if start is None:
        return []
    line, lines = text.count("\n", 0, start.start()) + 1, []
    for entry in _ENTRY.finditer(text, start.end()):
        word = entry[0]
        if word == "]":
            break
        if word == "\n":
            line += 1
        elif not word.startswith("#"):
            lines.append(line)
    return lines
