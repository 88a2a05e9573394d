"""What of a configuration is a limit of the table: Luxembourg art. 37-3."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from firmware.config import Config, table_limits
from rules import load

OLD = Config(board="roulette_ref", stakes_minimum_cents=500, season="2026-27")


@pytest.mark.req("LU-37-3.director")
@pytest.mark.parametrize(
    ("more", "summary"),
    [
        ({"stakes_minimum_cents": 600}, "minimum_cents 600, table_minimum_cents 600"),
        ({"stakes_table_minimum_cents": 1_000}, "table_minimum_cents 1000"),
        ({"season": "2027-28"}, "season 2027-28"),
        ({"season": ""}, "season -"),
        (
            {"season_from": "2026-10-01", "season_to": "2027-09-30"},
            "season_from 2026-10-01, season_to 2027-09-30",
        ),
    ],
)
def test_a_director_signs_each_limit_that_changes(more: dict[str, Any], summary: str) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises »."""
    change = table_limits.change(OLD, replace(OLD, **more))
    assert change is not None
    assert (change.summary, change.must) == (summary, True)
    assert change.law.startswith("art. 37-3: « le directeur responsable a la possibilité")


def test_a_maximum_is_a_limit() -> None:
    boule = Config(board="boule_ref", stakes_minimum_cents=100, season="2026-27")
    change = table_limits.change(boule, replace(boule, maxima={"plein": 41}))
    assert change is not None
    assert change.summary == "plein 41"
    assert change.law.startswith("art. 47: « le directeur responsable a la faculté")


def test_another_game_has_other_limits() -> None:
    vingt_trois = replace(OLD, board="vingt_trois_ref", rules="vingt_trois_fr")
    change = table_limits.change(OLD, vingt_trois)
    assert change is not None
    assert change.summary.startswith("rules vingt_trois_fr, ")
    assert change.law == ""  # that text names nobody


@pytest.mark.parametrize(
    "more",
    [
        {"pace_us": 72_000_000},
        {"orphelins": "elsewhere.jsonl", "terminals": 3},
        {"board": "pi4"},
        # What is said now held before, unsaid.
        {"maxima": {"plein": 20}, "stakes_table_minimum_cents": 500},
        {"rules": "roulette_lu"},
    ],
)
def test_what_changes_no_limit_asks_for_no_director(more: dict[str, Any]) -> None:
    assert table_limits.change(OLD, replace(OLD, **more)) is None


def test_a_table_that_gets_limits_may_have_had_others() -> None:
    change = table_limits.change(Config(board="roulette_ref"), OLD)
    assert change is not None
    assert not change.must
    assert change.summary.startswith("season 2026-27, rules roulette_lu, minimum_cents 500, ")


def test_limits_that_are_none_are_signed_by_nobody() -> None:
    assert table_limits.change(OLD, replace(OLD, stakes_minimum_cents=None)) is None
    assert table_limits.change(OLD, replace(OLD, board=None)) is None  # of which game?
    assert table_limits.change(replace(OLD, board=None), OLD, "roulette_ref") is None


def test_the_hash_of_limits_is_of_their_canonical_form() -> None:
    """Written down: an act of before covers these limits for as long as there are journals."""
    boule = Config(stakes_minimum_cents=100, season="2026-27", maxima={"plein": 41})
    opened = table_limits.opening(load("boule_fr"), boule, 739_941)
    assert table_limits.digest(opened) == table_limits.digest(opened._replace(day=1))
    text = (
        b'{"maximum_multiples":{"impair":200,"manque":200,"noir":200,"pair":200,"passe":200,'
        b'"plein":41,"rouge":200},"minimum_cents":100,"rules":"boule_fr","season":"2026-27",'
        b'"table_minimum_cents":100}'
    )
    assert table_limits.digest(opened) == hashlib.sha256(text).hexdigest()
