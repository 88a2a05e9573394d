"""A round of cards told again from its rows alone: what was staked, the cards, what was decided.

The rows are those of firmware/core/cards/table.py: `stakes`, one a card, one an engagement, and the
end, a result or a void. The same engine that led the deal says what each stake is paid.
"""

import rules
from firmware.shims.typed import Any, Sequence
from firmware.stakes import card_seal
from firmware.stakes.card_kinds import (
    CARD_BACK,
    CARD_ROW,
    CORRECTION,
    ENGAGEMENT,
    RESULT,
    STAKES,
    VOID,
)
from firmware.stakes.seal import BrokenSeal
from rules.cards import deck
from rules.cards.due import CARD, CHECK, DONE, TURN, CardPayment
from rules.cards.errors import CardsError
from rules.cards.round import next_card, open_round
from rules.cards.stakes import KEYS, accept, open_table
from rules.limits import WrongInput

_HOLE = "d*"
BEHIND: str = "behind"
INSURANCE_BEHIND: str = "insurance_behind"


def body_of(
    table: Any, number: int, stakes: "Sequence[Any]", employees: "Sequence[str]"
) -> "dict[str, Any]":
    """Returns the sealed record of stakes. `table`: of rules.cards.stakes; `stakes`: accepted."""
    house = {}
    for key in table.house:
        value = table.house[key]
        house[key] = [odds for _, odds in value] if isinstance(value, tuple) else value
    floor, ceiling = table.floor_cents, table.ceiling_cents
    record = {
        "form": card_seal.FORM,
        "round": number,
        "rules": table.rules["name"],
        "decks": table.decks,
        "minimum_cents": floor,
        "maximum_multiple": None if ceiling is None else ceiling // floor,
        "side_bets": None if table.side_bets is None else list(table.side_bets),
        "house": house,
        "employees": sorted(employees),
        "stakes": list(stakes),
        "count": len(stakes),
        "total_cents": sum([stake["cents"] for stake in stakes]),
    }
    record["seal"] = card_seal.seal(record)
    return record


def check(stakes: Any, engagements: "Sequence[Any]") -> str:
    """Checks that the stakes, and each engagement after them, are what was sealed.

    Returns the last seal, which the round's end names. Raises BrokenSeal.
    """
    try:
        before = card_seal.seal(stakes)
        count = len(stakes["stakes"])
        total = sum([stake["cents"] for stake in stakes["stakes"]])
        if (stakes["seal"], stakes["count"], stakes["total_cents"]) != (before, count, total):
            raise BrokenSeal("The stakes of the round are not those that were sealed at the call.")
        for at in range(len(engagements)):
            found = card_seal.engagement_seal(before, engagements[at])
            if (engagements[at]["n"], engagements[at]["seal"]) != (at + 1, found):
                raise BrokenSeal(f"Engagement {at + 1} of the round is not what was sealed.")
            before = found
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BrokenSeal("These are no rows of a round: something is missing in them.")
    return before


def table_of(stakes: Any) -> Any:
    """Returns the table that a record of stakes was laid at. Raises CardsError or WrongInput."""
    return open_table(
        rules.load(stakes["rules"]),
        stakes["decks"],
        stakes["house"],
        stakes["minimum_cents"],
        stakes["maximum_multiple"],
        None if stakes["side_bets"] is None else tuple(stakes["side_bets"]),
    )


def replay(stakes: Any, cards: "Sequence[Any]", engagements: "Sequence[Any]") -> Any:
    """Returns the round of rules.cards.round as far as its rows go. Raises BrokenSeal.

    `cards`: their rows, in any order; the hole card's may be missing where it was never turned.
    """
    try:
        check(stakes, engagements)
        by_k = {row["k"]: row for row in cards}
        table = table_of(stakes)
        accepted, refused = accept(table, [bare(stake) for stake in stakes["stakes"]])
        if refused:
            raise BrokenSeal(f"A sealed stake is none that the table takes: {refused[0].why}.")
        round_ = open_round(table, accepted)
        _play(round_, by_k, engagements)
    except (CardsError, WrongInput) as error:
        raise BrokenSeal(error.sentence)
    except (KeyError, TypeError, AttributeError):
        raise BrokenSeal("These are no rows of a round: something is missing in them.")
    return round_


def _play(round_: Any, by_k: "dict[int, Any]", engagements: "Sequence[Any]") -> None:
    dealt = decided = 0
    while True:
        due = next_card(round_)
        if due.kind == CARD:
            row = by_k.get(dealt + 1)
            if row is None:
                if due.to != _HOLE:
                    break
                round_.deal(_unknown(round_))
                by_k[dealt + 1] = None
            elif row["to"] != due.to:
                raise BrokenSeal(f"Card {dealt + 1} lies at {row['to']}, and {due.to} was due.")
            else:
                round_.deal(deck.card_of(row["card"]))
            dealt += 1
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        elif due.kind == DONE or decided == len(engagements):
            break
        else:
            row = engagements[decided]
            if row["seen"] != dealt:
                raise BrokenSeal(f"Engagement {decided + 1} saw {row['seen']} cards, not {dealt}.")
            funds = funds_of(round_, row)
            round_.decide(row["seat"], row["hand"], row["do"], row.get("cents"), funds)
            decided += 1
    if dealt < len(by_k) or decided < len(engagements):
        raise BrokenSeal("The rows of the round have cards or engagements that were never due.")


def bare(stake: Any) -> "dict[str, Any]":
    """Returns a stake as rules.cards.stakes takes it: without the account that paid it."""
    return {name: stake[name] for name in KEYS if name in stake}


def funds_of(round_: Any, row: Any) -> "dict[Any, int] | None":
    """Returns what who bets behind a seat had as it decided: what he laid then, and no more."""
    if "lays" not in row:
        return None
    funds: dict[Any, int] = {
        stake["player"]: 0
        for stake in round_.stakes
        if stake["bet"] == BEHIND and stake["seat"] == row["seat"]
    }
    for player, bet, cents in row["lays"]:
        if bet in (BEHIND, INSURANCE_BEHIND):
            funds[player] = cents
    return funds


def _unknown(round_: Any) -> int:
    """Returns a card that stands for a hole card nobody read: no ace and no ten, so no Black Jack.

    Nothing but a Black Jack is read of it before it is turned.
    """
    for card in range(deck.CARDS):
        if 1 < deck.POINTS[card] < 10 and round_.cards.count(card) < round_.table.decks:
            return card
    raise BrokenSeal("The decks have no card left for the dealer.")


def laid(round_: Any) -> "list[tuple[Any, str, Any, Any, int]]":
    """Returns all that lies in a round, additions and insurances too: what a void gives back.

    Each (player, bet, seat, hand, cents).
    """
    found: list[tuple[Any, str, Any, Any, int]] = []
    if round_.table.rules["family"] == "blackjack":
        for seat in round_.seats:
            for at in range(len(seat.hands)):
                hand = seat.hands[at]
                cents = hand.stake_cents + hand.added_cents
                found.append((seat.player, "main", seat.number, at + 1, cents))
                for part in hand.parts:
                    cents = part.stake_cents + part.added_cents
                    found.append((part.follower.player, "behind", seat.number, at + 1, cents))
            rows = [(seat.player, "insurance", seat.insured_cents)]
            for part in seat.hands[0].parts:
                rows.append((part.follower.player, "insurance_behind", part.follower.insured_cents))
            for player, bet, cents in rows:
                if cents:
                    found.append((player, bet, seat.number, 1, cents))
    hand_of_bets = 1 if found else None
    followed = [(player, seat) for player, bet, seat, _, _ in found if bet == "behind"]
    for stake in round_.stakes:
        bet, seat = stake["bet"], stake.get("seat")
        if bet == "main" or (bet == "behind" and (stake["player"], seat) in followed):
            continue
        found.append((stake["player"], bet, seat, hand_of_bets, stake["cents"]))
    return found


def laid_sums(round_: Any) -> "list[tuple[Any, str, Any, int]]":
    """Returns what lies in a round of each player, bet and seat: (player, bet, seat, cents)."""
    order: list[tuple[Any, str, Any]] = []
    sums: dict[tuple[Any, str, Any], int] = {}
    for player, bet, seat, _, cents in laid(round_):
        where = (player, bet, seat)
        if where not in sums:
            order.append(where)
        sums[where] = sums.get(where, 0) + cents
    return [where + (sums[where],) for where in order]


def lays(before: "Sequence[tuple[Any, str, Any, int]]", round_: Any) -> "list[list[Any]]":
    """Returns what was laid since `before`, laid_sums of then: [player, bet, cents] of each."""
    were = {one[:3]: one[3] for one in before}
    found = []
    for player, bet, seat, cents in laid_sums(round_):
        more = cents - were.get((player, bet, seat), 0)
        if more:
            found.append([player, bet, more])
    return found


def payments(
    stakes: Any, cards: "Sequence[Any]", engagements: "Sequence[Any]", end: Any
) -> "list[CardPayment]":
    """Returns what each stake is paid, from the rows alone. `end`: a result's row, or a void's.

    Raises BrokenSeal where the rows make no sense, or are not those that the end names.
    """
    round_ = replay(stakes, cards, engagements)
    if end.get("reason") is not None:
        return [
            CardPayment(player, bet, seat, hand, cents, 0, cents)
            for player, bet, seat, hand, cents in laid(round_)
        ]
    if next_card(round_).kind != DONE:
        raise BrokenSeal("The round has a result, and is not played to its end.")
    by_k = {row["k"]: row for row in cards}
    ordered = [by_k[k] for k in sorted(by_k)]
    sealed = card_seal.cards_seal(stakes["round"], end["shoe"], ordered)
    if (end["stakes"], end["seal"]) != (check(stakes, engagements), sealed):
        raise BrokenSeal("The result does not name these stakes, engagements and cards.")
    if end["outcome"] != round_.outcome():
        raise BrokenSeal("The result says another outcome than its cards make.")
    found: list[CardPayment] = round_.payments()
    return found


def collect(rows: "Sequence[tuple[str, Any]]") -> "list[tuple[Any, list[Any], list[Any], Any]]":
    """Gathers the rounds of a journal's rows, (kind, body) in their order.

    Returns (stakes, cards, engagements, end) of each round that has ended; stakes is None where
    there were none. A correction stands in the place of the end that it corrects, with its cards
    and engagements.
    """
    ended: list[tuple[Any, list[Any], list[Any], Any]] = []
    stakes: Any = None
    cards: list[Any] = []
    engagements: list[Any] = []
    for kind, body in rows:
        if kind == STAKES:
            stakes = body
        elif kind == CARD_ROW and body["round"]:
            cards.append(body)
            if ended and ended[-1][3]["round"] == body["round"]:
                ended[-1][1].append(body)  # the hole card's of a void
                cards = []
        elif kind == CARD_BACK:
            cards = [row for row in cards if row["k"] < body["k"]]
        elif kind == ENGAGEMENT:
            engagements.append(body)
        elif kind in (RESULT, VOID):
            ended.append((stakes, cards, engagements, body))
            stakes, cards, engagements = None, [], []
        elif kind == CORRECTION:
            for at in range(len(ended)):
                if ended[at][3]["round"] == body["round"]:
                    ended[at] = (ended[at][0], body["cards"], body["engagements"], body)
    return ended
