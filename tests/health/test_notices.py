"""What is wrong with a wheel is told as what it is, and a sound wheel is told of nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest
from watched import WHEEL, coups, told

from firmware.core.health.facts import Wheel
from firmware.core.health.watch import HealthWatch

Fields = dict[str, Any]


def pocket(number: int, draw: random.Random, fields: Fields) -> None:
    if draw.random() < 3 / 37:
        fields["place"] = 17


def dead(number: int, draw: random.Random, fields: Fields) -> None:
    if fields["place"] == 5 and draw.random() < 0.95:
        fields["place"] = draw.randrange(37)


def sector(number: int, draw: random.Random, fields: Fields) -> None:
    if draw.random() < 0.15:
        fields["place"] = (30 + draw.randrange(9)) % 37  # its middle is 34


def one_way(number: int, draw: random.Random, fields: Fields) -> None:
    if fields["direction"] == 1:
        fields["gap"] = draw.choices(range(3), (4, 4, 2))[0]


def tilt(number: int, draw: random.Random, fields: Fields) -> None:
    """The low side is at 330: balls ccw lean to 60, in gap 0, balls cw to 240, between 1 and 2."""
    weights = (4, 4, 2) if fields["direction"] == 1 else (2, 4.5, 3.5)
    fields["gap"] = draw.choices(range(3), weights)[0]


def ball(number: int, draw: random.Random, fields: Fields) -> None:
    if number > 500:
        fields["slowing_ppm"] += 3_000


def sensor(number: int, draw: random.Random, fields: Fields) -> None:
    if draw.random() < 0.1:
        fields["seen"] = 5


def motor(number: int, draw: random.Random, fields: Fields) -> None:
    if number > 500:
        fields["spin_up_ms"] += 100


def loose(number: int, draw: random.Random, fields: Fields) -> None:
    if fields["place"] == 8 and draw.random() < 0.9:
        fields["settled_ms"] -= 1_200


def signature(number: int, draw: random.Random, fields: Fields) -> None:
    if draw.random() < 0.4:
        moved = draw.randrange(12) * fields["direction"]
        fields["place"] = (fields["launch_place"] + moved) % 37


@pytest.mark.parametrize(
    ("change", "kind", "places", "within"),
    [
        (pocket, "pocket", (17,), 1_500),
        (dead, "dead", (5,), 3_000),
        (sector, "sector", range(30, 38), 1_500),
        (tilt, "tilt", range(285, 376), 1_500),
        (one_way, "flaw", range(15, 106), 2_000),
        (ball, "ball", (None,), 1_500),
        (sensor, "sensor", (1,), 1_000),
        (motor, "motor", (None,), 1_200),
        (loose, "loose", (8,), 3_000),
        (signature, "signature", (1,), 1_500),
    ],
)
def test_a_cause_is_told_as_what_it_is(change: Any, kind: str, places: Any, within: int) -> None:
    found = told(HealthWatch(WHEEL), coups(change.__name__, within, change=change))
    assert found, "nothing was told"
    _, first = found[0]
    assert first.kind == kind, found
    assert first.place in places, found
    also = {"pocket": {"gain"}, "sector": {"gain"}}.get(kind, set())
    assert {notice.kind for _, notice in found[1:]} <= also, found


def test_a_sound_wheel_is_told_of_nothing() -> None:
    assert told(HealthWatch(WHEEL), coups("sound", 3_000)) == []


@pytest.mark.parametrize("compartments", [36, 27, 18, 9])
def test_dishes_and_cylinders_have_banks_of_their_own(compartments: int) -> None:
    """Boule of 9, 18 and 36 cups, and the 27 cases of vingt-trois."""
    wheel = Wheel(compartments, (0.0, 180.0), 0, 150_000, False)
    assert told(HealthWatch(wheel), plain("sound", 800, compartments)) == []
    found = told(HealthWatch(wheel), plain("favoured", 1_200, compartments, favoured=2))
    assert [notice.kind for _, notice in found][:1] == ["pocket"], found
    assert found[0][1].place == 2


def plain(seed: str, count: int, m: int, favoured: int | None = None) -> Any:
    def change(number: int, draw: random.Random, fields: Fields) -> None:
        fields["gap"] = fields["gaps_ppm"] = fields["seen"] = None
        if favoured is not None and draw.random() < 2 / m:
            fields["place"] = favoured

    return coups(f"{seed} {m}", count, compartments=m, change=change)


def test_a_family_is_told_once_until_an_act_mends_it() -> None:
    watch = HealthWatch(WHEEL)
    first = told(watch, coups("mended", 1_000, change=pocket))
    assert [notice.kind for _, notice in first] == ["pocket", "gain"]
    ended = watch.act("frets")
    assert {"numbers", "ccw", "cw", "serial", "gain", "loose"} <= {each.stream for each in ended}
    (numbers,) = [each for each in ended if each.stream == "numbers"]
    assert numbers.told
    assert numbers.coups == sum(numbers.counts) == 1_000
    assert numbers.most >= 4_000
    assert told(watch, coups("again", 1_000, change=pocket)) != []


def test_an_act_ends_only_what_it_mends() -> None:
    watch = HealthWatch(WHEEL)
    told(watch, coups("acts", 300))
    begun = {
        act: sorted(each.stream for each in watch.act(act))
        for act in ("levelled", "moved", "ball", "sensor", "calibration", "motor", "note")
    }
    sensors = ["sensor0", "sensor1", "sensor2"]
    assert begun == {
        "levelled": ["drops"],
        "moved": ["drops"],
        "ball": ["ball1", "slowing1"],
        "sensor": sensors,
        "calibration": sensors,
        "motor": ["duty", "spin_up"],
        "note": [],
    }


def test_evidence_of_before_a_levelling_counts_no_more() -> None:
    for is_levelled in (True, False):
        watch = HealthWatch(WHEEL)
        assert told(watch, coups("before", 600, change=tilt)) == []
        if is_levelled:
            watch.act("levelled")
        found = told(watch, coups("after", 200, change=tilt))
        assert [notice.kind for _, notice in found] == ([] if is_levelled else ["tilt"])


def test_all_streams_together_cost_no_more_false_notices_than_are_allowed() -> None:
    """However many balls and croupiers come: by Doob each is told for nothing in 1 / line years."""

    def many(number: int, _draw: random.Random, fields: Fields) -> None:
        fields.update(ball=number, croupier=number)

    watch = HealthWatch(WHEEL)
    told(watch, coups("many", 12, change=many))
    for families, allowed in (
        (("numbers", "gain", "drops", "signature"), 1e-3),
        (("loose", "slowing", "sensors", "motor"), 1e-2),
    ):
        chances = [1.0 / each.line for each in watch.streams if each.family in families]
        assert 0.9 * allowed < sum(chances) <= allowed * (1 + 1e-12)


def test_a_new_ball_is_ranked_among_its_own() -> None:
    """Another slowing is told only where nobody recorded a new ball."""

    def slower(number: int, _draw: random.Random, fields: Fields) -> None:
        fields["slowing_ppm"] += 20_000

    for is_recorded in (True, False):
        watch = HealthWatch(WHEEL)
        told(watch, coups("old ball", 300))
        if is_recorded:
            watch.act("ball")
        found = told(watch, coups("new ball", 400, change=slower))
        assert [notice.kind for _, notice in found] == ([] if is_recorded else ["ball"])
