"""What stands and sits at a virtual card table: shoe, croupier, players; what they do, and when.

Who has the machine takes what they do: keys, cards that are typed, what people ask, an unloading
count; and carries bytes from and to `shoe_end`. Times are microseconds of any clock that never goes
back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from drivers import checked_line
from drivers import shoe_messages as messages
from drivers.shoe_barcode import CUT_CARD
from drivers.shoe_end import ShoeEnd
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.house import AUTO
from rules.cards import deck
from rules.cards.stakes import CardTable as Limits
from tools.sim import card_croupier, card_shoe
from tools.sim.card_croupier import CardCroupier, Deed, Screen
from tools.sim.card_players import BASIC, SEATS, Players
from tools.sim.card_shoe import CardShoe
from tools.sim.streams import stream

PRESS_US = (60_000, 160_000)  # a key is down so long
BETWEEN_US = 250_000  # from one key of a deed to the next
REBOOTS_US = 700_000  # the shoe
MODEL = "simulated"
WHO = ("anna", "bruno", "simulated")  # croupier, member of the management, why
KEY = bytes(range(32))  # of the simulated shoe
# What each game's players may lay beside a hand here.
SIDE_BETS = {
    "blackjack_lu": ("perfect_pairs", "super_black", "super_silver", "super_gold"),
    "blackjack_live": ("behind",),
    "baccarat_live": (),
    "punto_2000": ("dragon_player", "dragon_banker"),
}


class Setup(NamedTuple):
    """One table. `idents`: each card has one; `key`: of the shoe, None: its frames have no code;
    `serial`: of the first shoe.
    """

    game: str
    seed: int
    idents: bool = True
    key: bytes | None = KEY
    confirm: str = AUTO
    style: str = BASIC  # or RANDOM
    reader: str = facts.SHOE  # BARCODE, each card with an identity; PEOPLE: the croupier types
    serial: int = 1
    accounts: bool = False  # some players have one, and sit at terminals or bet behind hands


class CardHands:
    """Everything at one table but its machine. What everybody does hangs on the seed alone."""

    def __init__(self, limits: Limits, setup: Setup, now_us: int) -> None:
        """`limits`: of the table. Nothing has happened yet; the shoe is loaded."""
        self.setup = setup
        self.now_us = now_us
        self.limits = limits
        self.rng = stream(setup.seed, "world")
        self.shoe = CardShoe((), stream(setup.seed, "pulls"))
        players = players_of(limits, setup.seed, setup.style)
        self.croupier = CardCroupier(
            self.shoe, players, stream(setup.seed, "croupier"), types=setup.reader == facts.PEOPLE
        )
        self.decks = limits.decks  # that the shoe is set up for
        self.next_decks = self.decks  # that the next one is
        self.keys_spoilt: list[str] = []  # what befalls the next keys pressed
        self.on_screen: list[Callable[[Screen], None]] = []  # called with each change of it
        self.shown = Screen()  # by the table, whether the croupier's screen is on or off
        self.until_us: int | None = None  # of that
        self._is_off = False  # the croupier's screen
        self.shoe_key = setup.key
        self._sets = 0
        self._serial = setup.serial
        self._queue: list[tuple[int, int, Callable[[], object]]] = []  # (when, number, what)
        self._queued = 0
        self._shoe_down_until = 0
        self._boot_shoe(now_us)
        self.fill()

    # --- what is done with it ---------------------------------------------------------------------

    def feed(self, key: str, level: int) -> None:
        """Takes that a key or switch of the croupier's goes down or up."""
        raise NotImplementedError

    def type_card(self, card: int) -> None:
        """Takes a card that is typed on the keys for cards."""
        raise NotImplementedError

    def read_line(self, data: bytes) -> None:
        """Takes what a barcode reader says of a card."""
        raise NotImplementedError

    def ask(self, event: Any) -> None:
        """Takes what people ask of the machine, or lay on the cloth."""
        raise NotImplementedError

    def count_shoe(self) -> None:
        """Takes that the shoe is unloaded over its readers."""
        raise NotImplementedError

    # --- the shoe ---------------------------------------------------------------------------------

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

    def _boot_shoe(self, at_us: int) -> None:
        self._boot_us = at_us
        boot = self.rng.getrandbits(64) or 1
        serial = f"{self._serial:04}"
        self._end = ShoeEnd(MODEL, serial, self.decks, boot=boot, key=self.setup.key)

    def _read_code(self, detection: card_shoe.Detection) -> None:
        """A barcode reader sees a card's code, if it can, and nothing else."""
        if detection.what == card_shoe.CUT_READ:
            fields = ["S0", "0000", CUT_CARD]
        elif detection.what == card_shoe.READ and detection.read1 != card_shoe.NOTHING:
            fields = [*detection.ident.split("-"), deck.text_of(detection.read1)]
        else:
            return
        self.read_line(checked_line.written(fields).encode() + b"\n")

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

    def sense(self) -> None:
        """Has the shoe say what its sensors saw by now."""
        for detection in self.shoe.detections(self.now_us):
            if self.setup.reader == facts.BARCODE:
                self._read_code(detection)
            elif self.setup.reader == facts.PEOPLE:
                continue
            elif self.now_us >= self._shoe_down_until:
                self._sense(detection)

    def shoe_says(self) -> bytes:
        """Gives what the shoe sends now."""
        if self.now_us < self._shoe_down_until or self.setup.reader != facts.SHOE:
            return b""
        return self._end.take_bytes(self.now_us - self._boot_us)

    def shoe_hears(self, data: bytes) -> None:
        """Takes what arrives at the shoe."""
        if data and self.now_us >= self._shoe_down_until:
            self._end.receive(data, self.now_us - self._boot_us)

    # --- the screen -------------------------------------------------------------------------------

    def show_guide(self, guide: Any, *, is_between: bool) -> None:
        """Puts a Guide on the croupier's screen. `is_between`: no round is open."""
        if guide.code == facts.GOLD_JACK_POSSIBLE:
            return  # said aloud, and nothing is due
        args = dict(guide.args)
        args["between"] = is_between
        screen = Screen(guide.code, args, guide.seen)
        self.shown, self.until_us = screen, guide.until_us
        if not self._is_off:
            self.croupier.see(screen, self.now_us)
        for each in self.on_screen:
            each(screen)

    def switch_off_screen(self, for_us: int) -> bool:
        """The croupier's screen is off for so long. Returns whether it was on."""

        def switch_on() -> None:
            self._is_off = False
            self.croupier.see(self.shown, self.now_us)

        if self._is_off:
            return False
        self._is_off = True
        self.croupier.see(Screen(), self.now_us)
        self.later(for_us, switch_on)
        return True

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
            self.later(after_us, lambda: self.type_card(value))
        elif what == card_croupier.SWITCH:
            key, is_on = value
            self.later(after_us, lambda: self.feed(key, int(is_on)))
        elif what == card_croupier.STAKES:
            self.ask_later(after_us, facts.StakesLaid(at_us, value))
        elif what == card_croupier.ENTER:
            self.ask_later(after_us, facts.CardEntered(at_us, value, *WHO))
        elif what == card_croupier.BURN:
            self.ask_later(after_us, facts.BurnAsked(at_us, *WHO))
        elif what == card_croupier.COUNTED:
            self.ask_later(after_us, facts.CountConfirmed(at_us, *WHO))
        elif what == card_croupier.RESCAN:
            self.ask_later(after_us, facts.RescanAsked(at_us, WHO[0]))
        elif what == card_croupier.CLEAR:
            self.ask_later(after_us, core_facts.ClearAsked(at_us, WHO[1]))
        elif what == card_croupier.KNOWN:
            self.ask_later(after_us, facts.Acknowledged(at_us, WHO[1]))
        elif what == card_croupier.UNLOAD:
            self.count_shoe()
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
            self.later(after_us + 10_000, lambda: self.feed(facts.KEY_VOID, 1))
            self.later(after_us + 40_000, lambda: self.feed(facts.KEY_VOID, 0))
        elif spoilt == "lost":
            return
        self.later(after_us, lambda: self.feed(key, 1))
        self.later(after_us + down_us, lambda: self.feed(key, 0))

    def ask_later(self, after_us: int, event: Any) -> None:
        """Has somebody ask that, or lay it, so much later."""
        self.later(after_us, lambda: self.ask(event))

    def later(self, after_us: int, what: Callable[[], object]) -> None:
        """Calls that so much later."""
        self._queued += 1
        self._queue.append((self.now_us + after_us, self._queued, what))
        self._queue.sort(key=lambda each: each[:2])

    @property
    def hands_due_us(self) -> int:
        """Tells when somebody or something here does the next thing."""
        due = [self.shoe.due_us, self.croupier.due_us]
        if self.setup.reader == facts.SHOE:
            end_us = max(self._boot_us + self._end.due_us, self.now_us, self._shoe_down_until)
            due.append(end_us)
        due.append(self._queue[0][0] if self._queue else None)
        return min(each for each in due if each is not None)

    def act(self) -> None:
        """Does what is due."""
        while self._queue and self._queue[0][0] <= self.now_us:
            self._queue.pop(0)[2]()
        if self.croupier.due_us is not None and self.croupier.due_us <= self.now_us:
            self._do(self.croupier.act(self.now_us))


def players_of(
    limits: Limits, seed: int, style: str = BASIC, seats: Sequence[int] = range(1, SEATS + 1)
) -> Players:
    """Returns the players at a table of these limits, or at some seats of it."""
    return Players(
        limits.rules["family"],
        stream(seed, "players"),
        style=style,
        bets=[bet for bet in SIDE_BETS[limits.rules["name"]] if _is_taken(bet, limits)],
        floor_cents=limits.floor_cents,
        ceiling_cents=limits.ceiling_cents,
        seats=seats,
    )


def _is_taken(bet: str, limits: Limits) -> bool:
    is_side = limits.bets[bet].side is not None
    return not is_side or limits.side_bets is None or bet in limits.side_bets


def side_bets(game: str) -> tuple[str, ...]:
    """The side bets that the house of that game offers here."""
    return tuple(bet for bet in SIDE_BETS[game] if bet != "behind")
