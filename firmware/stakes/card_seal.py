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

What is decided later is sealed onto what was sealed before, in order: the SHA-256 of

    after SEAL                    of the stakes, or of the engagement before
    engagement 2 5 4 1 double - 17    number, cards seen, seat, hand, do, cents, by whom

And the cards, once all are open:

    cylindre cards 1
    round 7
    shoe SERIAL
    card 1 19 KD s4 shoe S17-0345    of the round, of the shoe, card, place, how read, identity

A seal is the SHA-256 in hexadecimal. Names hold no newline, and stand last on their lines.
"""

import binascii
import hashlib

from firmware.shims.typed import Any, Sequence

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
        "round " + _whole(record["round"]),
        "rules " + _word(record["rules"]),
        "decks " + _whole(record["decks"]),
        "minimum " + _or_none(record["minimum_cents"]),
        "multiple " + _or_none(record["maximum_multiple"]),
    ]
    if record["side_bets"] is None:
        lines.append("side *")
    else:
        lines.extend(["side " + _word(name) for name in sorted(record["side_bets"])])
    house = record["house"]
    for key in sorted(house):
        lines.append("house " + _word(key) + " " + _value(house[key]))
    for who in sorted(record["employees"]):
        lines.append("employee " + _name(who))
    for stake in record["stakes"]:
        words = [
            "stake",
            _or_none(stake.get("seat")),
            _word(stake["bet"]),
            _whole(stake["cents"]),
            _word(stake.get("follow") or "-"),
            _or_none(stake.get("funds_cents")),
            _name(stake["player"]),
        ]
        lines.append(" ".join(words))
    return _bytes(lines)


def seal(record: Any) -> str:
    """Returns the seal of a record of stakes. Raises as `canonical`."""
    return _sha256(canonical(record))


def engagement_seal(before: str, engagement: Any) -> str:
    """Returns the seal of a decision. `before`: of the stakes, or of the engagement before it.

    `engagement`: its row; raises KeyError, TypeError or ValueError where it is none.
    """
    words = [
        "engagement",
        _whole(engagement["n"]),
        _whole(engagement["seen"]),
        _whole(engagement["seat"]),
        _whole(engagement["hand"]),
        _word(engagement["do"]),
        _or_none(engagement.get("cents")),
        _name(engagement["by"]),
    ]
    return _sha256(_bytes(["after " + _word(before), " ".join(words)]))


def cards_seal(number: int, shoe: str, cards: "Sequence[Any]") -> str:
    """Returns the seal of a round's cards. `cards`: their rows, in the order of the deal.

    Raises KeyError, TypeError or ValueError for no such rows.
    """
    lines = [CARDS_FORM, "round " + _whole(number), "shoe " + _name(shoe)]
    for card in cards:
        words = [
            "card",
            _whole(card["k"]),
            _whole(card["ordinal"]),
            _word(card["card"]),
            _word(card["to"]),
            _word(card["how"]),
            _name(card["id"]) or "-",
        ]
        lines.append(" ".join(words))
    return _sha256(_bytes(lines))


def _sha256(data: bytes) -> str:
    return binascii.hexlify(hashlib.sha256(data).digest()).decode()


def _bytes(lines: "list[str]") -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _whole(value: Any) -> str:
    if type(value) is not int:
        raise TypeError(value)
    return str(value)


def _or_none(value: Any) -> str:
    return "-" if value is None else _whole(value)


def _value(value: Any) -> str:
    """A house's choice: a truth, a number, or odds."""
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    return ",".join([_whole(odds) for odds in value])


def _word(value: Any) -> str:
    if not value or " " in value:
        raise ValueError(value)
    return _name(value)


def _name(value: Any) -> str:
    """Text that ends with its line."""
    if type(value) is not str or "\n" in value:
        raise ValueError(value)
    return value
