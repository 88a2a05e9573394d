"""The requirements, as requirements.toml has them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("requirements.toml")

# What stands of a test in a JUnit file: its ids, the hash of the firmware that it tested, and the
# place, where it is one of tools.hil.places. A scenario's case has that word for its class.
PROPERTY, BUILD, PLACE, SCENARIO = "requirement", "build", "place", "scenario"
WHERE = "CYLINDRE_PLACE"  # in a test's environment: that place
HERE, ELSEWHERE, LATER, UNMET = "here", "elsewhere", "later", "fails"


class Requirement(NamedTuple):
    """One clause of one text."""

    id: str
    source: str  # the text's name in full
    text: str
    means: str
    status: str = HERE
    why: str = ""  # it is not met here


class Read(NamedTuple):
    """Articles that were read and are no matter of the apparatus."""

    articles: str
    why: str


@cache
def requirements() -> dict[str, Requirement]:
    """All of them by id, in the order of the file."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    found: dict[str, Requirement] = {}
    for entry in data["requirement"]:
        source = data["sources"][source_of(entry["id"], data["sources"])]
        requirement = Requirement(source=source, **entry)
        if requirement.id in found:
            raise ValueError(f"{FILE.name}: the id {requirement.id} is there twice.")
        if (requirement.status == HERE) == bool(requirement.why):
            raise ValueError(f"{FILE.name}: {requirement.id} says why, or is met here; not both.")
        found[requirement.id] = requirement
    return found


@cache
def read() -> tuple[Read, ...]:
    """What was read besides."""
    return tuple(Read(**entry) for entry in tomllib.loads(FILE.read_text("utf-8"))["read"])


def source_of(identifier: str, sources: dict[str, str]) -> str:
    """The key of the text that an id belongs to. Raises KeyError."""
    # The longest first: FR-47 is another text than FR.
    for key in sorted(sources, key=len, reverse=True):
        if identifier.startswith((f"{key}-", f"{key}.")):
            return key
    raise KeyError(identifier)


def unknown(identifiers: tuple[str, ...]) -> list[str]:
    """Those that no requirement has."""
    return [each for each in identifiers if each not in requirements()]
