"""The sealed record of a coup's stakes: one form of bytes, its seal, and what follows from it.

The bytes are lines of UTF-8, each ended by a newline, numbers in decimal:

    cylindre stakes 2
    coup 7
    relaunch same_game            where a chip in the cylinder has the ball thrown again (37-1)
    carried 6                     of that coup are the first stakes: it was such a throw
    rules roulette_lu
    minimum 500
    employee PRESENT              one line each, sorted
    maximum plein 20              one line a bet that has a maximum, sorted
    stake 2 5 plein 17 500 3 anna   terminal, id, bet, its numbers joined by commas (- for none),
                                  cents, account, player; in the order in which they were accepted

In journals of before the first line ends with 1 and a stake has no account: nobody's money was
known. The seal is their SHA-256 in hexadecimal. Names hold no newline, and stand last on their
lines.
"""

import rules
from firmware.shims.typed import Any
from firmware.stakes.sealed_text import bytes_of, name, sha256, whole, word
from rules import limits, settle

FORM = "cylindre stakes 2"
ON_WORD = "cylindre stakes 1"  # before accounts


SAME_GAME = "same_game"  # of `relaunch`
VOID = "void"
FOREIGN_OBJECT = "foreign_object"  # the reason of a void


class BrokenSeal(Exception):
    """A record that is not what was sealed, or that nobody can settle: `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def canonical(record: Any) -> bytes:
    """Returns the bytes that are sealed.

    Raises KeyError, TypeError or ValueError for no such record.
    """
    on_word = record.get("form", ON_WORD) == ON_WORD
    if not on_word and record["form"] != FORM:
        raise ValueError(record["form"])
    lines = [ON_WORD if on_word else FORM, "coup " + whole(record["coup"])]
    if record.get("relaunch") is not None:
        lines.append("relaunch " + word(record["relaunch"]))
    if record.get("carried") is not None:
        lines.append("carried " + whole(record["carried"]))
    lines.append("rules " + word(record["rules"]))
    lines.append("minimum " + whole(record["minimum_cents"]))
    for who in sorted(record["employees"]):
        lines.append("employee " + name(who))
    maxima = record["maximum_multiples"]
    for bet in sorted(maxima):
        lines.append("maximum " + word(bet) + " " + whole(maxima[bet]))
    for stake in record["stakes"]:
        words = [
            "stake",
            whole(stake["terminal"]),
            whole(stake["id"]),
            word(stake["bet"]),
            ",".join([whole(number) for number in stake["on"]]) or "-",
            whole(stake["cents"]),
        ]
        if not on_word:
            words.append(whole(stake["account"]))
        words.append(name(stake["player"]))
        lines.append(" ".join(words))
    return bytes_of(lines)


def seal(record: Any) -> str:
    """Returns the seal of a record. Raises as `canonical`."""
    return sha256(canonical(record))


def goes_on(record: Any, end: Any) -> bool:
    """Returns whether the stakes lie for the next coup: Luxembourg art. 37-1, "Dans le cas où un
    jeton vient à tomber dans le cylindre [...], le croupier doit arrêter le jeu, puis reprendre la
    bille et la lancer de nouveau": that throw is void, the game is the same.
    """
    return bool(record.get("relaunch") == SAME_GAME and end.get("reason") == FOREIGN_OBJECT)


def check(record: Any) -> None:
    """Checks that the record is what was sealed, its count and total too. Raises BrokenSeal."""
    try:
        sealed = seal(record)
        count = len(record["stakes"])
        total = sum([stake["cents"] for stake in record["stakes"]])
        told = (record["seal"], record["count"], record["total_cents"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BrokenSeal("This is no record of stakes: something is missing in it.")
    if told != (sealed, count, total):
        raise BrokenSeal(
            "The stakes of coup {} are not those that were sealed at the call.".format(
                record["coup"]
            )
        )


def payments(record: Any, end: Any) -> Any:
    """Returns what each sealed stake wins, as settle.Payment, from the record and the coup's end
    alone.

    `end`: the body of a result (number, colour) or a void (every stake goes back); it names the
    seal. Raises BrokenSeal if the record or the two together make no sense.
    """
    check(record)
    if end.get("stakes") != record["seal"]:
        raise BrokenSeal("The stakes are not those that the end of the coup names.")
    if end.get("number") is None:
        return [
            settle.Payment(
                stake["player"], stake["bet"], tuple(stake["on"]), stake["cents"], 0, stake["cents"]
            )
            for stake in record["stakes"]
        ]
    try:
        game = rules.load(record["rules"])
        table = limits.open_table(game, record["minimum_cents"], record["maximum_multiples"])
        compartment = _compartment(game, end["number"], end.get("colour"))
        found = settle.settle(table, record["stakes"], end["number"], compartment)
    except limits.WrongInput as error:
        raise BrokenSeal(error.sentence)
    except KeyError as error:
        raise BrokenSeal(f"The stakes cannot be settled: {error.args[0]} is not known.")
    return found


def _compartment(game: Any, number: Any, colour: Any) -> int:
    """Returns a compartment of that number and colour: which of them settles nothing.

    So a result settles whatever order of compartments the establishment's own layout has.
    """
    layout, colours = game["layout"], game["colours"]
    for at in range(len(layout)):
        if layout[at] == number and colours[at] == colour:
            return at
    raise limits.WrongInput("{} has no compartment {} {}.".format(game["name"], number, colour))
