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
from pathlib import Path
from typing import Any

from boards import apparatus
from firmware.config import judged_toml
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.mistakes import MISTAKES_MAX, limited
from firmware.lib.named_file import begin_named
from rules import layouts

FILE_MAX = 65_536  # bytes; the longest layout has 36 cups
_COLOURS = ("red", "black", "green", "yellow", "white")
_WANTS = {
    "apparatus": Message("one of ") + ", ".join(f'"{name}"' for name in apparatus.NAMES),
    "source": Message("a text that says where the order comes from"),
    "numbers": Message("a list of whole numbers, clockwise seen from above"),
    "colours": Message("a list with the colour of each, of ") + ", ".join(_COLOURS),
}
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


def _parse(text: str, name: str, apparatus: str | None, compartments: int | None) -> dict[str, Any]:
    found = _read(text, name)
    wrong = _misshapen(found)
    told = wrong[:MISTAKES_MAX]
    mistakes: list[str] = [
        Message("{}:{}: {}", name, _line(text, key), Message(why)) for key, why in told
    ]
    mistakes += [why for _, why in wrong[len(told) :]]
    if not mistakes and apparatus not in (None, found["apparatus"]):
        line = _line(text, "apparatus")
        mistakes.append(
            Message(
                "{name}:{line}: This layout is for {apparatus}, not {own_apparatus}.",
                name=name,
                line=line,
                apparatus=found["apparatus"],
                own_apparatus=apparatus,
            )
        )
    if mistakes:
        raise LayoutError(mistakes)
    numbers, colours = found["numbers"], found["colours"]
    lines = _entry_lines(text, "numbers")
    for at, why in layouts.problems(found["apparatus"], numbers, colours):
        place = Message("{}:{}: ", name, _line(text, "numbers"))
        if at is not None:
            line = lines[at] if at < len(lines) else _line(text, "numbers")
            place = Message("{name}:{line}: compartment {at}: ", name=name, line=line, at=at)
        mistakes.append(place + Message(why))
    if not mistakes and compartments not in (None, len(numbers)):
        line = _line(text, "numbers")
        mistakes.append(
            Message(
                "{name}:{line}: There are {count} compartments; this board has {compartments}.",
                name=name,
                line=line,
                count=len(numbers),
                compartments=compartments,
            )
        )
    if mistakes:
        raise LayoutError(mistakes)
    return {
        "layout": tuple(numbers),
        "colours": tuple(colours),
        "layout_source": found["source"],
        "layout_verified": True,
    }


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
            wrong.append((key, Message("{key} must be {wants}.", key=key, wants=wants)))
    return wrong


def _fits(key: str, value: Any) -> bool:
    if key == "apparatus":
        return value in apparatus.NAMES
    if key == "source":
        return isinstance(value, str) and bool(value.strip()) and value.isprintable()
    if not isinstance(value, list):
        return False
    if key == "numbers":
        return all(type(number) is int for number in value)  # a bool is no number here
    return all(colour in _COLOURS for colour in value)


def _key(text: str, key: str) -> re.Match[str] | None:
    return re.search(rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*=[ \t]*""", text, re.MULTILINE)


def _line(text: str, key: str) -> int:
    """Returns the line of a key, or 1."""
    found = _key(text, key)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _entry_lines(text: str, key: str) -> list[int]:
    """Returns the line of each entry of an array."""
    start = _key(text, key)
    if start is None:
        return []
    line, lines = _line(text, key), []
    for entry in _ENTRY.finditer(text, start.end()):
        word = entry[0]
        if word == "]":
            break
        if word == "\n":
            line += 1
        elif not word.startswith("#"):
            lines.append(line)
    return lines
