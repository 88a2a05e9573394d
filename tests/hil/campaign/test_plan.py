"""What a campaign plays depends on its plan alone."""

import functools
from collections import Counter

import pytest

from tools.hil import scenario_file
from tools.hil.campaign.plan import (
    CLEAN,
    CLEAN_COUPS,
    COUPS,
    PAIR,
    Job,
    Plan,
    chosen,
    count,
    job,
    unmade,
)
from tools.hil.faults import catalogue
from tools.hil.scenario import as_dict
from tools.hil.scenario_check import check

PLAN = Plan(1, 2400, 2400, chosen(["all"]), ("virtual",))


@functools.cache
def jobs() -> list[Job]:
    return [job(PLAN, index) for index in range(count(PLAN))]


def test_a_job_is_a_function_of_the_plan_and_its_index() -> None:
    assert [job(PLAN, index) for index in (250, 7, 7)] == [jobs()[250], jobs()[7], jobs()[7]]
    assert job(PLAN._replace(seed=2), 7) != jobs()[7]


def test_the_sizes_are_coups() -> None:
    kinds = Counter(each.kind for each in jobs())
    assert {kind: many * COUPS for kind, many in kinds.items()} == {"single": 2400, "pair": 2400}


def test_every_job_can_be_written_and_is_read_as_it_was() -> None:
    for each in jobs():
        scenario = each.scenario
        assert check(as_dict(scenario)) == []
        text = scenario_file.write(scenario)
        assert scenario_file.parse(text, name=scenario.name, where="") == scenario


def test_faults_come_one_at_a_time_or_two_and_coups_without_one_lie_between() -> None:
    for each in jobs():
        begun = Counter(use.coup for use in each.scenario.faults)
        assert set(begun.values()) <= ({1, 2} if each.kind == PAIR else {1})
        assert len(begun) < COUPS / 2


def test_no_job_is_over_before_what_stays_had_to_be_told() -> None:
    for each in jobs():
        for use in each.scenario.faults:
            expect = catalogue.find(use.fault).expect
            assert use.coup + (expect.by_coups or 0) <= each.scenario.coups, (each.number, use)


def test_every_fault_that_can_be_made_there_is_drawn() -> None:
    drawn = {use.fault for each in jobs() for use in each.scenario.faults}
    assert drawn == {fault.name for fault in catalogue.FAULTS if "virtual" in fault.places}


def test_what_may_not_be_one_of_a_pair_is_not() -> None:
    paired = {use.fault for each in jobs() if each.kind == PAIR for use in each.scenario.faults}
    assert all(catalogue.find(name).pairs for name in paired)


def test_two_of_one_maker_are_no_pair() -> None:
    """A ball kept for a moment and one kept for ever: which ends first ends both."""
    for each in jobs():
        coups: dict[int, list[type]] = {}
        for use in each.scenario.faults:
            coups.setdefault(use.coup, []).append(catalogue.find(use.fault).make)
        assert all(len(set(makers)) == len(makers) for makers in coups.values())


def test_in_real_time_each_fault_is_played_so_often() -> None:
    plan = Plan(1, 0, 0, ("beam_blind", "controller_killed"), ("process",), real_coups=3)
    played = Counter(job(plan, at).scenario.faults[0].fault for at in range(count(plan)))
    assert played == {"beam_blind": 3, "controller_killed": 3}


def test_in_real_time_a_coup_is_left_after_the_deadline() -> None:
    plan = Plan(1, 0, 0, ("ring_narrows",), ("process",), real_coups=1)
    scenario = job(plan, 0).scenario
    by_coups = catalogue.find("ring_narrows").expect.by_coups
    assert by_coups is not None
    assert scenario.coups == scenario.faults[0].coup + by_coups + 1


def test_faults_are_chosen_by_name_layer_or_pattern() -> None:
    assert chosen(["rotor_j?ms", "beam_blind"]) == ("beam_blind", "rotor_jams")
    assert {catalogue.find(name).layer for name in chosen(["rotor"])} == {"rotor"}
    with pytest.raises(KeyError):
        chosen(["beam_blnd"])


@pytest.mark.parametrize(
    ("sizes", "places", "named"),
    [
        ((16, 0, 1), ("virtual",), ("power_cut",)),
        ((0, 16, 1), ("virtual",), ("power_cut",)),
        ((0, 0, 1), ("virtual", "process"), ("adapter_out",)),
        ((16, 0, 1), ("virtual", "process"), ()),
        ((16, 0, 0), ("virtual", "process"), ("power_cut",)),
    ],
)
def test_a_fault_that_no_job_can_have_is_known(
    sizes: tuple[int, int, int], places: tuple[str, ...], named: tuple[str, ...]
) -> None:
    coups, pairs, real_coups = sizes
    plan = Plan(1, coups, pairs, ("beam_blind", "adapter_out", "power_cut"), places, real_coups)
    assert unmade(plan) == named


def test_clean_coups_come_beside_the_others_and_change_none_of_them() -> None:
    plan = PLAN._replace(clean=640)
    assert [job(plan, index) for index in range(count(PLAN))] == jobs()
    clean = [job(plan, index) for index in range(count(PLAN), count(plan))]
    assert [each.kind for each in clean] == [CLEAN] * (640 // CLEAN_COUPS)
    assert {each.scenario.faults for each in clean} == {()}
    assert {each.scenario.coups for each in clean} == {CLEAN_COUPS}


def test_a_plan_of_some_wheels_plays_no_other() -> None:
    plan = PLAN._replace(coups=640, pairs=640, clean=640, wheels=("W2", "B1"))
    played = [job(plan, index) for index in range(count(plan))]
    assert {each.scenario.wheel for each in played} == {"W2", "B1"}
    left_out = unmade(plan._replace(wheels=("B1",)))
    assert "rotor_jams" in left_out and "cup_misses" not in left_out
    used = {use.fault for each in played for use in each.scenario.faults}
    assert used.isdisjoint(unmade(plan)) and "beam_blind_plate" in unmade(plan)


def test_in_real_time_a_fault_that_no_wheel_of_the_plan_has_is_not_played() -> None:
    plan = Plan(1, 0, 0, ("beam_blind", "cup_misses"), ("process",), 2, wheels=("W1",))
    played = [job(plan, at).scenario for at in range(count(plan))]
    assert [(each.wheel, each.faults[0].fault) for each in played] == [("W1", "beam_blind")] * 2
