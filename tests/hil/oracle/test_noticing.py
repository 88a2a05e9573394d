"""Whether a fault was told by one of its codes in time; and what excuses one that was not."""

from __future__ import annotations

import pytest
from told_coups import COUP, SECOND, blind, judged, rules, told, truth, w23

from firmware.core import facts
from firmware.core.faults import sentence
from tools.hil.faults.entry import EITHER, NUMBER, VOID, Expect
from tools.hil.scenario import FaultInjection
from tools.hil.verdict import (
    FALSE_ALARM,
    IDLE,
    LATE,
    MASKED,
    NEVER,
    NOT_DUE,
    TOLD,
    UNNOTICED,
)
from tools.hil.world import FaultInterval


@pytest.mark.parametrize(
    ("after_s", "broken"), [(9.9, []), (10.1, [UNNOTICED]), (None, [UNNOTICED])]
)
def test_a_fault_is_noticed_by_its_code_before_its_deadline(
    after_s: float | None, broken: list[str]
) -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_s=10))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    if after_s is not None:
        said.append(w23(COUP + int(after_s * SECOND)))
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
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
    use, intervals = blind(Expect(EITHER, (code,), by_coups=1))
    use = use._replace(parameters=(("line", line),))
    said = [*told(1), facts.Fault(COUP + SECOND, code, sentence(code, detail))]
    said += [*told(2, pocket=None), *told(3, pocket=5)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == broken


def test_a_fault_that_blamed_another_sensor_hides_no_other() -> None:
    """All is void, but the code of the other names a sensor that is sound."""
    use, intervals = blind(Expect(EITHER, ("W23",), by_coups=1))
    stuck = FaultInjection("ring_stuck_dark", 2, "start", parameters=(("line", "pocket0"),))
    for detail, how in (("0", MASKED), ("1", NEVER)):
        said = [*told(1), facts.Fault(COUP + SECOND, "W24", sentence("W24", detail))]
        said += [*told(2, pocket=None), *told(3, pocket=None)]
        truths = [truth(1), truth(2), truth(3)]
        verdict = judged(
            said, truths, use, stuck, intervals=(*intervals, FaultInterval(1, 2, COUP, None))
        )
        assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("after_s", "broken"), [(11.9, []), (12.1, [UNNOTICED])])
def test_a_place_of_real_time_has_some_slack(after_s: float, broken: list[str]) -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_s=10))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    said.append(w23(COUP + int(after_s * SECOND)))
    truths = [truth(1), truth(2), truth(3)]
    assert rules(judged(said, truths, use, intervals=intervals, slack_us=2 * SECOND)) == broken


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
        FaultInjection("line_cut", 1, "start", lasts_us=cut_ends_s * SECOND, expect=lost),
        FaultInjection(
            "display_dead", coup, "start", after_us=10 * SECOND, lasts_us=SECOND, expect=lost
        ),
    )
    dead_us = (coup - 1) * COUP + 10 * SECOND
    intervals = (
        FaultInterval(0, 1, 0, cut_ends_s * SECOND),
        FaultInterval(1, coup, dead_us, dead_us + SECOND),
    )
    said = [*told(1)[:1], facts.Fault(3 * SECOND, "B11", "Lost."), *told(1)[1:], *told(2)]
    assert rules(judged(said, [truth(1), truth(2)], *uses, intervals=intervals)) == broken


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
    use, (interval,) = blind(Expect(EITHER, ("W23",), by_coups=1))
    lasts = interval._replace(end_us=None)
    other = FaultInjection(
        "ring_stuck_dark", 2, "start", expect=Expect(EITHER, ("W24",), by_coups=1)
    )
    said = [*told(1), facts.Fault(COUP + SECOND, code, "Dark."), *told(2, pocket=None)]
    said += told(3, pocket=pocket)
    truths = [truth(1), truth(2), truth(3)]
    verdict = judged(said, truths, use, other, intervals=(lasts, FaultInterval(1, 2, COUP, None)))
    named = [b.text.split()[0] for b in verdict.broken if b.rule == UNNOTICED]
    assert named == broken


def test_a_code_told_before_the_fault_began_is_no_notice() -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_coups=1))
    said = [w23(SECOND), *(fact for number in (1, 2, 3) for fact in told(number))]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == [FALSE_ALARM, UNNOTICED]


def test_the_reason_of_a_void_is_a_code_too() -> None:
    use, intervals = blind(Expect(VOID, ("encoder",), by_coups=0))
    said = told(1) + told(2, pocket=None) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == []
    assert verdict.noticed[0].code == "encoder"


def test_a_scenario_that_ends_before_the_deadline_breaks_nothing() -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_coups=5))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    assert rules(judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)) == []


def line_fault(*codes: str, by_s: float = 4) -> Expect:
    """As of a fault of the line."""
    return Expect(NUMBER, codes, by_s=by_s)


def test_what_is_hidden_is_masked_and_not_noticed() -> None:
    uses = (
        FaultInjection("line_cut", 1, "start", lasts_us=30 * SECOND, expect=line_fault("B11")),
        FaultInjection("display_dead", 1, "start", after_us=10 * SECOND, expect=line_fault("B11")),
    )
    intervals = (FaultInterval(0, 1, 0, 30 * SECOND), FaultInterval(1, 1, 10 * SECOND, None))
    said = [*told(1)[:1], facts.Fault(3 * SECOND, "B11", "Lost."), *told(1)[1:]]
    verdict = judged(said, [truth(1)], *uses, intervals=intervals)
    assert [(one.how, one.code) for one in verdict.noticed] == [(TOLD, "B11"), (MASKED, None)]


def test_over_a_cut_line_it_is_still_told_that_the_port_is_gone() -> None:
    uses = (
        FaultInjection("line_cut", 1, "start", lasts_us=30 * SECOND, expect=line_fault("B11")),
        FaultInjection("adapter_out", 1, "start", after_us=8 * SECOND, expect=line_fault("B10")),
    )
    intervals = (FaultInterval(0, 1, 0, 30 * SECOND), FaultInterval(1, 1, 8 * SECOND, None))
    said = [*told(1)[:1], facts.Fault(4 * SECOND, "B11", "Lost."), *told(1)[1:]]
    assert rules(judged(said, [truth(1)], *uses, intervals=intervals)) == [UNNOTICED]


def test_a_deadline_that_never_came_is_no_notice() -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_coups=5))
    said = told(1) + told(2)
    verdict = judged(said, [truth(1), truth(2)], use, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [NOT_DUE]


@pytest.mark.parametrize(
    ("line", "begins_s", "how", "broken"),
    [
        ("cup05", 22, MASKED, []),
        ("cup05", 3, NEVER, [UNNOTICED]),
        ("cup06", 22, NEVER, [UNNOTICED]),
    ],
    ids=["under it", "there while it ran", "elsewhere"],
)
def test_a_chip_under_the_ball_need_not_be_told(
    line: str, begins_s: float, how: str, broken: list[str]
) -> None:
    """Nobody can tell the two from the ball alone, whose number is right."""
    use = FaultInjection("chip_in_cup", 2, "drop", parameters=(("line", line),))
    said = told(1) + told(2) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    intervals = (FaultInterval(0, 2, COUP + int(begins_s * SECOND), COUP + 35 * SECOND),)
    verdict = judged(said, truths, use, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [how]
    assert rules(verdict) == broken


@pytest.mark.parametrize(("idle", "how", "broken"), [(True, IDLE, []), (False, NEVER, [UNNOTICED])])
def test_a_fault_that_changed_nothing_need_not_be_told(
    idle: bool, how: str, broken: list[str]
) -> None:
    """What the controller saw is what it would have seen without."""
    use, (interval,) = blind(Expect(EITHER, ("W23",), by_coups=1))
    said = told(1) + told(2) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    verdict = judged(said, truths, use, intervals=(interval._replace(idle=idle),))
    assert [one.how for one in verdict.noticed] == [how]
    assert rules(verdict) == broken


@pytest.mark.parametrize(("idle", "how", "broken"), [(True, IDLE, []), (False, LATE, [UNNOTICED])])
def test_what_is_told_after_the_deadline_of_a_fault_that_changed_nothing_is_of_another(
    idle: bool, how: str, broken: list[str]
) -> None:
    """Seed 15: a motor stuck the only way that it was told, and stuck again five coups later."""
    use, (interval,) = blind(Expect(EITHER, ("W23",), by_coups=0))
    said = [*told(1), *told(2), *told(3), w23(2 * COUP + 20 * SECOND)]
    truths = [truth(1), truth(2), truth(3)]
    again = interval._replace(use=1, coup=3, begin_us=2 * COUP + 5 * SECOND, end_us=None)
    late = use._replace(coup=3)
    verdict = judged(said, truths, use, late, intervals=(interval._replace(idle=idle), again))
    assert verdict.noticed[0].how == how
    assert rules(verdict) == broken


@pytest.mark.parametrize("over_s", [10, 30])
@pytest.mark.parametrize(("pocket", "how"), [(None, MASKED), (5, NEVER)])
def test_a_button_need_not_make_void_what_another_fault_has(
    pocket: int | None, how: str, over_s: int
) -> None:
    """Its deadline comes long before the end of the coup: what became of that tells. Nor does it
    matter whether the other fault is over by then."""
    tapped = FaultInjection(
        "void_tapped", 1, "drop", expect=Expect(EITHER, ("croupier",), by_s=0.2)
    )
    other = FaultInjection("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, *rest = told(1, pocket=pocket)
    said = [start, facts.Fault(5 * SECOND, "M13", "Too much."), *rest]
    intervals = (
        FaultInterval(0, 1, 20 * SECOND, 21 * SECOND),
        FaultInterval(1, 1, 5 * SECOND, over_s * SECOND),
    )
    verdict = judged(said, [truth(1)], tapped, other, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [how, TOLD]


@pytest.mark.parametrize(
    ("fault", "ends_s", "how"),
    [
        ("ring_blind", 35, MASKED),
        ("ring_blind", 64, MASKED),
        ("ring_blind", 66, NEVER),
        ("ring_blind", 75, NEVER),
        ("records_cut_short", 69, MASKED),
        ("records_cut_short", 71, NEVER),
    ],
)
def test_a_fault_that_saw_only_void_coups_need_not_be_told(
    fault: str, ends_s: int, how: str
) -> None:
    """Its deadline is the end of the second coup, which has its number; if it is over before the
    ball of that one rests, after 65 s, too little of it was left. Its record is sent after 70 s."""
    short = FaultInjection(fault, 1, "start", expect=Expect(EITHER, ("W23",), by_coups=1))
    other = FaultInjection("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, *rest = told(1, pocket=None)
    said = [start, facts.Fault(5 * SECOND, "M13", "Too much."), *rest, *told(2)]
    intervals = (
        FaultInterval(0, 1, 0, ends_s * SECOND),
        FaultInterval(1, 1, 5 * SECOND, 10 * SECOND),
    )
    verdict = judged(said, [truth(1), truth(2)], short, other, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [how, TOLD]


@pytest.mark.parametrize(
    ("pocket", "ends_s", "how"), [(None, 64, MASKED), (None, 66, NEVER), (5, 45, NEVER)]
)
def test_little_is_left_of_a_fault_that_began_in_a_coup_void_before(
    pocket: int | None, ends_s: int, how: str
) -> None:
    short = FaultInjection(
        "index_drops_out", 1, "rest", expect=Expect(EITHER, ("W32",), by_coups=1)
    )
    other = FaultInjection("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, *rest = told(1, pocket=pocket)
    said = [start, facts.Fault(5 * SECOND, "M13", "Too much."), *rest, *told(2)]
    intervals = (
        FaultInterval(0, 1, 35 * SECOND, ends_s * SECOND),
        FaultInterval(1, 1, 5 * SECOND, 10 * SECOND),
    )
    verdict = judged(said, [truth(1), truth(2)], short, other, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [how, TOLD]


@pytest.mark.parametrize(("early_ms", "how"), [(190, MASKED), (210, NEVER)])
def test_what_made_the_deadline_may_bear_a_time_just_before_its_fault(
    early_ms: int, how: str
) -> None:
    """A motor tells with the time of the last edge. Here that ends the coup: the deadline."""
    weak = FaultInjection(
        "ball_too_few_turns", 1, "start", expect=Expect(EITHER, ("too_few_turns",), by_coups=0)
    )
    other = FaultInjection("overcurrent", 1, "launch", expect=Expect(EITHER, ("M13",), by_s=0.1))
    start, call, void = told(1, pocket=None)
    at_us = void.at_us
    said = [start, call, facts.Fault(at_us, "M13", "Too much."), void]
    intervals = (
        FaultInterval(0, 1, 0, None),
        FaultInterval(1, 1, at_us + early_ms * 1000, 40 * SECOND),
    )
    verdict = judged(said, [truth(1)], weak, other, intervals=intervals)
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(
    ("by_coups", "ends_s", "how"), [(0, 35, MASKED), (0, 45, NEVER), (1, 35, NEVER)]
)
def test_what_would_be_told_in_its_own_coup_is_hidden_if_that_was_never_opened(
    by_coups: int, ends_s: int, how: str
) -> None:
    """No beam saw the ball, and a chip lies beside it: the throw that counts is the next one."""
    weak = FaultInjection(
        "ball_too_few_turns", 1, "start", expect=Expect(codes=("timeout",), by_coups=by_coups)
    )
    chip = FaultInjection("small_chip_falls_on_rotor", 1, "drop", expect=Expect())
    said = [facts.CoupStarted(SECOND, 1, 0), *told(2)[1:]]
    said[1:] = [fact._replace(coup=1) for fact in said[1:]]
    intervals = (
        FaultInterval(0, 1, 0, ends_s * SECOND),
        FaultInterval(1, 1, 26 * SECOND, 35 * SECOND),
    )
    verdict = judged(said, [truth(1), truth(2)], weak, chip, intervals=intervals)
    assert [one.truth.coup for one in verdict.coups if one.truth] == [2]
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(
    ("fault", "line", "blind_s", "named", "how"),
    [
        ("chip_before_beam", "rim0", (1, None), True, MASKED),
        ("chip_before_beam", "rim1", (1, None), True, NEVER),
        ("chip_before_beam", "rim0", (1, None), False, NEVER),
        ("chip_before_beam", "rim0", (7, None), True, NEVER),
        ("chip_before_beam", "rim0", (1, 50), True, NEVER),
        ("beam_stuck_dark", "rim0", (1, None), True, NEVER),
    ],
    ids=["hidden", "another beam", "not named", "blind later", "sees again", "no thing before it"],
)
def test_a_chip_before_a_sensor_that_was_named_as_broken_is_hidden(
    fault: str, line: str, blind_s: tuple[int, int | None], named: bool, how: str
) -> None:
    """A blind beam cannot see it. The chip falls after 6 s."""
    use = FaultInjection(fault, 1, "launch", parameters=(("line", line),))
    dead = FaultInjection("beam_blind", 1, "start", parameters=(("line", "rim0"),))
    said = [*told(1), *told(2), *told(3)]
    if named:
        said.insert(2, facts.Fault(20 * SECOND, "W22", sentence("W22", "0")))
    begin_s, end_s = blind_s
    sees_us = None if end_s is None else end_s * SECOND
    intervals = (
        FaultInterval(0, 1, 6 * SECOND, None),
        FaultInterval(1, 1, begin_s * SECOND, sees_us),
    )
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, dead, intervals=intervals)
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("line", "how"), [("cup06", MASKED), ("cup05", NEVER)])
def test_a_chip_in_a_cup_that_is_blind_and_need_not_be_told_is_hidden(line: str, how: str) -> None:
    chip = FaultInjection("chip_in_cup", 1, "launch", parameters=(("line", line),))
    blind = FaultInjection("cup_blind", 1, "start", parameters=(("line", "cup06"),))
    intervals = (FaultInterval(0, 1, 6 * SECOND, 39 * SECOND), FaultInterval(1, 1, SECOND, None))
    said = [*told(1), *told(2), *told(3)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], chip, blind, intervals=intervals)
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("blind_s", "how"), [(39, MASKED), (41, NEVER)])
def test_a_chip_is_hidden_before_a_sensor_that_broke_before_the_coup_was_opened(
    blind_s: int, how: str
) -> None:
    chip = FaultInjection("chip_before_ring", 2, "start", parameters=(("line", "pocket1"),))
    dead = FaultInjection("ring_blind", 2, "start", parameters=(("line", "pocket1"),))
    named = facts.Fault(60 * SECOND, "W23", sentence("W23", "1"))
    said = [*told(1), *told(2)[:2], named, told(2)[2], *told(3)]
    intervals = (
        FaultInterval(0, 2, 38 * SECOND, 75 * SECOND),
        FaultInterval(1, 2, blind_s * SECOND, None),
    )
    begun = truth(2)
    begun.t_start_us = 37 * SECOND  # pressed; opened as the rotor moves, at 40 s
    verdict = judged(said, [truth(1), begun, truth(3)], chip, dead, intervals=intervals)
    assert verdict.noticed[0].how == how


def test_the_reason_of_a_void_names_no_sensor() -> None:
    chip = FaultInjection("chip_before_ring", 1, "start", parameters=(("line", "pocket2"),))
    dirt = FaultInjection("ring_narrows", 1, "start", parameters=(("line", "pocket2"),))
    said = [*told(1, pocket=None, reason="timeout"), *told(2), *told(3)]
    intervals = (FaultInterval(0, 1, 6 * SECOND, None), FaultInterval(1, 1, SECOND, None))
    verdict = judged(said, [truth(1), truth(2), truth(3)], chip, dirt, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [NEVER, TOLD]


@pytest.mark.parametrize(("opened", "how"), [(False, MASKED), (True, NEVER)])
def test_what_is_told_in_the_next_coup_is_hidden_if_none_was_opened(opened: bool, how: str) -> None:
    """A ball left in the wheel spares the coup it played; then a chip lay on the button."""
    left = FaultInjection(
        "ball_forgotten", 1, "rest", expect=Expect(NUMBER, ("two_balls",), by_coups=1)
    )
    held = FaultInjection("start_held", 1, "rest", expect=Expect())
    intervals = (
        FaultInterval(0, 1, 29 * SECOND, 75 * SECOND),
        FaultInterval(1, 1, 28 * SECOND, 80 * SECOND),
    )
    said = [*told(1), *(told(2) if opened else ()), *told(3)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], left, held, intervals=intervals)
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("opened", "how"), [(False, MASKED), (True, NEVER)])
def test_a_fault_of_a_coup_that_was_never_opened_may_be_hidden_by_one_of_the_coup_before(
    opened: bool, how: str
) -> None:
    """A ball taken early: the croupier began the next coup before the last one was void."""
    chip = FaultInjection("chip_on_rotor", 2, "launch", expect=Expect(EITHER, ("W24",), by_coups=1))
    taken = FaultInjection("ball_taken_early", 1, "launch", expect=Expect(EITHER))
    intervals = (
        FaultInterval(0, 2, 45 * SECOND, 75 * SECOND),
        FaultInterval(1, 1, 20 * SECOND, 21 * SECOND),
    )
    said = [*told(1, pocket=None), *(told(2) if opened else ()), *told(3)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], chip, taken, intervals=intervals)
    assert verdict.noticed[0].how == how


def test_what_spares_the_number_is_told_in_the_coup_in_which_it_began_too() -> None:
    """It began with its first coup, which had its number: that the second is void hides nothing."""
    short = FaultInjection(
        "records_cut_short", 1, "start", expect=Expect(NUMBER, ("B12",), by_coups=3)
    )
    knock = FaultInjection("wheel_knocked", 2, "drop", expect=Expect())
    intervals = (
        FaultInterval(0, 1, SECOND, 125 * SECOND),
        FaultInterval(1, 2, COUP + SECOND, COUP + 2 * SECOND),
    )
    said = [*told(1), *told(2, pocket=None), *told(3), *told(4)]
    verdict = judged(
        said, [truth(number) for number in (1, 2, 3, 4)], short, knock, intervals=intervals
    )
    assert verdict.noticed[0].how == NEVER


def test_what_begins_after_the_deadline_hides_nothing() -> None:
    use = FaultInjection("ring_blind", 1, "start", expect=Expect(EITHER, ("W23",), by_coups=0))
    moved = FaultInjection("ball_moved", 1, "rest", expect=Expect())
    void_us = told(1)[-1].at_us
    intervals = (
        FaultInterval(0, 1, SECOND, None),
        FaultInterval(1, 1, void_us + 40_000, 40 * SECOND),
    )
    verdict = judged(told(1, pocket=None), [truth(1)], use, moved, intervals=intervals)
    assert verdict.noticed[0].how == NEVER


@pytest.mark.parametrize(
    ("outcome", "idle", "how"),
    [(EITHER, False, MASKED), (EITHER, True, NEVER), (NUMBER, False, NEVER)],
)
def test_a_fault_without_a_code_hides_another_only_if_it_may_have_made_the_coup_void(
    outcome: str, idle: bool, how: str
) -> None:
    use, intervals = blind(Expect(EITHER, ("W23",), by_coups=1))
    other = FaultInjection("cup_glitches", 2, "start", expect=Expect(outcome))
    said = told(1) + told(2, pocket=None) + told(3, pocket=None)
    truths = [truth(1), truth(2), truth(3)]
    beside = FaultInterval(1, 2, COUP, COUP + SECOND, idle)
    verdict = judged(said, truths, use, other, intervals=(*intervals, beside))
    assert verdict.noticed[0].how == how


@pytest.mark.parametrize(("more", "how"), [(0, MASKED), (2, NEVER)])
def test_a_fault_that_need_not_be_told_yet_may_have_made_the_coup_void(more: int, how: str) -> None:
    """A weak throw while the encoder is out, and no coup is opened after that."""
    weak = FaultInjection(
        "ball_too_few_turns", 1, "start", expect=Expect(codes=("timeout",), by_coups=0)
    )
    out = FaultInjection(
        "encoder_unplugged", 1, "start", expect=Expect(EITHER, ("W31",), by_coups=1)
    )
    said = [*told(1, pocket=None), *(fact for at in range(more) for fact in told(2 + at))]
    intervals = (FaultInterval(0, 1, SECOND, 35 * SECOND), FaultInterval(1, 1, SECOND, None))
    truths = [truth(1 + at) for at in range(1 + more)]
    verdict = judged(said, truths, weak, out, intervals=intervals)
    assert verdict.noticed[0].how == how


def test_two_faults_that_were_both_told_too_late_excuse_neither() -> None:
    expect = Expect(EITHER, ("W23",), by_s=1)
    uses = [FaultInjection("ring_blind", 1, "start", expect=expect)] * 2
    said = [*told(1, pocket=None)[:2], w23(5 * SECOND), *told(1, pocket=None)[2:]]
    intervals = (FaultInterval(0, 1, 0, None), FaultInterval(1, 1, SECOND, None))
    verdict = judged(said, [truth(1)], *uses, intervals=intervals)
    assert [one.how for one in verdict.noticed] == [LATE, LATE]


@pytest.mark.parametrize(("display", "how"), [("1", MASKED), ("2", NEVER)])
def test_what_was_told_of_one_display_is_not_told_of_another(display: str, how: str) -> None:
    dead = (("display", display),)
    use = FaultInjection(
        "display_dead", 1, "start", 9 * SECOND, expect=line_fault("B11"), parameters=dead
    )
    start, *rest = told(1)
    said = [start, facts.Fault(3 * SECOND, "B11", sentence("B11", "1")), *rest]
    verdict = judged(said, [truth(1)], use, intervals=(FaultInterval(0, 1, 9 * SECOND, None),))
    assert verdict.noticed[0].how == how
