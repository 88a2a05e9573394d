"""One coup whose encoder loses pulses costs at most the next; a mark that moved names no number.

docs/adr/0005: what was lost is reckoned, and what the mark says is compared with it.
"""

from __future__ import annotations

import pytest
from harness.places import LINES
from harness.playing import ROULETTE, VINGT_TROIS, Apparatus, Coup, in_coups
from harness.spoiled_encoder import Spoiled
from harness.watched import Watched

from firmware.core import facts
from firmware.core.feed import feed

APPARATUS = {"roulette": ROULETTE, "vingt_trois": VINGT_TROIS}


def voids(coups: list[Coup]) -> set[int]:
    """The numbers of the coups that ended without a result."""
    return {number for number, coup in enumerate(coups, 1) if coup.outcome != "result"}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_a_coup_of_lost_pulses_costs_at_most_the_next(game: str, seed: int) -> None:
    apparatus = APPARATUS[game]
    rate = 0.01 + 0.09 * seed / 7
    spoiled = Spoiled(apparatus, seed=seed, coups=7, slips=(2, 5), rate=rate)
    coups = spoiled.played()
    assert not apparatus.wrong_numbers(coups)
    assert voids(coups) <= {2, 3, 5, 6}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_a_mark_that_moved_by_whole_cycles_names_no_number_until_it_is_back(
    game: str, seed: int
) -> None:
    apparatus: Apparatus = APPARATUS[game]
    cycles = (1, 2, 3, 5, 9, 18, 34, 35)[seed]
    spoiled = Spoiled(apparatus, seed=seed, coups=6, moved=(2, 3, 4), cycles=cycles)
    coups = spoiled.played()
    assert not apparatus.wrong_numbers(coups)
    assert {2, 3, 4} <= voids(coups) <= {2, 3, 4, 5}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_pulses_that_are_lost_later_explain_no_mark_that_moved(game: str, seed: int) -> None:
    apparatus = APPARATUS[game]
    cycles = 3 + 4 * seed
    moved = range(2, 9)
    spoiled = Spoiled(
        apparatus, seed=seed, coups=8, slips=(4, 6), moved=moved, rate=0.05, cycles=cycles
    )
    coups = spoiled.played()
    assert not apparatus.wrong_numbers(coups)
    assert set(moved) <= voids(coups)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_pulses_lost_in_the_coup_in_which_the_mark_moves_do_not_explain_it(
    game: str, seed: int
) -> None:
    apparatus = APPARATUS[game]
    moved = range(2, 7)
    spoiled = Spoiled(
        apparatus, seed=seed, coups=6, slips=(2,), moved=moved, rate=0.05, cycles=4 + 3 * seed
    )
    coups = spoiled.played()
    assert not apparatus.wrong_numbers(coups)
    assert set(moved) <= voids(coups)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_a_cable_that_was_out_is_told_and_costs_at_most_the_next_coup(game: str, seed: int) -> None:
    apparatus = APPARATUS[game]
    spoiled = Spoiled(apparatus, seed=seed, coups=6, outs=(2, 4))
    told = list(feed(apparatus.controller(), spoiled.edges(), spoiled.session.levels()))
    coups = in_coups(spoiled.truths, told)
    assert not apparatus.wrong_numbers(coups)
    assert voids(coups) <= {2, 3, 4, 5}
    for number, (since, until) in spoiled.outs.items():
        result, turned = coups[number - 1].one(facts.Result), spoiled.session.rotor.at
        turns = turned(until / 1e6) - turned(since / 1e6)
        if result and result.at_us > until and abs(turns - round(turns)) > 0.02:
            codes = [
                fact.code
                for fact in told
                if isinstance(fact, facts.Fault) and since < fact.at_us < result.at_us
            ]
            assert "W31" in codes


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", APPARATUS)
def test_a_short_noise_as_the_rotor_sets_out_costs_no_coup(game: str, seed: int) -> None:
    apparatus = APPARATUS[game]
    session = Spoiled(apparatus, seed=seed, coups=5).session
    edges, line = session.edges(), LINES.index("enc_a")
    motion_us = session.truths[1].motion_us
    assert motion_us is not None
    at_us = motion_us + 150_000 + 100_000 * seed
    told = [edge for edge in edges if edge[1] == line and edge[0] < at_us]
    level = told[-1][2]
    noise = [(at_us, line, 1 - level), (at_us + 100, line, level)]
    spoilt = sorted([*edges, *noise], key=lambda edge: edge[0])
    coups = in_coups(session.truths, list(feed(apparatus.controller(), spoilt, session.levels())))
    assert not apparatus.wrong_numbers(coups)
    assert not voids(coups)


@pytest.mark.parametrize("game", APPARATUS)
def test_cycles_lost_between_two_coups_are_put_right_told_and_cost_none(game: str) -> None:
    apparatus = APPARATUS[game]
    session = Spoiled(apparatus, seed=3, coups=4).session
    edges, channels = session.edges(), [LINES.index(name) for name in ("enc_a", "enc_b")]
    motion_us = session.truths[1].motion_us
    assert motion_us is not None
    steps = [edge for edge in edges if edge[1] in channels and edge[0] < motion_us]
    lost = set(steps[-36:])  # nine whole cycles, as it comes to rest
    watched = Watched(apparatus.controller())
    watched.start(session.levels())
    for edge in edges:
        if edge not in lost:
            watched.edge(*edge)
    watched.end()
    coups = in_coups(session.truths, watched.facts)
    assert not apparatus.wrong_numbers(coups)
    assert not voids(coups)
    assert "W31" in watched.codes


@pytest.mark.parametrize("stalled", [2, 3])
@pytest.mark.parametrize("game", APPARATUS)
def test_a_machine_that_stood_still_is_not_blamed_for_a_mark_that_moved(
    game: str, stalled: int
) -> None:
    apparatus = APPARATUS[game]
    spoiled = Spoiled(apparatus, seed=1, coups=4, moved=(2, 3, 4), cycles=5)
    stood_us = spoiled.truths[stalled - 1].start_us + 1
    edges = spoiled.edges()
    before = [edge for edge in edges if edge[0] < stood_us]
    watched = Watched(apparatus.controller())
    watched.start(spoiled.session.levels())
    for edge in before:
        watched.edge(*edge)
    watched.event(facts.StoodStill(stood_us, 120_000))
    for edge in edges[len(before) :]:
        watched.edge(*edge)
    watched.end()
    coups = in_coups(spoiled.truths, watched.facts)
    assert not apparatus.wrong_numbers(coups)
    assert voids(coups) == {2, 3, 4}
    assert "W31" in watched.codes
    assert "C12" not in watched.codes
