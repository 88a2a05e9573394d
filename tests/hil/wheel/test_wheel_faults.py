"""Every fault of rotor, ball, chip and level, on every apparatus that can have it."""

import pytest

from tools.hil.faults import catalogue
from tools.hil.places import virtual
from tools.hil.scenario import US, FaultInjection, Scenario

LAYERS = ("rotor", "ball", "chip", "level")
PLAYED = 4


def entries():
    for entry in catalogue.FAULTS:
        if entry.layer in LAYERS:
            for apparatus in entry.apparatus:
                for hand in (False, True) if apparatus != "boule" else (False,):
                    if entry.by_hand in (None, hand):
                        yield entry, apparatus, hand


def parameters(entry):
    lines = {"pocket*": "pocket1", "rim*": "rim0", "cup*": "cup03"}
    return tuple(
        sorted(
            (each.name, lines[each.values[0]] if each.kind == "line" else each.default)
            for each in entry.parameters
        )
    )


def played(entry, apparatus, *, hand, seed=2, moment=None, after_us=None, said=None, **changed):
    lasts_us = None if entry.lasts_s is None else int(entry.lasts_s[0] * US)
    use = FaultInjection(
        entry.name,
        2,
        moment or entry.moments[0],
        int(entry.after_s[0] * US) if after_us is None else after_us,
        lasts_us,
        said or parameters(entry),
    )
    scenario = Scenario("t", "t", apparatus, PLAYED, seed=seed, hand=hand, faults=(use,))
    return virtual.run(scenario._replace(**changed)).verdict


@pytest.mark.parametrize(
    ("entry", "apparatus", "hand"),
    list(entries()),
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_each_fault_is_noticed_in_time_and_gives_no_wrong_number(entry, apparatus, hand):
    verdict = played(entry, apparatus, hand=hand)
    assert verdict.broken == ()
    assert len(verdict.noticed) == 1  # it was made
    assert len(verdict.coups) >= PLAYED - 1


def test_a_chip_in_the_ring_as_the_motor_reverses_the_rotor_is_not_taken_for_the_last_ball():
    entry = catalogue.find("chip_on_rotor")
    verdict = played(
        entry, "roulette", hand=False, seed=3, after_us=3_900_000, said=(("size_mm", 22),)
    )
    assert verdict.broken == ()
    assert [coup.decision.reason for coup in verdict.coups[1:2]] == ["foreign_object"]


def test_a_wheel_that_leans_is_told_by_its_sensor():
    verdict = played(catalogue.find("wheel_tilted"), "boule", hand=False)
    assert verdict.noticed[0].code == "L10"


def test_a_number_that_waits_for_the_croupier_falls_with_a_ball_that_moves_on():
    verdict = played(
        catalogue.find("ball_moved"),
        "roulette",
        hand=True,
        after_us=7_000_000,
        said=(("places", 5),),
        confirm="croupier",
    )
    assert verdict.coups[1].decision.reason == "sensors_disagree"


def test_after_a_runaway_the_motor_waits_for_the_rotor_to_rest_and_play_goes_on():
    use = FaultInjection("rotor_runs_away", 2, "start", 2_578_353, 33_249_072)
    scenario = Scenario("t", "t", "roulette", 5, seed=2, wheel="W1", faults=(use,))
    verdict = virtual.run(scenario._replace(confirm="croupier", learned=True)).verdict
    assert verdict.broken == ()
    assert [coup.verdict for coup in verdict.coups[-2:]] == ["right", "right"]
