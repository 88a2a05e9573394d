"""What a scenario must be to be played: says every mistake at once, and what was likely meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import boards
from firmware.bus.messages import REASONS
from firmware.core.faults import FAULTS
from tools.hil.faults import catalogue
from tools.hil.faults.entry import (
    APPARATUS,
    EITHER,
    MOMENTS,
    NUMBER,
    TURNING,
    VOID,
    Expect,
    Fault,
    Parameter,
)
from tools.hil.scenario import REFERENCE_BOARDS, Scenario
from tools.sim.table import presets

COUPS_MAX = 10_000  # five days of play: no scenario, a campaign
DISPLAYS_MAX = 8  # more of them do not fit into a cycle of the line
SECONDS_MAX = 86_400.0
SEED_MAX = 2**63 - 1

Path = tuple[str | int, ...]
Mistake = tuple[Path, str]

# What a fault can be told by: the faults' codes, and the reasons of a void.
_CODES = (*(kind.code for kind in FAULTS), *(name for _, name in REASONS if name))
_KEYS = tuple(name for name in Scenario._fields if name != "name")
_USE_KEYS = ("fault", "coup", "moment", "after_s", "lasts_s", "parameters", "expect")


def meant(word: str, known: Sequence[str]) -> str:
    """` Did you mean "..."?`, or nothing."""
    near = difflib.get_close_matches(word, known, n=1)
    return f' Did you mean "{near[0]}"?' if near else ""


@cache
def board_of(apparatus: str) -> dict[str, Any]:
    """The data of the board that such a table is simulated on."""
    found: dict[str, Any] = boards.load(REFERENCE_BOARDS[apparatus], None)
    return found


def check(told: dict[str, Any]) -> list[Mistake]:
    """Every mistake in a scenario as a file has it: where it is, and a sentence."""
    mistakes = list(_unknown(told, (*_KEYS, "name"), ()))
    for key in ("apparatus", "coups"):
        if key not in told:
            mistakes.append(((), f"a scenario needs the key {key}."))
    mistakes += _head(told)
    uses = told.get("faults", [])
    if not isinstance(uses, list) or not all(isinstance(use, dict) for use in uses):
        return [*mistakes, (("faults",), "each fault stands below a line [[faults]].")]
    for at, use in enumerate(uses):
        mistakes += [(("faults", at, *path), text) for path, text in _use(use, told)]
    return mistakes


def _head(told: dict[str, Any]) -> Iterator[Mistake]:
    apparatus = told.get("apparatus", APPARATUS[0])
    for key in ("name", "title"):
        if key in told and not (isinstance(told[key], str) and told[key].isprintable()):
            yield (key,), f"{key} must be a text on one line."
    yield from _word(told, "apparatus", APPARATUS)
    yield from _word(told, "confirm", ("auto", "croupier"))
    if apparatus in APPARATUS:
        yield from _word(told, "wheel", presets(apparatus))
    yield from _whole(told, "coups", 1, COUPS_MAX)
    yield from _whole(told, "seed", 0, SEED_MAX)
    yield from _whole(told, "displays", 0, DISPLAYS_MAX)
    for key in ("hand", "learned"):
        if key in told and not isinstance(told[key], bool):
            yield (key,), f"{key} must be true or false."
    if told.get("hand") is True and apparatus not in TURNING:
        yield ("hand",), f"{apparatus} has no rotor that a hand could turn. Leave the key out."
    requires = told.get("requires", [])
    if not (isinstance(requires, list) and all(isinstance(each, str) for each in requires)):
        yield ("requires",), "requires must be a list of identifiers, each in quotes."


def _use(use: dict[str, Any], told: dict[str, Any]) -> Iterator[Mistake]:
    yield from _unknown(use, _USE_KEYS, ())
    for key in ("fault", "coup", "moment"):
        if key not in use:
            yield (), f"a fault needs the key {key}."
    coups = told.get("coups")
    yield from _whole(use, "coup", 1, coups if type(coups) is int and coups > 0 else COUPS_MAX)
    yield from _word(use, "moment", MOMENTS)
    for key in ("after_s", "lasts_s"):
        yield from _number(use, key, 0.0, SECONDS_MAX)
    yield from _expect(use.get("expect", {}))
    name = use.get("fault")
    if name is None:
        return
    known = [fault.name for fault in catalogue.FAULTS]
    if name not in known:
        hint = meant(str(name), known) or " cylindre hil faults shows all."
        yield ("fault",), f"there is no fault {name!r}.{hint}"
        return
    entry = catalogue.find(name)
    yield from _fits(entry, told)
    if told.get("apparatus") in entry.apparatus:
        yield from _parameters(entry, use.get("parameters", {}), told["apparatus"])


def _fits(entry: Fault, told: dict[str, Any]) -> Iterator[Mistake]:
    """Whether that fault can be at that table."""
    apparatus = told.get("apparatus")
    if apparatus in APPARATUS and apparatus not in entry.apparatus:
        where = " or ".join(entry.apparatus)
        yield ("fault",), f"{entry.name} is a fault of {where}, not of {apparatus}."
    if entry.by_hand is not None and told.get("hand", False) is not entry.by_hand:
        who = "a hand" if entry.by_hand else "the motor"
        need = str(entry.by_hand).lower()
        yield ("fault",), f"{entry.name} needs a rotor that {who} turns: hand = {need}."
    if entry.layer in ("bus", "display") and not told.get("displays"):
        yield ("fault",), f"{entry.name} needs a display on the line: displays = 1."


def _parameters(entry: Fault, given: Any, apparatus: str) -> Iterator[Mistake]:
    if not isinstance(given, dict):
        yield ("parameters",), 'parameters are written so: parameters = { line = "rim1" }.'
        return
    board = board_of(apparatus)
    known = {each.name: each for each in entry.parameters}
    for name, value in given.items():
        path = ("parameters", name)
        if name not in known:
            hint = meant(name, list(known)) or (f" It has {_list(known)}." if known else "")
            yield path, f"{entry.name} has no parameter {name!r}.{hint}"
        elif (wants := _refused(known[name], value, board)) is not None:
            yield path, f"{name} of {entry.name} must be {wants}, not {value!r}."
    for name, each in known.items():
        if each.default is None and name not in given:
            wants = _wants(each, board)
            yield ("parameters",), f"{entry.name} needs the parameter {name}: {wants}."


def _refused(parameter: Parameter, value: Any, board: dict[str, Any]) -> str | None:
    """What it must be, if it is not."""
    if parameter.kind == "number":
        low, high = parameter.values
        fits = type(value) in (int, float) and low <= value <= high
    else:
        fits = value in parameter.choices(board)
    return None if fits else _wants(parameter, board)


def _wants(parameter: Parameter, board: dict[str, Any]) -> str:
    if parameter.kind == "number":
        low, high = parameter.values
        return f"a number from {low} to {high}"
    return "one of " + _list(parameter.choices(board))


def _expect(expect: Any) -> Iterator[Mistake]:
    if not isinstance(expect, dict):
        yield ("expect",), 'expect is written so: expect = { outcome = "void", codes = ["W21"] }.'
        return
    yield from _unknown(expect, Expect._fields, ("expect",))
    for path, text in (
        *_word(expect, "outcome", (NUMBER, VOID, EITHER)),
        *_word(expect, "next_outcome", (NUMBER, VOID, EITHER)),
        *_number(expect, "by_s", 0.0, SECONDS_MAX),
        *_whole(expect, "by_coups", 0, COUPS_MAX),
        *_whole(expect, "settles_coups", 0, COUPS_MAX),
    ):
        yield ("expect", *path), text
    for key in ("codes", "never", "reasons"):
        codes = expect.get(key, [])
        if not (isinstance(codes, list) and all(isinstance(code, str) for code in codes)):
            yield ("expect", key), f"{key} must be a list of codes or reasons, each in quotes."
            return
        for code in codes:
            if code not in _CODES:
                hint = meant(code, _CODES) or " docs/faults.md has the codes."
                yield ("expect", key), f"there is no code or reason {code!r}.{hint}"
    if expect.get("codes") and not expect.keys() & {"by_s", "by_coups"}:
        yield ("expect", "codes"), "codes need a deadline: by_s (seconds) or by_coups."


def _unknown(given: dict[str, Any], known: Sequence[str], path: Path) -> Iterator[Mistake]:
    for key in given:
        if key not in known:
            hint = meant(key, known) or f" Known: {_list(known)}."
            yield (*path, key), f"there is no key {key!r}.{hint}"


def _word(given: dict[str, Any], key: str, words: Sequence[str]) -> Iterator[Mistake]:
    if key in given and given[key] not in words:
        hint = meant(str(given[key]), words)
        yield (key,), f"{key} must be one of {_list(words)}, not {given[key]!r}.{hint}"


def _whole(given: dict[str, Any], key: str, low: int, high: int) -> Iterator[Mistake]:
    if key in given and not (type(given[key]) is int and low <= given[key] <= high):
        yield (key,), f"{key} must be a whole number from {low} to {high}, not {given[key]!r}."


def _number(given: dict[str, Any], key: str, low: float, high: float) -> Iterator[Mistake]:
    if key in given and not (type(given[key]) in (int, float) and low <= given[key] <= high):
        yield (key,), f"{key} must be a number from {low:g} to {high:g}, not {given[key]!r}."


def _list(words: Any) -> str:
    return ", ".join(words)
