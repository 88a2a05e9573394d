"""Many wheels at once are judged as the watch judges each of them."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.core.health.facts import Coup, Wheel
from firmware.core.health.watch import HealthWatch
from tools.testing import machine

if machine.is_here("numpy"):
    import numpy as np

    from tools.health import drawn, fair_years
    from tools.health.quick_bank import quick_watch
    from tools.health.wheels import Coups, Wheels

pytestmark = pytest.mark.needs("numpy")
WHEEL = Wheel(37, (0.0, 120.0, 240.0), 3, 5_000, True)
CHANCES = [[0.3, 0.4, 0.3], [0.1, 0.5, 0.4], [0.6, 0.2, 0.2]]
KINDS = ("levelled", "ball", "frets", "cleaned", "moved", "rotor")
COUNT = 3  # wheels


def some(seed: int, part: int, count: int, *, biased: bool) -> Any:
    """Some coups of COUNT wheels, and acts between them."""
    draw = np.random.default_rng((seed, part))
    shape = (COUNT, count)

    def at(chance: float) -> Any:
        return draw.random(shape) < (chance if biased else 0.0)

    place = np.where(at(0.04), 5, draw.integers(0, 37, shape))
    direction = np.where(draw.random(shape) < 0.5, 1, -1)
    forecast = draw.integers(0, 3, shape)
    through = np.cumsum(CHANCES, axis=1)[forecast]
    gap = (draw.random(shape)[:, :, None] > through[:, :, :-1]).sum(axis=2)
    launch = np.where(at(0.1), (place - direction * 3) % 37, draw.integers(0, 37, shape))
    numbered = draw.integers(0, COUNT, 9), draw.integers(1, count + 1, 9), draw.integers(0, 6, 9)
    acts = sorted((int(w), int(after), KINDS[k]) for w, after, k in zip(*numbered, strict=True))
    return Coups(
        place,
        direction,
        draw.integers(250_000, 450_000, shape),
        np.where(at(0.1), 1, gap),
        forecast,
        launch,
        np.broadcast_to(np.arange(count) // 300 % 3, shape),
        (draw.random(shape) < 0.1) + part,
        acts,
    )


def one_by_one(watch: HealthWatch, wheel: int, coups: Any) -> list[Any]:
    """The same coups of one wheel, through the watch."""
    found = []
    acts = [each for each in coups.acts if each[0] == wheel]
    for number in range(coups.place.shape[1]):
        place, direction, rotor, gap, forecast, launch, croupier, ball = (
            int(values[wheel, number]) for values in coups[:8]
        )
        ppm = [round(chance * 1e6) for chance in CHANCES[forecast]]
        watch.add(
            Coup(
                place, direction, rotor, gap, ppm, launch, None, None, None, croupier, ball,
                None, None, 0,
            )
        )  # fmt: skip
        found += [(wheel, watch.coups, notice) for notice in watch.take_notices()]
        for _, after, kind in acts:
            if after == number + 1:
                watch.act(kind)
    return found


@pytest.mark.parametrize("biased", [True, False])
def test_each_wheel_is_told_the_same_after_the_same_coup(biased: bool) -> None:
    many, single = Wheels(WHEEL, COUNT, CHANCES), [quick_watch(WHEEL) for _ in range(COUNT)]
    told, wanted = [], []
    for part in range(3):
        coups = some(26, part, 1_000, biased=biased)
        told += [(each.wheel, each.coup, each.notice) for each in many.play(coups)]
        for wheel, watch in enumerate(single):
            wanted += one_by_one(watch, wheel, coups)
    assert sorted(told) == sorted(wanted)
    assert bool(told) == biased
    for stream in many.streams:
        totals = many.total(stream.what)
        for wheel, watch in enumerate(single):
            mine = [each for each in watch.streams if each.name.rstrip("0123456789") == stream.what]
            found = np.atleast_1d(totals[wheel])[: len(mine)]
            assert found == pytest.approx([each.judge.total for each in mine], rel=1e-9)


def test_forecasts_are_what_the_gaps_come_by() -> None:
    wheels = drawn.Drawn((1,), [None] * 20)
    assert wheels.chances.sum(axis=1) == pytest.approx(1.0)
    coups = wheels.coups(5_000)
    assert not coups.acts  # which would begin evidence anew
    for gap in range(3):
        share = float((coups.gap == gap).mean())
        assert share == pytest.approx(
            float(wheels.chances[coups.forecast][..., gap].mean()), abs=0.006
        )


def test_a_fair_wheel_of_every_kind_comes_evenly_and_is_as_its_kind_is() -> None:
    kinds, count = (*drawn.KINDS, drawn.MIXED), 50_000
    wheels = drawn.Drawn((2,), kinds)
    coups = wheels.coups(count)
    at = dict(zip(kinds, range(len(kinds)), strict=True))
    for wheel in range(len(kinds)):
        counts = np.bincount(coups.place[wheel], minlength=37)
        assert ((counts - count / 37) ** 2 / (count / 37)).sum() < 80  # .99998 of chi-square's
    bunched = [len(set(each.tolist())) for each in coups.forecast]
    assert bunched[at["even throws"]] < bunched[at["pauses"]]
    same_way = coups.direction[:, 1:] == coups.direction[:, :-1]
    assert same_way[at["lost coups"]].any() and not same_way[at["acts"]].any()
    assert len(set(coups.ball[at["new balls"]].tolist())) > 1
    assert np.ptp(wheels.odds[at["tolerances"]]) > 0 == np.ptp(wheels.odds[at["pauses"]])
    acts = np.bincount([wheel for wheel, _, _ in coups.acts], minlength=len(kinds))
    assert acts[at["acts"]] > acts[at["pauses"]]
    assert all(
        (coups.ball[wheel, after:] > 1).all() for wheel, after, k in coups.acts if k == "ball"
    )
    days = coups.rotor_uturn_s[:, : 430 * 100].reshape(len(kinds), 100, 430).mean(axis=2)
    assert days[at["pauses"]].std() > 5 * days[at["acts"]].std()


def test_a_peaked_scatter_stays_within_the_tolerance() -> None:
    wheels = drawn.Drawn((4,), ["peaked scatter"] * 40)
    moved = [[] for _ in range(2)]
    for coups in (wheels.coups(10_000) for _ in range(4)):
        far = coups.direction * (coups.place - coups.launch_place) % 37
        peak = wheels.peak[np.arange(40)[:, None], coups.croupier]
        turned = 2 * np.pi * (far + 0.5) / 37 - peak
        moved[0].append(np.cos(turned).mean())
        moved[1].append(np.sin(turned).mean())
    strength = float(np.mean(moved[0]))
    assert strength == pytest.approx(0.0138, abs=0.003) and 2 * strength < 1 / 36 + 0.003
    assert abs(float(np.mean(moved[1]))) < 0.003


def test_a_favoured_number_and_a_low_side_are_drawn_as_they_are_named() -> None:
    wheels = drawn.Drawn((3,), [None] * 4)
    odds = np.full((4, 37), 0.8 / 36)
    odds[:, 7] = 0.2
    wheels.favour(odds)
    wheels.lean(1.0, [0.0, 90.0, 180.0, 270.0])
    coups = wheels.coups(5_000)
    assert float((coups.place == 7).mean()) == pytest.approx(0.2, abs=0.01)
    ccw = coups.direction[0] == 1
    # A low side at 0 draws a ball ccw towards 90 degrees: into the first gap, and cw into the last.
    assert (coups.gap[0][ccw] == 0).mean() > 0.45 > 0.25 > (coups.gap[0][ccw] == 2).mean()
    assert (coups.gap[0][~ccw] == 2).mean() > 0.45


def test_a_block_of_fair_years_tells_whom_it_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def biased(self: Any, seed: Any, kinds: Any) -> None:
        drawn.Drawn.__init__(self, seed, kinds)
        odds = np.full((len(kinds), 37), 1 / 37)
        odds[2, 5] = 4 / 37
        self.favour(odds)

    assert list(fair_years.play(0, years=4, coups=2_000)) == []
    monkeypatch.setattr(fair_years, "Drawn", type("Biased", (drawn.Drawn,), {"__init__": biased}))
    told = list(fair_years.play(0, years=4, coups=2_000))
    assert {(each.wheel, each.kind) for each in told} == {(2, drawn.KINDS[2])}
    assert told[0].notice.place == 5
