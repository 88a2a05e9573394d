"""A house that has its croupier confirm the numbers, or keeps a pace: the built-in tables play."""

import contextlib
from itertools import pairwise

import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.core import facts
from firmware.core.house import CROUPIER
from firmware.run import parts
from tools.sim.table import virtual_table
from tools.virtual.provider import BuiltIn
from tools.virtual.score import RIGHT
from tools.virtual.simulate import Simulation

COUPS = 20
PACE_US = 72_000_000  # UK casino technical requirements 1.1: at most 50 games an hour
TABLES = pytest.mark.parametrize(
    ("board", "hand"),
    [
        ("roulette_ref", False),
        ("roulette_ref", True),
        ("vingt_trois_ref", False),
        ("vingt_trois_ref", True),
        ("boule_ref", False),
    ],
)


def simulation(board, hand, **house):
    config = Config(**house)
    return Simulation(choose(board, config), seed=4, hand=hand, config=config)


def of(kind, told):
    return [item for item in told if isinstance(item, kind)]


@TABLES
def test_every_number_is_confirmed_by_the_croupier_before_he_lifts_the_ball(board, hand):
    played = simulation(board, hand, confirm=CROUPIER)
    told = list(played.play(COUPS))
    assert [coup.verdict for coup in played.score.judged] == [RIGHT] * COUPS
    explained = [body for kind, body in played.store.records if kind == "evidence"]
    assert [body["who"] for body in explained] == [CROUPIER] * COUPS
    detected, ends = of(facts.Detected, told), of(facts.Result, told)
    truths = played.wheel.truths
    for number, end, truth in zip(detected, ends, truths, strict=False):
        assert number.at_us < end.at_us < truth.t_lift_us


@TABLES
@pytest.mark.parametrize("confirm", ["auto", CROUPIER])
def test_with_a_pace_no_coup_is_void_and_none_begins_before_its_time(board, hand, confirm):
    played = simulation(board, hand, confirm=confirm, pace_us=PACE_US)
    told = list(played.play(COUPS))
    assert [coup.verdict for coup in played.score.judged] == [RIGHT] * COUPS
    assert of(facts.Fault, told) == []  # P11: a start before its time
    begun_us = [fact.at_us for fact in of(facts.CoupStarted, told)]
    gaps_us = [after - before for before, after in pairwise(begun_us)]
    assert min(gaps_us) >= PACE_US
    assert max(gaps_us) < PACE_US + 12_000_000  # he does not dawdle


@TABLES
def test_a_pace_slower_than_no_coup_changes_nothing(board, hand):
    plain, paced = (simulation(board, hand, pace_us=pace_us) for pace_us in (0, 1_000_000))
    assert list(plain.play(3)) == list(paced.play(3))
    assert plain.wheel.truths == paced.wheel.truths


def test_where_the_house_has_a_hand_turn_the_rotor_a_hand_does():
    played = simulation("roulette_ref", False, drive="hand")
    by_hand = simulation("roulette_ref", True)
    assert list(played.play(2)) == list(by_hand.play(2))
    assert [coup.verdict for coup in played.score.judged] == [RIGHT] * 2


def test_the_table_of_cylindre_run_is_told_what_the_house_chose(monkeypatch):
    told = {}

    def spy(*arguments, **options):
        told.update(options)
        return virtual_table(*arguments, **options)

    monkeypatch.setattr("tools.sim.table.virtual_table", spy)
    config = Config(confirm=CROUPIER, pace_us=PACE_US)
    game = choose("boule_ref", config)
    given = {"game": game, "config": config, "virtual": BuiltIn()}
    choices = dict.fromkeys(parts.RunOptions._fields) | given
    with contextlib.ExitStack() as stack:
        parts.open_hardware(parts.RunOptions(**choices), stack)
    assert told == {"confirms": True, "pace_us": PACE_US}
