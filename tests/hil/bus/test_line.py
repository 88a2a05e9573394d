"""A scenario with displays in the virtual place: every fault of the line and of a display is told,
costs no coup its number, and lights nothing that should not be lit."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bus import receiver
from firmware.bus.messages import STALE
from firmware.config import Config
from firmware.config.game import choose
from tools.hil.faults import catalogue
from tools.hil.faults.entry import LINE_LAYERS, Fault
from tools.hil.lighting import Lighted
from tools.hil.line import MemoryLine
from tools.hil.line_faults import displays_of
from tools.hil.places import Ran, virtual
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.verdict import LIT_WRONG, MASKED, TOLD

ENTRIES = [fault for fault in catalogue.FAULTS if fault.layer in LINE_LAYERS]
RECORDS = "records_cut_short"  # shows when a coup has ended


def use(entry: Fault, lasts_us: int | None = None, **parameters: Any) -> FaultInjection:
    if lasts_us is None and entry.lasts_s is not None:
        lasts_us = int(entry.lasts_s[0] * 1e6)
    return FaultInjection(
        entry.name, 1, "launch", 1_000_000, lasts_us, tuple(sorted(parameters.items()))
    )


def scenario(*uses: FaultInjection, coups: int = 2, displays: int = 0) -> Scenario:
    return Scenario("s", "", "boule", coups, seed=7, displays=displays, faults=uses)


def played(told: Scenario) -> Ran:
    ran: Ran = virtual.run(told)
    return ran


@pytest.mark.req("LU-37-1.shown")
@pytest.mark.req("UK-4.1.detected")
@pytest.mark.parametrize("entry", ENTRIES, ids=[fault.name for fault in ENTRIES])
def test_each_fault_is_told_by_its_deadline_and_costs_no_number(entry: Fault) -> None:
    verdict = played(scenario(use(entry))).verdict
    assert verdict.broken == ()
    assert {coup.verdict for coup in verdict.coups} == {"right"}
    (noticed,) = verdict.noticed
    assert (noticed.code in entry.expect.codes) if entry.expect.codes else noticed.code is None


def test_the_same_scenario_lights_the_same_at_the_same_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[MemoryLine] = []

    class Kept(MemoryLine):
        def __init__(self, *parts: Any) -> None:
            super().__init__(*parts)
            lines.append(self)

    monkeypatch.setattr(virtual, "MemoryLine", Kept)
    for _ in range(2):
        played(scenario(use(catalogue.find("frames_spoiled"))))
    assert lines[0].lighted == lines[1].lighted
    assert list(lines[0].past) == list(lines[1].past)


def test_without_displays_and_their_faults_there_is_no_line() -> None:
    assert displays_of(scenario()) == 0
    assert displays_of(scenario(displays=1)) == 1
    assert displays_of(scenario(use(ENTRIES[0]), displays=1)) == 2
    assert displays_of(scenario(FaultInjection("beam_stuck_dark", 1, "launch"))) == 0


@pytest.mark.req("LU-37-1.shown")
def test_a_display_that_never_goes_dark_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiver.Receiver, "_expire", lambda self, now_us: None)
    verdict = played(scenario(use(catalogue.find("line_cut")), coups=1)).verdict
    assert LIT_WRONG in {broken.rule for broken in verdict.broken}


@pytest.mark.req("LU-37-1.shown")
def test_a_display_that_lights_another_number_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    light = receiver.Receiver._light

    def wrong(self: receiver.Receiver) -> None:
        light(self)
        if self.lit.number is not None:
            self.lit = self.lit._replace(number=(self.lit.number + 1) % 10)

    monkeypatch.setattr(receiver.Receiver, "_light", wrong)
    verdict = played(scenario(coups=1, displays=1)).verdict
    assert LIT_WRONG in {broken.rule for broken in verdict.broken}


class Still:
    """A world in which no fault begins."""

    intervals = ()


def line(displays: int = 2) -> MemoryLine:
    made = MemoryLine(scenario(displays=displays), choose("boule_ref", Config()), Config())
    made.world = Still()
    return made


def test_a_frame_takes_its_time_on_the_wire() -> None:
    """One of 100 bytes is heard after 8 681 us: 1 000 bits at 115 200 baud."""
    made = line()
    heard: list[tuple[int, int]] = []
    for place, screen in made._screens.items():

        def hear(data: bytes, now_us: int, said_us: int | None, place: int = place) -> None:
            heard.append((place, now_us))

        screen.receive = hear  # type: ignore[method-assign]
    made._say(0, bytes(100), 1_000)
    made._pass(1_000 + 8_680)
    assert heard == []
    made._pass(1_000 + 8_681)
    assert heard == [(1, 9_681), (2, 9_681)]


def test_two_who_speak_at_once_spoil_each_other() -> None:
    made = line()
    made._say(1, b"\0first\0", 0)
    made._say(2, b"\0other\0", 300)
    made._say(1, b"\0later\0", 2_000)
    made._pass(10_000)
    spoiled = bytes(byte ^ 0x55 for byte in b"\0first\0" + b"\0other\0")
    assert made._near.read(100) == spoiled + b"\0later\0"


def test_who_speaks_twice_is_heard_one_after_the_other() -> None:
    made = line()
    made._say(1, b"\0first\0", 0)
    made._say(1, b"\0again\0", 100)
    assert [one.spoiled for one in made._speaking] == [False, False]
    assert made._speaking[1].begin_us == made._speaking[0].end_us


def test_a_display_without_power_is_dark() -> None:
    made = line(displays=1)
    made._now_us = 5
    made._screens[1]._lighted(Lighted(1, 1, "BETS_OPEN", None, 1, 0))
    made._screens[1]._last = made.lighted[-1]
    made._screens[1]._seen = None
    made.power_off(1)
    assert (made.lighted[-1].at_us, made.lighted[-1].state) == (5, STALE)


def test_of_two_faults_of_the_line_one_may_hide_the_other() -> None:
    """Over a port that is gone no display can be told as silent."""
    out, dead = (catalogue.find(name) for name in ("adapter_out", "display_dead"))
    verdict = played(scenario(use(out), use(dead), coups=1)).verdict
    assert verdict.broken == ()
    assert [(each.how, each.code) for each in verdict.noticed] == [(TOLD, "B10"), (MASKED, None)]


def test_a_fault_of_the_line_that_is_over_hides_nothing() -> None:
    out, dead = (catalogue.find(name) for name in ("adapter_out", "display_dead"))
    later = use(dead)._replace(after_us=20_000_000)
    verdict = played(scenario(use(out), later, coups=2)).verdict
    assert [noticed.code for noticed in verdict.noticed] == ["B10", "B11"]


def test_a_dead_display_stays_dead_though_another_fault_of_it_ends() -> None:
    """A reboot beside it would else switch it on."""
    dead, rebooted = (catalogue.find(name) for name in ("display_dead", "display_rebooted"))
    verdict = played(scenario(use(dead), use(rebooted, 2_000_000), coups=1)).verdict
    assert verdict.broken == ()
    assert verdict.noticed[0].code == "B11"


@pytest.mark.req("LU-37-1.shown")
def test_what_is_still_to_be_heard_of_a_delayed_line_hinders_no_display_from_speaking() -> None:
    """Seed 15: held while all was late, and then sound: one answered 3 s ahead of its time."""
    delayed = FaultInjection("line_delayed", 1, "launch", 0, 9_000_000, (("delay_ms", 4_000.0),))
    held = FaultInjection("line_held", 1, "launch", 4_500_000, 3_500_000, (("reads_as", "00"),))
    assert played(scenario(delayed, held)).verdict.broken == ()
