"""Each fault of the sensors and of people, played once: no rule of the oracle is broken.

Campaigns play them by the thousand (`cylindre hil campaign`); this is to see that each entry is
made, and that what it expects can be met.
"""

import pytest

from firmware.config import Config
from firmware.config.game import choose
from tools.hil.faults import catalogue, encoder, people, sensors
from tools.hil.faults.entry import Fault
from tools.hil.places import virtual
from tools.hil.scenario import REFERENCE_BOARDS, FaultInjection, Scenario

ENTRIES = (*sensors.FAULTS, *encoder.FAULTS, *people.FAULTS)


def scenario(entry: Fault) -> Scenario:
    """In the second of four coups, for a good while, with the first of everything."""
    apparatus = entry.apparatus[-1]
    board = choose(REFERENCE_BOARDS[apparatus], Config()).board
    said = []
    for each in entry.parameters:
        value = each.values[0] if each.kind == "number" else each.choices(board)[0]
        said.append((each.name, each.default if each.default is not None else value))
    lasts_us = None if entry.lasts_s is None else int(min(entry.lasts_s[1], 20.0) * 1e6)
    use = FaultInjection(entry.name, 2, entry.moments[0], 500_000, lasts_us, tuple(sorted(said)))
    return Scenario(entry.name, entry.title, apparatus, 4, seed=7, faults=(use,))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_fault_breaks_no_rule(entry: Fault) -> None:
    ran = virtual.run(scenario(entry))
    assert ran.verdict.broken == ()
    assert ran.verdict.noticed  # it was at work


def test_entries_have_names_and_titles_of_their_own() -> None:
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.title for entry in ENTRIES}) == len(ENTRIES)
    assert all(catalogue.find(entry.name) is entry for entry in ENTRIES)


def run_with(fault: str, apparatus: str, moment: str, lasts_us: int | None, **said: object):  # type: ignore[no-untyped-def]
    """Five coups, with that fault from the third one on."""
    use = FaultInjection(fault, 3, moment, 300_000, lasts_us, tuple(sorted(said.items())))
    return virtual.run(Scenario(fault, "", apparatus, 5, seed=3, faults=(use,))).verdict


def test_the_emergency_stop_is_told_at_once_and_play_goes_on_once_it_is_released() -> None:
    verdict = run_with("emergency_stop", "roulette", "launch", 4_000_000)
    (noticed,) = verdict.noticed
    assert noticed.code == "M12"
    assert noticed.at_us - noticed.begin_us < 40_000  # a wait, and a poll of the motor
    assert [coup.verdict for coup in verdict.coups[:2]] == ["right", "right"]
    assert verdict.coups[2].decision.reason == "croupier"
    assert verdict.coups[-1].verdict == "right"


def test_nobody_clears_an_emergency_stop_that_is_still_pressed() -> None:
    verdict = run_with("emergency_stop", "vingt_trois", "launch", None)
    assert len([coup for coup in verdict.coups if coup.verdict == "void"]) == 1


def test_a_mark_that_was_pushed_aside_by_whole_cycles_never_gives_a_wrong_number() -> None:
    """The levels of the channels fit, so only the count speaks against it."""
    verdict = run_with("index_moved", "roulette", "launch", None, steps=36)
    assert [coup.verdict for coup in verdict.coups] == ["right", "right", "void", "void", "void"]
    assert verdict.noticed[0].code == "W31"


def test_after_a_coup_that_found_no_number_the_next_press_begins_the_next_coup() -> None:
    """Its ball is out of the wheel, so nobody waits for it any more."""
    verdict = run_with("index_lost", "roulette", "launch", None, level="0", line="enc_z")
    truths = [coup.truth.coup for coup in verdict.coups if coup.truth is not None]
    assert truths == [1, 2, 3, 4, 5]


def test_a_hand_turned_rotor_with_a_dead_channel_is_told_in_that_coup() -> None:
    said = (("level", "0"), ("line", "enc_a"))
    use = FaultInjection("channel_dead", 2, "launch", 700_000, None, said)
    table = Scenario("dead", "", "roulette", 2, seed=1, hand=True, faults=(use,))
    verdict = virtual.run(table).verdict
    assert verdict.noticed[0].code == "W31"
    assert verdict.coups[1].decision.reason == "encoder"
