"""What goes wrong with players who have accounts: at terminals, behind hands, at the cash desk.

Made with the table and the fault's own chance, as tools/hil/cards/faults.py says.
"""

from __future__ import annotations

from random import Random
from typing import Any

from firmware.bus.terminal_messages import Decide
from firmware.core.cards import facts
from firmware.stakes import accounts
from rules.cards import due
from rules.cards.errors import CardsError
from tools.sim.card_players import SEATS
from tools.virtual.card_seats import CardSeats, Person
from tools.virtual.card_table import WHO, RoundTruth, VirtualCardTable

_S = 1_000_000
_TRIES = 60  # of another card


def _seats(table: VirtualCardTable) -> CardSeats:
    assert table.seats is not None
    return table.seats


def _asked(table: VirtualCardTable) -> Person | None:
    """Who is asked now, at a terminal."""
    args = table.shown.args
    for seat in (args["seat"],) if "seat" in args else args.get("seats", ()):
        person = _seats(table).holder(seat)
        if person is not None:
            return person
    return None


def _others(table: VirtualCardTable, person: Person) -> list[Person]:
    return [each for each in _seats(table).seated() if each is not person]


# --- terminals ------------------------------------------------------------------------------------
def dies_before(table: VirtualCardTable, rng: Random) -> None:
    """The terminal of who is asked loses its power before he decides."""
    person = _asked(table)
    if person is not None:
        _seats(table).die(person, rng.randint(1, 40) * _S)


def dies_deciding(table: VirtualCardTable, rng: Random) -> None:
    """It loses its power as he decides, and never hears the answer."""
    person, seats = _asked(table), _seats(table)
    if person is None:
        return

    def decide() -> None:
        seats.decide_now(person)
        seats.die(person, rng.randint(1, 40) * _S)

    person.mute += 1
    table.later(rng.randint(100_000, _S), decide)


def dies_after(table: VirtualCardTable, rng: Random) -> None:
    """It loses its power when he has decided."""
    person = _asked(table)
    if person is not None:
        back_us = rng.randint(1, 40) * _S
        table.later(4_100_000, lambda: _seats(table).die(person, back_us))


def at_the_bell(table: VirtualCardTable, rng: Random) -> None:
    """He decides just as his time runs out."""
    person = _asked(table)
    if person is None or table.until_us is None:
        return
    person.mute += 1
    after_us = table.until_us + rng.randint(-300_000, 300_000) - table.now_us
    table.later(max(after_us, 0), lambda: _seats(table).decide_now(person))


def key_too(table: VirtualCardTable, rng: Random) -> None:
    """The croupier keys in a decision for who decides at his terminal, in the same moment."""
    person = _asked(table)
    if person is None:
        return
    person.mute += 1
    at_us = rng.randint(200_000, 3 * _S)
    table.later(at_us, lambda: _seats(table).decide_now(person))
    key = rng.choice((facts.KEY_CARD, facts.KEY_STAND))
    table.press(key, at_us + rng.randint(-150_000, 700_000))


def of_another(table: VirtualCardTable, rng: Random) -> None:
    """Another player's terminal decides for the hand too."""
    person, seats = _asked(table), _seats(table)
    shown, book = table.shown, table.book
    if person is None or book is None or not _others(table, person):
        return
    other = rng.choice(_others(table, person))
    do = rng.choice(shown.args.get("choices", (due.INSURE, due.NO_INSURANCE)))
    hand = shown.args.get("hand", 1)
    ask = Decide(book.coup, person.terminal, hand, do, 0, shown.seen)
    what = "a decision for another's hand"
    table.later(rng.randint(0, 3 * _S), lambda: seats.ask(other, ask, must_fail=what))


def too_late(table: VirtualCardTable, rng: Random) -> None:
    """A decision comes that was made before the last card was seen."""
    seats, book, seen = _seats(table), table.book, table.shown.seen
    hands = [each for each in seats.seated() if seats.holder(each.terminal) is each]
    if book is None or not hands or not seen:
        return
    person = rng.choice(hands)
    do = rng.choice((due.HIT, due.STAND, due.DOUBLE, due.INSURE))
    ask = Decide(book.coup, person.terminal, 1, do, 0, seen - 1)
    seats.ask(person, ask, must_fail="a decision that came after the next card")


def restarts(table: VirtualCardTable, rng: Random) -> None:
    """Some terminals start anew, before anybody misses them."""
    seats = _seats(table)
    for person in seats.seated():
        if rng.random() < 0.5:
            seats.die(person, rng.randint(200_000, 1_500_000))


# --- who bets behind ------------------------------------------------------------------------------
def sits_too(table: VirtualCardTable, rng: Random) -> None:
    """Who sits at a terminal would bet behind hands too, or the other way round."""
    seats = _seats(table)
    book: Any = table.book
    if book is None:
        return
    for person in seats.seated():
        if seats.sign_on(person) and book.behind.sign_on(person.n).accepted:
            seats.wrong.append("who sits at a terminal bets behind")
    for person in seats.followers:
        free = [at for at in seats.terminals if book.player(at) is None]
        if free and seats.sign_on(person) and book.sign_on(rng.choice(free), person.n).accepted:
            seats.wrong.append("who bets behind sits down too")


def behind_nobody(table: VirtualCardTable, rng: Random) -> None:
    """Somebody bets behind a seat at which nobody plays."""
    seats, book = _seats(table), table.book
    if book is None:
        return
    chips = {stake["seat"] for stake in table.croupier.stakes}
    empty = [
        seat
        for seat in range(1, SEATS + 1)
        if seat not in chips and book.player(seat) is None and seats.holder(seat) is None
    ]
    stake = {"bet": "behind", "cents": 1_000, "follow": "not"}
    for person in seats.followers:
        if empty:
            own = stake | {"player": person.name, "seat": rng.choice(empty)}
            if seats.stake(person, own):
                seats.wrong.append("a bet lies behind nobody")


def behind_twice(table: VirtualCardTable, rng: Random) -> None:
    """Somebody bets behind one hand twice."""
    seats = _seats(table)

    def ask() -> None:
        for stake in list(seats.laid):
            if stake["bet"] != "behind":
                continue
            person = next(each for each in seats.followers if each.n == stake["account"])
            again = {key: stake[key] for key in ("player", "seat", "bet", "follow")}
            if seats.stake(person, again | {"cents": 1_000}):
                seats.wrong.append("two bets of one player lie behind one hand")

    table.later(rng.randint(500_000, 2 * _S), ask)


def leave(table: VirtualCardTable, rng: Random) -> None:
    """Who bets behind leaves within the round."""
    book: Any = table.book
    for person in _seats(table).followers if book is not None else ():
        if person.n and rng.random() < 0.7:
            book.behind.sign_off(person.n)


# --- money ----------------------------------------------------------------------------------------
def paid_out(table: VirtualCardTable, rng: Random) -> None:
    """All that players have and that does not lie is paid out within the round."""
    _enter(table, rng, accounts.PAYOUT, 0)


def put_in(table: VirtualCardTable, rng: Random) -> None:
    """Players put money in within the round, at the cash desk and at terminals."""
    _enter(table, rng, accounts.DEPOSIT, 100 * rng.randint(10, 200))
    for person in _seats(table).seated():
        if rng.random() < 0.5 and _seats(table).sign_on(person):
            _seats(table).put_in(person, 100 * rng.randint(1, 200))


def put_in_and_killed(table: VirtualCardTable, rng: Random) -> None:
    """The controller loses its power as money goes in and out."""
    (put_in if rng.random() < 0.6 else paid_out)(table, rng)
    table.later(rng.randrange(80_000), table.kill)


def _enter(table: VirtualCardTable, rng: Random, what: str, cents: int) -> None:
    seats = _seats(table)
    # While stakes are laid some lie already, and others come.
    most_us = 2_500_000 if table.shown.code == facts.BETS else 0
    for person in seats.people:
        if person.n and rng.random() < 0.7:
            enter = lambda person=person: seats.enter(what, person, cents=cents)  # noqa: E731
            table.later(rng.randint(0, most_us), enter)


def corrected(table: VirtualCardTable, rng: Random) -> None:
    """Two people correct the round that has ended: a card was another, or it is void."""
    truth = table.truths[-1]
    engaged: list[Any] = []
    for fact in table.told:
        if type(fact) is facts.RoundStarted:
            engaged = []
        elif type(fact) is facts.Engaged:
            engaged.append(fact)
    cards: tuple[int, ...] | None = None
    if rng.random() < 0.7:
        cards = _other_cards(table, truth, engaged, rng)
    asked = (truth.number, cards, None, WHO[0], WHO[1], WHO[2])
    table.ask(facts.RoundCorrectionAsked(table.now_us, *asked))


def _other_cards(
    table: VirtualCardTable, truth: RoundTruth, engaged: list[Any], rng: Random
) -> tuple[int, ...] | None:
    """The cards of a round with another one among them, and the same decisions; None: of none of
    those tried it is a round.
    """
    own = [card.card for card in truth.cards]
    for _ in range(_TRIES if own else 0):
        cards = list(own)
        cards[rng.randrange(len(cards))] = rng.randrange(52)
        shown = [card._replace(card=kind) for card, kind in zip(truth.cards, cards, strict=True)]
        try:
            truth._replace(cards=shown).played(table.limits, engaged)
        except CardsError:
            continue
        if cards != own:
            return tuple(cards)
    return None


# --- the house ------------------------------------------------------------------------------------
def unseated(table: VirtualCardTable, rng: Random) -> None:
    """An employee signs players off."""
    seats = _seats(table)
    for person in seats.seated():
        if rng.random() < 0.5:
            after_us = rng.randrange(3 * _S)
            table.later(after_us, lambda person=person: seats.unseat(person))  # type: ignore[misc]


def barred(table: VirtualCardTable, rng: Random) -> None:
    """The management bars players, and admits them after a while."""
    seats = _seats(table)
    for person in seats.people:
        if person.n and rng.random() < 0.4:
            after_us, admit_us = rng.randrange(3 * _S), rng.randint(5, 40) * _S
            bar = lambda person=person, admit_us=admit_us: seats.bar(person, admit_us)  # noqa: E731
            table.later(after_us, bar)


def screen_off(table: Any, rng: Random) -> None:
    """The croupier's screen is switched off for a while: he does nothing."""
    table.switch_off_screen(rng.randint(2, 40) * _S)
