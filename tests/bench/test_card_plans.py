"""The solver of black jack: its plans, and that it plays by the engine's rules, stake by stake."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from rules.cards import deck
from rules.cards.blackjack import BlackjackRound
from rules.cards.due import DOUBLE, HIT, SPLIT, STAND
from rules.cards.round import (
    CARD,
    CHECK,
    DECISION,
    DONE,
    INSURANCE,
    TURN,
    next_card,
    open_round,
)
from rules.cards.stakes import CardTable
from tools.bench.cards import solver
from tools.bench.cards.figures import LIVE, LU, table_of
from tools.bench.cards.played import Played, Shoe, choose, play, play_round
from tools.bench.cards.solver import ACE, CHANCES, NO_CARD, TEN, AgainstUp, Hand, Strategy

STAKE: list[dict[str, object]] = [{"player": "p", "seat": 1, "bet": "main", "cents": 2}]
UPS = range(ACE, TEN + 1)


def plan_of(game: str) -> Strategy:
    return solver.strategy(solver.game_of(table_of(game)))


# --- the plans -----------------------------------------------------------------------------------
def test_in_luxembourg_a_black_jack_takes_all_so_little_is_laid_against_ten_and_ace() -> None:
    plan = plan_of(LU)
    assert {(card, up) for card, up in plan.splits if up in (TEN, ACE)} == {(ACE, TEN)}
    assert not [where for where in plan.doubles if where[2] in (TEN, ACE)]
    assert {(16, False, TEN), (16, False, ACE)} <= plan.draws
    assert {(points, is_soft) for points, is_soft, _ in plan.doubles} == {
        (points, False) for points in (9, 10, 11)
    }


def test_live_the_ace_is_looked_under_and_additions_come_back() -> None:
    plan = plan_of(LIVE)
    assert {(ACE, ACE), (8, ACE)} <= plan.splits and (8, TEN) not in plan.splits
    assert (11, False, TEN) in plan.doubles and (11, False, ACE) not in plan.doubles
    # The two hairs of infinitely many decks: A-2 against 5 and A-4 against 4 draw.
    assert not {(13, True, 5), (15, True, 4)} & plan.doubles
    assert {(13, True, 6), (15, True, 5)} <= plan.doubles


@pytest.mark.parametrize("game", [LU, LIVE])
def test_what_every_plan_has_in_common(game: str) -> None:
    plan = plan_of(game)
    hard = [where for where in plan.draws if not where[1]]
    assert {(12, False, up) in plan.draws for up in (4, 5, 6)} == {False}
    assert max(points for points, _, _ in hard) == 16
    assert {(points, False, up) for points in range(4, 12) for up in UPS} <= plan.draws
    assert not [up for card, up in plan.splits if card in (5, TEN)]


def test_a_house_key_that_the_solver_does_not_have_is_refused() -> None:
    for key, value in (("similar_only", True), ("resplit_aces", True), ("soft_double", True)):
        with pytest.raises(ValueError, match=f"no {key} True"):
            solver.game_of(table_of(LU, house={key: value}))
    with pytest.raises(ValueError, match="most number of hands"):
        solver.game_of(table_of(LU, house={"max_hands": 0}))


def test_more_hands_are_worth_more_and_each_weighs_less() -> None:
    game = solver.game_of(table_of(LU))
    two, three, four = (
        solver.AgainstUp(game._replace(most_hands=most), 6).split(8) for most in (2, 3, 4)
    )
    assert two < three < four and four - three < three - two


# --- the engine, deal by deal --------------------------------------------------------------------
def dealt(table: CardTable, plan: Strategy, points: list[int]) -> BlackjackRound:
    """A round played by a plan until a card is due that `points` does not have."""
    rest = iter(points)
    suits: Counter[int] = Counter()
    round_ = open_round(table, STAKE)
    assert isinstance(round_, BlackjackRound)
    while True:
        due = next_card(round_)
        if due.kind == CARD:
            card = next(rest, None)
            if card is None:
                return round_
            suits[card] += 1
            round_.deal(card - 1 + 13 * (suits[card] % 4))
        elif due.kind == INSURANCE:
            round_.decide(1, 1, "no_insurance")
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        elif due.kind == DECISION:
            round_.decide(1, due.hand, choose(plan, round_, due.hand, due.choices))
        else:
            return round_


def worth(table: CardTable, plan: Strategy, points: list[int]) -> Fraction:
    """What a stake wins in the mean after these cards, every card as likely as in endless decks."""
    round_ = dealt(table, plan, points)
    if next_card(round_).kind == DONE:
        return Fraction(sum(each.won_cents for each in round_.payments()), 2)
    return sum(
        (chance * worth(table, plan, [*points, card]) for card, chance in CHANCES.items()),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("game", "one", "other", "up"),
    [
        (LU, ACE, TEN, TEN),
        (LU, ACE, TEN, ACE),
        (LU, 9, TEN, ACE),
        (LU, 8, 8, TEN),  # drawn to: no pair is laid against ten
        (LU, 6, 5, 9),
        (LU, ACE, ACE, TEN),
        (LU, 9, 3, TEN),
        (LIVE, ACE, TEN, ACE),
        (LIVE, 10, 9, ACE),
        (LIVE, 10, 6, TEN),
        (LIVE, 6, 5, TEN),  # doubled: the addition comes back
        (LIVE, ACE, ACE, TEN),
        (LIVE, ACE, 6, 6),
    ],
)
def test_a_hand_is_worth_what_the_engine_pays_for_it(
    game: str, one: int, other: int, up: int
) -> None:
    table = table_of(game)
    plan = solver.game_of(table)
    mine = AgainstUp(plan, up).worth(one, other)
    assert worth(table, solver.strategy(plan), [one, up, other]) == mine


@pytest.mark.parametrize("game", [LU, LIVE])
def test_splits_upon_splits_are_as_many_as_the_engine_has(game: str) -> None:
    """Every hand counts 1: then a split is worth the mean number of hands."""

    class OneAHand(AgainstUp):
        def unsplit(self, hand: Hand, is_split: bool) -> Fraction:
            return Fraction(1)

    table = table_of(game)
    plan = Strategy(frozenset({(8, 6)}), frozenset(), frozenset())

    def hands(points: list[int]) -> Fraction:
        round_ = dealt(table, plan, points)
        if not next_card(round_).to.startswith("s"):
            return Fraction(len(round_.seats[0].hands))
        pair = CHANCES[8]
        return pair * hands([*points, 8]) + (1 - pair) * hands([*points, 9])

    hole = [5] if table.rules["hole_card"] else []
    assert hands([8, 6, 8, *hole]) == OneAHand(solver.game_of(table), 6).split(8)


@pytest.mark.parametrize("game", [LU, LIVE])
def test_the_engine_offers_what_the_solver_weighs(game: str) -> None:
    """Random play of a shoe that is rich in aces, fours and tens: splits upon splits."""
    table = table_of(game)
    rule = solver.game_of(table)
    random = Random(27)
    seen: Counter[str] = Counter()
    rich = [rank + 13 * suit for rank in (0, 0, 3, 3, 6, 9, 12) for suit in range(4)]
    for _ in range(2_000):
        round_ = open_round(table, STAKE)
        assert isinstance(round_, BlackjackRound)
        while (due := next_card(round_)).kind != DONE:
            if due.kind == CARD:
                counts = Counter(round_.cards)
                round_.deal(random.choice([c for c in rich if counts[c] < table.decks]))
            elif due.kind == DECISION:
                wanted = _choices(rule, round_, due.hand)
                assert set(due.choices) == wanted, round_.cards
                do = SPLIT if SPLIT in wanted else random.choice(due.choices)
                seen[do] += 1
                round_.decide(1, due.hand, do)
            elif due.kind == INSURANCE:
                round_.decide(1, 1, "no_insurance")
            elif due.kind == CHECK:
                round_.check()
            else:
                round_.turn()
        hands = round_.seats[0].hands
        seen[f"{len(hands)} hands"] += 1
        for hand in hands:
            if hand.is_split and hand.cards[0] % 13 == deck.ACE:
                assert len(hand.cards) == 2 and len(hands) == 2
    wanted = {f"{count} hands" for count in range(1, rule.most_hands + 1)}
    assert wanted | {HIT, STAND, DOUBLE, SPLIT} == set(seen)


def _choices(rule: solver.Game, round_: BlackjackRound, number: int) -> set[str]:
    """What the solver thinks of for this hand."""
    hands = round_.seats[0].hands
    hand = hands[number - 1]
    mine: Hand = NO_CARD
    for card in hand.cards:
        mine = mine.with_card(deck.POINTS[card])
    wanted = {HIT, STAND}
    if len(hand.cards) == 2:
        if AgainstUp(rule, ACE).may_double(mine) and (rule.das or not hand.is_split):
            wanted.add(DOUBLE)
        one, other = (deck.POINTS[card] for card in hand.cards)
        if one == other and len(hands) < rule.most_hands:
            wanted.add(SPLIT)
    return wanted


# --- played --------------------------------------------------------------------------------------
def test_a_shoe_has_every_card_as_often_as_its_decks() -> None:
    shoe = Shoe(2, Random(1))
    for _ in range(2):
        shoe.refill()
        drawn = [shoe.draw() for _ in range(104)]
        assert Counter(drawn) == Counter(list(range(52)) * 2)
    shoe.refill()
    assert [shoe.draw() for _ in range(104)] != drawn


def test_a_shoe_gives_each_card_first_as_often_as_any() -> None:
    shoe = Shoe(1, Random(2))
    first: Counter[int] = Counter()
    for _ in range(52_000):
        shoe.refill()
        first[shoe.draw()] += 1
    square = sum((first[card] - 1_000) ** 2 / 1_000 for card in range(52))
    assert 24 < square < 88  # 51 degrees of freedom, one in a thousand on either side


def test_a_plan_is_played_as_it_says() -> None:
    plan = plan_of(LU)
    cards = iter([deck.card_of(text) for text in ("8S", "6H", "8H", "3S", "TS", "TH", "9C", "TD")])
    round_ = play_round(table_of(LU), plan, STAKE, lambda: next(cards))
    assert round_.places == ["s1", "d", "s1", "s1", "s1", "s1.2", "d", "d"]
    assert [each.won_cents for each in round_.payments()] == [2, 4]


def test_the_same_seed_plays_the_same_rounds_and_parts_add_up() -> None:
    table = table_of(LIVE)
    told: list[float] = []
    one, other = play(table, 300, "a", told.append), play(table, 300, "b")
    assert one == play(table, 300, "a") != other
    assert sum(told) == 300
    both = one.plus(other)
    assert (both.rounds, both.won) == (600, one.won + other.won)
    assert 0.03 < both.error < 0.06 and both.mean == both.won / 600
    assert Played(4, 2.0, 4.0).error == pytest.approx((1.0 - 0.25) ** 0.5 / 2)
