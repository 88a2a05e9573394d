"""What the displays are told, and when: the rules of FIELD.md, against a table that plays."""

import itertools
from typing import Any

import pytest
from gateway_bench import TICK_US, Table
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import faults
from firmware.core.coup import states
from firmware.services.gateway import lines
from firmware.services.gateway.translator import (
    BASIC,
    EXTENDED,
    FRESH_US,
    INTERVAL_US,
    LATE_US,
    LEAD_US,
    MODES,
    SLACK_US,
    STATUS,
    Translator,
)


def playing(**facts: Any) -> Table:
    """A roulette whose eleventh coup has just been called; the tenth was 23."""
    table = Table(coup=11, last_number=23, rotor="ccw", rotor_rpm=16.5, ball="cw", **facts)
    table.to("NO_MORE_BETS")
    return table


def confirmed(mode: str = STATUS, seconds: float = 5, **facts: Any) -> Table:
    """The same, its number 7 told, so long ago."""
    table = playing(**facts)
    table.translator = Translator(mode)
    table.run(2)
    table.confirm(7)
    table.run(seconds)
    return table


def test_the_example_of_the_field_is_said_of_such_a_table() -> None:
    assert playing().run(1) == ["*X;4;011;23;0;165;1"] * 2


def test_a_whole_coup_state_by_state() -> None:
    table = Table(rotor="cw")
    assert table.run(1) == ["*X;1;001;  ;0;000;0"] * 2
    table.begin(1, rotor="ccw", rotor_rpm=15)
    assert table.run(1) == ["*X;2;001;  ;0;150;1"] * 2
    table.to("BALL_IN_TRACK", ball="cw")
    assert table.run(1) == ["*X;3;001;  ;0;150;1"] * 2
    for state in ("NO_MORE_BETS", "BALL_DROPPED", "DETECTED"):
        table.to(state, rotor_rpm=16.5)
        assert table.run(1) == ["*X;4;001;  ;0;165;1"] * 2, state
    table.confirm(7, rotor_rpm=15)
    assert table.run(1.5) == ["*X;4;001;  ;0;150;1", " 7", *["*X;5;001; 7;0;150;1"] * 2]
    table.begin(2, rotor="cw")
    assert table.run(1) == ["*X;2;002; 7;0;150;0"] * 2  # "straight to 2", and the game steps


def test_a_line_goes_out_every_500_ms() -> None:
    table = playing()
    table.run(20)
    times = [at_us for at_us, _ in table.heard]
    assert times == list(range(0, 20_000_000, INTERVAL_US))


@pytest.mark.parametrize("after_ms", range(0, 500, 45))
def test_the_bare_number_comes_175_ms_before_its_first_state_5(after_ms: int) -> None:
    table = playing()
    table.run(1 + after_ms / 1000)
    told_us = table.now_us
    table.confirm(7)
    table.run(2)
    news = [(at_us, line) for at_us, line in table.heard if at_us >= told_us]
    bare = [at_us for at_us, line in news if line == b" 7"]
    fives = [at_us for at_us, line in news if line.startswith(b"*X;5;011; 7;")]
    assert len(bare) == 1
    assert fives[0] - bare[0] == LEAD_US == 175_000
    assert fives[0] - told_us < INTERVAL_US + LEAD_US + 100_000  # which is how often we ask
    # Until then everything is as it was: the old number, in state 4.
    assert {line for at_us, line in news if at_us < fives[0]} - {b" 7"} <= {b"*X;4;011;23;0;165;1"}
    assert all((at_us % INTERVAL_US) == 0 for at_us, line in news if line != b" 7")


def test_how_long_before_is_a_matter_of_setting() -> None:
    table = playing()
    table.translator = Translator(lead_us=50_000)
    table.run(1)
    table.confirm(7)
    table.run(2)
    bare, five = [at_us for at_us, line in table.heard if line.startswith((b" 7", b"*X;5"))][:2]
    assert five - bare == 50_000


def test_state_5_ends_after_three_turns_of_the_rotor_and_the_game_steps() -> None:
    table = confirmed(seconds=1)
    table.facts = table.facts._replace(rotor_rpm=15)
    said = table.run(20)
    fives = [line for line in said if line.startswith("*X;5;011; 7;")]
    # 12 s at 15 rpm are three turns; one half second of it was over.
    assert 23 <= len(fives) <= 25
    assert said == fives + ["*X;1;012; 7;0;150;1"] * (40 - len(fives))


def test_without_a_turning_rotor_state_5_stays_until_the_next_coup_or_ten_minutes_have_passed() -> (
    None
):
    table = confirmed(seconds=1)
    table.facts = table.facts._replace(rotor_rpm=0, game="boule")
    assert set(table.run(590)) == {"*X;5;011; 7;0;000;1"}
    assert table.run(30)[-1] == "*X;6;011; 7;0;000;1"
    table.facts = table.facts._replace(rotor_rpm=15)
    assert table.run(1)[-1].startswith("*X;5;")
    table.begin(12)
    assert table.run(1)[-1] == "*X;2;012; 7;0;150;1"


def test_a_table_is_closed_after_ten_minutes_of_still_rotor_and_opens_when_it_turns() -> None:
    table = Table(coup=4, last_number=0)
    assert {line[:5] for line in table.run(599)} == {"*X;1;"}
    assert table.run(2)[-1] == "*X;6;005; 0;0;000;0"
    table.facts = table.facts._replace(rotor_rpm=20)
    assert table.run(1)[-1] == "*X;1;005; 0;0;200;0"


@pytest.mark.parametrize("state", [states.FAULT, states.MANUAL])
def test_people_have_to_act_in_state_7_however_long_it_takes(state: str) -> None:
    table = playing()
    table.run(1)
    table.to(state, rotor_rpm=0)
    assert {line[:4] for line in table.run(700)} == {"*X;7"}


def test_a_number_entered_by_hand_is_news_like_any_other() -> None:
    table = playing()
    table.run(1)
    table.to("MANUAL")
    table.run(1)
    table.confirm(7)
    assert table.run(1.5)[:3] == ["*X;7;011;23;0;165;1", " 7", "*X;5;011; 7;0;165;1"]


def test_a_coup_without_a_turning_rotor_does_not_close_the_table() -> None:
    table = Table(game="boule")
    table.begin(1)
    assert {line[:4] for line in table.run(300)} == {"*X;2"}
    table.to("MANUAL")
    table.run(700)
    table.confirm(7)
    assert table.run(10)[-1] == "*X;5;001; 7;0;000;0"


def test_a_new_journal_counts_its_coups_anew_and_each_is_news() -> None:
    table = confirmed(seconds=2)
    table.translator.lost()
    table.to("BETS_OPEN", coup=0, last_number=None)
    table.run(1)
    table.to("NO_MORE_BETS", coup=11)
    table.run(1)
    table.confirm(8)
    assert " 8" in table.run(2)


# --- flags ---------------------------------------------------------------------------------------
def flag(line: str) -> str:
    return line.split(";")[4]


@pytest.mark.parametrize(
    ("rpm", "flags"), [(0, "0"), (1.9, "0"), (2, "1"), (9.9, "1"), (10, "0"), (30, "0"), (31, "1")]
)
def test_flag_1_is_a_speed_outside_the_limits(rpm: float, flags: str) -> None:
    table = playing()
    table.facts = table.facts._replace(rotor_rpm=rpm)
    assert {flag(line) for line in table.run(1)} == {flags}


def test_a_plate_that_runs_out_is_not_too_slow() -> None:
    assert {flag(line) for line in playing(game="vingt_trois").run(1)} == {"0"}
    table = playing(game="vingt_trois")
    table.facts = table.facts._replace(rotor_rpm=4)
    assert {flag(line) for line in table.run(1)} == {"0"}


def test_a_ball_in_the_rotors_direction_is_flag_2_and_blocks_state_4() -> None:
    table = Table()
    table.begin(1, rotor="ccw", rotor_rpm=15)
    table.run(1)
    table.to("BALL_IN_TRACK", ball="ccw")
    table.run(0.2)
    table.to("VOID", open=False, reason="same_direction")
    said = table.run(20)
    assert {line[:5] + flag(line) for line in said[1:]} == {"*X;1;A"}


@pytest.mark.parametrize("reason", ["croupier", "same_direction"])
def test_flags_2_and_8_hold_until_the_ball_is_played_again(reason: str) -> None:
    table = playing()
    table.to("VOID", open=False, reason=reason)
    held = "8" if reason == "croupier" else "A"
    assert {line[:5] + flag(line) for line in table.run(2)} == {"*X;1;" + held}
    table.begin(12, reason=None)
    assert {line[:5] + flag(line) for line in table.run(2)} == {"*X;2;" + held}
    table.to("BALL_IN_TRACK")
    assert {line[:5] + flag(line) for line in table.run(2)} == {"*X;3;0"}


@pytest.mark.parametrize("reason", ["foreign_object", "two_balls", "sensors_disagree", "encoder"])
def test_a_void_for_what_the_sensors_saw_or_did_not_is_flag_4_as_well(reason: str) -> None:
    table = playing()
    table.to("VOID", open=False, reason=reason)
    assert {flag(line) for line in table.run(1)} == {"C"}
    table.begin(12, reason=None)
    assert {flag(line) for line in table.run(1)} == {"8"}


@pytest.mark.parametrize("kind", faults.FAULTS, ids=lambda kind: kind.code)
def test_a_sensors_fault_is_flag_4_while_its_coup_lasts(kind: Any) -> None:
    table = playing(faults=(kind.code,))
    assert {flag(line) for line in table.run(1)} == {"4" if kind.code[0] == "W" else "0"}


# --- what must never go out as news --------------------------------------------------------------
def test_a_number_that_stood_before_the_gateway_began_is_no_news() -> None:
    table = Table(state="CONFIRMED", coup=11, number=7, last_number=7, rotor="ccw")
    table.translator.take_answer(table.facts._replace(result_age_ms=FRESH_US // 1000), 0)
    table.answers = False
    assert table.run(0.9) == ["*X;1;012; 7;0;000;1"] * 2


def test_a_number_that_stands_again_after_the_controllers_restart_is_no_news() -> None:
    table = confirmed(seconds=3)
    table.translator.lost()  # killed
    table.answers = False
    assert table.run(2) == []
    table.answers = True
    table._result_us = None  # it knows the number from its journal, and has not told it
    assert table.run(2) == ["*X;1;012; 7;0;165;1"] * 4


def test_what_was_not_said_in_time_is_said_no_more() -> None:
    table = playing()
    table.run(1)
    table.confirm(7)
    table.answers = False
    table.translator.lost()
    table.now_us += FRESH_US
    table.answers = True
    assert set(table.run(2)) == {"*X;1;012; 7;0;165;1"}


def test_what_was_about_to_be_said_when_the_line_went_is_said_if_it_is_still_news() -> None:
    table = playing()
    table.run(1)
    table.confirm(7)
    table.run(0.1)
    table.translator.lost()
    said = table.run(2)
    assert said.count(" 7") == 1
    assert said[-1].startswith("*X;5;011; 7;")


def test_what_has_been_said_as_news_is_not_said_again_after_a_moments_silence() -> None:
    table = confirmed(seconds=0.7)
    assert [line for _, line in table.heard].count(b" 7") == 1
    table.translator.lost()
    assert set(table.run(3)) == {"*X;1;012; 7;0;165;1"}


def test_a_controller_that_is_not_heard_for_a_second_leaves_the_line_silent() -> None:
    table = playing()
    table.run(2)
    table.answers = False
    quiet_us = table.now_us
    table.run(30)
    assert max(at_us for at_us, _ in table.heard) < quiet_us + FRESH_US
    assert not table.translator.speaks
    assert table.translator.poll(b"*X", table.now_us) == b""


def test_a_loop_that_stands_still_behind_a_socket_that_answers_leaves_the_line_silent() -> None:
    assert playing(loop_age_ms=FRESH_US // 1000).run(5) == []
    assert playing(loop_age_ms=None).run(5) == []


def test_a_corrected_number_is_in_the_lines_and_no_news() -> None:
    table = confirmed(seconds=2)
    table.facts = table.facts._replace(number=8, last_number=8)
    assert set(table.run(2)) == {"*X;5;011; 8;0;165;1"}
    table.facts = table.facts._replace(rotor_rpm=30)
    assert table.run(10)[-1] == "*X;1;012; 8;0;300;1"
    table.facts = table.facts._replace(number=9, last_number=9)
    assert set(table.run(2)) == {"*X;1;012; 9;0;300;1"}


def test_a_result_corrected_to_a_void_is_a_number_no_more() -> None:
    table = confirmed(seconds=2)
    table.to("VOID", reason="croupier", last_number=None)
    assert set(table.run(2)) == {"*X;1;012;  ;8;165;1"}


def test_a_number_whose_coup_is_over_before_it_could_be_told_is_not_told_as_news() -> None:
    """A lock in the same moment: the state that the displays show is the table's."""
    table = playing()
    table.run(1)
    table.confirm(7)
    table.run(0.1)
    table.to("FAULT")
    assert set(table.run(3)) == {"*X;7;012; 7;0;165;1"}


def test_a_bare_number_that_is_late_puts_its_state_5_off_rather_than_come_with_it() -> None:
    table = playing()
    table.run(1)
    table.confirm(7)
    table.run(0.05)
    table.now_us += 400_000  # asleep, as a busy machine lets it be
    table.run(2)
    said = [(at_us, line[:5]) for at_us, line in table.heard if at_us > 1_000_000]
    assert [line for _, line in said[:4]] == [b" 7", b"*X;4;", b"*X;5;", b"*X;5;"]
    assert said[2][0] - said[0][0] >= LEAD_US - SLACK_US


def test_after_a_pause_the_lines_do_not_hurry_to_catch_up() -> None:
    table = playing()
    table.run(1.2)
    table.now_us += 700_000
    table.run(2)
    assert [at_us for at_us, _ in table.heard[-4:]] == [
        1_900_000 + n * INTERVAL_US for n in range(4)
    ]


def test_two_results_in_one_moment_are_each_said_bare_before_their_state_5() -> None:
    """No wheel is that fast; whatever the controller says, 5 never comes without its number."""
    table = playing()
    table.run(1)
    table.confirm(7)
    while table.heard[-1][1] != b" 7":
        table.run(TICK_US / 1e6)
    table.confirm(8, coup=12)
    assert [line[:5] for line in table.run(1)] == ["*X;4;", " 8", "*X;5;"]


# --- polls, extended, basic ----------------------------------------------------------------------
def test_a_poll_is_answered_with_the_line_as_it_stands_and_changes_nothing() -> None:
    table = playing()
    table.run(1.2)
    assert table.translator.poll(b"*X\r\n", table.now_us) == b"*X;4;011;23;0;165;1\r\n"
    assert table.translator.poll(b"*X\r\n", table.now_us + 50_000) == b""
    table.run(1)
    assert [at_us for at_us, _ in table.heard][-2:] == [1_500_000, 2_000_000]


def test_a_poll_does_not_learn_of_state_5_before_the_line_has_said_it() -> None:
    table = playing()
    table.run(1)
    table.confirm(7)
    seen = []
    while not any(line.startswith(b"*X;5") for _, line in table.heard):
        seen.append(table.translator.poll(b"*X", table.now_us))
        table.run(TICK_US / 1e6)
    assert {line for line in seen if line} == {b"*X;4;011;23;0;165;1\r\n"}


def test_extended_lines_say_more_and_never_how_the_ball_runs() -> None:
    table = Table(Translator(EXTENDED))
    assert table.run(0.4) == ["*X;1;001;  ;0;000;0;0041;00;?;?????;??"]
    table.begin(1, rotor="ccw", rotor_rpm=15)
    assert table.run(0.5) == ["*X;2;001;  ;0;150;1;00A2;00;?;?????;??"]
    table.to("BALL_IN_TRACK", ball="cw")
    assert table.run(0.5) == ["*X;3;001;  ;0;150;1;0022;00;0;?????;??"]
    table.to("NO_MORE_BETS", rotor_rpm=31)
    assert table.run(0.5) == ["*X;4;001;  ;1;310;1;0024;00;0;?????;??"]
    table.to("DETECTED", rotor_rpm=8.2)
    assert table.run(0.5) == ["*X;4;001;  ;1;082;1;0128;00;0;?????;??"]
    table.confirm(7)
    assert table.run(1.5)[-1] == "*X;5;001; 7;1;082;1;0128;00;?;?????; 7"


def test_basic_says_three_things_a_coup_and_nothing_between() -> None:
    table = Table(Translator(BASIC))
    assert table.run(3) == []
    table.begin(1)
    assert table.run(3) == ["*S"]
    table.to("BALL_IN_TRACK")
    assert table.run(3) == []
    table.to("NO_MORE_BETS")
    assert table.run(3) == ["*N"]
    table.to("DETECTED")
    assert table.run(3) == []
    table.confirm(7)
    assert table.run(3) == ["*W  7"]
    assert table.translator.poll(b"*X", table.now_us) == b""
    table.translator.lost()
    assert table.run(3) == []
    table.begin(2)
    assert table.run(3) == ["*S"]


# --- whatever happens ----------------------------------------------------------------------------
STATES = sorted({state for pair in states.TRANSITIONS.items() for state in (pair[0][0], pair[1])})
STEPS = st.one_of(
    st.tuples(st.just("to"), st.sampled_from([s for s in STATES if s != "CONFIRMED"])),
    st.tuples(st.just("confirm"), st.integers(0, 36)),
    st.tuples(st.just("begin"), st.integers(1, 600)),
    st.tuples(st.just("stands"), st.integers(0, 36)),
    st.tuples(st.just("correct"), st.integers(0, 36)),
    st.tuples(st.just("lost"), st.booleans()),
    st.tuples(st.just("rpm"), st.floats(0, 80)),
    st.tuples(st.just("sleep"), st.integers(0, 3_000_000)),
)


@given(
    mode=st.sampled_from(MODES),
    steps=st.lists(st.tuples(STEPS, st.floats(0, 1.5)), max_size=25),
    poll_every=st.none() | st.integers(1, 100),
)
def test_whatever_happens_no_line_says_a_number_that_is_not_confirmed(
    mode: str, steps: list[Any], poll_every: int | None
) -> None:
    table = Table(Translator(mode))
    confirmed_us: dict[int, int] = {}  # when each number was told as a result the last time
    shown: set[int | None] = {None}  # every number that was ever confirmed
    for (what, value), seconds in steps:
        if what == "to":
            table.to(value, open=value in ("BETS_OPEN", "MANUAL"))
        elif what == "begin":
            table.begin(value)
        elif what == "confirm":
            table.confirm(value, coup=table.facts.coup + 1)
            confirmed_us[value] = table.now_us
        elif what == "stands":  # as after a restart
            table.translator.lost()
            table._result_us = None
            table.facts = table.facts._replace(state="CONFIRMED", number=value, last_number=value)
        elif what == "correct" and table.facts.number is not None:
            table.facts = table.facts._replace(number=value, last_number=value)
            if table._result_us is not None:
                confirmed_us[value] = table._result_us
        elif what == "lost":
            table.answers = value
            table.translator.lost()
        elif what == "rpm":
            table.facts = table.facts._replace(rotor_rpm=value)
        elif what == "sleep":  # the process stands still: what waits to be told waits so long more
            table.now_us += value
            confirmed_us = {number: at_us + value for number, at_us in confirmed_us.items()}
        shown.add(table.facts.number)
        for _ in range(round(seconds * 1_000_000 / TICK_US)):
            first = len(table.heard)
            table.run(TICK_US / 1_000_000)
            check(table, mode, first, shown, confirmed_us)
        if poll_every is not None:
            answer = table.translator.poll(b"*X" * poll_every, table.now_us)
            assert len(answer) in ((0, 21) if mode == STATUS else (0, 40))
            assert mode != BASIC or answer == b""
    beats = [at_us for at_us, line in table.heard if line.startswith(b"*X")]
    gaps = [late - early for early, late in itertools.pairwise(beats)]
    assert min(gaps, default=INTERVAL_US) >= INTERVAL_US - LATE_US


def check(table: Table, mode: str, first: int, shown: set[Any], confirmed_us: Any) -> None:
    """Every line since `first`: its length, and that its number is one that is confirmed now."""
    for at_us, line in table.heard[first:]:
        if line.startswith(b"*X"):
            assert mode != BASIC
            assert len(line) == (lines.LENGTH if mode == STATUS else lines.EXTENDED_LENGTH)
            nn = line[9:11]
            assert (None if nn == b"  " else int(nn)) in shown
            if line[3:4] == b"5":
                assert table.told.state == "CONFIRMED"
                assert int(nn) == table.told.number
        elif line not in (b"*S", b"*N"):
            number = int(line.removeprefix(b"*W "))
            assert len(line) == (5 if mode == BASIC else 2)
            assert table.told.state == "CONFIRMED"
            assert number == table.told.number
            # News are told within a second of the result, and what the lines have to wait.
            assert at_us - confirmed_us[number] < FRESH_US + INTERVAL_US + LEAD_US
