"""Every code of the guide, every state, every reason of a hold and every lock: how a real table is
driven there, and what has to stand on its croupier's screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.core.cards import facts
from firmware.core.cards.house import HOUSE
from firmware.core.house import CROUPIER

BY_CROUPIER = HOUSE._replace(confirm=CROUPIER)
BY_HAND = HOUSE._replace(reader=facts.PEOPLE)
LU, LIVE, BACCARAT = "blackjack_lu", "blackjack_live", "baccarat_live"
TWO = ("anna", "weber", "stained")
Place = Any  # harness.card_place.CardPlace


class Case(NamedTuple):
    """`drive` brings a table of `game` there. `state`: of the round; `places`: where to look;
    `keys` and `asks`: what is offered; `ways`: out of a hold; `says`: in the sentence, English."""

    name: str
    game: str
    drive: Callable[[Place], Any]
    code: str
    state: str
    places: tuple[str, ...]
    keys: tuple[str, ...]
    says: str
    asks: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    why: str | None = None
    options: dict[str, Any] | None = None


def start(place: Place) -> None:
    """A shoe that says what it is."""
    place.shoe()


def burning(place: Place) -> None:
    place.shoe()
    place.key(facts.KEY_START)
    place.card("2C")


def staked(place: Place) -> None:
    place.open()
    place.stake(2, 2000)
    place.stake(5, 1000)


def dealing(place: Place) -> None:
    """The first card is due."""
    if place.limits.rules["family"] == "baccarat":
        place.open()
        place.stake(None, 2000, bet="player", player="p2")
    else:
        staked(place)
    place.call()


def deciding(place: Place) -> None:
    dealing(place)
    place.cards("KS 9H 5H 5S 2D")


def split(place: Place) -> None:
    dealing(place)
    place.cards("8S 9H 5H 8D 2D")
    place.key(facts.KEY_PAIR)
    place.card("KS")
    place.key(facts.KEY_STAND)
    place.card("2H")


def insuring(place: Place) -> None:
    dealing(place)
    place.cards("9S 9H AS 9D 2D")


def done(place: Place) -> None:
    deciding(place)
    place.key(facts.KEY_STAND, facts.KEY_STAND)
    place.cards("TD 4C")


def turning(place: Place) -> None:
    dealing(place)
    place.cards("KS 9H 5H 9S TD 7C")
    place.key(facts.KEY_STAND, facts.KEY_STAND)


def gold(place: Place) -> None:
    place.open()
    place.stake(2, 1000)
    place.stake(2, 500, bet="super_gold")
    place.call()
    place.cards("9S AH 9D")
    place.key(facts.KEY_NO_MORE_BETS, facts.KEY_STAND)
    place.card("KH")


def possible(place: Place) -> None:
    place.open()
    place.stake(2, 1000)
    place.stake(2, 500, bet="super_gold")
    place.call()
    place.cards("9S AH")


def unread(times: int) -> Callable[[Place], None]:
    def drive(place: Place) -> None:
        dealing(place)
        for _ in range(times):
            place.card(None)

    return drive


def hole_unread(place: Place) -> None:
    dealing(place)
    place.cards("KS 9H 5H 9S TD")
    place.card(None)


def early(place: Place) -> None:
    staked(place)
    place.card("KS")


def extra(place: Place) -> None:
    deciding(place)
    place.card("QD")


def too_many(place: Place) -> None:
    deciding(place)
    for text in "QD QC QH".split():
        place.card(text)
        place.key(facts.KEY_BURN)
    place.card("QS")


def exposed(place: Place) -> None:
    extra(place)
    place.key(facts.KEY_EXPOSED)


def back(place: Place) -> None:
    dealing(place)
    place.card("KS", ident="S17-0100")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)


def missed(place: Place) -> None:
    dealing(place)
    place.card("KS", ident="S17-0100")
    place.card("5S", skip=1, ident="S17-0102")


def rescan(place: Place) -> None:
    missed(place)
    place.tell(facts.RescanAsked, "anna")


def reboot(place: Place) -> None:
    dealing(place)
    place.card("KS")
    place.shoe(boot=2)


def trouble(what: str) -> Callable[[Place], None]:
    def drive(place: Place) -> None:
        dealing(place)
        place.tell(facts.ShoeTrouble, what, "3 s")

    return drive


def trouble_over(place: Place) -> None:
    trouble(facts.JAM)(place)
    place.tell(facts.ShoeTroubleEnded, facts.JAM)


def foreign(place: Place) -> None:
    dealing(place)
    place.n += 1
    place.tell(facts.CardRead, place.n, 12, "S18-0900", facts.SHOE)


def exhausted(place: Place) -> None:
    dealing(place)
    place.tell(facts.ShoeEmpty)


def void(place: Place) -> None:
    deciding(place)
    place.key(facts.KEY_VOID)


def counting(place: Place) -> None:
    """The cut card came, and the round is over: what is left is counted."""
    dealing(place)
    place.key(facts.KEY_CUT)
    place.cards("KS 9H 5H TS TC")
    place.key(facts.KEY_STAND, facts.KEY_STAND)
    place.cards("TD 9C")


def doubtful(place: Place) -> None:
    """Nobody knows what went by while the shoe contradicted itself; the round is void."""
    trouble(facts.LYING)(place)
    place.key(facts.KEY_VOID)


def last(place: Place) -> None:
    dealing(place)
    place.key(facts.KEY_CUT)


def late(place: Place) -> None:
    dealing(place)
    place.wait()


def typed(place: Place) -> None:
    dealing(place)
    place.take([facts.CardTyped(place.at_us, "T", "")])


def chosen(place: Place) -> None:
    insuring(place)
    place.key(facts.SEAT_KEYS[4])


def third(place: Place) -> None:
    dealing(place)
    place.cards("2S 3H 2D 3C")


_OPEN = ("void", "cut")


def _held(name: str, game: str, drive: Any, place: str, keys: Any, ways: Any, says: str,
          why: str, asks: Any = ()) -> Case:  # fmt: skip
    return Case(name, game, drive, facts.HELD, "HOLD", (place,), keys, says, asks, ways, why)


_ENDED = ("correct_round",)
# fmt: off
CASES = (
    Case("load", LU, start, facts.LOAD, "NO_SHOE", ("shoe",), ("start",), "Put a shoe"),
    Case("burning", LU, burning, facts.BURNING, "NO_SHOE", ("shoe",), (), "Burn 6 cards: 1/6"),
    Case("burning_by_key", LU, lambda place: (place.shoe(), place.key(facts.KEY_START)),
         facts.BURNING, "NO_SHOE", ("shoe",), ("burn",), "BURN for each",
         options={"house": BY_HAND}),
    Case("count", LU, counting, facts.COUNT, "NO_SHOE", ("shoe",), (), "Count what is left",
         asks=("count",)),
    Case("count_in_play", LU, doubtful, facts.COUNT, "VOID", ("shoe",), (), "two people confirm",
         asks=("count",)),
    Case("bets_none", LU, lambda place: place.open(), facts.BETS, "BETS_OPEN", ("cloth",),
         ("no_more_bets", *facts.SEAT_KEYS, *_OPEN), "Faites vos jeux; then"),
    Case("bets", LU, staked, facts.BETS, "BETS_OPEN", ("cloth",),
         ("no_more_bets", *facts.SEAT_KEYS, *_OPEN), "seats 2, 5"),
    Case("bets_baccarat", BACCARAT, lambda place: place.open(), facts.BETS, "BETS_OPEN",
         ("cloth",), ("no_more_bets", *_OPEN), "Faites vos jeux; then"),
    Case("deal", LU, dealing, facts.DEAL, "DEALING", ("s2",), _OPEN, "Seat 2"),
    Case("deal_hole", LIVE, lambda place: (dealing(place), place.cards("KS 9H 5H 9S TD")),
         facts.DEAL, "DEALING", ("d",), _OPEN, "face down", asks=("rescan",)),
    Case("deal_baccarat", BACCARAT, dealing, facts.DEAL, "DEALING", ("P",), _OPEN, "Player"),
    Case("deal_third", BACCARAT, third, facts.DEAL, "DEALING", ("P",), _OPEN, "Player",
         asks=("rescan",)),
    Case("dealer_draws", LU, lambda place: (deciding(place), place.key("stand", "stand")),
         facts.DEAL, "DEALER", ("d",), _OPEN, "Dealer: 5, draw"),
    Case("late", LU, late, facts.LATE, "DEALING", ("s2",), _OPEN, "is awaited"),
    Case("last_round", LU, last, facts.DEAL, "DEALING", ("s2",), ("void",), "Seat 2"),
    Case("typed", LU, typed, facts.DEAL, "DEALING", ("s2",), _OPEN, "Seat 2"),
    Case("gold_jack_possible", LU, possible, facts.DEAL, "DEALING", ("s2",), _OPEN, "Seat 2",
         asks=("rescan",)),
    Case("insure", LU, insuring, facts.INSURE, "INSURANCE", ("s2", "s5"),
         ("seat_2", "seat_5", "no_more_bets", *_OPEN), "Insurance? seats 2, 5",
         asks=("rescan",)),
    Case("insure_chosen", LU, chosen, facts.INSURE, "INSURANCE", ("s5",),
         ("insurance", "stand", "seat_2", "seat_5", *_OPEN), "Insurance? seat 5",
         asks=("rescan",)),
    Case("decide", LU, deciding, facts.DECIDE, "PLAYING", ("s2",), ("card", "stand", *_OPEN),
         "Seat 2, hand 1: 15", asks=("rescan",)),
    Case("decide_split", LU, split, facts.DECIDE, "PLAYING", ("s2.2",),
         ("card", "stand", "double", *_OPEN), "Seat 2, hand 2: 10"),
    Case("turn", LIVE, turning, facts.TURN, "DEALER", ("d",), ("turned", *_OPEN),
         "Turn the hole card"),
    Case("confirm", LU, done, facts.CONFIRM, "DONE", ("cloth",), ("confirm", *_OPEN),
         "Dealer: 19", options={"house": BY_CROUPIER}),
    Case("confirm_baccarat", BACCARAT,
         lambda place: (dealing(place), place.cards("9S 2H TD 3C")),
         facts.CONFIRM, "DONE", ("cloth",), ("confirm", *_OPEN), "Look at the cloth",
         asks=("rescan",), options={"house": BY_CROUPIER}),
    Case("recording", LU, done, facts.RECORDING, "DONE", ("cloth",), (), "is being recorded",
         options={"is_slow": True}),
    Case("gold_jack", LU, gold, facts.GOLD_JACK, "CONFIRMED", ("s2",), (), "Chef de salle",
         asks=("pay", "correct_round")),
    Case("next", LU, done, facts.NEXT, "CONFIRMED", ("cloth",), ("start", "cut"), "The next round",
         asks=_ENDED),
    Case("next_baccarat", BACCARAT, lambda place: (dealing(place), place.cards("9S 2H TD 3C")),
         facts.NEXT, "CONFIRMED", ("cloth",), ("start", "cut"), "The next round", asks=_ENDED),
    Case("burn_all", LU, void, facts.BURN_ALL, "VOID", ("cloth",), ("start", "cut"),
         "declared at the table", asks=_ENDED),
    Case("locked_foreign", LU, foreign, facts.LOCKED, "FAULT", ("shoe",), (), "Out of play",
         asks=("count", "clear")),
    Case("locked_exhausted", LU, exhausted, facts.LOCKED, "FAULT", ("shoe",), (), "Out of play",
         asks=("count", "clear")),
    _held("held_unread", LU, unread(1), "s2", ("void",), ("again", "void"), "1/3", "unread"),
    _held("held_unread_often", LU, unread(3), "s2", ("void",), ("enter", "void"), "3/3", "unread",
          ("card",)),
    _held("held_hole_unread", LIVE, hole_unread, "d", ("void",), ("again", "void"), "1/3",
          "unread"),
    _held("held_early", LU, early, "shoe", ("burn", "exposed", "void"),
          ("put_away", "show", "void"), "too early", "card_early"),
    _held("held_extra", LU, extra, "shoe", ("burn", "exposed", "void"),
          ("put_away", "show", "void"), "nobody asked for", "card_extra"),
    _held("held_too_many", LU, too_many, "shoe", ("void",), ("void",), "nobody asked for",
          "card_extra"),
    _held("held_exposed", LU, exposed, "shoe", ("void",), ("burn_by_two", "void"), "have seen",
          "card_exposed", ("burn",)),
    _held("held_back", LU, back, "s5", ("void",), ("again", "void"), "went back", "card_back"),
    _held("held_missed", LU, missed, "s5", ("void",), ("rescan", "void"), "went by unread",
          "card_missed", ("rescan",)),
    _held("held_rescan", LU, rescan, "s5", ("confirm", "void"), ("on", "rescan", "void"),
          "is read again", "rescan", ("rescan",)),
    _held("held_reboot", LU, reboot, "s5", ("confirm", "void"), ("on", "rescan", "void"),
          "began anew", "reboot", ("rescan",)),
    _held("held_jam", LU, trouble(facts.JAM), "shoe", ("void",), ("enter", "void"), "jammed",
          "jam", ("card",)),
    _held("held_silent", LU, trouble(facts.SILENT), "shoe", ("void",), ("enter", "void"),
          "does not answer", "silent", ("card",)),
    _held("held_lying", LU, trouble(facts.LYING), "shoe", ("void",), ("enter", "void"),
          "contradicts", "lying", ("card",)),
    _held("held_jam_over", LU, trouble_over, "shoe", ("confirm", "void"), ("on", "void"), "jammed",
          "jam"),
)
# fmt: on
