"""Every fault has a code, a class, a sentence and a remedy (DESIGN section 1)."""

from typing import Any

import pytest
from harness.playing import ROULETTE

from firmware.api.guarded import ANYBODY, FAULT_DETAILS
from firmware.api.status import TableStatus
from firmware.core import facts, faults
from firmware.core.controller import Controller
from firmware.core.coup.evidence import FAULTS_MAX

# contracts/trace.md: void reasons at least.
REASONS = (
    "rotor_not_reversed same_direction too_few_turns moved_before_call foreign_object two_balls "
    "ball_lost sensors_disagree encoder timeout interrupted croupier foreign_card shoe_exhausted"
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


def ended(controller: Controller, code: str, detail: str) -> tuple[list[Any], list[Any]]:
    """What a trouble and its end are answered with: the faults, and the ends."""
    told = controller.handle(facts.Trouble(1, code, detail))
    over = controller.handle(facts.TroubleEnded(2, code, detail))
    return list(told), list(over)


def test_an_end_is_told_with_its_sentence_and_the_next_one_is_news() -> None:
    controller = ROULETTE.controller()
    text = "B11: Display 3 answers again."
    for _ in range(2):  # the same fault is told once, unless it ended meanwhile
        told, over = ended(controller, "B11", "3")
        assert told == [facts.Fault(1, "B11", faults.sentence("B11", "3"))]
        assert over == [facts.FaultEnded(2, "B11", "3", text)]


def test_a_fault_that_comes_and_goes_leaves_room_in_the_evidence_for_others() -> None:
    controller = ROULETTE.controller()
    for _ in range(2 * FAULTS_MAX):
        ended(controller, "B11", "1")
    ended(controller, "B11", "2")
    controller.handle(facts.Trouble(3, "W23", "rim0"))
    controller.handle(facts.Trouble(4, "B11", "2"))
    kept = controller.table.evidence.body(5)
    assert [what for _, *what in kept["faults"]] == [["B11", "1"], ["B11", "2"], ["W23", "rim0"]]
    assert [what for _, *what in kept["ended"]] == [["B11", "1"]]  # the other is wrong again


def test_status_keeps_a_fault_until_the_last_display_that_has_it_answers() -> None:
    status = TableStatus("roulette")
    for at in ("1", "2"):
        status.take_fact(facts.Fault(1, "B11", faults.sentence("B11", at)))
    status.take_fact(facts.Fault(1, "W21", faults.sentence("W21", "rim0")))
    status.take_fact(facts.FaultEnded(2, "B11", "2", "…"))
    assert status.status()["faults"] == ["B11", "W21"]
    status.take_fact(facts.FaultEnded(3, "B11", "1", "…"))
    assert status.status()["faults"] == ["W21"]


def test_what_ends_is_a_fault_that_anybody_may_know_all_of() -> None:
    """The event of an end names the detail, whoever hears it."""
    for code, text in faults.ENDS:
        assert faults.find(code).grade == faults.NOTICE
        assert FAULT_DETAILS[code] == ANYBODY
        assert text.endswith(".") and text.count("{}") == 1
