"""What the oracle holds a scenario to: each rule, kept and broken."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.core import facts
from firmware.core.faults import sentence
from tools.hil import oracle
from tools.hil.fault import EITHER, NUMBER, VOID, Expect
from tools.hil.scenario import Scenario, Use
from tools.hil.verdict import (
    FALSE_ALARM,
    IDLE,
    LATE_CALL,
    MASKED,
    NEVER,
    NO_ENDING,
    NOT_BEGUN,
    NOT_DUE,
    OUTCOME,
    TOLD,
    TWICE,
    UNNOTICED,
    WRONG_NUMBER,
    Said,
    Verdict,
)
from tools.hil.world import Spell
from tools.score import Judged, Score
from tools.sim.truth import CoupTruth

SECOND = 1_000_000
COUP = 40 * SECOND


def truth(number: int, *, pocket: int | None = 5) -> CoupTruth:
    """A coup of 40 s: thrown after 5, dropped after 20, at rest after 25, lifted after 35."""
    at = (number - 1) * COUP
    return CoupTruth(
        coup=number,
        t_start_us=at,
        t_launch_us=at + 5 * SECOND,
        t_drop_us=at + 20 * SECOND,
        t_rest_us=at + 25 * SECOND,
        t_lift_us=at + 35 * SECOND,
        compartment=pocket,
        number=pocket,
    )


def told(
    number: int, *, called_s: float = 19, pocket: int | None = 5, reason: str = "encoder"
) -> list[Any]:
    """What a controller says of that coup; `pocket` None: void, for `reason`."""
    at = (number - 1) * COUP
    end_us = at + 30 * SECOND
    end: Any = facts.Void(end_us, number, number, reason)
    if pocket is not None:
        end = facts.Result(end_us, number, number, pocket, pocket, "red", True, True)
    return [
        facts.CoupStarted(at, number, 0),
        facts.NoMoreBets(at + int(called_s * SECOND), number),
        end,
    ]


def judged(
    said: list[Any],
    truths: list[CoupTruth],
    *uses: Use,
    spells: tuple[Spell, ...] = (),
    slack_us: int = 0,
) -> Verdict:
    """The verdict on facts and truths."""
    score = Score()
    for fact in said:
        score.take(fact, 0)
    coups: list[Judged] = score.judge(truths, final=True)
    scenario = Scenario("t", "t", "roulette", len(truths), faults=uses)
    return oracle.judge(
        scenario,
        Said(
            facts=said,
            judged=coups,
            truths=truths,
            spells=spells,
            end_us=len(truths) * COUP,
            slack_us=slack_us,
        ),
    )


def rules(verdict: Verdict) -> list[str]:
    """The rules broken."""
    return [broken.rule for broken in verdict.broken]


def blind(expect: Expect) -> tuple[Use, tuple[Spell, ...]]:
    """A fault in the second coup that lasts to the third, and what is expected of it."""
    use = Use("ring_blind", 2, "start", 0, COUP, expect=expect)
    return use, (Spell(0, 2, COUP, 2 * COUP + SECOND),)


def test_a_number_that_is_true_and_a_call_before_the_drop_break_nothing() -> None:
    verdict = judged(told(1) + told(2), [truth(1), truth(2)])
    assert rules(verdict) == []
    assert verdict.clean == (1, 2)


def test_a_number_that_is_not_true_is_wrong() -> None:
    assert rules(judged(told(1, pocket=6), [truth(1)])) == [WRONG_NUMBER]


def test_a_number_where_no_ball_lies_is_wrong() -> None:
    assert rules(judged(told(1), [truth(1, pocket=None)])) == [WRONG_NUMBER]


@pytest.mark.parametrize(("called_s", "broken"), [(19.9, []), (20.1, [LATE_CALL])])
def test_a_call_after_the_drop_is_late(called_s: float, broken: list[str]) -> None:
    assert rules(judged(told(1, called_s=called_s), [truth(1)])) == broken


@pytest.mark.parametrize(
    ("code", "reason", "broken"),
    [
        ("C10", "timeout", []),
        ("C11", "timeout", []),
        ("C10", "two_balls", [LATE_CALL]),
        (None, "timeout", [LATE_CALL]),
        (None, "two_balls", [LATE_CALL]),
    ],
)
def test_a_late_call_of_a_clean_coup_is_late_unless_it_is_void_for_that(
    code: str | None, reason: str, broken: list[str]
) -> None:
    *said, end = told(1, called_s=21, pocket=None, reason=reason)
    if code is not None:
        said.append(facts.Fault(21 * SECOND, code, "Late."))
    assert rules(judged([*said, end], [truth(1)])) == broken


@pytest.mark.parametrize(("pocket", "broken", "apart"), [(None, [], (2,)), (5, [LATE_CALL], ())])
def test_a_late_call_of_a_coup_that_a_fault_made_void_is_counted_apart(
    pocket: int | None, broken: list[str], apart: tuple[int, ...]
) -> None:
    use, spells = blind(Expect(EITHER))
    said = [*told(1), *told(2, called_s=21, pocket=pocket), *told(3)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert (rules(verdict), verdict.late_void) == (broken, apart)


def test_a_coup_that_began_and_never_ended_is_told() -> None:
    assert NO_ENDING in rules(judged(told(1)[:1], [truth(1)]))


def test_a_clean_coup_that_nobody_opened_is_told() -> None:
    assert rules(judged(told(1), [truth(1), truth(2)])) == [NO_ENDING]


def test_a_clean_coup_that_is_void_is_counted_and_breaks_no_rule() -> None:
    verdict = judged(told(1, pocket=None) + told(2), [truth(1), truth(2)])
    assert (rules(verdict), verdict.clean_voids) == ([], 1)


def test_coups_within_a_spell_and_while_it_settles_are_not_clean() -> None:
    use, spells = blind(Expect(EITHER))
    truths = [truth(number) for number in range(1, 6)]
    said = [fact for number in range(1, 6) for fact in told(number)]
    assert judged(said, truths, use, spells=spells).clean == (1, 4, 5)


def w23(at_us: int) -> Any:
    """The fault of a ring sensor, told then."""
    return facts.Fault(at_us, "W23", "Ring sensor 1 did not see a ball.")


@pytest.mark.parametrize(
    ("after_s", "broken"), [(9.9, []), (10.1, [UNNOTICED]), (None, [UNNOTICED])]
)
def test_a_fault_is_noticed_by_its_code_before_its_deadline(
    after_s: float | None, broken: list[str]
) -> None:
    use, spells = blind(Expect(EITHER, ("W23",), by_s=10))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    if after_s is not None:
        said.append(w23(COUP + int(after_s * SECOND)))
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


@pytest.mark.parametrize(
    ("line", "code", "detail", "broken"),
    [
        ("pocket2", "W23", "2", []),
        ("pocket2", "W23", "1", [UNNOTICED]),
        ("rim0", "W21", "0", []),
        ("rim0", "W22", "1", [UNNOTICED]),
        ("pocket0", "W24", "1", [UNNOTICED]),
        ("cup01", "W41", "1", []),
        ("cup01", "W41", "11", [UNNOTICED]),
        ("cup07", "W42", "3 and 7", []),
        ("cup07", "W42", "3 and 17", [UNNOTICED]),
        ("enc_a", "W33", "enc_a", []),
        ("rim1", "W33", "rim2", [UNNOTICED]),
        ("enc_a", "W31", "", []),
    ],
)
def test_a_code_that_names_a_sensor_is_a_notice_of_that_one_only(
    line: str, code: str, detail: str, broken: list[str]
) -> None:
    use, spells = blind(Expect(EITHER, (code,), by_coups=1))
    use = use._replace(parameters=(("line", line),))
    said = [*told(1), facts.Fault(COUP + SECOND, code, sentence(code, detail))]
    said += [*told(2, pocket=None), *told(3, pocket=5)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


def test_a_fault_that_blamed_another_sensor_hides_no_other() -> None:
    """All is void, but the code of the other names a sensor that is sound."""
    use, spells = blind(Expect(EITHER, ("W23",), by_coups=1))
    stuck = Use("ring_stuck_dark", 2, "start", parameters=(("line", "pocket0"),))
    for detail, how in (("0", MASKED), ("1", NEVER)):
        said = [*told(1), facts.Fault(COUP + SECOND, "W24", sentence("W24", detail))]
        said += [*told(2, pocket=None), *told(3, pocket=None)]
        truths = [truth(1), truth(2), truth(3)]
        verdict = judged(said, truths, use, stuck, spells=(*spells, Spell(1, 2, COUP, None)))
        assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("after_s", "broken"), [(11.9, []), (12.1, [UNNOTICED])])
def test_a_place_of_real_time_has_some_slack(after_s: float, broken: list[str]) -> None:
    use, spells = blind(Expect(EITHER, ("W23",), by_s=10))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    said.append(w23(COUP + int(after_s * SECOND)))
    truths = [truth(1), truth(2), truth(3)]
    assert rules(judged(said, truths, use, spells=spells, slack_us=2 * SECOND)) == broken


@pytest.mark.parametrize(
    ("cut_ends_s", "coup", "broken"),
    [(70, 1, []), (70, 2, []), (5, 1, []), (5, 2, [UNNOTICED])],
    ids=["cut", "still cut", "told in this coup", "told in the coup before"],
)
def test_what_a_cut_line_has_lost_already_is_not_lost_again(
    cut_ends_s: int, coup: int, broken: list[str]
) -> None:
    """Nor is it told twice in a coup: a state that lasts or comes back is no news."""
    lost = Expect(NUMBER, ("B11",), by_s=4)
    uses = (
        Use("line_cut", 1, "start", lasts_us=cut_ends_s * SECOND, expect=lost),
        Use("display_dead", coup, "start", after_us=10 * SECOND, lasts_us=SECOND, expect=lost),
    )
    dead_us = (coup - 1) * COUP + 10 * SECOND
    spells = (Spell(0, 1, 0, cut_ends_s * SECOND), Spell(1, coup, dead_us, dead_us + SECOND))
    said = [*told(1)[:1], facts.Fault(3 * SECOND, "B11", "Lost."), *told(1)[1:], *told(2)]
    assert rules(judged(said, [truth(1), truth(2)], *uses, spells=spells)) == broken


@pytest.mark.parametrize(
    ("code", "pocket", "broken"),
    [
        ("W24", None, []),
        ("W24", 5, ["ring_blind"]),
        ("W21", None, ["ring_blind", "ring_stuck_dark"]),
    ],
)
def test_a_fault_need_not_be_told_while_another_makes_the_coup_of_its_deadline_void(
    code: str, pocket: int | None, broken: list[str]
) -> None:
    """But the other must. Where that coup has a number both must."""
    use, (spell,) = blind(Expect(EITHER, ("W23",), by_coups=1))
    lasts = spell._replace(end_us=None)
    other = Use("ring_stuck_dark", 2, "start", expect=Expect(EITHER, ("W24",), by_coups=1))
    said = [*told(1), facts.Fault(COUP + SECOND, code, "Dark."), *told(2, pocket=None)]
    said += told(3, pocket=pocket)
    truths = [truth(1), truth(2), truth(3)]
    verdict = judged(said, truths, use, other, spells=(lasts, Spell(1, 2, COUP, None)))
    named = [b.text.split()[0] for b in verdict.broken if b.rule == UNNOTICED]
    assert named == broken


def test_a_code_told_before_the_fault_began_is_no_notice() -> None:
    use, spells = blind(Expect(EITHER, ("W23",), by_coups=1))
    said = [w23(SECOND), *(fact for number in (1, 2, 3) for fact in told(number))]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == [FALSE_ALARM, UNNOTICED]


def test_the_reason_of_a_void_is_a_code_too() -> None:
    use, spells = blind(Expect(VOID, ("encoder",), by_coups=0))
    said = told(1) + told(2, pocket=None) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == []
    assert verdict.noticed[0].code == "encoder"


def test_a_scenario_that_ends_before_the_deadline_breaks_nothing() -> None:
    use, spells = blind(Expect(EITHER, ("W23",), by_coups=5))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    assert rules(judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)) == []


@pytest.mark.parametrize(
    ("outcome", "pocket", "broken"),
    [
        (NUMBER, 5, []),
        (NUMBER, None, [OUTCOME]),
        (VOID, None, []),
        (VOID, 5, [OUTCOME]),
        (EITHER, 5, []),
        (EITHER, None, []),
    ],
)
def test_the_coup_in_which_it_began_ends_as_the_entry_says(
    outcome: str, pocket: int | None, broken: list[str]
) -> None:
    use, spells = blind(Expect(outcome))
    said = told(1) + told(2, pocket=pocket) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


# --- every end of a coup --------------------------------------------------------------------------
def result(coup: int, pocket: int, at_s: float) -> Any:
    """A number given then."""
    return facts.Result(int(at_s * SECOND), coup, coup, pocket, pocket, "red", True, True)


def test_a_wrong_number_that_a_right_one_comes_after_is_wrong_all_the_same() -> None:
    said = [*told(1, pocket=6), result(1, 5, 31)]
    assert rules(judged(said, [truth(1)])) == [WRONG_NUMBER, TWICE]


def test_a_wrong_number_that_is_taken_back_is_wrong_all_the_same() -> None:
    said = [*told(1, pocket=6), facts.Void(31 * SECOND, 1, 2, "croupier")]
    assert rules(judged(said, [truth(1)])) == [WRONG_NUMBER, TWICE]


def test_the_same_number_twice_is_an_end_too_many() -> None:
    assert rules(judged([*told(1), result(1, 5, 31)], [truth(1)])) == [TWICE]


@pytest.mark.parametrize(("pocket", "broken"), [(5, []), (6, [WRONG_NUMBER])])
def test_what_a_number_is_corrected_to_must_be_true(pocket: int, broken: list[str]) -> None:
    correction = facts.Correction(32 * SECOND, 1, 2, 1, pocket, pocket, "red", None)
    assert rules(judged([*told(1), correction], [truth(1)])) == broken


# --- clean coups ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("at_s", "code", "broken"),
    [(10, "W23", [FALSE_ALARM]), (10, "W52", []), (50, "W23", []), (130, "W23", [FALSE_ALARM])],
)
def test_what_is_told_as_wrong_where_nothing_is_is_a_false_alarm(
    at_s: int, code: str, broken: list[str]
) -> None:
    """The second coup and the third one are the fault's; what is learned of a wheel is no alarm."""
    use, spells = blind(Expect(EITHER))
    said = [fact for number in (1, 2, 3, 4) for fact in told(number)]
    said.append(facts.Fault(at_s * SECOND, code, "Blind."))
    truths = [truth(number) for number in (1, 2, 3, 4)]
    assert rules(judged(said, truths, use, spells=spells)) == broken


def test_a_code_that_made_a_clean_coup_void_is_counted_as_that() -> None:
    said = [*told(1)[:1], facts.Fault(SECOND, "W24", "Dark."), *told(1, pocket=None)[1:]]
    verdict = judged(said, [truth(1)])
    assert (rules(verdict), verdict.clean_voids) == ([], 1)


@pytest.mark.parametrize(("after_s", "broken"), [(4, []), (6, [OUTCOME])])
def test_a_code_that_makes_a_coup_void_and_a_number_do_not_go_together(
    after_s: int, broken: list[str]
) -> None:
    """Before the ball runs it may be a warning."""
    use, spells = blind(Expect(EITHER))
    start, *rest = told(2)
    fault = facts.Fault(COUP + after_s * SECOND, "W24", "Dark.")
    said = [*told(1), start, facts.BallInTrack(COUP + 5 * SECOND, 2, 1), fault, *rest]
    assert rules(judged(said, [truth(1), truth(2)], use, spells=spells)) == broken


def test_a_void_coup_that_the_wheel_knows_nothing_of_is_clean_where_no_fault_is() -> None:
    said = [*told(1), facts.CoupStarted(36 * SECOND, 2, 0)]
    said.append(facts.Void(37 * SECOND, 2, 2, "encoder"))
    assert judged(said, [truth(1)]).clean_voids == 1
    use = Use("ring_blind", 1, "start", expect=Expect(EITHER))
    assert judged(said, [truth(1)], use, spells=(Spell(0, 1, 0, None),)).clean_voids == 0


# --- what a fault must do -------------------------------------------------------------------------
def test_a_fault_that_never_begins_is_told() -> None:
    use = Use("beam_blind", 9, "launch")
    assert rules(judged(told(1), [truth(1)], use)) == [NOT_BEGUN]


def test_a_fault_whose_moment_another_took_from_it_need_not_begin() -> None:
    use, spells = blind(Expect(EITHER))
    other = Use("beam_blind", 2, "rest")
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    assert rules(judged(said, [truth(1), truth(2), truth(3)], use, other, spells=spells)) == []


@pytest.mark.parametrize(
    ("outcome", "broken"), [(NUMBER, [NO_ENDING]), (VOID, [NO_ENDING]), (EITHER, [])]
)
def test_a_coup_that_is_to_end_so_is_to_begin(outcome: str, broken: list[str]) -> None:
    use, spells = blind(Expect(outcome))
    said = told(1) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    assert rules(judged(said, truths, use, spells=spells)) == broken


@pytest.mark.parametrize(("pocket", "broken"), [(None, []), (5, [OUTCOME])])
def test_the_next_coup_ends_as_the_entry_says(pocket: int | None, broken: list[str]) -> None:
    use, spells = blind(Expect(NUMBER, next_outcome=VOID))
    said = told(1) + told(2) + told(3, pocket=pocket)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


@pytest.mark.parametrize(("at_s", "broken"), [(50, [FALSE_ALARM]), (100, [])])
def test_what_must_not_be_told_of_it_is_not(at_s: int, broken: list[str]) -> None:
    use, spells = blind(Expect(EITHER, never=("L10",), settles_coups=1))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    said.append(facts.Fault(at_s * SECOND, "L10", "Not level."))
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


def test_how_long_it_settles_is_what_the_use_says() -> None:
    use, spells = blind(Expect(EITHER, settles_coups=2))
    truths = [truth(number) for number in range(1, 7)]
    said = [fact for number in range(1, 7) for fact in told(number)]
    assert judged(said, truths, use, spells=spells).clean == (1, 6)


def test_what_broke_a_rule_of_its_own_is_blamed() -> None:
    use, spells = blind(Expect(VOID))
    verdict = judged(told(1) + told(2), [truth(1), truth(2)], use, spells=spells)
    assert [broken.use for broken in verdict.broken] == [0]


# --- how it was noticed ---------------------------------------------------------------------------
def line_fault(*codes: str, by_s: float = 4) -> Expect:
    """As of a fault of the line."""
    return Expect(NUMBER, codes, by_s=by_s)


def test_what_is_hidden_is_masked_and_not_noticed() -> None:
    uses = (
        Use("line_cut", 1, "start", lasts_us=30 * SECOND, expect=line_fault("B11")),
        Use("display_dead", 1, "start", after_us=10 * SECOND, expect=line_fault("B11")),
    )
    spells = (Spell(0, 1, 0, 30 * SECOND), Spell(1, 1, 10 * SECOND, None))
    said = [*told(1)[:1], facts.Fault(3 * SECOND, "B11", "Lost."), *told(1)[1:]]
    verdict = judged(said, [truth(1)], *uses, spells=spells)
    assert [(one.how, one.code) for one in verdict.noticed] == [(TOLD, "B11"), (MASKED, None)]


def test_over_a_cut_line_it_is_still_told_that_the_port_is_gone() -> None:
    uses = (
        Use("line_cut", 1, "start", lasts_us=30 * SECOND, expect=line_fault("B11")),
        Use("adapter_out", 1, "start", after_us=8 * SECOND, expect=line_fault("B10")),
    )
    spells = (Spell(0, 1, 0, 30 * SECOND), Spell(1, 1, 8 * SECOND, None))
    said = [*told(1)[:1], facts.Fault(4 * SECOND, "B11", "Lost."), *told(1)[1:]]
    assert rules(judged(said, [truth(1)], *uses, spells=spells)) == [UNNOTICED]


def test_a_deadline_that_never_came_is_no_notice() -> None:
    use, spells = blind(Expect(EITHER, ("W23",), by_coups=5))
    said = told(1) + told(2)
    verdict = judged(said, [truth(1), truth(2)], use, spells=spells)
    assert [one.how for one in verdict.noticed] == [NOT_DUE]


@pytest.mark.parametrize(
    ("line", "how", "broken"), [("cup05", MASKED, []), ("cup06", NEVER, [UNNOTICED])]
)
def test_a_chip_under_the_ball_need_not_be_told(line: str, how: str, broken: list[str]) -> None:
    """Nobody can tell the two from the ball alone, whose number is right."""
    use = Use("chip_in_cup", 2, "drop", parameters=(("line", line),))
    said = told(1) + told(2) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    spells = (Spell(0, 2, COUP + 3 * SECOND, COUP + 4 * SECOND),)
    verdict = judged(said, truths, use, spells=spells)
    assert [one.how for one in verdict.noticed] == [how]
    assert rules(verdict) == broken


@pytest.mark.parametrize(("idle", "how", "broken"), [(True, IDLE, []), (False, NEVER, [UNNOTICED])])
def test_a_fault_that_changed_nothing_need_not_be_told(
    idle: bool, how: str, broken: list[str]
) -> None:
    """What the controller saw is what it would have seen without."""
    use, (spell,) = blind(Expect(EITHER, ("W23",), by_coups=1))
    said = told(1) + told(2) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    verdict = judged(said, truths, use, spells=(spell._replace(idle=idle),))
    assert [one.how for one in verdict.noticed] == [how]
    assert rules(verdict) == broken


@pytest.mark.parametrize(("reason", "broken"), [("encoder", []), ("two_balls", [OUTCOME])])
def test_what_it_makes_void_is_void_for_one_of_its_reasons(reason: str, broken: list[str]) -> None:
    use, spells = blind(Expect(EITHER, reasons=("encoder",)))
    said = told(1) + told(2, pocket=None, reason=reason) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, spells=spells)
    assert rules(verdict) == broken


@pytest.mark.parametrize("over_s", [10, 30])
@pytest.mark.parametrize(("pocket", "how"), [(None, MASKED), (5, NEVER)])
def test_a_button_need_not_make_void_what_another_fault_has(
    pocket: int | None, how: str, over_s: int
) -> None:
    """Its deadline comes long before the end of the coup: what became of that tells. Nor does it
    matter whether the other fault is over by then."""
    tapped = Use("void_tapped", 1, "drop", expect=Expect(EITHER, ("croupier",), by_s=0.2))
    other = Use("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, *rest = told(1, pocket=pocket)
    said = [start, facts.Fault(5 * SECOND, "M13", "Too much."), *rest]
    spells = (Spell(0, 1, 20 * SECOND, 21 * SECOND), Spell(1, 1, 5 * SECOND, over_s * SECOND))
    verdict = judged(said, [truth(1)], tapped, other, spells=spells)
    assert [one.how for one in verdict.noticed] == [how, TOLD]


@pytest.mark.parametrize(("ends_s", "how"), [(35, MASKED), (45, MASKED), (75, NEVER)])
def test_a_fault_that_saw_only_void_coups_need_not_be_told(ends_s: int, how: str) -> None:
    """Its deadline is the end of the second coup, which has its number; if it is over by then, too
    little of it was left."""
    short = Use("ring_blind", 1, "start", expect=Expect(EITHER, ("W23",), by_coups=1))
    other = Use("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, *rest = told(1, pocket=None)
    said = [start, facts.Fault(5 * SECOND, "M13", "Too much."), *rest, *told(2)]
    spells = (Spell(0, 1, 0, ends_s * SECOND), Spell(1, 1, 5 * SECOND, 10 * SECOND))
    verdict = judged(said, [truth(1), truth(2)], short, other, spells=spells)
    assert [one.how for one in verdict.noticed] == [how, TOLD]
