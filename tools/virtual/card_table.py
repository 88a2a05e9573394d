"""A card table in virtual time: a simulated shoe and hands, the shipped drivers and machine.

    shoe -> ShoeEnd -> bytes -> ShoeSerial -> CardTable -> screen -> hand -> keys, cards

Nothing sleeps: time goes to whatever is due next. What everybody does hangs on the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import rules
from drivers import shoe_messages as messages
from drivers.card_keys import OK, CardKeys
from drivers.croupier_keyboard import CroupierKeys
from drivers.shoe_end import ShoeEnd
from drivers.shoe_serial import ShoeSerial
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.house import HOUSE
from firmware.core.cards.restart_state import FRESH, RestartState
from firmware.core.cards.table import CardTable
from firmware.core.house import AUTO, CROUPIER
from firmware.stakes import card_round
from rules.cards import deck
from rules.cards.stakes import open_table
from tools.sim import card_croupier, card_shoe
from tools.sim.card_croupier import CardCroupier, Deed, Screen
from tools.sim.card_players import BASIC, RANDOM, Players
from tools.sim.card_shoe import CardShoe, ShoeCard
from tools.sim.streams import stream
from tools.virtual.card_line import ShoeLine
from tools.virtual.late_store import LateStore

PRESS_US = (60_000, 160_000)  # a key is down so long
BETWEEN_US = 250_000  # from one key of a deed to the next
STARTS_US = 1_500_000  # the controller, until it is there again
REBOOTS_US = 700_000  # the shoe
MODEL = "simulated"
WHO = ("anna", "bruno", "simulated")  # croupier, member of the management, why
MINIMUM_CENTS = 1_000
_KEY = bytes(range(32))
# What each game's players may lay beside a hand here.
SIDE_BETS = {
    "blackjack_lu": ("perfect_pairs", "super_black", "super_silver", "super_gold"),
    "blackjack_live": ("behind",),
    "baccarat_live": (),
    "punto_2000": ("dragon_player", "dragon_banker"),
}


class Setup(NamedTuple):
    """One table. `idents`: each card has one; `key`: frames of the shoe have its code."""

    game: str
    seed: int
    idents: bool = True
    key: bool = True
    confirm: str = AUTO
    style: str = BASIC  # or RANDOM


class RoundTruth(NamedTuple):
    """What happened on the cloth in a round."""

    number: int
    stakes: list[dict[str, Any]]
    cards: list[ShoeCard]
    said: dict[tuple[int, int, int, bool], str]


def drawn_setup(game: str, seed: int, rng: Random) -> Setup:
    """Some table of that game."""
    return Setup(
        game,
        seed,
        idents=rng.random() < 0.7,
        key=rng.random() < 0.5,
        confirm=CROUPIER if rng.random() < 0.3 else AUTO,
        style=RANDOM if rng.random() < 0.4 else BASIC,
    )


class VirtualCardTable:
    """One table with everything on it. `told`: all that came out of its machine, in order."""

    def __init__(self, setup: Setup) -> None:
        """Nothing has happened yet; the shoe is loaded."""
        self.setup = setup
        self.now_us = 1_000_000
        self.told: list[Any] = []
        self.ended = 0  # rounds
        self.truths: list[RoundTruth] = []
        self.rng = stream(setup.seed, "world")
        self.limits = open_table(
            rules.load(setup.game), minimum_cents=MINIMUM_CENTS, side_bets=side_bets(setup.game)
        )
        self.house = HOUSE._replace(confirm=setup.confirm)
        self.store = LateStore(stream(setup.seed, "store"))
        self.shoe = CardShoe((), stream(setup.seed, "pulls"))
        bets = SIDE_BETS[setup.game]
        family = self.limits.rules["family"]
        players = Players(family, stream(setup.seed, "players"), style=setup.style, bets=bets)
        self.croupier = CardCroupier(self.shoe, players, stream(setup.seed, "croupier"))
        self.to_table, self.to_shoe = ShoeLine(), ShoeLine()
        self.table: CardTable
        self.decks = self.limits.decks  # that the shoe is set up for
        self.next_decks = self.decks  # that the next one is
        self.keys_spoilt: list[str] = []  # what befalls the next keys pressed
        self.on_screen: list[Callable[[Screen], None]] = []  # called with each change of it
        self._key = _KEY if setup.key else None
        self._sets = 0
        self._serial = 1
        self._queue: list[tuple[int, int, Any]] = []  # (when, number, event or call)
        self._queued = 0
        self._is_down_until = 0  # the controller
        self._until_us: int | None = None  # of what stands on the screen
        self._shoe_down_until = 0
        self._boot_shoe(self.now_us)
        self.fill()
        self._begin(FRESH)

    # --- what is done to it -----------------------------------------------------------------------

    def fill(self) -> None:
        """Puts shuffled cards into the shoe, and the cut card where it belongs."""
        self._sets += 1
        mark = f"S{self._sets}" if self.setup.idents else ""
        behind = self.rng.randint(100, 200)
        self.shoe.load(card_shoe.shuffled(self.rng, self.limits.decks, mark, behind))

    def change_shoe(self) -> None:
        """Another shoe is put there, with other cards."""
        self._serial += 1
        self._boot_shoe(self.now_us)
        self.fill()

    def reboot_shoe(self) -> None:
        """The shoe loses its power for a moment, and all that it kept."""
        self._shoe_down_until = self.now_us + REBOOTS_US
        self._boot_shoe(self._shoe_down_until)

    def kill(self) -> None:
        """The controller loses its power: what is not durable is lost, and it starts again."""
        self.store.lose((card_round.RESULT, card_round.VOID, card_round.PAID), self.now_us)
        state = self.table.restart_state()
        self._is_down_until = self.now_us + STARTS_US
        self._queue = [each for each in self._queue if callable(each[2])]
        self.later(STARTS_US, lambda: self._begin(state))

    def later(self, after_us: int, what: Any) -> None:
        """Has the table handle that event then, or calls it."""
        self._queued += 1
        self._queue.append((self.now_us + after_us, self._queued, what))
        self._queue.sort(key=lambda each: each[:2])

    def say_at_the_bell(self, offset_us: int) -> None:
        """The hand that decides now is keyed in so long after its time runs out, or before."""
        screen, hand = self.croupier.screen, self.croupier
        assert self._until_us is not None
        after_us = max(self._until_us + offset_us - self.now_us, 0)
        key = hand.decide_hand(screen)
        self.later(after_us, lambda: self.press(key))

    def inform(self, kind: Any, *given: Any) -> None:
        """Tells the machine something now."""
        self._take(kind(self.now_us, *given))

    # --- time -------------------------------------------------------------------------------------

    def play(self, until_us: int, is_over: Callable[[], bool]) -> None:
        """Lets time pass until then, or until it is over."""
        while not is_over():
            due_us = self._due_us()
            if due_us > until_us:
                self.now_us = until_us
                return
            self.now_us = max(self.now_us, due_us)
            self._step()

    def _is_down(self) -> bool:
        return self.now_us < self._is_down_until

    def _due_us(self) -> int:
        end_us = self._boot_us + self._end.due_us
        due = [
            self.shoe.due_us,
            max(end_us, self.now_us, self._shoe_down_until),
            self.to_table.due_us,
            self.to_shoe.due_us,
            self.store.due_us,
            self.croupier.due_us,
            self._queue[0][0] if self._queue else None,
        ]
        if not self._is_down():
            due += [self._shoe_serial.due_us, self.table.timers.due_us, self._keys.due_us]
        return min(each for each in due if each is not None)

    def _step(self) -> None:
        now_us = self.now_us
        for detection in self.shoe.detections(now_us):
            if now_us >= self._shoe_down_until:
                self._sense(detection)
        if now_us >= self._shoe_down_until:
            self.to_table.send(self._end.take_bytes(now_us - self._boot_us), now_us)
        heard = self.to_table.received(now_us)
        if not self._is_down():
            for fact in self._shoe_serial.receive(heard, now_us):
                self._take(fact)
            for fact in self._keys.tick(now_us):
                self._say(fact)
            if self.table.timers.due_us is not None and self.table.timers.due_us <= now_us:
                self._take(core_facts.Tick(now_us))
            for ticket in self.store.done(now_us):
                self._take(core_facts.Recorded(now_us, ticket))
            self.to_shoe.send(self._shoe_serial.take_bytes(), now_us)
        else:
            self.store.done(now_us)
        heard = self.to_shoe.received(now_us)
        if heard and now_us >= self._shoe_down_until:
            self._end.receive(heard, now_us - self._boot_us)
        while self._queue and self._queue[0][0] <= now_us:
            what = self._queue.pop(0)[2]
            if callable(what):
                what()
            elif not self._is_down():
                self._take(what)
        if self.croupier.due_us is not None and self.croupier.due_us <= now_us:
            self._do(self.croupier.act(now_us))

    # --- the machine ------------------------------------------------------------------------------

    def _begin(self, state: RestartState) -> None:
        """The controller starts."""
        self._shoe_serial = ShoeSerial(self.rng.getrandbits(64), self.now_us, self._key)
        self._keys, self._card_keys = CroupierKeys(), CardKeys()
        self.table = CardTable(self.limits, restart_state=state, house=self.house)
        self._answer(self.table.begin_play(self.now_us))

    def _take(self, event: Any) -> None:
        if type(event) is facts.KeySwitched or type(event) in _OF_MACHINE:
            self._answer(self.table.handle(event))
        else:
            self._say(event)

    def _say(self, fact: Any) -> None:
        self.told.append(fact)

    def _answer(self, answer: Any) -> None:
        for fact in answer:
            kind = type(fact)
            if kind is core_facts.Record:
                self.store.put(fact.ticket, fact.kind, fact.body, self.now_us)
                continue
            self.told.append(fact)
            if kind is facts.Guide:
                self._show(fact)
            elif kind is facts.Release:
                self._shoe_serial.release(fact.is_on)
            elif kind is facts.RoundStarted:
                self.croupier.begin_round()
                hand = self.croupier
                self.truths.append(RoundTruth(fact.round, hand.stakes, hand.cloth, hand.said))
            elif kind is core_facts.Fault and fact.code == "P10":
                self.croupier.refused()
            elif kind in (facts.RoundResult, facts.RoundVoid):
                hand = self.croupier
                self.ended += 1
                self.truths[-1] = RoundTruth(
                    fact.round, list(hand.stakes), list(hand.cloth), dict(hand.said)
                )

    def _show(self, guide: Any) -> None:
        if guide.code == facts.GOLD_JACK_POSSIBLE:
            return  # said aloud, and nothing is due
        args = dict(guide.args)
        args["between"] = self.table.state in (states.CONFIRMED, states.VOID)
        if guide.code == facts.HELD and facts.AGAIN in args["ways"]:
            self._shoe_serial.again()
        screen = Screen(guide.code, args, guide.seen)
        self._until_us = guide.until_us
        self.croupier.see(screen, self.now_us)
        for each in self.on_screen:
            each(screen)

    # --- the shoe ---------------------------------------------------------------------------------

    def _boot_shoe(self, at_us: int) -> None:
        self._boot_us = at_us
        boot = self.rng.getrandbits(64) or 1
        serial = f"{self._serial:04}"
        self._end = ShoeEnd(MODEL, serial, self.decks, boot=boot, key=self._key)

    def _sense(self, detection: card_shoe.Detection) -> None:
        at_us = detection.at_us - self._boot_us
        if at_us < 0:
            return
        if detection.what == card_shoe.READ:
            self._end.card(detection.card, detection.ident, detection.read1, detection.read2, at_us)
        elif detection.what in (card_shoe.IN, card_shoe.OUT):
            side = messages.IN if detection.what == card_shoe.IN else messages.OUT
            self._end.edge(side, at_us)
        elif detection.what == card_shoe.CUT_READ:
            self._end.cut(at_us)
        elif detection.what == card_shoe.JAM:
            self._end.jam(at_us)
        else:
            self._end.empty(at_us)

    # --- the hands --------------------------------------------------------------------------------

    def _do(self, deeds: list[Deed]) -> None:
        after_us = 0
        for deed in deeds:
            self._do_one(deed, after_us)
            after_us += BETWEEN_US

    def _do_one(self, deed: Deed, after_us: int) -> None:
        at_us = self.now_us + after_us
        what, value = deed
        if what == card_croupier.KEY:
            self.press(value, after_us)
        elif what == card_croupier.TYPE:
            self.later(after_us, lambda: self._type(value))
        elif what == card_croupier.SWITCH:
            key, is_on = value
            self.later(after_us, lambda: self._feed(key, int(is_on)))
        elif what == card_croupier.STAKES:
            self.truths[-1] = self.truths[-1]._replace(stakes=value)
            self.later(after_us, facts.StakesLaid(at_us, value))
        elif what == card_croupier.ENTER:
            self.later(after_us, facts.CardEntered(at_us, value, *WHO))
        elif what == card_croupier.BURN:
            self.later(after_us, facts.BurnAsked(at_us, *WHO))
        elif what == card_croupier.COUNTED:
            self.later(after_us, facts.CountConfirmed(at_us, *WHO))
        elif what == card_croupier.RESCAN:
            self.later(after_us, facts.RescanAsked(at_us, WHO[0]))
        elif what == card_croupier.CLEAR:
            self.later(after_us, core_facts.ClearAsked(at_us, WHO[1]))
        elif what == card_croupier.KNOWN:
            self.later(after_us, facts.Acknowledged(at_us, WHO[1]))
        elif what == card_croupier.UNLOAD:
            self._shoe_serial.count()
        else:
            assert what == card_croupier.LOAD, what
            self._load()

    def _load(self) -> None:
        is_other = self.rng.random() < 0.3 or self.next_decks != self.decks
        self.decks, self.next_decks = self.next_decks, self.limits.decks
        if is_other:
            self.change_shoe()
        else:
            self.fill()

    def press(self, key: str, after_us: int = 0) -> None:
        """Somebody presses a key, so much later."""
        down_us = self.rng.randint(*PRESS_US)
        spoilt = self.keys_spoilt.pop(0) if self.keys_spoilt else ""
        if spoilt == "held":
            down_us = 2_000_000
        elif spoilt == "bounced":
            down_us = 5_000
        elif spoilt == "together":
            self.later(after_us + 10_000, lambda: self._feed(facts.KEY_VOID, 1))
            self.later(after_us + 40_000, lambda: self._feed(facts.KEY_VOID, 0))
        elif spoilt == "lost":
            return
        self.later(after_us, lambda: self._feed(key, 1))
        self.later(after_us + down_us, lambda: self._feed(key, 0))

    def _feed(self, key: str, level: int) -> None:
        if not self._is_down():
            for fact in self._keys.feed(key, level, self.now_us):
                self._take(fact)

    def _type(self, card: int) -> None:
        if not self._is_down():
            text = deck.text_of(card)
            for key in (text[0], text[1], OK):
                for fact in self._card_keys.press(key, self.now_us):
                    self._take(fact)


def side_bets(game: str) -> tuple[str, ...]:
    """The side bets that the house of that game offers here."""
    return tuple(bet for bet in SIDE_BETS[game] if bet != "behind")


_OF_MACHINE = (
    core_facts.Tick,
    core_facts.Recorded,
    core_facts.VoidAsked,
    core_facts.ClearAsked,
    facts.CardRead,
    facts.CardPulledBack,
    facts.CutCardSeen,
    facts.ShoeEmpty,
    facts.ShoeTrouble,
    facts.ShoeTroubleEnded,
    facts.ShoeLoaded,
    facts.ShoeCounted,
    facts.KeyPressed,
    facts.StakesLaid,
    facts.CardEntered,
    facts.BurnAsked,
    facts.CountConfirmed,
    facts.RescanAsked,
    facts.Acknowledged,
)
