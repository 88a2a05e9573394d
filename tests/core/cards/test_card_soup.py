"""Anything at any moment, on a slow disk: nothing breaks, money is kept, every round can end.

Held throughout, by harness.card_place: the table of states, ends in order, a guide that says what
is waited for. Afterwards a croupier who follows the guide comes to the end of the round.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.card_place import CardPlace
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import facts as core_facts
from firmware.core.cards import facts, reasons, states
from firmware.core.cards.fold import Fold
from firmware.core.cards.house import HOUSE, CardHouse
from firmware.stakes import card_kinds, card_round
from rules.cards import deck

GAMES = ("blackjack_lu", "blackjack_live", "baccarat_live", "punto_2000")
DOS = ("hit", "stand", "double", "split", "insure", "no_insurance", "surrender")
BETS = "main perfect_pairs super_gold super_black behind player banker tie dragon_player".split()


class Croupier:
    """Draws from a real shoe; follows the guide, or does anything."""

    def __init__(self, place: CardPlace, r: random.Random) -> None:
        self.place, self.r = place, r
        self.reload()
        self.cloth: list[tuple[str, str]] = []
        self.again = 0

    def reload(self) -> None:
        """Shuffles the decks into the shoe."""
        self.cards = list(range(52)) * self.place.limits.decks
        self.r.shuffle(self.cards)

    def draw(self) -> None:
        """Pulls the next card, or in a hold what lies there once more."""
        place = self.place
        code, args = place.guide
        why = args.get("why") if code == facts.HELD else None
        if why == "rescan" and self.cloth:
            text, ident = self.cloth[self.again % len(self.cloth)]
            self.again += 1
            place.card(text, ident=ident)
        elif why == "card_back" and self.cloth:
            place.card(self.cloth[-1][0], ident=self.cloth[-1][1])
        elif not self.cards:
            place.tell(facts.ShoeEmpty)
        else:
            text, ident = deck.text_of(self.cards.pop()), place.ident()
            seen = 0 if place.table.play is None else place.table.play.seen
            number = place.table.round
            place.card(text, ident=ident)
            play = place.table.play
            if number != place.table.round or play is None:
                self.cloth = []
            elif play.seen == seen + 1:
                self.cloth = [*self.cloth[: play.seen - 1], (text, ident)]

    def follow(self) -> None:
        """Does what the guide asks."""
        place, r = self.place, self.r
        code, args = place.guide
        if place.table.closing or code == facts.RECORDING:
            place.write()
        elif code in (facts.BURNING, facts.DEAL, facts.LATE):
            self.draw()
        elif code == facts.LOAD:
            self.reload()
            place.shoe()
            place.key(facts.KEY_START)
        elif code == facts.COUNT:
            place.tell(facts.CountConfirmed, "anna", "carl", "by hand")
        elif code == facts.BETS:
            self.lay()
            place.call()
        elif code == facts.INSURE:
            seat = r.choice(args["seats"])
            place.tell(facts.DecisionMade, seat, 1, r.choice(DOS[4:6]), None, None, "1")
        elif code == facts.DECIDE:
            do = r.choice(args["choices"])
            place.tell(facts.DecisionMade, args["seat"], args["hand"], do, None, None, "1")
        elif code == facts.TURN:
            place.key(facts.KEY_TURNED)
        elif code == facts.CONFIRM:
            place.key(facts.KEY_CONFIRM)
        elif code == facts.GOLD_JACK:
            place.tell(facts.Acknowledged, "carl")
        elif code == facts.LOCKED:
            place.tell(core_facts.ClearAsked, "dora")
        elif code == facts.HELD:
            self.put_right(args["ways"])
        else:
            assert code in (facts.NEXT, facts.BURN_ALL)
            place.key(facts.KEY_START)

    def put_right(self, ways: tuple[str, ...]) -> None:
        """Ends a hold, by one of the ways that the guide names."""
        place, r = self.place, self.r
        way = r.choice(ways)
        if way == facts.AGAIN:
            self.draw()
        elif way == facts.ENTER:
            place.tell(facts.CardEntered, r.randrange(52), "anna", "carl", "stained")
        elif way == facts.PUT_AWAY:
            place.key(facts.KEY_BURN)
        elif way == facts.SHOW:
            place.key(facts.KEY_EXPOSED)
        elif way == facts.BURN_BY_TWO:
            place.tell(facts.BurnAsked, "anna", "carl", "seen")
        elif way == facts.ON:
            place.key(facts.KEY_CONFIRM)
        elif way == facts.RESCAN:
            self.again = 0
            place.tell(facts.RescanAsked, "anna")
        else:
            place.key(facts.KEY_VOID)

    def lay(self) -> None:
        """Lays stakes, some of which no table takes."""
        r = self.r
        for _ in range(r.randrange(1, 6)):
            more: dict[str, Any] = {"player": r.choice("abc")}
            bet = r.choice(BETS)
            if bet == "behind":
                more.update(follow=r.choice(("double", "not")), funds_cents=r.randrange(2000))
            self.place.stake(r.choice((None, 1, 2, 3, 8)), 1000, bet=bet, **more)
        if self.place.limits.rules["family"] == "blackjack":
            self.place.stake(4, 1000)
        else:
            self.place.stake(None, 1000, bet="player", player="d")

    def anything(self) -> None:
        """What nobody asked for."""
        place, r = self.place, self.r
        events = (
            (facts.KeyPressed, r.choice(facts.KEYS)),
            (facts.KeyPressed, r.choice(facts.KEYS)),
            (facts.KeySwitched, r.choice(facts.SWITCHES), r.random() < 0.6),
            (
                facts.CardPulledBack,
                r.choice((0, place.n, place.n, r.randrange(30))),
                r.choice((facts.SHOE, facts.PEOPLE)),
            ),
            (facts.CutCardSeen,),
            (facts.ShoeTrouble, r.choice(facts.SHOE_TROUBLES), r.choice(("", "3 s"))),
            (facts.ShoeTroubleEnded, r.choice(facts.SHOE_TROUBLES)),
            (facts.ShoeTroubleEnded, r.choice(facts.SHOE_TROUBLES)),
            (facts.ShoeCounted, [6 - seen for seen in place.table.shoe.count.counts]),
            (facts.CountConfirmed, "anna", r.choice(("anna", "carl")), "why"),
            (facts.CardEntered, r.randrange(52), "anna", "carl", "why"),
            (facts.BurnAsked, "anna", "carl", "why"),
            (facts.RescanAsked, "anna"),
            (facts.Acknowledged, "carl"),
            (facts.DecisionMade, r.randrange(9), r.randrange(4), r.choice(DOS), None, None, "1"),
            (facts.DecisionMade, 4, 1, r.choice(DOS), 400, r.randrange(12), "1"),
            (
                facts.StakesLaid,
                [{"player": "x", "seat": 1, "bet": "main", "cents": r.randrange(9)}],
            ),
            (facts.RoundCorrectionAsked, place.table.round, *self.corrected(), "a", "c", "why"),
            (core_facts.VoidAsked, "anna"),
            (core_facts.ConfirmAsked, "anna"),
            (core_facts.ClearAsked, "dora"),
            (core_facts.EmployeePresent, r.choice(("anna", "bob")), r.random() < 0.5),
            (core_facts.Trouble, r.choice(("S10", "K13", "M12")), "x"),
        )
        draw = r.random()
        if draw < 0.1 and place.table.timers.due_us is not None:
            place.wait()
        elif draw < 0.2:
            place.card(None)
        elif draw < 0.3:
            self.draw()
        elif draw < 0.33:
            place.card(deck.text_of(r.randrange(52)), ident=r.choice(("", "S09-1", "S17-0003")))
        elif draw < 0.36:
            place.card(deck.text_of(r.randrange(52)), how=facts.PEOPLE)
        elif draw < 0.39:
            place.shoe(boot=r.randrange(1, 9))
        elif draw < 0.4:
            place.shoe(serial=str(r.randrange(17, 20)))
        else:
            event = r.choice(events)
            place.tell(*event)

    def corrected(self) -> tuple[Any, Any]:
        """Cards and decisions of a correction, which may make sense."""
        last = self.place.table.last
        if last is None or self.r.random() < 0.3:
            return None, None
        cards = [deck.card_of(row["card"]) for row in last.cards]
        if cards and self.r.random() < 0.7:
            cards[self.r.randrange(len(cards))] = self.r.randrange(52)
        return cards, self.r.choice((None, [], [{"seat": 4}]))


def judged(place: CardPlace) -> None:
    """Every round has one end, in order; its rows pay what was told; a void returns everything."""
    started = [fact.round for fact in place.all(facts.RoundStarted)]
    ends = place.all((facts.RoundResult, facts.RoundVoid))
    done = [fact.round for fact in ends]
    assert done == started[: len(done)]
    assert len(started) - len(done) == (1 if place.table.open else 0)
    seqs = [fact.seq for fact in ends] + [fact.seq for fact in place.all(facts.RoundCorrection)]
    assert sorted(seqs) == list(range(1, len(seqs) + 1))
    corrected = {fact.round for fact in place.all(facts.RoundCorrection)}
    for (stakes, cards, engagements, end), told in zip(
        card_round.collect(place.rows), ends, strict=False
    ):
        if isinstance(told, facts.RoundVoid):
            assert told.reason in (*reasons.REASONS, "croupier")
        if told.round in corrected:
            continue
        if stakes is None:
            continue
        paid = card_round.payments(stakes, cards, engagements, end)
        if isinstance(told, facts.RoundResult):
            assert paid == told.payments
            assert sum(each.returned_cents for each in paid) >= 0
        else:
            assert [(p.player, p.bet, p.seat, p.hand, p.returned_cents) for p in paid] == (
                told.returned
            )
            staked = sum(stake["cents"] for stake in stakes["stakes"])
            added = sum(row["do"] in ("double", "split", "insure") and 1 for row in engagements)
            back = sum(cents for *_, cents in told.returned)
            assert back == staked if not added else back > staked


def a_croupier(seed: int, game: str) -> Croupier:
    r = random.Random(f"card soup {seed}")
    confirm = r.choice(("auto", "croupier"))
    house = CardHouse(confirm, *tuple(HOUSE)[1:])
    place = CardPlace(game, house=house, idents=r.random() < 0.5, is_slow=r.random() < 0.4)
    return Croupier(place, r)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.03, 0.1, 0.3, 0.8]))
def test_anything_at_any_moment_breaks_nothing_and_the_guide_leads_to_the_end(
    game: str, seed: int, share: float
) -> None:
    croupier = a_croupier(seed, game)
    for _ in range(120):
        if croupier.r.random() < share:
            croupier.anything()
        else:
            croupier.follow()
        if croupier.r.random() < 0.3:
            croupier.place.write()
    place = croupier.place
    place.is_slow = False
    place.write()
    for what in facts.SHOE_TROUBLES:
        place.tell(facts.ShoeTroubleEnded, what)
    number = place.table.round
    for _ in range(400):
        if not place.table.open and place.table.round > number:
            break
        croupier.follow()
    assert place.table.round > number
    judged(place)


@pytest.mark.parametrize("game", GAMES)
def test_a_croupier_who_follows_the_guide_plays_shoe_after_shoe(game: str) -> None:
    croupier = a_croupier(7, game)
    place = croupier.place
    place.is_slow = False
    for _ in range(2000):
        if len(croupier.cards) < 60 and not place.table.shoe.count.is_over and place.table.open:
            place.tell(facts.CutCardSeen)
        croupier.follow()
    shoes = [
        body for kind, body in place.rows if kind == card_kinds.SHOE and body["what"] == "begun"
    ]
    assert len(shoes) > 2
    assert place.all(facts.RoundResult)
    assert not place.all(facts.RoundVoid)
    assert place.state in (states.TRANSITIONS[each] for each in states.TRANSITIONS)
    judged(place)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.sampled_from([0.03, 0.1, 0.3, 0.8]))
def test_the_rows_alone_fold_to_what_a_restart_is_given(game: str, seed: int, share: float) -> None:
    """All but the reader's last number: a card that counted for nothing has no row."""
    croupier = a_croupier(seed, game)
    place = croupier.place
    place.is_slow = False
    for _ in range(120):
        if croupier.r.random() < share:
            croupier.anything()
        else:
            croupier.follow()
        fold = Fold()
        for kind, body in place.rows:
            fold.add(kind, body)
        ours, told = place.table.restart_state(), fold.state()
        assert ours[:2] == told[:2]
        assert (ours.interrupted is None) == (told.interrupted is None)
        if ours.interrupted is None:
            assert ours.last == told.last
            assert ours.shoe[:5] == told.shoe[:5]
            assert ours.shoe[6:] == told.shoe[6:]
            assert told.shoe.n <= ours.shoe.n
        else:
            assert [list(each) for each in ours.interrupted[2:]] == [
                list(each) for each in told.interrupted[2:]
            ]
            assert ours.interrupted[:2] == told.interrupted[:2]
