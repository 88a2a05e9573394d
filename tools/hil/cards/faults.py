"""The fault catalogue of a card table: what can go wrong, what must follow, how it is made.

An entry is a wheel's (tools/hil/faults/entry.py); `make` is called with the table and the fault's
own chance at its moment, and returns False where it can do nothing then: it waits for the next one.
Times are microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import rules
from drivers import shoe_messages as messages
from firmware.bus import frame
from firmware.bus.frame import Deframer
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from tools.hil.cards import seat_faults
from tools.hil.faults.entry import EITHER, VOID, Expect, Fault
from tools.sim.card_shoe import BLIND, CUT, Pull, ShoeCard
from tools.virtual.card_hands import SIDE_BETS
from tools.virtual.card_line import doubled, dropped, garbage
from tools.virtual.card_table import WHO, Setup, VirtualCardTable

CONFIRMED = "confirmed"  # the round has its result all the same

GAMES = tuple(rules.CARD_GAMES)
_BLACKJACK = tuple(game for game in GAMES if rules.load(game)["family"] == "blackjack")
_BEHIND = tuple(game for game in GAMES if "behind" in SIDE_BETS[game])
_HOLE = tuple(game for game in _BLACKJACK if rules.load(game)["hole_card"])

PLACES = ("virtual", "process")
SEATS = "seats"  # the layer of players with accounts
LAYERS = ("reader", "shoe", "line", "cards", "hand", "people", "host", SEATS)
# When in a round a fault begins: codes of the croupier's screen; a hole card that is due.
MOMENTS = ("bets", "deal", "hole", "insure", "decide", "recording", "next", "burn_all")
SOME_DAY = ("insure", "burn_all")  # an ace comes up, and a round is void, when they are
# A fault at a card begins with one of the first so many: a round has them, mostly.
DEALS = {game: 4 if rules.load(game)["family"] == "baccarat" else 6 for game in GAMES}

_S = 1_000_000
Make = Callable[[VirtualCardTable, Random], "bool | None"]


def _pulled(*pulls: Pull) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        table.shoe.mishaps.extend(pulls)

    return make


# --- cards ----------------------------------------------------------------------------------------
def _top(table: VirtualCardTable) -> ShoeCard:
    """The next card of the shoe; a cut card before it is put behind it."""
    cards = table.shoe.cards
    if len(cards) > 1 and cards[0].card == CUT:
        cards[0], cards[1] = cards[1], cards[0]
    return cards[0] if cards else ShoeCard(CUT, "")


def _replace_top(table: VirtualCardTable, card: ShoeCard) -> None:
    if table.shoe.cards:
        table.shoe.cards[0] = card


def _other_set(table: VirtualCardTable, rng: Random) -> None:
    _replace_top(table, _top(table)._replace(ident="X9-0001"))


def _no_identity(table: VirtualCardTable, rng: Random) -> None:
    _replace_top(table, _top(table)._replace(ident=""))


def _seen_before(table: VirtualCardTable, rng: Random) -> bool:
    """A copy of a card that was burned, identity and all."""
    _top(table)
    burned = [card for card in table.shoe.gone[:4] if card.card != CUT]
    if burned:  # none is where the shoe was changed meanwhile
        _replace_top(table, rng.choice(burned))
    return bool(burned)


def _too_often(table: VirtualCardTable, rng: Random) -> None:
    """One card more of its kind than the decks have, one behind the other."""
    kind = rng.randrange(52)
    idents = table.setup.idents
    mark = _top(table).ident.split("-")[0]
    for at in range(table.limits.decks + 1):
        table.shoe.cards.appendleft(ShoeCard(kind, f"{mark}-{9000 + at}" if idents else ""))


def _missing(table: VirtualCardTable, rng: Random) -> bool:
    _top(table)
    if len(table.shoe.cards) <= 2:
        return False
    del table.shoe.cards[rng.randrange(1, len(table.shoe.cards))]
    return True


def _cut_first(table: VirtualCardTable, rng: Random) -> None:
    table.shoe.cards.appendleft(ShoeCard(CUT, ""))


def _keep(table: VirtualCardTable, count: int) -> None:
    """The shoe has so many cards left, and no cut card."""
    left = [card for card in table.shoe.cards if card.card != CUT][:count]
    table.shoe.cards.clear()
    table.shoe.cards.extend(left)


def _cut_missing(table: VirtualCardTable, rng: Random) -> None:
    _keep(table, rng.randint(20, 60))


def _runs_out(table: VirtualCardTable, rng: Random) -> None:
    _keep(table, rng.randint(1, 5))


def _wrong_decks(table: VirtualCardTable, rng: Random) -> None:
    table.next_decks = 14 - table.limits.decks
    table.press(facts.KEY_CUT)


# --- shoe and line --------------------------------------------------------------------------------
def _silent(least_s: float, most_s: float) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        until_us = table.now_us + round(rng.uniform(least_s, most_s) * _S)
        table.to_table.dead_until_us = table.to_shoe.dead_until_us = until_us

    return make


def _deaf(table: VirtualCardTable, rng: Random) -> None:
    table.to_shoe.dead_until_us = table.now_us + rng.randint(1, 5) * _S


def _mute(table: VirtualCardTable, rng: Random) -> None:
    table.to_table.dead_until_us = table.now_us + rng.randint(2, 6) * _S


def _reboots(table: VirtualCardTable, rng: Random) -> None:
    table.later(rng.randrange(1_500_000), table.reboot_shoe)


def _shoe_changed(table: VirtualCardTable, rng: Random) -> None:
    table.change_shoe()


def _mangled(kind: str) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        lines = (table.to_table, table.to_shoe)
        for _ in range(rng.randint(1, 8)):
            mangle = {"drop": dropped, "double": doubled}.get(kind) or garbage(rng)
            rng.choice(lines).mangles.append(mangle)

    return make


def _replayed(table: VirtualCardTable, rng: Random) -> None:
    """What was said a while ago is said once more, in its order."""
    said = list(table.to_table.said)
    again = b"".join(said[: rng.randint(1, len(said))])
    table.later(rng.randrange(_S), lambda: table.to_table.send(again, table.now_us))


def _unplugged(port: str) -> Make:
    """Somebody pulls out a plug, and puts it back: at ports that are real."""

    def make(table: Any, rng: Random) -> None:
        table.pull_out(getattr(table, port), round(rng.uniform(1.5, 5.0) * _S))

    return make


def _forged(table: Any, rng: Random) -> None:
    """Somebody on the line who knows everything but the key says that a card is out."""
    said = Deframer().feed(b"".join(table.to_table.said))
    last = messages.opened(said[-1], table.shoe_key, messages.FROM_SHOE)
    assert last is not None
    card, n = rng.randrange(52), last.fields[0] + 1
    events: tuple[tuple[int, tuple[Any, ...]], ...] = (
        (messages.EDGE, (n, 0, messages.IN)),
        (messages.CARD, (n + 1, 100, card, bytes(16), card, card)),
        (messages.EDGE, (n + 2, 200, messages.OUT)),
        (messages.EMPTY, (n + 3, 300)),
    )
    for at, (kind, fields) in enumerate(events):
        message = last._replace(kind=kind, counter=last.counter + 1_000 + at, fields=fields)
        for key in (bytes(32), None):
            data = frame.encode(messages.written(message, key))
            table.to_table.send(data, table.now_us)


# --- the hand -------------------------------------------------------------------------------------
def _card_too_many(count: int, *, exposed: bool) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        for at in range(count):
            table.later(
                150_000 + 700_000 * at,
                lambda: table.croupier.draw_aside(table.now_us, exposed=exposed),
            )

    return make


def _pushed(table: VirtualCardTable, rng: Random) -> None:
    table.croupier.push_back(table.now_us)


def _pulled_other(table: VirtualCardTable, rng: Random) -> None:
    """A card goes back before it is out, and another comes."""
    _top(table)
    table.shoe.mishaps.append(Pull(back=True))
    table.later(1_500_000, lambda: table.shoe.cards.rotate(1))


def _swapped(table: VirtualCardTable, rng: Random) -> None:
    table.croupier.swaps = True
    table.ask_later(50_000, facts.RescanAsked(table.now_us, WHO[0]))


def _read_again(table: VirtualCardTable, rng: Random) -> None:
    table.ask_later(50_000, facts.RescanAsked(table.now_us, WHO[0]))


def _key(how: str) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        table.keys_spoilt.append(how)

    return make


def _wrong_key(table: VirtualCardTable, rng: Random) -> None:
    """A key that means nothing where the round stands."""
    keys = [facts.KEY_START, facts.KEY_CONFIRM, facts.KEY_BURN, facts.KEY_EXPOSED]
    keys += [facts.KEY_INSURANCE, facts.KEY_TURNED]
    choices = table.croupier.screen.args.get("choices", ())
    keys += [facts.KEY_PAIR] * ("split" not in choices) + [facts.KEY_DOUBLE] * (
        "double" not in choices
    )
    table.press(rng.choice(keys))


def _says_nothing(table: VirtualCardTable, rng: Random) -> bool:
    if table.croupier.screen.args.get("at_terminal"):
        return False
    table.croupier.mute += 1
    return True


def _at_the_bell(table: VirtualCardTable, rng: Random) -> bool:
    """A decision is keyed in just as its time runs out."""
    args = table.croupier.screen.args
    if "seat" not in args or args.get("at_terminal"):
        return False
    table.croupier.mute += 1
    table.say_at_the_bell(rng.randint(-300_000, 300_000))
    return True


def _void_pressed(table: VirtualCardTable, rng: Random) -> None:
    table.later(rng.randrange(2 * _S), lambda: table.press(facts.KEY_VOID))


def _void_asked(table: VirtualCardTable, rng: Random) -> None:
    at_us = rng.randrange(2 * _S)
    table.later(at_us, lambda: table.inform(core_facts.VoidAsked, WHO[1]))


def _cut_pressed(table: VirtualCardTable, rng: Random) -> None:
    table.press(facts.KEY_CUT)


# --- the host -------------------------------------------------------------------------------------
def _killed(most_us: int) -> Make:
    def make(table: VirtualCardTable, rng: Random) -> None:
        table.later(rng.randrange(most_us), table.kill)

    return make


def _disk_slow(table: VirtualCardTable, rng: Random) -> None:
    table.store.slow_us = rng.randint(1, 4) * _S

    def heal() -> None:
        table.store.slow_us = 0

    table.later(20 * _S, heal)


def _entry(
    name: str,
    layer: str,
    title: str,
    make: Make,
    outcome: str,
    *codes: str,
    moments: tuple[str, ...] = ("deal",),
    games: tuple[str, ...] = GAMES,
    settles: int = 1,
    reasons: tuple[str, ...] = (),
    places: tuple[str, ...] = PLACES,
) -> Fault:
    expect = Expect(outcome, codes, by_coups=1, settles_coups=settles, reasons=reasons)
    return Fault(
        name,
        layer,
        title,
        make,
        expect,
        apparatus=games,
        places=places,
        moments=moments,
    )


def _seat(name: str, title: str, make: Make, outcome: str = CONFIRMED, **given: Any) -> Fault:
    return _entry(name, SEATS, title, make, outcome, places=("virtual",), **given)


_UNREAD = Pull(reads=(False, False))
_IN_ROUND = ("bets", "deal", "decide")
_ASKED = ("insure", "decide")

# fmt: off
FAULTS: tuple[Fault, ...] = (
    _entry("card_unread", "reader", "A card cannot be read.",
           _pulled(_UNREAD), CONFIRMED, "K10"),
    _entry("card_unread_thrice", "reader", "A card cannot be read three times: people enter it.",
           _pulled(*[_UNREAD] * 3), EITHER, "K10", reasons=("hole_card_unreadable",)),
    _entry("hole_unread", "reader", "The hole card cannot be read once.",
           _pulled(_UNREAD), CONFIRMED, "K10", moments=("hole",), games=_HOLE),
    _entry("hole_unread_thrice", "reader", "The hole card cannot be read: nobody types it.",
           _pulled(*[_UNREAD] * 3), VOID, "K10", moments=("hole",), games=_HOLE,
           reasons=("hole_card_unreadable",)),
    _entry("reads_differ", "reader", "The two readers read two cards.",
           _pulled(Pull(differs=True)), CONFIRMED, "K10"),
    _entry("reader_blind", "reader", "One of the readers reads nothing.",
           _pulled(Pull(reads=(True, False))), CONFIRMED, "K10"),
    _entry("read_twice", "reader", "A card is read twice in one pull.",
           _pulled(Pull(again=True)), CONFIRMED),
    _entry("edge_in_missing", "reader", "The sensor before the readers does not see a card.",
           _pulled(Pull(sees_in=False)), CONFIRMED, "K10"),
    _entry("edge_out_missing", "reader", "The sensor behind the readers does not see a card.",
           _pulled(Pull(sees_out=False)), CONFIRMED, "K18"),
    _entry("card_unseen", "reader", "A card comes out and nothing sees it.",
           _pulled(BLIND), CONFIRMED),
    _entry("card_slow", "reader", "A card takes longer on its way out than the shoe allows.",
           _pulled(Pull(out_us=3_500_000)), EITHER, "K10", "K18", reasons=("croupier",)),

    _entry("jam", "shoe", "A card sticks under the readers.",
           _pulled(Pull(jams=True)), EITHER, "K13", reasons=("croupier", "hole_card_unreadable")),
    _entry("two_together", "shoe", "Two cards come out, one under the other.",
           _pulled(Pull(two=True)), EITHER, reasons=("croupier", "misdealt")),
    _entry("two_mixed", "shoe", "Two cards come out, and each reader reads one.",
           _pulled(Pull(two=True, differs=True)), EITHER, "K10",
           reasons=("croupier", "misdealt")),
    _entry("shoe_reboots", "shoe", "The shoe starts again; its numbers begin with 1.",
           _reboots, EITHER, moments=_IN_ROUND, reasons=("croupier", "misdealt")),
    _entry("shoe_changed", "shoe", "Another shoe is put there within a round.",
           _shoe_changed, VOID, moments=_IN_ROUND, reasons=("shoe_changed",)),

    _entry("line_silent", "line", "The line of the shoe is dead for seconds.",
           _silent(1.5, 6.0), EITHER, "K13", moments=_IN_ROUND,
           reasons=("croupier", "hole_card_unreadable")),
    _entry("line_silent_long", "line", "The line of the shoe is dead for longer than people wait.",
           _silent(25.0, 40.0), EITHER, "K13", moments=_IN_ROUND, settles=2,
           reasons=("croupier", "hole_card_unreadable")),
    _entry("line_to_shoe_dead", "line", "The shoe does not receive what the table says.",
           _deaf, EITHER, moments=_IN_ROUND, reasons=("croupier", "misdealt")),
    _entry("line_to_table_dead", "line", "The table does not receive what the shoe says.",
           _mute, EITHER, "K13", moments=_IN_ROUND,
           reasons=("croupier", "hole_card_unreadable", "misdealt")),
    _entry("line_garbage", "line", "Bytes that nobody said lie on the line, and some are altered.",
           _mangled("garbage"), CONFIRMED, moments=_IN_ROUND),
    _entry("line_drops", "line", "Frames are lost.",
           _mangled("drop"), CONFIRMED, moments=_IN_ROUND),
    _entry("line_doubles", "line", "Frames come twice.",
           _mangled("double"), CONFIRMED, moments=_IN_ROUND),
    _entry("line_replays", "line", "Frames of before come once more.",
           _replayed, CONFIRMED, moments=_IN_ROUND),

    _entry("foreign_set", "cards", "A card is one of another set.",
           _other_set, VOID, "K11", reasons=("foreign_card",)),
    _entry("foreign_no_identity", "cards", "A card has no identity.",
           _no_identity, VOID, "K11", reasons=("foreign_card",)),
    _entry("foreign_copy", "cards", "A card is the copy of one that was burned.",
           _seen_before, VOID, "K11", reasons=("foreign_card",)),
    _entry("foreign_kind", "cards", "A card comes once more than the decks have it.",
           _too_often, EITHER, moments=("bets",), settles=8,
           reasons=("foreign_card", "croupier")),
    _entry("card_missing", "cards", "The shoe has a card less.",
           _missing, CONFIRMED, moments=("bets",)),
    _entry("cut_card_first", "cards", "The cut card comes before the others.",
           _cut_first, CONFIRMED, moments=("bets", "deal")),
    _entry("cut_card_missing", "cards", "There is no cut card, and few cards.",
           _cut_missing, EITHER, moments=("bets",), settles=12, reasons=("shoe_exhausted",)),
    _entry("shoe_exhausted", "cards", "The shoe runs out within a round.",
           _runs_out, EITHER, moments=("deal",), settles=2, reasons=("shoe_exhausted",)),
    _entry("wrong_decks", "cards", "The next shoe is one for another number of decks.",
           _wrong_decks, CONFIRMED, "K17", moments=("bets",)),

    _entry("early_hidden", "hand", "A card is drawn before the call; nobody sees it.",
           _card_too_many(1, exposed=False), CONFIRMED, "K10", moments=("bets",)),
    _entry("early_exposed", "hand", "A card is drawn before the call, and shown.",
           _card_too_many(1, exposed=True), EITHER, "K10", moments=("bets",),
           reasons=("croupier",)),
    _entry("extra_hidden", "hand", "A card is drawn while a hand decides; nobody sees it.",
           _card_too_many(1, exposed=False), EITHER, "K10", moments=("decide",),
           games=_BLACKJACK, reasons=("croupier",)),
    _entry("extra_exposed", "hand", "A card is drawn while a hand decides, and shown.",
           _card_too_many(1, exposed=True), EITHER, "K10", moments=("decide",),
           games=_BLACKJACK, reasons=("croupier",)),
    _entry("extras_four", "hand", "Four cards are drawn before the call.",
           _card_too_many(4, exposed=False), EITHER, "K10", moments=("bets",),
           reasons=("croupier",)),
    _entry("card_back", "hand", "A card is pulled back before it is out, and drawn again.",
           _pulled(Pull(back=True)), CONFIRMED),
    _entry("card_back_other", "hand", "A card is pulled back, and another one is drawn.",
           _pulled_other, EITHER, reasons=("croupier", "hole_card_unreadable")),
    _entry("pushed_and_pulled", "hand", "A card that counts is pushed back, and drawn again.",
           _pushed, EITHER, moments=("deal", "decide"), reasons=("croupier",)),
    _entry("swapped", "hand", "Two cards lie the wrong way round as the round is read again.",
           _swapped, EITHER, reasons=("misdealt", "croupier")),
    _entry("read_again", "hand", "The round is read again for no cause.",
           _read_again, EITHER, reasons=("croupier",)),

    _entry("key_held", "people", "A key is held for long.",
           _key("held"), CONFIRMED, moments=("bets", "decide")),
    _entry("key_bounced", "people", "A key is hardly touched.",
           _key("bounced"), CONFIRMED, moments=("bets", "decide")),
    _entry("keys_together", "people", "A key is pressed together with VOID.",
           _key("together"), CONFIRMED, moments=("bets", "decide")),
    _entry("key_lost", "people", "What a key says is lost.",
           _key("lost"), CONFIRMED, moments=("bets", "decide", "next")),
    _entry("key_wrong", "people", "A key is pressed that means nothing then.",
           _wrong_key, CONFIRMED, moments=("bets", "deal", "decide")),
    _entry("decision_missing", "people", "A hand does not decide in its time.",
           _says_nothing, CONFIRMED, moments=("decide",), games=_BLACKJACK),
    _entry("insurance_missing", "people", "Nobody says anything of insurance.",
           _says_nothing, CONFIRMED, moments=("insure",), games=_BLACKJACK),
    _entry("decision_at_the_bell", "people", "A decision is keyed in as its time runs out.",
           _at_the_bell, CONFIRMED, moments=("decide",), games=_BLACKJACK, places=("virtual",)),
    _entry("void_pressed", "people", "The croupier presses VOID.",
           _void_pressed, EITHER, moments=_IN_ROUND, settles=2, reasons=("croupier",)),
    _entry("void_asked", "people", "A supervisor voids the round.",
           _void_asked, EITHER, moments=_IN_ROUND, settles=2, reasons=("croupier",)),
    _entry("screen_off", "people", "The croupier's guide is switched off for a while.",
           seat_faults.screen_off, CONFIRMED, moments=(*_IN_ROUND, "insure", "next"),
           places=("virtual",)),
    _entry("cut_pressed", "people", "The croupier has the shoe changed after this round.",
           _cut_pressed, CONFIRMED, moments=_IN_ROUND),

    _entry("killed", "host", "The controller loses its power.",
           _killed(3_000_000), EITHER, moments=(*_IN_ROUND, "next"), settles=2,
           reasons=("interrupted",)),
    _entry("killed_recording", "host", "The controller loses its power as a round is recorded.",
           _killed(40_000), EITHER, moments=("recording",), reasons=("interrupted",)),
    _entry("disk_slow", "host", "Each record takes seconds until it is durable.",
           _disk_slow, CONFIRMED, moments=_IN_ROUND, places=("virtual",)),

    # Where players have accounts (tools/virtual/card_seats.py).
    _seat("seat_dies_before", "A terminal dies before its player decides.",
          seat_faults.dies_before, moments=_ASKED, games=_BLACKJACK),
    _seat("seat_dies_deciding", "A terminal dies as its player decides.",
          seat_faults.dies_deciding, moments=_ASKED, games=_BLACKJACK),
    _seat("seat_dies_after", "A terminal dies when its player has decided.",
          seat_faults.dies_after, moments=_ASKED, games=_BLACKJACK),
    _seat("seats_restart", "Terminals start anew, faster than they are missed.",
          seat_faults.restarts, moments=_IN_ROUND),
    _seat("seat_at_the_bell", "A player decides at his terminal as his time runs out.",
          seat_faults.at_the_bell, moments=_ASKED, games=_BLACKJACK),
    _seat("seat_twice", "A terminal says two decisions of one hand, one right behind the other.",
          seat_faults.twice, moments=_ASKED, games=_BLACKJACK),
    _seat("seat_and_key", "The croupier keys in a decision for who decides at his terminal.",
          seat_faults.key_too, moments=("decide",), games=_BLACKJACK),
    _seat("seat_of_another", "A terminal decides for the hand of another player.",
          seat_faults.of_another, moments=_ASKED, games=_BLACKJACK),
    _seat("seat_too_late", "A decision comes after the next card.",
          seat_faults.too_late, moments=("deal", "decide"), games=_BLACKJACK),
    _seat("follower_sits_too", "Who sits at the table would bet behind a hand.",
          seat_faults.sits_too, moments=_IN_ROUND, games=_BEHIND),
    _seat("follower_of_nobody", "Somebody bets behind a seat that nobody plays.",
          seat_faults.behind_nobody, moments=("bets",), games=_BEHIND),
    _seat("follower_twice", "Somebody bets behind one hand twice.",
          seat_faults.behind_twice, moments=("bets",), games=_BEHIND),
    _seat("follower_without_funds", "Who bets behind a hand has nothing left as it doubles.",
          seat_faults.without_funds, moments=_ASKED, games=_BEHIND),
    _seat("follower_leaves", "Who bets behind a hand leaves within the round.",
          seat_faults.leave, moments=(*_IN_ROUND, "insure"), games=_BEHIND),
    _seat("paid_out_in_round", "Players take out within the round all that does not lie.",
          seat_faults.paid_out, moments=(*_IN_ROUND, "insure")),
    _seat("put_in_in_round", "Players put money in within the round.",
          seat_faults.put_in, moments=(*_IN_ROUND, "insure")),
    _seat("killed_with_money", "The controller loses its power as money goes in or out.",
          seat_faults.put_in_and_killed, EITHER, moments=(*_IN_ROUND, "next"),
          reasons=("interrupted",)),
    _seat("corrected", "Two people correct a card of the round that has ended.",
          seat_faults.corrected, moments=("next",)),
    _seat("corrected_to_void", "Two people make the round void that has ended.",
          seat_faults.corrected_to_void, EITHER, moments=("next",)),
    _seat("corrected_anew", "Two people say anew what came and was decided, of a void too.",
          seat_faults.restated, EITHER, moments=("next", "burn_all")),
    _seat("corrected_from_void", "A supervisor voids the round; two people find that it counts.",
          seat_faults.void_restated, EITHER, moments=("deal", "insure", "decide"), settles=2,
          reasons=("croupier",)),
    _seat("corrected_twice", "Two people correct a round, and then the correction.",
          seat_faults.corrected_twice, EITHER, moments=("next", "burn_all")),
    _seat("unseated", "An employee signs players off.",
          seat_faults.unseated, moments=(*_IN_ROUND, "next")),
    _seat("barred", "The management bars players for a while.",
          seat_faults.barred, moments=(*_IN_ROUND, "next")),

    # Where ports are real.
    _entry("line_forged", "line", "Somebody without the key says that a card is out.",
           _forged, CONFIRMED, moments=_IN_ROUND, places=("process",)),
    _entry("shoe_unplugged", "line", "The plug of the shoe is pulled out, and put back.",
           _unplugged("shoe_port"), EITHER, "K13", moments=_IN_ROUND, places=("process",),
           reasons=("croupier", "hole_card_unreadable")),
    _entry("keyboard_unplugged", "people", "The plug of the keyboard is pulled out, and put back.",
           _unplugged("keyboard_port"), CONFIRMED, "K21", moments=("bets", "decide"),
           places=("process",)),
)
# fmt: on

_BY_NAME = {fault.name: fault for fault in FAULTS}


def find(name: str) -> Fault:
    """The entry of that name. Raises KeyError."""
    return _BY_NAME[name]


def moments_of(fault: Fault, game: str) -> tuple[str, ...]:
    """When it may begin in a round of that game: nobody decides at baccarat."""
    decides = game in _BLACKJACK
    return tuple(each for each in fault.moments if decides or each not in ("insure", "decide"))


def suits(fault: Fault, setup: Setup) -> bool:
    """Whether it can be made at that table: whose cards have identities or not, its shoe a key, its
    players accounts.
    """
    if fault.layer == SEATS and not setup.accounts:
        return False
    if fault.name == "line_forged" and not setup.key:
        return False
    needs = fault.name.startswith("foreign_") and fault.name != "foreign_kind"
    return setup.game in fault.apparatus and (setup.idents or not needs)


def of_place(place: str) -> tuple[str, ...]:
    """The names of those that can be made there."""
    return tuple(fault.name for fault in FAULTS if place in fault.places)
