from firmware.core import facts
from tools.sim.truth import UNSEEN_US, CoupTruth
from tools.virtual.score import RIGHT, WRONG, Score

S = 1_000_000


def judged(truth, *, at_us, compartment, number):
    score = Score()
    score.add(facts.CoupStarted(truth.t_start_us, 1, 0), 0)
    score.add(facts.NoMoreBets(10 * S, 1), 0)
    result = facts.Result(at_us, 1, 1, number, compartment, "red", True, True)
    score.add(result, 0)
    (one,) = score.judge([truth])
    return one.verdict


def a_truth(**changed):
    truth = CoupTruth(1, S, t_launch_us=5 * S, t_drop_us=15 * S, t_rest_us=20 * S, t_lift_us=40 * S)
    truth.compartment, truth.number = 3, 26
    for key, value in changed.items():
        setattr(truth, key, value)
    return truth


def moved_at(at_us):
    truth = a_truth()
    truth.moved(at_us)
    truth.compartment, truth.number = 5, 7
    return truth


def test_a_number_is_right_while_the_ball_lay_there():
    assert judged(moved_at(30 * S), at_us=25 * S, compartment=3, number=26) == RIGHT


def test_a_ball_that_just_moved_cannot_have_been_seen_elsewhere():
    at_us = 30 * S + UNSEEN_US
    assert judged(moved_at(30 * S), at_us=at_us, compartment=3, number=26) == RIGHT
    assert judged(moved_at(30 * S), at_us=at_us + 1, compartment=3, number=26) == WRONG


def test_where_the_ball_came_to_lie_is_right_too():
    assert judged(moved_at(30 * S), at_us=35 * S, compartment=5, number=7) == RIGHT


def test_with_two_balls_in_the_wheel_no_number_is_right():
    assert judged(a_truth(spoiled=True), at_us=25 * S, compartment=3, number=26) == WRONG


def test_one_ball_gives_one_number():
    truth, score = a_truth(), Score()
    for coup, start_us in ((1, S), (2, 26 * S)):
        score.add(facts.CoupStarted(start_us, coup, 0), 0)
        score.add(facts.NoMoreBets(10 * S, coup), 0)
        result = facts.Result(start_us + 24 * S, coup, coup, 26, 3, "red", True, True)
        score.add(result._replace(at_us=min(result.at_us, 39 * S)), 0)
    assert [coup.verdict for coup in score.judge([truth])] == [RIGHT, WRONG]


def test_what_did_not_go_wrong_is_not_told():
    assert not {"spoiled", "lay"} & set(a_truth().as_dict())
    assert {"spoiled", "lay"} <= set(moved_at(30 * S).as_dict() | a_truth(spoiled=True).as_dict())
