"""A terminal signs on as anybody, so an employee may sign off whoever sits there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stakes_bench import book, ends, place, result, sit

from firmware.stakes.answers import YES
from firmware.stakes.book import ELSEWHERE, Paid

WHY = "signed on with another's name"


def test_the_seat_is_free_and_what_was_not_sealed_goes_back() -> None:
    opened = book()
    place(opened, 1, 1)
    place(opened, 1, 2, cents=1000)
    place(opened, 2, 1)
    assert opened.unseat(1, WHY) == {
        "terminal": 1,
        "player": "anna",
        "given_back": 2,
        "given_back_cents": 1500,
    }
    assert opened.player(1) is None
    assert opened.accepted_stakes(1) == []
    record = opened.close(7)
    assert [(stake["player"], stake["cents"]) for stake in record["stakes"]] == [("bert", 500)]


def test_what_goes_back_leaves_room_below_the_maximum() -> None:
    opened = book(maximum_multiples={"plein": 20})
    assert place(opened, 1, 1, cents=10_000) == YES
    assert not place(opened, 1, 2, cents=10_000).accepted
    opened.unseat(1, WHY)
    assert sit(opened, 3, "anna") == YES
    assert place(opened, 3, 1, cents=10_000) == YES


@pytest.mark.req("LU-37-1.stakes")
def test_what_is_sealed_lies_and_is_paid_to_its_player_wherever_he_sits() -> None:
    opened = book()
    place(opened)
    record = opened.close(7)
    done = opened.unseat(1, WHY)
    assert (done["given_back"], done["given_back_cents"]) == (0, 0)
    assert opened.sealed(7) == record["seal"]
    assert opened.player(1) is None
    ends(opened, result(7, 17, "black"))
    assert opened.settled(1).paid == ()  # nobody sits there
    assert sit(opened, 3, "anna").accepted
    assert opened.settled(3).paid == (Paid(ELSEWHERE, 500, 17_500),)


def test_whoever_goes_on_is_refused_and_told_why_until_somebody_signs_on_anew() -> None:
    opened = book()
    opened.unseat(1, WHY)
    assert opened.unseated(1)
    answer = place(opened)
    assert (answer.accepted, answer.why) == (False, f"an employee has signed you off: {WHY}")
    assert sit(opened, 1, "carla") == YES
    assert not opened.unseated(1)
    assert place(opened) == YES
    opened.sign_off(2)
    assert place(opened, 2).why.endswith("sign on first"), "he left by himself"


def test_the_name_may_sit_elsewhere() -> None:
    opened = book()
    opened.unseat(1, WHY)
    assert sit(opened, 3, "Anna") == YES


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    opened = book()
    place(opened)
    assert opened.unseat(3, WHY) == "nobody is signed on at terminal 3."
    assert opened.unseat(9, WHY) == "there is no terminal 9 at this table."
    assert not opened.unseated(3)
    assert opened.accepted_stakes(1) == [(1, 500)]


@given(st.lists(st.sampled_from(["on", "stake", "unseat", "off", "call", "end"]), max_size=40))
def test_whatever_happens_only_who_sits_there_has_stakes_that_may_still_change(
    steps: list[str],
) -> None:
    opened, number = book(), 10
    closed = False
    for step in steps:
        number += 1
        if step == "on":
            sit(opened, 1, "anna")
        elif step == "stake":
            place(opened, 1, number, coup=opened.coup)
        elif step == "unseat":
            opened.unseat(1, WHY)
        elif step == "off":
            opened.sign_off(1)
        elif step == "call":
            opened.close(opened.coup)
            closed = True
        else:
            ends(opened, {"coup": opened.coup, "seq": 1, "reason": "croupier"})
            closed = False
        if opened.player(1) is None and not closed:
            assert opened.accepted_stakes(1) == []
        assert not (opened.unseated(1) and opened.player(1))
