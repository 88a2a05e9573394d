"""The simulated shoe: its cards, and what its edges and readers see of each pull."""

from __future__ import annotations

from collections import Counter
from random import Random

from tools.sim.card_shoe import (
    BLIND,
    CUT,
    CUT_READ,
    EMPTY,
    IN,
    JAM,
    NOTHING,
    OUT,
    READ,
    CardShoe,
    Detection,
    Pull,
    ShoeCard,
    shuffled,
)

FIVE = [ShoeCard(at, f"S1-{at:04}") for at in range(5)]
LATER_US = 10_000_000


def shoe(*mishaps: Pull) -> CardShoe:
    found = CardShoe(FIVE, Random(1))
    found.mishaps.extend(mishaps)
    return found


def seen(of: CardShoe) -> list[str]:
    """What its sensors have seen, by name; and in order of time."""
    detections = of.detections(LATER_US)
    assert [each.at_us for each in detections] == sorted(each.at_us for each in detections)
    return [each.what for each in detections]


def reads(of: CardShoe) -> list[Detection]:
    return [each for each in of.detections(LATER_US) if each.what == READ]


def test_so_many_decks_are_shuffled_each_card_with_an_identity_of_its_own() -> None:
    cards = shuffled(Random(7), 6, "S3", 150)
    assert cards[150] == ShoeCard(CUT, "")
    cards.pop(150)
    assert {*Counter(each.card for each in cards).values()} == {6}
    assert len({each.ident for each in cards}) == 312
    assert all(each.ident.startswith("S3-") for each in cards)
    assert [each.card for each in cards[:52]] != list(range(52))
    assert {each.ident for each in shuffled(Random(7), 6, "", 150)} == {""}
    assert cards != shuffled(Random(8), 6, "S3", 150)


def test_a_card_comes_in_is_read_and_is_out() -> None:
    one = shoe()
    assert one.draw(1_000) == [FIVE[0]]
    detections = one.detections(LATER_US)
    assert [each.what for each in detections] == [IN, READ, OUT]
    assert detections[1][2:] == (0, "S1-0000", 0, 0)
    assert one.detections(LATER_US) == []
    assert one.due_us is None
    assert one.gone == [FIVE[0]]


def test_what_is_wrong_with_a_pull_is_what_the_sensors_see() -> None:
    blind = shoe(Pull(reads=(False, False)))
    blind.draw(0)
    (read,) = reads(blind)
    assert (read.card, read.ident, read.read1, read.read2) == (NOTHING, "", NOTHING, NOTHING)
    differs = shoe(Pull(differs=True))
    differs.draw(0)
    (read,) = reads(differs)
    assert read.read1 == 0 != read.read2
    twice = shoe(Pull(again=True))
    twice.draw(0)
    assert seen(twice) == [IN, READ, READ, OUT]
    unseen = shoe(BLIND)
    assert unseen.draw(0) == [FIVE[0]]
    assert seen(unseen) == []


def test_a_card_that_is_pulled_back_is_the_next_one_again() -> None:
    one = shoe(Pull(back=True))
    assert one.draw(0) == []
    assert seen(one) == [IN, READ]
    assert one.draw(0) == [FIVE[0]]


def test_a_card_that_was_out_goes_back_out_first() -> None:
    one = shoe()
    (card,) = one.draw(0)
    one.detections(LATER_US)
    one.push_back(card, 2_000_000)
    assert seen(one) == [OUT, READ, IN]
    assert one.cards[0] == card
    assert one.gone == []


def test_a_card_that_sticks_is_pulled_out_later() -> None:
    one = shoe(Pull(jams=True))
    assert one.draw(0) == []
    assert one.stuck == FIVE[0]
    assert seen(one) == [IN, READ, JAM]
    assert one.draw(3_000_000) == [FIVE[0]]
    assert seen(one) == [OUT]
    assert one.draw(4_000_000) == [FIVE[1]]


def test_of_two_that_come_together_one_is_read() -> None:
    one = shoe(Pull(two=True))
    assert one.draw(0) == FIVE[:2]
    assert seen(one) == [IN, READ, OUT]


def test_the_cut_card_takes_no_mishap_and_the_last_card_leaves_it_empty() -> None:
    one = CardShoe([ShoeCard(CUT, ""), FIVE[0]], Random(1))
    one.mishaps.append(BLIND)
    assert one.draw(0)[0].card == CUT
    assert seen(one) == [IN, CUT_READ, OUT]
    assert one.draw(1_000_000) == [FIVE[0]]
    assert seen(one) == [EMPTY]
    assert one.draw(2_000_000) == []


def test_a_shoe_that_is_unloaded_shows_every_card_and_that_it_is_empty() -> None:
    one = shoe()
    done_us = one.unload(0)
    detections = one.detections(done_us)
    assert [each.card for each in detections if each.what == READ] == [0, 1, 2, 3, 4]
    assert detections[-1].what == EMPTY
