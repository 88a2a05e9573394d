"""A watch goes on from its state with the same bits, and nearly so in single precision."""

from __future__ import annotations

from array import array

from watched import WHEEL, coups, told

from firmware.core.health.watch import HealthWatch


def test_a_watch_goes_on_from_its_state_with_the_same_bits() -> None:
    """At every number of coups at which something begins: bins that are drawn, a second ball."""

    def second_ball(number: int, _draw: object, fields: dict[str, object]) -> None:
        fields["ball"] = 2 if number > 140 else 1
        fields["croupier"] = number // 100

    given = list(coups("state", 300, change=second_ball))
    whole = HealthWatch(WHEEL)
    for number, coup in enumerate(given):
        if number in (0, 1, 2, 125, 126, 127, 140, 141, 200):
            state = whole.save()
            other = HealthWatch(WHEEL)
            other.restore(iter(state))
            assert other.save() == state
            told(other, iter(given[number : number + 5]))
            later = HealthWatch(WHEEL)
            told(later, iter(given[: number + 5]))
            assert other.save() == later.save()
        whole.add(coup)


def test_single_precision_has_the_same_evidence_within_a_thousandth() -> None:
    single = HealthWatch(WHEEL, hold=lambda row: array("f", row))
    double = HealthWatch(WHEEL)
    given = list(coups("single", 1_500))
    assert told(single, iter(given)) == told(double, iter(given))
    for one, other in zip(single.streams, double.streams, strict=True):
        assert abs(one.judge.total - other.judge.total) <= 1e-3 * other.judge.total, one.name


def test_evidence_stays_finite_however_wrong_a_wheel_is() -> None:
    def stuck(_number: int, _draw: object, fields: dict[str, object]) -> None:
        fields.update(place=3, gap=0, seen=0, slowing_ppm=5, settled_ms=5)

    watch = HealthWatch(WHEEL, hold=lambda row: array("f", row))
    told(watch, coups("stuck", 1_500, change=stuck))
    assert all(stream.judge.total < 1e34 for stream in watch.streams)
    assert watch.stream("numbers").judge.total > 1e29  # type: ignore[union-attr]
