"""Rounds of cards in short: "4: hit stand" are decisions of seat 4, "3S 5D KS" are cards."""

from typing import Any

import pytest

import rules
from rules.cards.due import CardPayment
from rules.cards.errors import CardsError
from rules.cards.round import play
from rules.cards.stakes import CardTable, Refusal, accept, open_table

Round = Any
Stakes = list[dict[str, Any]]


def table(game: str, decks: int | None = None, **house: Any) -> CardTable:
    """A table of a game, with what the house chose."""
    return open_table(rules.load(game), decks, house)


def stake(bet: str, seat: int | None = None, cents: int = 1000, **more: Any) -> dict[str, Any]:
    """A stake of the seat's own player, or of `player`."""
    found: dict[str, Any] = {"player": f"p{seat or 0}", "bet": bet, "cents": cents, **more}
    return found if seat is None else found | {"seat": seat}


def main(*seats: int, cents: int = 1000) -> Stakes:
    """Main stakes on seats, each of a player of its own."""
    return [stake("main", seat, cents) for seat in seats]


def behind(seat: int, follow: str, funds: int, *, cents: int = 500, who: str = "f") -> Any:
    """A stake behind a seat."""
    more = {"follow": follow, "funds_cents": funds}
    return stake("behind", seat, cents, player=who, **more)


def decisions(text: str) -> list[dict[str, Any]]:
    """ "4: hit stand, 4.2: stand, 5: double/300" as the contract has decisions."""
    found = []
    for part in filter(None, text.split(",")):
        where, words = part.split(":")
        seat, _, hand = where.strip().partition(".")
        for word in words.split():
            do, _, cents = word.partition("/")
            given: dict[str, Any] = {"seat": int(seat), "hand": int(hand or 1), "do": do}
            found.append(given | ({"cents": int(cents)} if cents else {}))
    return found


def played(at: CardTable | str, stakes: Stakes, cards: str, decided: str = "") -> Round:
    """The round played to its end. Every stake must be taken."""
    given = table(at) if isinstance(at, str) else at
    accepted, refused = accept(given, list(stakes))
    assert refused == []
    round_ = play(given, accepted, list(cards.split()), list(decisions(decided)))
    for payment in round_.payments():
        assert payment.returned_cents == payment.stake_cents + payment.won_cents >= 0
    return round_


def won(at: CardTable | str, stakes: Stakes, cards: str, decided: str = "") -> dict[str, int]:
    """What each bet won, in cents: by "main 4", "main 4.2" for a second hand, "tie" at baccarat."""
    payments: list[CardPayment] = played(at, stakes, cards, decided).payments()
    found: dict[str, int] = {}
    for each in payments:
        where = "" if each.seat is None else f" {each.seat}"
        where += f".{each.hand}" if each.hand and each.hand > 1 else ""
        assert each.bet + where not in found
        found[each.bet + where] = each.won_cents
    return found


def why_not(at: CardTable | str, stakes: Stakes, cards: str, decided: str = "") -> tuple[str, str]:
    """The rule and the sentence that refuse a round."""
    with pytest.raises(CardsError) as raised:
        played(at, stakes, cards, decided)
    assert raised.value.sentence.endswith(".")
    return raised.value.rule, raised.value.sentence


def refusal(at: CardTable, *stakes: object) -> Refusal:
    """The one refusal among stakes."""
    _, (found,) = accept(at, list(stakes))
    return found
