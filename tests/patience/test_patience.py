"""What a machine stood still is measured, not waited, and not held against what it ran."""

from collections.abc import Callable
from pathlib import Path

import patience
import pytest
from patience import Meter, Waiting, judge, unless_stalled, until, within

NAP_US = 20_000


class Still(Meter):
    """A machine that stood still for so long, and a thread that measures nothing."""

    def __init__(self, stalled_s: float = 0.0) -> None:
        super().__init__()
        self.stalled_s = self.worst_s = stalled_s

    def __enter__(self) -> "Still":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def meter(*wanting: int, cores: int = 2) -> Meter:
    """One of a machine where so many want a core, the last for ever."""
    asked = iter(wanting)
    return Meter(lambda: next(asked, wanting[-1]), cores)


@pytest.mark.parametrize("wanting", [0, 2])
def test_a_machine_that_has_a_core_for_everybody_does_not_stand_still(wanting: int) -> None:
    found = meter(wanting)
    for n in range(100):
        found.saw(n * NAP_US, (n + 1) * NAP_US)
    assert (found.stalled_s, found.worst_s) == (0.0, 0.0)


@pytest.mark.parametrize(("late_us", "stalled_s"), [(29_000, 0.0), (30_000, 0.03), (980_000, 0.98)])
def test_a_nap_that_ends_late_is_a_machine_that_stood_still(late_us: int, stalled_s: float) -> None:
    found = meter(1)
    found.saw(0, NAP_US + late_us)
    assert found.stalled_s == pytest.approx(stalled_s)


def test_of_eight_who_want_one_of_two_cores_each_stands_still_for_three_quarters() -> None:
    found = meter(8)
    for n in range(50):
        found.saw(n * NAP_US, (n + 1) * NAP_US)
    assert found.stalled_s == pytest.approx(0.75)


def test_the_worst_second_is_any_one_and_not_the_whole() -> None:
    found = meter(1)
    for began_us in (0, 600_000, 3_000_000):
        found.saw(began_us, began_us + NAP_US + 300_000)
    assert found.stalled_s == pytest.approx(0.9)
    assert found.worst_s == pytest.approx(0.6)
    found.saw(9_000_000, 12_000_000)
    assert found.worst_s == 1.0


def test_patience_does_not_end_while_the_machine_stands_still() -> None:
    now_s = [100.0]
    machine = Still()
    with Waiting(
        "the number", 60.0, lambda: "lit: -", meter=machine, clock_s=lambda: now_s[0]
    ) as w:
        now_s[0] += 60.0
        w.on()
        now_s[0] += 20.0
        machine.stalled_s = 20.0
        w.on()
        now_s[0] += 0.5
        with pytest.raises(AssertionError) as failed:
            w.on()
    assert str(failed.value) == (
        "the number: never, in 80.5 s of which this machine stood still for 20.0 s. lit: -"
    )


def test_patience_begins_anew_with_what_has_come() -> None:
    now_s = [0.0]
    machine = Still(5.0)  # before
    with Waiting("a coup", 60.0, meter=machine, clock_s=lambda: now_s[0]) as waiting:
        now_s[0] = 50.0
        waiting.anew()
        now_s[0] = 110.0
        waiting.on()
        now_s[0] = 110.5
        with pytest.raises(AssertionError, match=r"in 60\.5 s of which .* for 0\.0 s\.$"):
            waiting.on()


def test_until_gives_what_came_and_asks_no_more() -> None:
    answers = iter([0, "", None, 17])
    assert until(lambda: next(answers), "a number") == 17
    assert until(lambda: 5, "a number") == 5


def test_until_names_what_never_came() -> None:
    with pytest.raises(AssertionError, match=r"the socket: never, in 0\.0 s .*: nobody$"):
        until(lambda: False, "the socket", -1.0, told=lambda: "listens there: nobody")


def test_what_took_no_longer_than_its_limit_holds_on_any_machine() -> None:
    judge("a stop", took_s=2.0, limit_s=2.0, stalled_s=0.0)
    judge("a stop", took_s=1.9, limit_s=2.0, stalled_s=1.9)


def test_a_limit_grows_with_what_the_machine_stood_still() -> None:
    judge("a stop", took_s=3.9, limit_s=2.0, stalled_s=2.0)
    with pytest.raises(AssertionError) as failed:
        judge("a stop", took_s=3.9, limit_s=2.0, stalled_s=0.9)
    assert str(failed.value) == (
        "a stop: took 3.90 s of which this machine stood still for 0.90 s, not 2.0 s at most"
    )


def test_a_machine_that_stood_still_for_longer_than_the_limit_can_judge_nothing() -> None:
    with pytest.raises(pytest.skip.Exception) as skipped:
        judge("a stop", took_s=5.0, limit_s=2.0, stalled_s=3.5)
    assert skipped.value.msg == (
        "this machine stood still for 3.50 of 5.00 s, not shown: a stop, in 2.0 s at most"
    )
    with pytest.raises(AssertionError):  # but not even that explains it
        judge("a stop", took_s=9.5, limit_s=2.0, stalled_s=3.5)


@pytest.fixture
def stands_still(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Makes this machine one that stands still for so long from now on."""
    return lambda seconds: monkeypatch.setattr(patience, "Meter", lambda: Still(seconds))


def test_within_measures_what_is_done_in_it(stands_still: Callable[[float], None]) -> None:
    with within(60.0, "nothing"):
        pass
    stands_still(0.0)
    with pytest.raises(AssertionError, match=r"^nothing: took"), within(-0.1, "nothing"):
        pass


def test_what_fails_fails_unless_the_machine_stood_still(
    stands_still: Callable[[float], None],
) -> None:
    stands_still(0.4)
    with pytest.raises(AssertionError, match="a void"), unless_stalled(0.5, "a clean coup"):
        raise AssertionError("a void")
    stands_still(0.5)
    with pytest.raises(pytest.skip.Exception) as skipped, unless_stalled(0.5, "a clean coup"):
        raise AssertionError("a void\nand more")
    assert skipped.value.msg == (
        "this machine stood still for 0.50 of 1.00 s, not shown: a clean coup (a void)"
    )
    stands_still(0.9)
    with unless_stalled(0.5, "a clean coup"):
        pass


@unless_stalled(0.5, "a test as a whole")
def test_what_is_given_to_a_test_is_given_to_one_that_may_be_excused(tmp_path: Path) -> None:
    assert tmp_path.is_dir()


def test_what_was_played_before_is_excused_by_what_was_measured_then() -> None:
    with pytest.raises(AssertionError), unless_stalled(0.5, "a coup", Still(0.4)):
        raise AssertionError
    with pytest.raises(pytest.skip.Exception), unless_stalled(0.5, "a coup", Still(0.5)):
        raise AssertionError


def test_a_real_meter_begins_and_ends_with_its_wait() -> None:
    found = meter(4)
    with found:
        until(lambda: found.stalled_s > 0, "a nap")
    assert 0 < found.worst_s <= found.stalled_s
    assert patience.running() >= 0
