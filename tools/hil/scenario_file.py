"""Scenarios as TOML files: written, and read whole, checked whole, or not used at all.

title = "A beam of the track goes dark while the ball runs."
apparatus = "roulette"
coups = 6
learned = true

[[faults]]
fault = "beam_stuck_dark"
coup = 3
moment = "launch"
after_s = 1.0
lasts_s = 60.0
parameters = { line = "rim1" }
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from firmware.config import judged_toml
from firmware.config.text import header_of, key_of
from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure, cause
from firmware.lib.language import N_, Message
from firmware.lib.mistakes import limited
from firmware.lib.named_file import begin_named
from tools.hil import scenario_check
from tools.hil.scenario import Scenario, as_dict, from_dict

FOLDER = Path(__file__).parent / "scenarios"
FILE_MAX = 262_144  # bytes; a campaign's longest has some 4 000


def shipped() -> list[str]:
    """The names of the scenarios that come with Cylindre."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find(name: str) -> Scenario:
    """The shipped scenario of that name, or the one in that file.

    Raises Failure with a sentence for each mistake.
    """
    path = Path(name)
    if path.suffix == ".toml" or "/" in name or "\0" in name:
        return load(path)
    if name not in shipped():
        hint = scenario_check.meant(name, shipped()) or N_(" cylindre hil list shows all.")
        text = Message(
            "There is no scenario {name}.{hint} A file's name ends in .toml.",
            name=repr(name),
            hint=Message(hint),
        )
        raise Failure(USAGE, text)
    return load(FOLDER / f"{name}.toml")


def load(path: Path) -> Scenario:
    """The scenario in that file, named like it. Raises Failure with a sentence for each mistake."""
    try:
        data = begin_named(path, FILE_MAX + 1, own_handles=True)
    except OSError as error:
        why = cause(error)
        raise Failure(FAILED, f"{path}: {why}. Give a scenario file that can be read.") from None
    except ValueError:
        raise Failure(USAGE, "The name of a scenario file has no null character.") from None
    if len(data) > FILE_MAX:
        raise Failure(CONFIGURATION, f"{path}: longer than {FILE_MAX} bytes, so no scenario.")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        sentence = f"{path}:{line}: this is not UTF-8 text. Save it as UTF-8."
        raise Failure(CONFIGURATION, sentence) from None
    return parse(text, name=path.stem, where=str(path))


def parse(text: str, *, name: str, where: str) -> Scenario:
    """The scenario in `text`. Raises Failure with a sentence for each mistake, by line."""
    try:
        told = judged_toml.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        at = line[1] if line else text.rstrip().count("\n") + 1
        why = re.sub(r" \(at .*\)$", "", str(error))
        sentence = f"{where}:{at}: this is not TOML: {why[:1].lower()}{why[1:]}."
        raise Failure(CONFIGURATION, sentence) from None
    except judged_toml.TooMuch as error:
        sentence = f"{where}:{error.line}: this is no scenario: {error.why}."
        raise Failure(CONFIGURATION, sentence) from None
    mistakes = scenario_check.check(told)
    if mistakes:
        lines = _lines(text)
        placed = sorted((_line(lines, path), sentence) for path, sentence in mistakes)
        said = limited([f"{where}:{at}: {text}" for at, text in placed])
        raise Failure(CONFIGURATION, "\n".join(said))
    return from_dict({"name": name, "title": name} | told)


def write(scenario: Scenario) -> str:
    """The text of its file. `parse` gives the same scenario again."""
    told = as_dict(scenario)
    told.pop("name", None)
    faults = told.pop("faults", ())
    lines = [f"{key} = {_value(value)}" for key, value in told.items()]
    for each in faults:
        lines += ["", "[[faults]]", *(f"{key} = {_value(value)}" for key, value in each.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    # What JSON writes of a text, a number or a truth is TOML, except for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(text: str) -> dict[tuple[str | int, ...], int]:
    """On which line each key stands; tomllib does not tell."""
    lines: dict[tuple[str | int, ...], int] = {}
    section: tuple[str | int, ...] = ()
    uses = -1
    for at, line in enumerate(text.splitlines(), 1):
        if header := header_of(line):
            uses += line.lstrip().startswith("[[") and header == ("faults",)
            section = (*header[:1], uses, *header[1:]) if header[0] == "faults" else header
            lines.setdefault(section, at)
        elif key := key_of(line):
            lines.setdefault((*section, *key), at)
    return lines


def _line(lines: dict[tuple[str | int, ...], int], path: tuple[str | int, ...]) -> int:
    """The line of a key; else of the section around it; else the first."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
