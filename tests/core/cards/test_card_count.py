"""A card counts that is new, of this set, and come no oftener than there are decks (CARDS M1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.cards.facts import ShoeLoaded
from firmware.core.cards.shoe_count import (
    NO_IDENTITY,
    NONE,
    OTHER_SET,
    SEEN_BEFORE,
    TOO_OFTEN,
    ShoeCount,
    is_count,
    set_mark,
)

CARDS = st.lists(st.integers(0, 51), max_size=120)


def loaded(decks: int) -> ShoeCount:
    count = ShoeCount(NONE)
    count.greet(ShoeLoaded(0, "ours", "17", decks, 1, True, 0))
    count.load()
    return count


@pytest.mark.req("TABLE-M1.whole")
@given(cards=CARDS, decks=st.sampled_from([1, 2, 6]))
def test_no_type_counts_more_often_than_there_are_decks(cards: list[int], decks: int) -> None:
    count = loaded(decks)
    for card in cards:
        before = count.counts[card]
        why = count.why_foreign(card, "")
        assert why == (TOO_OFTEN if before == decks else None)
        if why is None:
            count.count_card(card, "")
    assert max(count.counts) <= decks
    assert sum(count.counts) == count.drawn
    assert count.differs([decks - seen for seen in count.counts]) == []


@pytest.mark.req("LIVE-2.8.1.foreign")
@given(cards=CARDS, data=st.data())
def test_no_identity_counts_twice_and_none_of_another_set(
    cards: list[int], data: st.DataObject
) -> None:
    count = loaded(8)
    for card in cards:
        ident = data.draw(st.sampled_from(["", "S17-1", "S17-2", "S17-3", "S18-4", "S17-5"]))
        why = count.why_foreign(card, ident)
        if why is None:
            assert ident not in count.idents or not count.idents
            count.count_card(card, ident)
        elif count.counts[card] < 8:
            assert why == (
                NO_IDENTITY if not ident else SEEN_BEFORE if ident in count.idents else OTHER_SET
            )
    assert len(set(count.idents)) == len(count.idents)
    assert len({set_mark(ident) for ident in count.idents}) <= 1


@given(cards=CARDS, card=st.integers(0, 51), more=st.sampled_from([-1, 1]))
def test_one_card_too_many_or_too_few_in_a_shoe_is_seen_as_it_is_unloaded(
    cards: list[int], card: int, more: int
) -> None:
    count = loaded(120)
    for each in cards:
        count.count_card(each, "")
    left = [120 - seen for seen in count.counts]
    left[card] += more
    assert count.differs(left) == [card] or left[card] < 0


def test_as_many_as_went_unread_may_be_missing_and_no_more() -> None:
    count = loaded(6)
    count.count_card(None, "")
    left = [6] * 52
    left[7] = 5
    assert count.agrees(left)
    left[9] = 5
    assert not count.agrees(left)
    assert count.differs(left) == [7, 9]


def test_a_count_with_a_card_too_many_agrees_as_little() -> None:
    count = loaded(6)
    count.count_card(None, "")
    assert not count.agrees([6] * 52)
    assert count.differs([6] * 52) == []  # which one it is nobody can say


def test_what_is_typed_and_taken_back_does_not_count() -> None:
    count = loaded(6)
    count.count_card(7, "S17-1")
    count.put_back(7, "S17-1")
    assert (count.drawn, count.counts[7], count.idents) == (0, 0, [])


def test_a_count_is_fifty_two_numbers() -> None:
    assert is_count([6] * 52)
    assert not is_count([6] * 51)
    assert not is_count([6] * 51 + [-1])


def test_a_number_that_came_is_told_again_and_one_that_is_skipped_is_lost() -> None:
    count = loaded(6)
    assert [count.lost_before(n) for n in (5, 6, 6, 4, 9)] == [0, 0, None, None, 2]
    count.greet(ShoeLoaded(0, "ours", "17", 6, 2, True, 0))
    assert count.lost_before(1) == 0
