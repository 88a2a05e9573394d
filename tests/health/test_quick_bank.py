"""With numpy the watch has the same sums, to the last bit, and tells the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from watched import WHEEL, coups

from firmware.core.health.bank import Bank
from firmware.core.health.facts import Wheel
from firmware.core.health.watch import HealthWatch

pytestmark = pytest.mark.needs("numpy")
BOULE = Wheel(9, (0.0, 100.0), 1, 5_000, False)
Fields = dict[str, Any]


@pytest.fixture
def quick_watch() -> Callable[[Wheel], HealthWatch]:
    from tools.health import quick_bank

    return quick_bank.quick_watch


def sound(number: int, draw: Random, fields: Fields) -> None:
    ppm = draw.randrange(1, 500_000)
    fields.update(gaps_ppm=(ppm, 400_000, 600_000 - ppm), ball=number // 700, croupier=number % 3)


def biased(number: int, draw: Random, fields: Fields) -> None:
    sound(number, draw, fields)
    if draw.random() < 0.05:
        fields.update(place=5, gap=1, launch_place=4)


def stuck(_number: int, _draw: Random, fields: Fields) -> None:
    fields.update(place=3, gap=0, launch_place=3)


def of_boule(number: int, draw: Random, fields: Fields) -> None:
    ppm = draw.randrange(1, 500_000)
    fields.update(gap=number % 2, gaps_ppm=(ppm, 1_000_000 - ppm), croupier=None)


@pytest.mark.parametrize(
    ("wheel", "change", "count"),
    [(WHEEL, sound, 1_500), (WHEEL, biased, 1_500), (WHEEL, stuck, 800), (BOULE, of_boule, 1_500)],
)
def test_every_double_is_the_same(
    quick_watch: Callable[[Wheel], HealthWatch],
    wheel: Wheel,
    change: Callable[[int, Random, Fields], None],
    count: int,
) -> None:
    quick, plain = quick_watch(wheel), HealthWatch(wheel)
    given = list(coups("quick", count, compartments=wheel.compartments, change=change))
    for number, coup in enumerate(given, 1):
        quick.add(coup)
        plain.add(coup)
        assert quick.take_notices() == plain.take_notices()
        if number % 500 == 0:
            kind = ("levelled", "ball", "frets")[number // 500 % 3]
            assert quick.act(kind) == plain.act(kind)
        if number % 97 == 0:
            assert quick.save() == plain.save()
    state = plain.save()
    assert quick.save() == state
    assert all(type(value) is float for value in quick.save())
    assert [each.judge.strongest() for each in quick.streams if each.judge.total] == [
        each.judge.strongest() for each in plain.streams if each.judge.total
    ]
    other = quick_watch(wheel)
    other.restore(iter(state))
    other.add(given[0])
    plain.add(given[0])
    assert other.save() == plain.save()


def test_nothing_that_runs_on_a_wheel_wants_numpy() -> None:
    """What firmware and tools import without being asked for it."""
    root = Path(__file__).parents[2]
    on_wheels = (*root.glob("firmware/**/*.py"), *root.glob("tools/commands/*.py"))
    assert not [path for path in on_wheels if "import numpy" in path.read_text(encoding="utf-8")]
    line = "import sys, tools.cli, firmware.health.replay; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", line], cwd=root, check=True)


def test_where_there_is_no_numpy_the_watch_is_the_plain_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tools.health import new_watch, quick_bank

    def bank_of(watch: HealthWatch) -> object:
        gain = watch.stream("gain")
        assert gain is not None
        return type(gain.judge)

    assert bank_of(new_watch.new_watch(WHEEL)) is quick_bank.QuickBank
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert bank_of(new_watch.new_watch(WHEEL)) is Bank
