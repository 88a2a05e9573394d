"""What goes wrong at the simulated tables, without any controller."""

import pytest

from firmware.config import Config
from firmware.config.game import choose
from tools.sim.table import virtual_table

BOARDS = {"roulette": "roulette_ref", "vingt_trois": "vingt_trois_ref", "boule": "boule_ref"}
STEP_US = 10_000
LONG_US = 120_000_000


class Played:
    """A table by hand, played to a moment of its first coup; notes the level of every line."""

    def __init__(self, apparatus, seed=3):
        game = choose(BOARDS[apparatus], Config())
        self.names = [name for name, *_ in game.board["inputs"]]
        self.table = virtual_table(game.board, game.rules, None, seed, hand=True)
        self.levels = self.table.initial_levels()
        self.seen = []

    def step(self):
        found = self.table.advance(self.table.now_us + STEP_US, 0)
        for _, line, level in found:
            self.levels[line] = level
        self.seen += found

    def to(self, moment, after_us=0):
        while not self.table.truths or getattr(self.truth, f"t_{moment}_us") is None:
            assert self.table.now_us < LONG_US
            self.step()
        until_us = self.table.now_us + after_us
        while self.table.now_us < until_us:
            self.step()
        return self

    @property
    def truth(self):
        return self.table.truths[0]

    def dark(self):
        return [
            name
            for name, level in zip(self.names, self.levels, strict=True)
            if level and name.startswith(("rim", "pocket", "cup"))
        ]


@pytest.mark.parametrize("apparatus", BOARDS)
def test_a_ball_that_sticks_in_the_track_never_rests(apparatus):
    played = Played(apparatus).to("launch", 3_000_000)
    assert played.table.stick_ball()
    played.to("lift")
    assert played.truth.t_rest_us is None
    assert played.truth.number is None
    played.step()
    assert played.dark() == []


@pytest.mark.parametrize("apparatus", BOARDS)
def test_a_ball_that_leaps_out_has_no_number(apparatus):
    played = Played(apparatus).to("drop", 500_000)
    while not played.table.lose_ball():
        played.step()
    played.to("lift")
    assert (played.truth.t_rest_us, played.truth.number) == (None, None)
    assert played.dark() == []


@pytest.mark.parametrize("apparatus", BOARDS)
def test_a_ball_that_is_moved_lies_elsewhere_and_its_truth_says_so(apparatus):
    played = Played(apparatus).to("rest", 2_000_000)
    before = (played.truth.compartment, played.truth.number)
    played.table.move_ball(2)
    moved_us = played.table.now_us
    assert played.truth.lay == ((moved_us, *before),)
    played.to("lift", 100_000)
    assert played.truth.compartment != before[0]
    assert played.dark() == []


@pytest.mark.parametrize("apparatus", BOARDS)
@pytest.mark.parametrize("moment", ["launch", "drop", "rest"])
def test_a_ball_can_be_taken_at_any_time(apparatus, moment):
    played = Played(apparatus).to(moment, 1_500_000)
    taken_us = played.table.now_us
    played.table.take_ball()
    played.to("lift", 100_000)
    assert played.truth.t_lift_us - taken_us <= STEP_US
    assert played.dark() == []


@pytest.mark.parametrize("apparatus", ["roulette", "boule"])
def test_a_knock_drops_the_ball_before_its_time(apparatus):
    usual = Played(apparatus).to("drop").truth.t_drop_us
    played = Played(apparatus).to("launch", 3_000_000)
    played.table.knock_ball()
    played.to("rest", 1_000)
    assert played.truth.t_drop_us < usual - 1_000_000
    assert played.truth.number is not None


@pytest.mark.parametrize("apparatus", ["roulette", "boule"])
def test_a_croupier_who_keeps_the_ball_throws_it_when_he_may(apparatus):
    played = Played(apparatus).to("start")
    played.table.keep_ball(True)
    while played.table.now_us < 60_000_000:
        played.step()
    assert played.truth.t_launch_us is None
    played.table.keep_ball(False)
    assert played.to("rest").truth.number is not None


def test_a_grip_stops_the_rotor_and_letting_go_does_not_turn_it():
    played = Played("roulette").to("launch")
    table = played.table
    table.disturb(lambda t, _: table.rotor.grip(t, 20.0))
    for _ in range(50):
        played.step()
    assert table.rotor.at_rest
    table.disturb(lambda t, _: table.rotor.grip(t, 0.0))
    played.step()
    assert table.rotor.at_rest
