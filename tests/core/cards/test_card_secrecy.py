"""Nobody learns anything of the hole card before it is turned (CARDS M3).

Two tables are told the same, but for the hole card: every byte that they answer is the same, and so
is when they want to look again. Where an ace is up, both holes or neither make a Black Jack.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.card_place import CardPlace
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.stakes import card_kinds
from rules.cards import deck

_HOLE = "d*"


class Hand:
    """Pulls cards for two tables: the same ones, but for the hole card."""

    def __init__(self, r: random.Random, up: int | None) -> None:
        """up: the dealer's first card, if it is to be that."""
        self._cards = list(range(52)) * 8
        r.shuffle(self._cards)
        self._up = r.randrange(52) if up is None else up
        holes = [self._cards.pop(), self._cards.pop()]
        tens = [deck.POINTS[card] == 10 for card in holes]
        if deck.rank_of(self._up) == deck.ACE and tens[0] != tens[1]:
            holes[1] = holes[0] + 13 if holes[0] < 39 else holes[0] - 13
        self.holes = holes
        self.cloth: list[list[Any]] = [[], []]
        self._again = 0

    def pull(self, places: list[CardPlace]) -> list[list[Any]]:
        """One card at each table: a new one, or in a hold what lies there once more."""
        code, args = places[0].guide
        if code == facts.HELD and args["why"] == "rescan" and self.cloth[0]:
            found = [cloth[self._again % len(cloth)] for cloth in self.cloth]
            self._again += 1
        elif code == facts.HELD and args["why"] == "card_back" and self.cloth[0]:
            found = [cloth[-1] for cloth in self.cloth]
        else:
            found = self._new(places[0], code, args.get("to"))
        return [
            place.card(text, ident=ident)
            for place, (text, ident) in zip(places, found, strict=True)
        ]

    def _new(self, place: CardPlace, code: str, to: str | None) -> list[Any]:
        card = self._cards.pop()
        pair = [card, card]
        is_due = code in (facts.DEAL, facts.LATE) or place.guide[1].get("why") in (
            "unread", *facts.SHOE_TROUBLES)  # fmt: skip
        if is_due and to == _HOLE:
            pair = self.holes
        elif is_due and to == "d":
            pair = [self._up, self._up]
        ident = place.ident()
        found = [(deck.text_of(each), ident) for each in pair]
        if is_due:
            for cloth, one in zip(self.cloth, found, strict=True):
                cloth.append(one)
        return found


def anything(r: random.Random, place: CardPlace) -> tuple[str, Any]:
    """What happens next at a table: mostly what is due, now and then anything."""
    code, args = place.guide
    if r.random() < 0.15:
        return r.choice(
            [
                ("card", None),
                ("wait", None),
                ("key", r.choice(facts.KEYS)),
                ("unread", None),
                ("tell", (facts.ShoeTrouble, r.choice(facts.SHOE_TROUBLES), "")),
                ("tell", (facts.ShoeTroubleEnded, r.choice(facts.SHOE_TROUBLES))),
                ("tell", (facts.CardPulledBack, r.choice((0, place.n)), facts.SHOE)),
                ("tell", (facts.CutCardSeen,)),
                ("tell", (facts.RescanAsked, "anna")),
                ("tell", (facts.CardEntered, r.randrange(52), "anna", "bob", "why")),
                ("tell", (facts.DecisionMade, 1, 1, "hit", None, r.randrange(8), "1")),
            ]
        )
    if code in (facts.DEAL, facts.LATE):
        return "card", None
    if code == facts.HELD and r.random() < 0.6:
        return "card", None
    if code == facts.INSURE:
        do = r.choice(("insure", "no_insurance"))
        return "tell", (facts.DecisionMade, args["seats"][0], 1, do, None, None, "1")
    if code == facts.DECIDE:
        do = r.choice(args["choices"])
        return "tell", (facts.DecisionMade, args["seat"], args["hand"], do, None, None, "1")
    if code == facts.TURN and r.random() < 0.5:
        return "key", facts.KEY_TURNED
    return "key", r.choice((facts.KEY_CONFIRM, facts.KEY_BURN, facts.KEY_EXPOSED))


def heard(answer: list[Any]) -> list[str]:
    """All of an answer, but for the hole card's row after a void."""
    return [
        repr(fact)
        for fact in answer
        if not (
            isinstance(fact, core_facts.Record)
            and fact.kind == card_kinds.CARD_ROW
            and fact.body["to"] == _HOLE
        )
    ]


@pytest.mark.req("LIVE-2.7.8.secret", "TABLE-M3.secret")
@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(1, 3),
    up=st.sampled_from([None, None, 0, 13, 26]),
)
def test_two_rounds_that_differ_in_the_hole_card_are_the_same_until_it_is_turned(
    seed: int, seats: int, up: int | None
) -> None:
    r = random.Random(f"secrecy {seed}")
    hand = Hand(r, up)
    places = [CardPlace("blackjack_live"), CardPlace("blackjack_live")]
    for place in places:
        place.begin(*range(1, seats + 1))
    for _ in range(80):
        what, given_ = anything(r, places[0])
        if what == "key" and given_ == facts.KEY_TURNED and places[0].guide[0] == facts.TURN:
            break
        if what == "card":
            answers = hand.pull(places)
        elif what == "unread":
            answers = [place.card(None) for place in places]
        elif what == "wait":
            waits = places[0].table.timers.due_us is not None
            answers = [place.wait() if waits else [] for place in places]
        elif what == "key":
            answers = [place.key(given_) for place in places]
        else:
            answers = [place.tell(*given_) for place in places]
        assert heard(answers[0]) == heard(answers[1])
        assert places[0].table.timers.due_us == places[1].table.timers.due_us
        assert repr(places[0].table.view()) == repr(places[1].table.view())
        if not places[0].table.open:
            break


def test_the_test_would_see_it_a_turned_card_is_told() -> None:
    """The same, one key later: what was the same is not any more."""
    places = [CardPlace("blackjack_live"), CardPlace("blackjack_live")]
    for place, hole in zip(places, ("9H", "8H"), strict=True):
        place.begin(1)
        place.cards(f"TS 7D 8S {hole}")
        place.key(facts.KEY_STAND)
    assert heard(places[0].facts) == heard(places[1].facts)
    assert heard(places[0].key(facts.KEY_TURNED)) != heard(places[1].key(facts.KEY_TURNED))
