"""Every fault has a code, a class, a sentence and a remedy (DESIGN section 1)."""

import pytest

from firmware.core import faults

# contracts/trace.md: void reasons at least.
REASONS = (
    "rotor_not_reversed same_direction too_few_turns moved_before_call foreign_object two_balls "
    "ball_lost sensors_disagree encoder timeout interrupted croupier"
).split()


@pytest.mark.req("UK-4.1.shown")
@pytest.mark.parametrize("kind", faults.FAULTS, ids=lambda kind: kind.code)
def test_a_fault_says_what_is_wrong_and_what_to_do(kind: faults.FaultKind) -> None:
    said = faults.sentence(kind.code, "beam 3")
    assert said.startswith(kind.code + ": ")
    assert said.endswith(".")
    assert kind.remedy.endswith(".")
    assert len(kind.text) > 15
    assert len(kind.remedy) > 15
    assert "{" not in said


@pytest.mark.parametrize("kind", faults.FAULTS, ids=lambda kind: kind.code)
def test_a_fault_that_ends_the_coup_names_a_reason_of_the_contract(kind: faults.FaultKind) -> None:
    assert kind.grade in (faults.NOTICE, faults.VOID, faults.LOCK)
    assert (kind.reason is None) == (kind.grade == faults.NOTICE)
    assert kind.reason is None or kind.reason in REASONS


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in faults.FAULTS]
    assert len(set(codes)) == len(codes)


def test_a_code_nobody_knows_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError):
        faults.find("X99")


def test_a_lost_display_is_a_notice_and_a_runaway_rotor_locks() -> None:
    assert faults.find("B10").grade == faults.NOTICE
    assert faults.find("M11").grade == faults.LOCK
    assert faults.find("M12").grade == faults.LOCK
