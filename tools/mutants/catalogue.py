"""The mistakes, as catalogue.toml has them."""

from __future__ import annotations

import difflib
import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import USAGE, Failure

FILE = Path(__file__).with_name("catalogue.toml")
REGULATIONS = Path(__file__).with_name("regulations.toml")


class Mutant(NamedTuple):
    """One mistake. `path`, `function`: where `old` stands, once; `tests`: who should see `new`.

    `function` is empty where it stands in a module of data.
    """

    name: str
    kind: str
    path: str
    function: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def place(self) -> str:
        """Its function, as pytest names one."""
        return f"{self.path}::{self.function}" if self.function else self.path

    @property
    def module(self) -> str:
        """As it is imported."""
        return self.path.removesuffix(".py").replace("/", ".")


def read(file: Path = FILE) -> list[Mutant]:
    """All of them, in their order. Raises KeyError for one that lacks something."""
    found = []
    for told in tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]:
        path, _, function = told["in"].partition("::")
        tests = tuple(told["tests"])
        found.append(
            Mutant(told["name"], told["kind"], path, function, told["old"], told["new"], tests)
        )
    return found


class Row(NamedTuple):
    """What a text asks: in which part of the page, where the code does it, and which test proves it
    when the mutant, which breaks that code, is put in."""

    part: str
    text: str
    asks: str
    code: tuple[str, ...]
    test: str  # below tests/
    mutant: Mutant


def regulations(file: Path = REGULATIONS) -> list[Row]:
    """The rows of docs/regulations.md, in their order. Raises KeyError for one that lacks
    something.
    """
    found = []
    for told in tomllib.loads(file.read_text(encoding="utf-8"))["row"]:
        path, _, function = told["in"].partition("::")
        name = told["test"].partition("::")[2]
        where = (path, function, told["old"], told["new"])
        mutant = Mutant(name, "regulation", *where, (f"tests/{told['test']}",))
        said = (told["part"], told["text"], told["asks"], tuple(told["code"]), told["test"])
        found.append(Row(*said, mutant))
    return found


def chosen(mutants: Sequence[Mutant], names: Sequence[str]) -> list[Mutant]:
    """Those of these names. Raises Failure for a name that none has."""
    by_name = {mutant.name: mutant for mutant in mutants}
    for name in names:
        if name not in by_name:
            near = difflib.get_close_matches(name, by_name, n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise Failure(USAGE, f"There is no mutant {name}.{meant}")
    return [mutant for mutant in mutants if mutant.name in names]


def drawn(mutants: Sequence[Mutant], count: int, seed: str) -> list[Mutant]:
    """So many of them, the same ones for the same seed."""
    return random.Random(seed).sample(mutants, min(count, len(mutants)))
