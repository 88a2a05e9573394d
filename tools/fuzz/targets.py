"""What is fuzzed: one row a target, and who plays an input."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import NamedTuple


class Target(NamedTuple):
    """One target. `play`: module and function that take an input; they raise what is a finding.

    `followed`: packages, by their first name, whose coverage leads the fuzzer.
    """

    name: str
    what: str
    play: str
    followed: tuple[str, ...]


# fmt: off
TARGETS = (
    Target("display", "a display behind its key's code: what it lights is signed by the wheel",
           "tools.fuzz.display:play", ("firmware",)),
    Target("terminal", "a terminal behind its key's code",
           "tools.fuzz.stations:play_terminal", ("firmware",)),
    Target("controller", "a controller, told by displays and terminals with their keys: another's"
           " stake stays", "tools.fuzz.stations:play_controller",
           ("firmware", "rules")),
    Target("shoe", "a card table behind its shoe's key, and a shoe: no card counts twice; lines of"
           " a barcode reader and a keyboard", "tools.fuzz.shoe:play", ("drivers", "firmware")),
    Target("decoders", "frames, CBOR, COBS, records and messages: read in one form, or not at all",
           "tools.fuzz.decoders:play", ("firmware",)),
    Target("texts", "requests, people, the way back, releases, manifests, answers, rows of a"
           " journal and a register, configurations, layouts, scenarios, traces",
           "tools.fuzz.texts:play", ("firmware", "tools", "vcd")),
    Target("web", "a page's web server: every answer has its policy, and nobody's header",
           "tools.fuzz.web:play", ("firmware", "microdot")),
)
# fmt: on
NAMES = tuple(target.name for target in TARGETS)


def find(name: str) -> Target:
    """Returns the target of that name. Raises ValueError if there is none."""
    (found,) = (target for target in TARGETS if target.name == name)
    return found


def load(play: str) -> Callable[[bytes], None]:
    """Returns what plays an input, by its module and name; imports what it needs."""
    module, _, name = play.partition(":")
    found: Callable[[bytes], None] = getattr(importlib.import_module(module), name)
    return found
