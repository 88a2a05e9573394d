"""What each card table is, one record each: a controller's board beside a shoe and a keyboard.

No sensor names an outcome there: the shoe reads the cards, the croupier's keys say the rest.
"""

from collections import namedtuple

# One kind of table. `name`: the family of its rules, in files, records and messages. `code`: on the
# bus and in records, beside those of boards/apparatus.py. `title`: its name for people. `rules`:
# those it is played by unless the house chooses. `reference`: its virtual board. `carrier`: its
# board as wired to a Raspberry Pi 4.
CardTable = namedtuple("CardTable", ("name", "code", "title", "rules", "reference", "carrier"))

BLACKJACK = CardTable(
    name="blackjack",
    code=4,
    title="black jack",
    rules="blackjack_lu",
    reference="blackjack_ref",
    carrier="blackjack_pi4",
)
BACCARAT = CardTable(
    name="baccarat",
    code=5,
    title="baccarat",
    rules="baccarat_live",
    reference="baccarat_ref",
    carrier="baccarat_pi4",
)
ALL = (BLACKJACK, BACCARAT)
NAMES = tuple([each.name for each in ALL])

# Lines of every card table: the two key switches (as at a wheel, arrêté of 14 May 2007, art. 67-5).
INPUTS = ("key_croupier", "key_management")
# Lamps as a wheel's, and what lets a card out of a shoe that has a brake; else it is a lamp.
OUTPUTS = ("lamp_bets_open", "lamp_no_more_bets", "lamp_fault", "card_release")


def of(name: str) -> CardTable:
    """Returns the table called `name`. Raises KeyError for one that there is not."""
    for each in ALL:
        if each.name == name:
            return each
    raise KeyError(name)


def is_card_table(board: dict) -> bool:  # type: ignore[type-arg]
    """Returns whether the board is of a card table, and no wheel."""
    return board["apparatus"] in NAMES


def virtual(kind: CardTable) -> dict:  # type: ignore[type-arg]
    """Returns the virtual board of a kind of table: shoe, keyboard and hand are built in."""
    return {
        "name": kind.reference,
        "title": "Reference " + kind.title + " table (built-in virtual shoe)",
        "apparatus": kind.name,
        "rules": kind.rules,
        "provider": "virtual",
        "rotor": "none",
        "inputs": tuple([(INPUTS[at], at) for at in range(len(INPUTS))]),
        "safety_inputs": (),
        "outputs": tuple([(OUTPUTS[at], 20 + at) for at in range(len(OUTPUTS))]),
        "buses": {},
        "geometry": {},
    }
