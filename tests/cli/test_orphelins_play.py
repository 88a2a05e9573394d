"""What `cylindre run` tells of orphelins when its loop has ended already."""

from types import SimpleNamespace
from typing import Any

import boards
import rules
from firmware.core.controller import Controller
from firmware.core.facts import Fault, OrphelinPaidIn, Trouble
from firmware.run import play


def test_what_the_last_coup_brought_about_is_still_told() -> None:
    closed: list[bool] = []
    events = [OrphelinPaidIn(0, 1, 500, 500, "text"), Trouble(0, "S11", "the disk is full.")]
    clerk: Any = SimpleNamespace(close=lambda: closed.append(True), take_events=lambda: events)
    controller = Controller(boards.load("roulette_ref"), rules.load("roulette_lu"))
    told: list[Any] = []
    outlet: Any = SimpleNamespace(take_fact=told.append)
    wheel: Any = SimpleNamespace(controller=controller)
    play._emit_last_orphelins(clerk, wheel, (outlet, outlet), 7)
    assert closed == [True]
    assert told[0] == told[1] == OrphelinPaidIn(7, 1, 500, 500, "text")
    assert type(told[2]) is Fault
    assert told[2].text.startswith("S11: The register of orphelins cannot be written: the disk")
