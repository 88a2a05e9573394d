"""The predictor's parts on filmed spins of a real wheel, where their file is at hand."""

import re
from pathlib import Path

import pytest

from tools.bench import realspins
from tools.testing import machine

ROOT = Path(__file__).resolve().parents[2]
FILE = machine.REAL_SPINS
PAGE = ROOT / "docs" / "call.md"
ROW = re.compile(r"^\| (\d) s or more \|.*\| ([\d.]+) / ([\d.]+) \| ([\d.]+) / ([\d.]+) \|", re.M)
TOLERANCE_S = 0.05  # of a figure on the page: a touch to the filter need not rewrite it

pytestmark = pytest.mark.needs("real spins")


@pytest.fixture(scope="module")
def spins():
    return realspins.read(FILE)[0]


@pytest.fixture(scope="module")
def predicted(spins):
    return realspins.ours(spins)


@pytest.fixture(scope="module")
def rivals(spins):
    return {ahead_s: realspins.threshold(spins, realspins.near(ahead_s)) for ahead_s in range(1, 7)}


def test_the_two_defects_of_the_source_are_found_by_rule():
    spins, unfit = realspins.read(FILE)
    assert unfit == {
        1: "a lap far shorter than the one before",
        21: "laps after the deflector",
    }
    assert [spin.number for spin in spins] == [n for n in range(1, 28) if n not in unfit]


def test_every_usable_spin_is_predicted_at_every_distance(predicted, rivals):
    assert {
        ahead_s: len(errors.errors_s) for ahead_s, errors in predicted.items()
    } == dict.fromkeys(realspins.AHEAD_S, 25)
    assert all(len(errors.errors_s) == 25 for errors in rivals.values())


def test_the_predictor_errs_no_more_than_a_threshold_that_speaks_as_late(predicted, rivals):
    for ahead_s, errors in predicted.items():
        assert errors.rms_s() < 1.05 * rivals[ahead_s].rms_s()
        assert errors.rms_s() < 0.65


def test_a_call_one_second_early_is_after_no_deflector_where_thresholds_are(predicted, rivals):
    assert [predicted[ahead_s].late(1.0) for ahead_s in range(1, 6)] == [0] * 5
    assert all(rivals[ahead_s].late(1.0) > 0 for ahead_s in range(1, 6))


def test_the_spins_cannot_tell_the_predictor_from_a_threshold_found_in_hindsight(spins, predicted):
    """What the page owns up to. If it is no longer so, docs/call.md must say so."""
    best = realspins.threshold(spins, lambda mean_s: mean_s > 0)
    assert 0.7 < best.rms_s() / predicted[3].rms_s() < 1.2


def test_the_figures_of_the_page_are_these(predicted, rivals):
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert [int(ahead_s) for ahead_s, *_ in rows] == list(realspins.AHEAD_S)
    for ahead_s, *figures in rows:
        own, rival = predicted[int(ahead_s)], rivals[int(ahead_s)]
        now = (own.rms_s(), rival.rms_s(), own.median_s(), rival.median_s())
        assert [float(figure) for figure in figures] == pytest.approx(now, abs=TOLERANCE_S)
