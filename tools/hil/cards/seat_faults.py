"""What goes wrong with players who have accounts: at terminals, behind hands, at the cash desk.

Made with the table and the fault's own chance, as tools/hil/cards/faults.py says.
"""

from __future__ import annotations

from random import Random
from typing import Any

from firmware.bus.terminal_messages import Decide
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.stakes import accounts, card_round
from rules.cards import due
from rules.cards.errors import CardsError
from rules.cards.round import next_card, open_round
from rules.cards.stakes import accept
from tools.sim.card_players import SEATS
from tools.virtual.card_seats import CardSeats, Person
from tools.virtual.card_table import WHO, RoundTruth, VirtualCardTable

_S = 1_000_000
_TRIES = 60  # of another card
_INSURES = (due.INSURE, due.NO_INSURANCE)
_DECIDES = (due.HIT, due.STAND, due.DOUBLE, due.SPLIT, *_INSURES)


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
def dies_before(table: VirtualCardTable, rng: Random) -> bool:
    """The terminal of who is asked loses its power before he decides."""
    person = _asked(table)
    if person is not None:
        _seats(table).die(person, rng.randint(1, 40) * _S)
    return person is not None


def dies_deciding(table: VirtualCardTable, rng: Random) -> bool:
    """It loses its power as he decides, and never hears the answer."""
    person, seats = _asked(table), _seats(table)
    if person is None:
        return False

    def decide() -> None:
        seats.decide_now(person)
        seats.die(person, rng.randint(1, 40) * _S)

    person.mute += 1
    table.later(rng.randint(100_000, _S), decide)
    return True


def dies_after(table: VirtualCardTable, rng: Random) -> bool:
    """It loses its power when he has decided."""
    person = _asked(table)
    if person is not None:
        back_us = rng.randint(1, 40) * _S
        table.later(4_100_000, lambda: _seats(table).die(person, back_us))
    return person is not None


def at_the_bell(table: VirtualCardTable, rng: Random) -> bool:
    """He decides just as his time runs out."""
    person = _asked(table)
    if person is None or table.until_us is None:
        return False
    person.mute += 1
    after_us = table.until_us + rng.randint(-300_000, 300_000) - table.now_us
    table.later(max(after_us, 0), lambda: _seats(table).decide_now(person))
    return True


def key_too(table: VirtualCardTable, rng: Random) -> bool:
    """The croupier keys in a decision for who decides at his terminal, in the same moment."""
    person = _asked(table)
    if person is None:
        return False
    person.mute += 1
    at_us = rng.randint(200_000, 3 * _S)
    table.later(at_us, lambda: _seats(table).decide_now(person))
    key = rng.choice((facts.KEY_CARD, facts.KEY_STAND))
    table.press(key, at_us + rng.randint(-150_000, 700_000))
    return True


def twice(table: VirtualCardTable, rng: Random) -> bool:
    """His terminal says another decision of the same hand right behind the first."""
    person, seats = _asked(table), _seats(table)
    if person is None:
        return False
    after_us = rng.randint(60_000, 200_000)  # a terminal asks one thing at a time

    def decide() -> None:
        said = seats.decide_now(person)
        if said is not None:
            other = rng.choice([do for do in _DECIDES if do != said.do])
            again = said._replace(do=other, cents=0)
            what = "a second decision of one hand"
            table.later(after_us, lambda: seats.ask(person, again, must_fail=what))

    person.mute += 1
    table.later(rng.randint(200_000, 3 * _S), decide)
    return True


def of_another(table: VirtualCardTable, rng: Random) -> bool:
    """Another player's terminal decides for the hand too."""
    person, seats = _asked(table), _seats(table)
    shown, book = table.shown, table.book
    if person is None or book is None or not _others(table, person):
        return False
    other = rng.choice(_others(table, person))
    do = rng.choice(shown.args.get("choices", _INSURES))
    hand = shown.args.get("hand", 1)
    ask = Decide(book.coup, person.terminal, hand, do, 0, shown.seen)
    what = "a decision for another's hand"
    table.later(rng.randint(0, 3 * _S), lambda: seats.ask(other, ask, must_fail=what))
    return True


def too_late(table: VirtualCardTable, rng: Random) -> bool:
    """A decision comes that was made before the last card was seen."""
    seats, book, seen = _seats(table), table.book, table.shown.seen
    hands = [each for each in seats.seated() if seats.holder(each.terminal) is each]
    if book is None or not hands or not seen:
        return False
    person = rng.choice(hands)
    do = rng.choice((due.HIT, due.STAND, due.DOUBLE, due.INSURE))
    ask = Decide(book.coup, person.terminal, 1, do, 0, seen - 1)
    seats.ask(person, ask, must_fail="a decision that came after the next card")
    return True


def restarts(table: VirtualCardTable, rng: Random) -> bool:
    """Some terminals start anew, before anybody misses them."""
    seats = _seats(table)
    some = [person for person in seats.seated() if rng.random() < 0.5]
    for person in some:
        seats.die(person, rng.randint(200_000, 1_500_000))
    return bool(some)


# --- who bets behind ------------------------------------------------------------------------------
def sits_too(table: VirtualCardTable, rng: Random) -> bool:
    """Who sits at a terminal would bet behind hands too, or the other way round."""
    seats = _seats(table)
    book: Any = table.book
    tries = 0
    if book is None:
        return False
    for person in seats.seated():
        if seats.sign_on(person):
            tries += 1
            if book.behind.sign_on(person.n).accepted:
                seats.wrong.append("who sits at a terminal bets behind")
    for person in seats.followers:
        free = [at for at in seats.terminals if book.player(at) is None]
        if free and seats.sign_on(person):
            tries += 1
            if book.sign_on(rng.choice(free), person.n).accepted:
                seats.wrong.append("who bets behind sits down too")
    return tries > 0


def behind_nobody(table: VirtualCardTable, rng: Random) -> bool:
    """Somebody bets behind a seat at which nobody plays."""
    seats, book = _seats(table), table.book
    if book is None:
        return False
    chips = {stake["seat"] for stake in table.croupier.stakes}
    empty = [
        seat
        for seat in range(1, SEATS + 1)
        if seat not in chips and book.player(seat) is None and seats.holder(seat) is None
    ]
    stake = {"bet": "behind", "cents": 1_000, "follow": "not"}
    some = [person for person in seats.followers if empty and seats.sign_on(person)]
    for person in some:
        own = stake | {"player": person.name, "seat": rng.choice(empty)}
        if seats.stake(person, own):
            seats.wrong.append("a bet lies behind nobody")
    return bool(some)


def behind_twice(table: VirtualCardTable, rng: Random) -> bool:
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
    return any(person.n for person in seats.followers)


def leave(table: VirtualCardTable, rng: Random) -> bool:
    """Who bets behind leaves within the round."""
    book: Any = table.book
    some = [each for each in _seats(table).followers if each.n and rng.random() < 0.7]
    for person in some if book is not None else ():
        book.behind.sign_off(person.n)
    return book is not None and bool(some)


def without_funds(table: VirtualCardTable, rng: Random) -> bool:
    """Who bets behind the hand that decides now takes out all that does not lie, just before it
    doubles or splits, if it may, or is insured.
    """
    person, seats = _asked(table), _seats(table)
    choices = table.shown.args.get("choices", _INSURES)
    lays = [do for do in (due.SPLIT, due.DOUBLE, due.INSURE) if do in choices]
    if person is None or not lays:
        return False
    behind = [
        each
        for each in seats.followers
        for stake in seats.laid_by(each)
        if stake["seat"] == person.terminal and stake["follow"] == "double"
    ]
    for each in behind:
        seats.enter(accounts.PAYOUT, each, cents=0)
    if behind:
        person.wants = rng.choice(lays)
    return bool(behind)


# --- money ----------------------------------------------------------------------------------------
def paid_out(table: VirtualCardTable, rng: Random) -> bool:
    """All that players have and that does not lie is paid out within the round."""
    return _enter(table, rng, accounts.PAYOUT, 0)


def put_in(table: VirtualCardTable, rng: Random) -> bool:
    """Players put money in within the round, at the cash desk and at terminals."""
    is_made = _enter(table, rng, accounts.DEPOSIT, 100 * rng.randint(10, 200))
    for person in _seats(table).seated():
        if rng.random() < 0.5 and _seats(table).sign_on(person):
            _seats(table).put_in(person, 100 * rng.randint(1, 200))
            is_made = True
    return is_made


def put_in_and_killed(table: VirtualCardTable, rng: Random) -> bool:
    """The controller loses its power as money goes in and out."""
    is_made = (put_in if rng.random() < 0.6 else paid_out)(table, rng)
    if is_made:
        table.later(rng.randrange(80_000), table.kill)
    return is_made


def _enter(table: VirtualCardTable, rng: Random, what: str, cents: int) -> bool:
    seats = _seats(table)
    # While stakes are laid some lie already, and others come.
    most_us = 2_500_000 if table.shown.code == facts.BETS else 0
    some = [person for person in seats.people if person.n and rng.random() < 0.7]
    for person in some:
        enter = lambda person=person: seats.enter(what, person, cents=cents)  # noqa: E731
        table.later(rng.randint(0, most_us), enter)
    return bool(some)


def corrected(table: VirtualCardTable, rng: Random) -> bool:
    """Two people correct the round that has ended: a card was another."""
    cards = _other_cards(table, table.truths[-1], _engaged(table), rng)
    return cards is not None and _correct(table, cards, None)


def card_corrected(table: VirtualCardTable, rng: Random) -> bool:
    """The same, and they say what was decided as it was, whatever stands now."""
    engaged = _engaged(table)
    said = tuple(_decision(each.seat, each.hand, each.do, each.cents) for each in engaged)
    cards = _other_cards(table, table.truths[-1], engaged, rng)
    return cards is not None and _correct(table, cards, said)


def corrected_to_void(table: VirtualCardTable, rng: Random) -> bool:
    """Two people say that it is void."""
    return _correct(table, None, None)


def restated(table: VirtualCardTable, rng: Random) -> bool:
    """Two people say anew what came and what was decided, also of a round that is void."""
    truth = table.truths[-1]
    for _ in range(_TRIES):
        try:
            cards, decisions = _played_on(table, truth, _engaged(table), rng)
        except CardsError:
            continue
        return _correct(table, cards, decisions)
    return False


def void_restated(table: VirtualCardTable, rng: Random) -> None:
    """A supervisor voids the round, and two people find that it counts."""
    number = table.round
    table.inform(core_facts.VoidAsked, WHO[1])

    def correct() -> None:
        if table.ended >= number:
            restated(table, rng)

    table.later(rng.randrange(60_000, 250_000), correct)


def corrected_twice(table: VirtualCardTable, rng: Random) -> bool:
    """They correct it, and find that the correction is wrong."""
    ways = (card_corrected, corrected_to_void, restated, restated)
    if not rng.choice(ways)(table, rng):
        return False
    table.later(rng.randrange(20_000, 200_000), lambda: rng.choice(ways)(table, rng))
    return True


def _engaged(table: VirtualCardTable) -> list[Any]:
    """What counts of decisions in the last round."""
    found: list[Any] = []
    for fact in table.told:
        if type(fact) is facts.RoundStarted:
            found = []
        elif type(fact) is facts.Engaged:
            found.append(fact)
    return found


def _decision(seat: int, hand: int, do: str, cents: int | None) -> dict[str, Any]:
    """As people say it."""
    return {"seat": seat, "hand": hand, "do": do, "cents": cents}


def _correct(
    table: VirtualCardTable, cards: tuple[int, ...] | None, decisions: tuple[Any, ...] | None
) -> bool:
    """Two people ask for it, of a round that was called. Returns whether it was."""
    number = table.truths[-1].number
    if not any(type(fact) is facts.BetsClosed and fact.round == number for fact in table.told):
        return False
    asked = (table.truths[-1].number, cards, decisions, WHO[0], WHO[1], WHO[2])
    table.ask(facts.RoundCorrectionAsked(table.now_us, *asked))
    return True


def _played_on(
    table: VirtualCardTable, truth: RoundTruth, engaged: list[Any], rng: Random
) -> tuple[tuple[int, ...], tuple[dict[str, Any], ...]]:
    """A round that is as it was up to some card and some decision, and then another. Raises
    CardsError.
    """
    accepted, _ = accept(table.limits, [card_round.bare(stake) for stake in truth.stakes])
    round_: Any = open_round(table.limits, accepted)
    own = [card.card for card in truth.cards][: rng.randint(0, len(truth.cards))]
    stood = engaged[: rng.randint(0, len(engaged))]
    cards: list[int] = []
    decisions: list[dict[str, Any]] = []
    while (now := next_card(round_)).kind != due.DONE:
        if now.kind == due.CARD:
            cards.append(own[len(cards)] if len(cards) < len(own) else rng.randrange(52))
            round_.deal(cards[-1])
        elif now.kind == due.CHECK:
            round_.check()
        elif now.kind == due.TURN:
            round_.turn()
        else:
            if len(decisions) < len(stood):
                each = stood[len(decisions)]
                said = (each.seat, each.hand, each.do, each.cents)
            elif now.kind == due.INSURANCE:
                said = (rng.choice(now.choices), 1, rng.choice(_INSURES), None)
            else:
                said = (now.seat, now.hand, rng.choice(now.choices), None)
            decisions.append(_decision(*said))
            round_.decide(*said)
    return tuple(cards), tuple(decisions)


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
def unseated(table: VirtualCardTable, rng: Random) -> bool:
    """An employee signs players off."""
    seats = _seats(table)
    some = [person for person in seats.seated() if rng.random() < 0.5]
    for person in some:
        after_us = rng.randrange(3 * _S)
        table.later(after_us, lambda person=person: seats.unseat(person))  # type: ignore[misc]
    return bool(some)


def barred(table: VirtualCardTable, rng: Random) -> bool:
    """The management bars players, and admits them after a while."""
    seats = _seats(table)
    some = [person for person in seats.people if person.n and rng.random() < 0.4]
    for person in some:
        after_us, admit_us = rng.randrange(3 * _S), rng.randint(5, 40) * _S
        bar = lambda person=person, admit_us=admit_us: seats.bar(person, admit_us)  # noqa: E731
        table.later(after_us, bar)
    return bool(some)


def screen_off(table: Any, rng: Random) -> bool:
    """The croupier's screen is switched off for a while: he does nothing."""
    return bool(table.switch_off_screen(rng.randint(2, 40) * _S))
