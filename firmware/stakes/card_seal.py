"""The seals of a round of cards: of its stakes, of each engagement after them, of its cards.

The bytes are lines of UTF-8, each ended by a newline, numbers in decimal, "-" for what is none:

    cylindre card stakes 1
    round 7
    rules blackjack_lu
    decks 6
    minimum 500
    multiple 100
    side perfect_pairs            one line a side bet that the house offers, sorted; "side *": all
    house das true                one line a key, sorted; odds joined by commas
    employee PRESENT              one line each, sorted
    stake 4 main 9600 - - p4      seat, bet, cents, follow, funds, player; as they were accepted
    paid 12 4 31                  that stake's account, terminal, number, where an account paid it

What is decided later is sealed onto what was sealed before, in order: the SHA-256 of

    after SEAL                    of the stakes, or of the engagement before
    engagement 2 5 4 1 double - 17    number, cards seen, seat, hand, do, cents, by whom
    lays behind 500 p9                what it lays, a line each, where accounts are kept

And the cards, once all are open:

    cylindre cards 1
    round 7
    shoe SERIAL
    card 1 19 KD s4 shoe S17-0345    of the round, of the shoe, card, place, how read, identity

A seal is the SHA-256 in hexadecimal. Names hold no newline, and stand last on their lines.
"""

from firmware.shims.typed import Any, Sequence
from firmware.stakes.sealed_text import bytes_of, name, sha256, whole, word

FORM = "cylindre card stakes 1"
CARDS_FORM = "cylindre cards 1"


def canonical(record: Any) -> bytes:
    """Returns the bytes of a record of stakes that are sealed.

    Raises KeyError, TypeError or ValueError for no such record.
    """
    if record["form"] != FORM:
        raise ValueError(record["form"])
    lines = [
        FORM,
        "round " + whole(record["round"]),
        "rules " + word(record["rules"]),
        "decks " + whole(record["decks"]),
        "minimum " + _or_none(record["minimum_cents"]),
        "multiple " + _or_none(record["maximum_multiple"]),
    ]
    if record["side_bets"] is None:
        lines.append("side *")
    else:
        lines.extend(["side " + word(bet) for bet in sorted(record["side_bets"])])
    house = record["house"]
    for key in sorted(house):
        lines.append("house " + word(key) + " " + _value(house[key]))
    for who in sorted(record["employees"]):
        lines.append("employee " + name(who))
    for stake in record["stakes"]:
        words = [
            "stake",
            _or_none(stake.get("seat")),
            word(stake["bet"]),
            whole(stake["cents"]),
            word(stake.get("follow") or "-"),
            _or_none(stake.get("funds_cents")),
            name(stake["player"]),
        ]
        lines.append(" ".join(words))
        if stake.get("account") is not None:
            paid = [whole(stake[key]) for key in ("account", "terminal", "id")]
            lines.append(" ".join(["paid"] + paid))
    return bytes_of(lines)


def seal(record: Any) -> str:
    """Returns the seal of a record of stakes. Raises as `canonical`."""
    return sha256(canonical(record))


def engagement_seal(before: str, engagement: Any) -> str:
    """Returns the seal of a decision. `before`: of the stakes, or of the engagement before it.

    `engagement`: its row; raises KeyError, TypeError or ValueError where it is none.
    """
    words = [
        "engagement",
        whole(engagement["n"]),
        whole(engagement["seen"]),
        whole(engagement["seat"]),
        whole(engagement["hand"]),
        word(engagement["do"]),
        _or_none(engagement.get("cents")),
        name(engagement["by"]),
    ]
    lines = ["after " + word(before), " ".join(words)]
    for player, bet, cents in engagement.get("lays", ()):
        lines.append(" ".join(["lays", word(bet), whole(cents), name(player)]))
    return sha256(bytes_of(lines))


def cards_seal(number: int, shoe: str, cards: "Sequence[Any]") -> str:
    """Returns the seal of a round's cards. `cards`: their rows, in the order of the deal.

    Raises KeyError, TypeError or ValueError for no such rows.
    """
    lines = [CARDS_FORM, "round " + whole(number), "shoe " + name(shoe)]
    for card in cards:
        words = [
            "card",
            whole(card["k"]),
            whole(card["ordinal"]),
            word(card["card"]),
            word(card["to"]),
            word(card["how"]),
            name(card["id"]) or "-",
        ]
        lines.append(" ".join(words))
    return sha256(bytes_of(lines))


def _or_none(value: Any) -> str:
    return "-" if value is None else whole(value)


def _value(value: Any) -> str:
    """A house's choice: a truth, a number, or odds."""
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    return ",".join([whole(odds) for odds in value])
