"""Card tables as their displays may see them: what is lit, and what lies there."""

import random
from typing import Any

from firmware.bus.card_messages import BACK, DASH, Cards
from firmware.bus.messages import Table
from firmware.bus.receiver import DARK, Lit
from firmware.bus.record import Record, parse
from firmware.services.display.cloth import Told
from rules.cards import drawing
from rules.cards.deck import card_of
from tools.bench.busbench import Ledger

# The longest of each: what fits with them fits with all.
NAME = "Grand salon, table no 12"
RULES = {"blackjack": "blackjack_lu", "baccarat": "baccarat_live"}
ROUND = 100
SHOE = 30  # its first round
ROUNDS = 71  # of the shoe: longer than most
REASON = "hole_card_unreadable"


def hand(place: str, texts: str, end: str | None = None) -> tuple[str, str | None, Any]:
    """A hand with these cards, as "TH ?" for a card that is held and "*" for the back."""
    codes = {"*": BACK, "?": DASH}
    return (
        place,
        end,
        tuple(codes.get(text, 0) if text in codes else card_of(text) for text in texts.split()),
    )


def end_of(game: str, cards: str, *, reason: str | None = None, manual: bool = False) -> Record:
    """The record with which a round ended."""
    ledger = Ledger(game=game)
    if reason is not None:
        ledger.void(reason)
    else:
        ledger.round(cards, manual=manual)
    found = parse(ledger.records[-1])
    assert found is not None
    return found


def shoe(rounds: int = ROUNDS, seed: int = 4) -> tuple[tuple[int, Record], ...]:
    """The ends of so many rounds of baccarat, the last of them before ROUND."""
    chance = random.Random(seed)
    found = []
    for number in range(ROUND - rounds, ROUND):
        cards: list[int] = []
        hands: tuple[list[int], list[int]] = ([], [])
        while (side := drawing.next_side(*hands)) is not None:
            cards.append(chance.randrange(52))
            hands[side == drawing.BANKER].append(cards[-1])
        texts = " ".join("A23456789TJQK"[card % 13] + "SHDC"[card // 13] for card in cards)
        found.append((number, end_of("baccarat", texts)))
    return tuple(found)


def lying(
    *hands: Any,
    turn: str | None = None,
    events: Any = (),
    last: bool = False,
    more: bool = False,
    simulated: bool = False,
) -> Cards:
    return Cards(ROUND, SHOE, last, more, simulated, turn, hands, tuple(events))


SEATS = (
    hand("s1", "TH 7S"), hand("s2", "AS KH"), hand("s3", "8H 8D"), hand("s4", "5C 6D"),
    hand("s5", "QS QS"), hand("s6", "2D 3H"), hand("s7", "9C AD"),
)  # fmt: skip
PAIRS = (("pair_colour", "s3"), ("pair_perfect", "s5"), ("insured", "s2"), ("insured", "s4"))
LONG = (
    hand("s1", "TH 7S"), hand("s2", "AS KH"),
    hand("s3", "8H 3D TC"), hand("s3.2", "8D 2C 2H 3S"), hand("s3.3", "8C 9D"),
    hand("s3.4", "8S AS"),
    hand("s4", "5C 6D TH"), hand("s5", "QS AH"), hand("s5.2", "QS 4H 5D"),
    hand("s6", "2D 3H AC AS 2S 3D 4D"), hand("s7", "9C AD"),
)  # fmt: skip
ENDED = tuple(
    (place, end, cards)
    for (place, _, cards), end in zip(
        LONG,
        ("loses", "black_jack", "wins", "loses", "loses", "equal", "wins", "wins", "wins",
         "loses", "wins"),
        strict=True,
    )
)  # fmt: skip
ACE = (("gold_jack_possible", "d"), *PAIRS)
NO_CARDS = lying()


def blackjack() -> list[tuple[str, str, Told]]:
    """What it shows, the state, what is told."""
    held = (*SEATS[:-1], hand("s7", "9C ?"))
    end = end_of("blackjack", "AH 8D")
    jack = end_of("blackjack", "AH KH", manual=True)
    golden = [("super_black", "d"), ("super_silver", "d"), ("super_gold", "d"), *PAIRS]
    return [
        ("no-shoe", "NO_SHOE", told(NO_CARDS)),
        ("bets", "BETS_OPEN", told(NO_CARDS)),
        ("dealing", "DEALING",
         told(lying(*SEATS[:3], hand("s4", "5C"), hand("d", "6H"), turn="s4"))),
        ("held", "HOLD", told(lying(*held, hand("d", "6H"), last=True))),
        ("insurance", "INSURANCE", told(lying(*SEATS, hand("d", "AH"), events=ACE))),
        ("playing", "PLAYING",
         told(lying(*LONG, hand("d", "6H *"), turn="s5.2", events=PAIRS[:2]))),
        ("dealer", "DEALER", told(lying(*LONG, hand("d", "6H 5D"), turn="d", last=True))),
        ("done", "DONE", told(lying(*LONG, hand("d", "AH 8D"), last=True))),
        ("confirmed", "CONFIRMED", told(lying(*ENDED, hand("d", "AH 8D"), events=PAIRS), end)),
        ("unproved", "CONFIRMED", told(lying(*ENDED, hand("d", "AH 8D")))),
        ("disputed", "CONFIRMED", told(lying(*ENDED, hand("d", "AH 9D")), end)),
        ("gold-jack", "CONFIRMED", told(lying(*ENDED, hand("d", "AH KH"), events=golden), jack)),
        ("void", "VOID",
         told(lying(*LONG, hand("d", "6H *")), end_of("blackjack", "", reason=REASON))),
        ("no-room", "PLAYING",
         told(lying(*SEATS[:5], ("s6", None, None), hand("d", "6H"), more=True))),
        ("shoe-over", "NO_SHOE", told(lying(*ENDED, hand("d", "AH 8D")), end)),
        ("not-told", "PLAYING", told(None)),
        ("void-shoe-over", "NO_SHOE",
         told(lying(*SEATS, hand("d", "6H")), end_of("blackjack", "", reason=REASON))),
        ("simulated", "PLAYING",
         told(lying(*LONG, hand("d", "6H"), turn="s4", last=True, more=True, simulated=True))),
    ]  # fmt: skip


def baccarat() -> list[tuple[str, str, Told]]:
    """The same of baccarat."""
    ends = shoe()
    sides = (hand("P", "5S 6D 8H"), hand("B", "2H TC 4S"))
    won = (hand("P", "5S 6D 8H", "wins"), hand("B", "2H TC 4S", "loses"))
    cards = "5S 2H 6D TC 8H 4S"
    end, tie = end_of("baccarat", cards), end_of("baccarat", "9S 4C KD 5H", manual=True)
    natural = (hand("P", "9S KD", "equal"), hand("B", "4C 5H", "equal"))
    dragon = (("dragon_9", "P"), ("dragon_natural", "B"))
    return [
        ("no-shoe", "NO_SHOE", told(NO_CARDS._replace(first=0), ends=ends)),
        ("bets", "BETS_OPEN", told(NO_CARDS, ends=ends)),
        ("dealing", "DEALING",
         told(lying(hand("P", "5S 6D"), hand("B", "2H"), turn="B"), ends=ends)),
        ("held", "HOLD",
         told(lying(hand("P", "5S 6D ?"), hand("B", "2H TC"), last=True), ends=ends)),
        ("done", "DONE", told(lying(*sides, last=True), ends=ends)),
        ("confirmed", "CONFIRMED", told(lying(*won, last=True), end, ((ROUND, end), *ends))),
        ("tie", "CONFIRMED", told(lying(*natural), tie, ((ROUND, tie), *ends))),
        ("disputed", "CONFIRMED", told(lying(*won), tie, ((ROUND, tie), *ends))),
        ("late", "CONFIRMED", told(None, end, ((ROUND, end), *ends[-19:]), SHOE)),
        ("void", "VOID", told(lying(*sides), end_of("baccarat", "", reason=REASON), ends=ends)),
        ("begun-before", "BETS_OPEN", told(NO_CARDS, ends=ends[-20:])),
        ("dragons", "CONFIRMED", told(lying(*won, events=dragon), end, ((ROUND, end), *ends))),
    ]  # fmt: skip


def told(
    cards: Cards | None,
    end: Record | None = None,
    ends: tuple[tuple[int, Record], ...] = (),
    first: int | None = None,
) -> Told:
    if cards is not None:
        first = cards.first
    return Told(cards, end, tuple(sorted(ends)), first)


SCENES = {"blackjack": blackjack, "baccarat": baccarat}


def lit_of(game: str, state: str, at: int, **fields: Any) -> Lit:
    """What is lit beside that."""
    table = Table(RULES[game], NAME, 1250, 1250, (), None)
    return DARK._replace(
        game=game,
        state=state,
        epoch=1,
        seq=ROUND,
        coup=ROUND + at,
        wheel=NAME,
        table=table,
        **fields,
    )
