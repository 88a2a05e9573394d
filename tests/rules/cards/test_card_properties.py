"""Whatever is staked, dealt and decided: what holds of every round of every card game."""

import random
from collections import Counter
from typing import Any

import pytest
from card_rounds import Round, behind, stake, table
from hypothesis import given
from hypothesis import strategies as st

import rules
from rules.cards import deck
from rules.cards.due import DECISIONS
from rules.cards.errors import CardsError
from rules.cards.round import CARD, CHECK, DONE, INSURANCE, TURN, next_card, open_round, play
from rules.cards.stakes import CardTable, accept

HOUSES: dict[str, list[dict[str, Any]]] = {
    "blackjack_lu": [
        {}, {"das": False, "similar_only": True}, {"max_hands": 0, "resplit_aces": True},
        {"stand_on_21": False, "soft_double": True}, {"stop_when_decided": False},
        {"super_jack_stake_kept": False, "pair_by_rank": False, "insure_black_jack": False},
    ],
    "blackjack_live": [
        {}, {"h17": True, "das": False}, {"dealer_bj_takes_split": False, "unit_cents": 50},
        {"bust_double_returned": True, "split_ten_ace_is_21": False, "follow_insured": False},
    ],
    "baccarat_live": [{}],
    "punto_2000": [{}, {"dragon_two_card": False}, {"dragon_tie_lost": False}],
}  # fmt: skip
SIDE = ("perfect_pairs", "super_black", "super_silver", "super_gold")


def staked(at: CardTable, pick: random.Random) -> list[dict[str, Any]]:
    """Stakes of a table, whatever they are, that it takes."""
    if at.rules["family"] == "baccarat":
        names = [bet.name for bet in at.rules["bets"]]
        return [stake(pick.choice(names), cents=20 * pick.randint(1, 99)) for _ in range(4)]
    found: list[dict[str, Any]] = []
    grain = max(2, at.house.get("unit_cents", 1))
    for seat in pick.sample(range(1, 8), pick.randint(1, 7)):
        found.append(stake("main", seat, grain * pick.randint(1, 999)))
        if at.rules["name"] == "blackjack_lu":
            found += [
                stake(bet, seat, 1000 * pick.randint(1, 9)) for bet in SIDE if pick.random() < 0.4
            ]
    for n in range(pick.randint(0, 5) if at.rules["name"] == "blackjack_live" else 0):
        cents, funds = grain * pick.randint(1, 40), pick.randint(0, 900)
        follow = pick.choice(["double", "not"])
        found.append(behind(pick.randint(1, 7), follow, funds, cents=cents, who=f"f{n}"))
    pick.shuffle(found)
    return found


class Dealt:
    """A round that was dealt out at random, with what was dealt and decided."""

    def __init__(self, game: str, seed: int) -> None:
        pick = random.Random(seed)
        self.table = table(game, **pick.choice(HOUSES[game]))
        self.stakes, refused = accept(self.table, list(staked(self.table, pick)))
        assert refused == []
        shoe = list(range(deck.CARDS)) * self.table.decks
        few = pick.sample(
            range(13), pick.randint(2, 13)
        )  # ranks that come often: pairs, tens, aces
        weights = [5 if card % 13 in few else 1 for card in shoe]
        self.round: Round = open_round(self.table, self.stakes)
        self.cards: list[object] = []
        self.decisions: list[object] = []
        while (due := next_card(self.round)).kind != DONE:
            if due.kind == CARD:
                (at,) = pick.choices(range(len(shoe)), weights)
                self.round.deal(shoe[at])
                self.cards.append(deck.text_of(shoe[at]))
                del shoe[at], weights[at]
            elif due.kind == CHECK:
                self.round.check()
            elif due.kind == TURN:
                self.round.turn()
            else:
                self._decide(due, pick)
        self.payments = self.round.payments()

    def _decide(self, due: Any, pick: random.Random) -> None:
        if due.kind == INSURANCE:
            seat, hand = pick.choice(due.choices), 1
            do = pick.choice(["insure", "no_insurance"])
        else:
            seat, hand = due.seat, due.hand
            do = "split" if "split" in due.choices else pick.choice(due.choices)
        for other in DECISIONS:  # what is not offered is refused, and changes nothing
            if other not in due.choices and (due.kind != INSURANCE or "insur" not in other):
                with pytest.raises(CardsError):
                    self.round.decide(seat, hand, other)
                assert next_card(self.round) == due
        self.round.decide(seat, hand, do)
        self.decisions.append({"seat": seat, "hand": hand, "do": do})


DEALT = st.builds(Dealt, st.sampled_from(rules.CARD_GAMES), st.integers(0, 2**32))


@given(DEALT)
def test_a_round_handed_in_is_the_round_that_was_dealt(dealt: Dealt) -> None:
    again = play(dealt.table, dealt.stakes, dealt.cards, dealt.decisions)
    assert again.places == dealt.round.places
    assert again.payments() == dealt.payments
    assert again.outcome() == dealt.round.outcome()


@given(DEALT, st.data())
def test_a_card_or_a_decision_too_few_or_too_many_settles_nothing(
    dealt: Dealt, data: st.DataObject
) -> None:
    cards, decisions = dealt.cards, dealt.decisions
    spoilt = [(cards[:-1], decisions), ([*cards, "2S"], decisions)]
    spoilt.append((cards, [*decisions, {"seat": 1, "hand": 1, "do": "stand"}]))
    if decisions:
        at = data.draw(st.integers(0, len(decisions) - 1))
        spoilt.append((cards, decisions[:-1]))
        spoilt.append((cards, [*decisions[:at], {"seat": 8, "hand": 1, "do": "stand"}]))
    for some, decided in spoilt:
        with pytest.raises(CardsError) as raised:
            play(dealt.table, dealt.stakes, some, decided)
        assert raised.value.rule
        assert raised.value.sentence.endswith(".")


@given(DEALT)
def test_no_cent_is_made_or_lost_and_each_stake_is_paid_once(dealt: Dealt) -> None:
    for each in dealt.payments:
        assert type(each.won_cents) is int
        assert each.returned_cents == each.stake_cents + each.won_cents >= 0
    paid = Counter(
        (each.player, each.bet, each.seat) for each in dealt.payments if each.hand in (1, None)
    )
    laid = Counter((each["player"], each["bet"], each.get("seat")) for each in dealt.stakes)
    insured = {key: 1 for key in paid if key[1].startswith("insurance")}
    assert paid == laid + Counter(insured)


@given(DEALT)
def test_a_follower_never_lays_more_than_his_funds(dealt: Dealt) -> None:
    for given_ in dealt.stakes:
        if given_["bet"] == "behind":
            out = sum(
                each.stake_cents for each in dealt.payments if each.player == given_["player"]
            )
            assert given_["cents"] <= out <= given_["cents"] + given_["funds_cents"]


@given(DEALT)
def test_hands_are_paid_from_the_last_seat_to_the_first_and_side_bets_in_their_places(
    dealt: Dealt,
) -> None:
    if dealt.table.rules["family"] == "baccarat":
        dragon = [each.bet.startswith("dragon") for each in dealt.payments]
        assert dragon == sorted(dragon)
        return
    busts = dealt.round.busts
    over = {(seat.number, at + 1) for seat, at in busts}
    hands = [(each.seat, each.hand) for each in dealt.payments if each.bet == "main"]
    assert hands[: len(busts)] == [(seat.number, at + 1) for seat, at in busts]
    assert hands[len(busts) :] == sorted(hands[len(busts) :], reverse=True)
    assert not over & set(hands[len(busts) :])
    kinds = [each.bet.split("_")[0] for each in dealt.payments]
    assert kinds == sorted(kinds, key=lambda kind: {"perfect": 0, "super": 2}.get(kind, 1))
    line = [each.won_cents > 0 for each in dealt.payments if each.bet.startswith("super")]
    assert line == sorted(line)
