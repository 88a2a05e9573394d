"""A plugin of pytest: collecting computes nothing, parameters come from constants.

Every worker collects every test, so what one module computes when it is imported, all of them wait
for.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from typing import Any, NoReturn

import pytest

from firmware.core.controller import Controller
from firmware.keys import people
from firmware.store.journal import Journal
from tools.virtual.simulate import Simulation

# Begins to play, to simulate and to keep a journal; hashes a PIN.
COSTLY: tuple[tuple[Any, str], ...] = (
    (Controller, "begin_play"),
    (Simulation, "play"),
    (Journal, "__init__"),
    (people, "_hash"),
)


class Computed(Exception):
    """A module computes while it is collected: its traceback says where."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Makes each of them an error of the module that calls it.

    No garbage is looked for meanwhile: what was collected stays to the end, and to look all of it
    over, again and again, took half of the time.
    """
    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patch:
            for owner, name in COSTLY:
                patch.setattr(owner, name, _refusal(f"{owner.__name__}.{name}"))
            return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _refusal(name: str) -> Callable[..., NoReturn]:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise Computed(f"{name} while tests are collected: call it in a fixture or a test")

    return refuse
