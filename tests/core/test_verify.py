"""A number only when independent sensors agree (DESIGN section 3, *Pocket*)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from firmware.core.coup.voting import ROCKED_SOONER_US, Voter
from firmware.core.facts import CCW
from firmware.core.sense.ring import Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.core.units import TURN

GEOMETRY = boards.load("roulette_ref")["geometry"]
PITCH = TURN // 37


class Bench:
    """A voter before which balls and other things pass the sensors of a ccw rotor in turn."""

    def __init__(self) -> None:
        self.rotor = RotorEncoder(cycles=36)
        self.rotor.direction = CCW
        self.rotor.trusted = True
        self.ring = RingSensors(GEOMETRY, compartments=37, rotor=self.rotor)
        self.voter = Voter(self.ring, self.rotor)
        self.passing = 0

    def detection(
        self,
        compartment: int = 8,
        *,
        residual: int = 0,
        width: float = 1.0,
        mark: bool = True,
    ) -> Any:
        """The next sensor sees something there; a third of a turn later than the one before."""
        sensor = self.passing % 3
        if sensor == 0 and mark:
            self.rotor.checks += 1  # the zero mark passed, once a turn
        angle = compartment * PITCH + residual + TURN // 6 + self.passing * TURN // 3
        self.passing += 1
        travel = round(self.ring.ball_uturn * width)
        detection = Detection(self.passing * 700_000, sensor, compartment, residual, travel, angle)
        return self.voter.add(detection)

    def nothing(self) -> None:
        """The next sensor sees nothing where the ball should be."""
        if self.passing % 3 == 0:
            self.rotor.checks += 1
        self.passing += 1


def test_one_full_set_and_a_repeat_make_a_number() -> None:
    bench = Bench()
    assert [bench.detection() for _ in range(3)] == [None, None, None]
    verdict = bench.detection()
    assert verdict.compartment == 8
    assert dict(verdict.proof)["votes"] == 4
    assert verdict.dead is None


def test_no_number_without_the_zero_mark_inside_the_votes() -> None:
    bench = Bench()
    assert [bench.detection(mark=False) for _ in range(9)] == [None] * 9


def test_no_number_while_the_angle_is_not_believed() -> None:
    bench = Bench()
    bench.rotor.trusted = False
    assert [bench.detection() for _ in range(9)] == [None] * 9


@given(st.integers(PITCH * 36 // 100, PITCH // 2), st.sampled_from((-1, 1)))
def test_a_residual_of_more_than_35_percent_of_the_pitch_is_no_vote(off: int, way: int) -> None:
    bench = Bench()
    assert [bench.detection(residual=way * off) for _ in range(9)] == [None] * 9


@given(st.floats(1.55, 4.0) | st.floats(0.26, 0.58))
def test_what_is_not_as_wide_as_a_ball_is_no_vote(width: float) -> None:
    bench = Bench()
    assert [bench.detection(width=width) for _ in range(9)] == [None] * 9


@pytest.mark.req("LU-37-1.rest")
@given(st.lists(st.integers(7, 9), min_size=1, max_size=24))
def test_the_number_is_that_of_the_last_four_sights_or_none(compartments: list[int]) -> None:
    bench = Bench()
    for n, compartment in enumerate(compartments):
        verdict = bench.detection(compartment)
        if verdict is not None:
            assert set(compartments[max(n - 3, 0) : n + 1]) == {verdict.compartment}


def test_a_sensor_that_is_a_compartment_off_prevents_every_number() -> None:
    bench = Bench()
    assert [bench.detection(9 if n % 3 == 1 else 8) for n in range(24)] == [None] * 24


def test_with_one_sensor_dead_the_other_two_must_agree_over_two_full_sets() -> None:
    bench = Bench()
    verdicts = []
    for _ in range(4):
        verdicts.append(bench.detection())
        bench.nothing()
        verdicts.append(bench.detection())
    verdict = next(verdict for verdict in verdicts if verdict is not None)
    assert verdict.dead == 1
    assert dict(verdict.proof)["votes"] >= 4
    assert verdicts.index(verdict) >= 3


def test_with_two_sensors_dead_there_is_no_number() -> None:
    bench = Bench()
    for _ in range(8):
        assert bench.detection() is None
        bench.nothing()
        bench.nothing()


def test_a_sensor_that_sees_the_ball_now_and_then_is_not_dead() -> None:
    bench = Bench()
    answers = []
    for turn in range(4):
        answers.append(bench.detection())
        if turn == 1:
            answers.append(bench.detection())
        else:
            bench.nothing()
        answers.append(bench.detection())
    agreed = [verdict for verdict in answers if verdict is not None]
    assert all(verdict.compartment == 8 for verdict in agreed)
    assert answers[:4] == [None] * 4


def test_a_slip_of_the_encoder_begins_the_votes_again() -> None:
    bench = Bench()
    for _ in range(3):
        bench.detection()
    bench.rotor.slips += 1
    assert [bench.detection() for _ in range(3)] == [None, None, None]
    assert bench.detection() is not None


def test_two_things_as_wide_as_balls_are_two_balls() -> None:
    bench = Bench()
    for _ in range(6):
        place = bench.passing
        assert bench.detection(8) is None
        bench.passing = place
        assert bench.detection(20) is None
    assert bench.voter.intruder(ball_expected=True) == "two_balls"


@pytest.mark.parametrize("width", [2.0, 0.45])
def test_a_thing_that_is_no_ball_is_foreign(width: float) -> None:
    """South Dakota 20:18:34:06: no spin if a foreign object is in the wheel."""
    bench = Bench()
    for _ in range(6):
        angle = bench.passing
        bench.detection(8)
        bench.passing = angle
        bench.detection(20, width=width)
    assert bench.voter.intruder(ball_expected=True) == "foreign_object"


def test_a_thing_in_the_ring_while_the_ball_runs_is_foreign() -> None:
    bench = Bench()
    for _ in range(5):
        bench.detection(20)
    assert bench.voter.intruder(ball_expected=False) == "foreign_object"
    assert bench.voter.intruder(ball_expected=True) is None


def test_a_ball_that_bounced_through_many_compartments_is_no_crowd() -> None:
    bench = Bench()
    for compartment in (3, 30, 30, 12, 13, 8, 8, 8):
        bench.detection(compartment)
    assert bench.voter.intruder(ball_expected=True) is None


def test_a_ball_that_hopped_through_the_compartment_where_it_comes_to_rest_is_no_chip() -> None:
    """As it passed it seemed narrower than it is (vingt-trois, seed 998050579, coup 3)."""
    bench = Bench()
    for compartment, width in ((4, 0.65), (14, 1.4), (4, 0.78), (4, 1.0), (4, 1.0)):
        bench.detection(compartment, width=width)
        assert bench.voter.intruder(ball_expected=True) is None
    assert bench.detection(4).compartment == 4
    assert bench.voter.intruder(ball_expected=True) is None


def test_a_ball_that_hopped_where_it_comes_to_rest_is_no_chip() -> None:
    """W2: campaign of seed 11, jobs 3207 and 4229."""
    bench = Bench()
    bench.voter.settled_us = 700_000 * 4
    verdicts = []
    for width in (0.71, 0.77, 1.0, 1.0, 1.0, 1.0):
        verdicts.append(bench.detection(width=width))
        assert bench.voter.intruder(ball_expected=True) is None
    assert verdicts[-1] is not None


def test_a_reset_forgets_every_sight() -> None:
    bench = Bench()
    for _ in range(3):
        bench.detection()
    bench.voter.reset()
    assert [bench.detection() for _ in range(3)] == [None] * 3


def test_no_number_before_the_ball_would_lie_and_all_the_ring_has_passed_a_sensor_since() -> None:
    """A chip as wide as the ball lies still at once; the ball may still hop about unseen."""
    bench = Bench()
    bench.voter.settled_us = 700_000 * 7  # as the seventh detection comes
    verdicts = [bench.detection() for _ in range(8)]
    assert [verdict is not None for verdict in verdicts] == [False] * 7 + [True]


@given(st.integers(-PITCH // 4, PITCH // 4), st.integers(70, 140), st.integers(0, 20))
def test_what_rocks_to_rest_before_a_sensor_is_no_chip_and_its_number_comes_sooner(
    off: int, percent: int, settled: int
) -> None:
    """One sensor sees what lies still within 4.7 % of the pitch, 19 % of its width (recorded)."""
    bench = Bench()
    bench.voter.settled_us = 700_000 * settled
    ball = bench.ring.ball_uturn
    swung = abs(round(ball * percent / 100) - ball)
    rocked = abs(off) > PITCH * 5 // 100 or swung * 4 > ball
    settled_us = bench.voter.settled_us - (ROCKED_SOONER_US if rocked else 0)
    votes = 1
    assert bench.detection(residual=off, width=percent / 100) is None
    while bench.detection() is None:
        votes += 1
    assert votes + 1 == max(-(-settled_us // 700_000) + 1, 4)


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@given(st.lists(st.tuples(st.floats(-0.02, 0.02), st.floats(0.91, 1.09)), min_size=12))
def test_what_lies_still_waits_until_the_ball_would_lie_somewhere(
    sights: list[tuple[float, float]],
) -> None:
    """However its sights scatter: recorded."""
    bench = Bench()
    bench.voter.settled_us = 700_000 * 11
    for off, width in sights[:11]:
        assert bench.detection(residual=round(off * PITCH), width=width) is None


def test_sensors_that_do_not_sit_where_they_should_make_no_ball_of_a_chip() -> None:
    """Each sees it elsewhere, and always at the same place."""
    bench = Bench()
    bench.voter.settled_us = 700_000 * 9
    places = (0, PITCH // 8, -PITCH // 5)
    verdicts = [bench.detection(residual=places[n % 3]) for n in range(10)]
    assert [verdict is not None for verdict in verdicts] == [False] * 9 + [True]


def test_with_one_sensor_dead_all_of_the_ring_has_passed_the_other_two_after_a_whole_turn() -> None:
    bench = Bench()
    bench.voter.settled_us = 700_000 * 7
    verdicts = []
    for _ in range(4):
        verdicts.append(bench.detection())
        bench.nothing()
        verdicts.append(bench.detection())
    assert [verdict is not None for verdict in verdicts] == [False] * 6 + [True] * 2


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width", [0.75, 0.85, 1.15, 1.2, 1.35])
def test_what_is_somewhat_wider_or_narrower_than_the_ball_is_foreign(width: float) -> None:
    bench = Bench()
    assert [bench.detection(width=width) for _ in range(9)] == [None] * 9
    assert bench.voter.intruder(ball_expected=True) == "foreign_object"


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width", [0.7, 1.3])
def test_what_is_much_wider_or_narrower_than_the_ball_is_foreign_after_four_sights(
    width: float,
) -> None:
    bench = Bench()
    for _ in range(4):
        bench.detection(width=width)
    assert bench.voter.intruder(ball_expected=True) == "foreign_object"


def test_a_ball_that_four_sights_leave_in_doubt_is_judged_by_eight() -> None:
    """As recorded: shared trace sample_clean_vingt_trois, at 2842 s. Its stamps lie 2 ms apart."""
    bench = Bench()
    verdicts = []
    for travel in (14144, 11405, 11396, 12579, 12937, 13870, 13885, 13996):
        verdicts.append(bench.detection(width=travel / bench.ring.ball_uturn))
        assert bench.voter.intruder(ball_expected=True) is None
    assert verdicts[:7] == [None] * 7
    assert verdicts[7].compartment == 8


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width", [0.8, 1.2])
def test_what_four_sights_leave_in_doubt_has_no_number_before_the_eighth(width: float) -> None:
    """However well four later ones look: a chip has one chance, not one at each sight."""
    bench = Bench()
    widths = (width,) * 4 + (1.0,) * 4
    verdicts = [bench.detection(width=each) for each in widths]
    assert [verdict is not None for verdict in verdicts] == [False] * 7 + [True]


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width", [0.85, 1.15])
def test_what_eight_sights_find_too_wide_or_too_narrow_is_foreign_then(width: float) -> None:
    bench = Bench()
    reasons, doubts = [], []
    for _ in range(8):
        bench.detection(width=width)
        reasons.append(bench.voter.intruder(ball_expected=True))
        doubts.append(bench.voter.in_doubt())
    assert reasons == [None] * 7 + ["foreign_object"]
    assert doubts == [False] * 3 + [True] * 4 + [False]


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
@pytest.mark.parametrize("width", [0.8, 1.2])
def test_of_two_things_one_whose_width_is_in_doubt_is_no_ball(width: float) -> None:
    bench = Bench()
    for _ in range(4):
        place = bench.passing
        bench.detection(8)
        bench.passing = place
        bench.detection(20, width=width)
    assert bench.voter.intruder(ball_expected=True) == "foreign_object"


def test_sights_of_a_ball_scatter_and_name_it_all_the_same() -> None:
    """As recorded: single detections of balls at rest differ by up to a tenth, and more."""
    bench = Bench()
    verdicts = [bench.detection(width=width) for width in (0.82, 1.09, 0.9, 1.12)]
    assert verdicts[-1] is not None
    assert bench.voter.intruder(ball_expected=True) is None


@pytest.mark.parametrize("width", [0.65, 1.45])
def test_one_sensor_that_sees_the_ball_narrow_or_wide_is_dirt_and_no_chip(width: float) -> None:
    bench = Bench()
    verdicts = [bench.detection(width=width if n % 3 == 0 else 1.0) for n in range(4)]
    assert verdicts[-1] is not None
    assert bench.voter.intruder(ball_expected=True) is None
