"""A croupier's hand at a card table: it does what his screen says, and knows no rule.

The screen says what is due: a code with arguments, and how many cards of the round count. The hand
reacts in its own time, moves real cards (`cloth` is what lies there, in the order it was drawn),
presses keys, and calls a second person where two are wanted. It never compares a card with the
screen: only that a card it laid has not been taken, because the screen still asks for it. What is
on the cloth is therefore the truth that a round is judged by.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from tools.sim.card_players import Players, Stake
from tools.sim.card_shoe import CUT, CardShoe, ShoeCard

TWO_KEYS_US = 600_000  # until both are let go; then he looks at the screen again
REACTION_US = (250_000, 900_000)
PATIENCE_US = 4_000_000  # until he does it once more
PULL_US = 500_000  # a card is over the readers in less
TRIES = 4  # at one and the same screen; then the round is to be void
FREE_US = (2_000_000, 6_000_000)  # until he has freed what sticks
WAITS_US = 20_000_000  # for a shoe that is in trouble

# What a deed is, beside "key", whose value is a key's name.
KEY = "key"
STAKES = "stakes"  # value: all that lies on the cloth
UNLOAD = "unload"  # the shoe is counted as it is unloaded
LOAD = "load"  # other cards are put into it, or another one is brought
TYPE = "type"  # value: a card, on the keys for cards
SWITCH = "switch"  # value: (name, on)
ENTER = "enter"  # two people; value: the card
BURN = "burn"  # two people
COUNTED = "counted"  # two people confirm the count
CLEAR = "clear"
KNOWN = "known"  # the management knows of a Gold Jack
RESCAN = "rescan"


CARD_DUE = ("deal", "late")  # on the screen
NO_CARD_DUE = ("decide", "insure", "turn", "confirm", "recording")
KEYS_OF = {"hit": "card", "stand": "stand", "double": "double", "split": "pair"}


class Deed(NamedTuple):
    """What somebody does that is no card's move."""

    what: str
    value: Any = None


class Screen(NamedTuple):
    """What stands on it."""

    code: str = ""
    args: dict[str, Any] = {}  # noqa: RUF012  # never changed
    seen: int = 0


class CardCroupier:
    """One croupier at one table, with one shoe before him."""

    def __init__(
        self, shoe: CardShoe, players: Players, rng: Random, *, types: bool = False
    ) -> None:
        """He stands there; nothing is on his screen yet. `types`: no reader names the cards."""
        self.shoe = shoe
        self.players = players
        self.cloth: list[ShoeCard] = []  # of the round, in the order it was drawn
        self.stakes: list[Stake] = []  # of the round
        # What players said, by (seat, hand, cards seen, whether of insurance).
        self.said: dict[tuple[int, int, int, bool], str] = {}
        self.screen = Screen()
        self.due_us: int | None = None  # when he does the next thing
        # What a fault has him do. `mute`: of the next decision, which is never said.
        self.mute = 0
        self.swaps = False  # the last two cards, as all are read again
        self.exposes = False  # what came too early or too much, players see
        self.stakes_us = 0  # players at terminals have so long, once chips are laid
        self._rng = rng
        self._types = types
        self._tries = 0
        self._began_us = 0  # this screen
        self._presses_until_us = 0  # two keys, one after the other
        self._refusals = 0
        self._has_laid = False  # in this round, as players with chips have
        self._calls_us = 0  # rien ne va plus, at the earliest
        self._has_called = False
        self._pushed: ShoeCard | None = None  # lies first in the shoe, and belongs on the cloth
        self._is_loaded = True  # with cards that were not played yet

    # --- what he sees -----------------------------------------------------------------------------

    def see(self, screen: Screen, at_us: int) -> None:
        """The screen has changed."""
        is_own_key = screen.code == "insure" and _without_seat(screen) == _without_seat(self.screen)
        self.screen = screen
        if is_own_key:
            return  # the seat that he has just pressed
        self._tries = self._refusals = 0
        self._began_us = at_us
        if screen.code in NO_CARD_DUE:
            del self.cloth[screen.seen :]  # what came under another card is put away
        self.due_us = max(at_us + self._rng.randint(*REACTION_US), self._presses_until_us)

    def refused(self) -> None:
        """What he asked was not done."""
        self._refusals += 1

    def begin_round(self) -> None:
        """The table has opened one: the cloth is empty."""
        self.cloth, self.stakes, self.said = [], [], {}
        self.exposes = self.swaps = self._is_loaded = False
        self._has_laid = self._has_called = False

    def draw_aside(self, at_us: int, *, exposed: bool) -> None:
        """Draws a card that nobody asked for, and lays it on no place; none while one is due."""
        if self.screen.code in CARD_DUE or (self.screen.code == "bets" and self._has_called):
            return
        held = self.shoe.draw(at_us)
        if held and held[0] is self._pushed:
            self.cloth.append(held[0])  # he lays it where it lay
        self.exposes = exposed
        if self.due_us is not None:
            self.due_us = max(self.due_us, at_us + PULL_US)

    def decide_hand(self, screen: Screen) -> str:
        """A hand says what it does, once; gives the key for it."""
        args = screen.args
        which = (args["seat"], args["hand"], screen.seen, False)
        if which not in self.said:
            self.said[which] = self.players.decide(args["points"], args["choices"])
        return KEYS_OF[self.said[which]]

    def push_back(self, at_us: int) -> None:
        """Pushes the card that he laid last into the shoe again."""
        if self.cloth:
            self._pushed = self.cloth.pop()
            self.shoe.push_back(self._pushed, at_us)
            self._soon(at_us)

    # --- what he does -----------------------------------------------------------------------------

    def act(self, at_us: int) -> list[Deed]:
        """Does what is due, and says when he looks again."""
        self.due_us = at_us + PATIENCE_US
        self._tries += 1
        does = getattr(self, f"_do_{self.screen.code}", None)
        return [] if does is None else does(at_us)

    def _soon(self, at_us: int, least_us: int = PULL_US) -> None:
        self.due_us = at_us + least_us + self._rng.randint(*REACTION_US)

    def _do_load(self, at_us: int) -> list[Deed]:
        if not self._is_loaded or self._refusals > 1:
            self._is_loaded, self._refusals = True, 0
            self._soon(at_us, 3_000_000)
            return [Deed(LOAD)]
        self._soon(at_us, 2_000_000)
        return [Deed(KEY, "start")]

    def _do_count(self, at_us: int) -> list[Deed]:
        """Counts what is left, or two people say what it is."""
        if self._is_between():
            # In the middle of a shoe: believed by two, or changed.
            return [Deed(COUNTED)] if self._rng.random() < 0.7 else [Deed(KEY, "cut")]
        self._is_loaded = False
        if self._tries == 1 and self._rng.random() < 0.5:
            self.due_us = self.shoe.unload(at_us) + PATIENCE_US
            return [Deed(UNLOAD)]
        return [Deed(COUNTED)]

    def _is_between(self) -> bool:
        return bool(self.screen.args.get("between"))

    def _do_burning(self, at_us: int) -> list[Deed]:
        self.shoe.draw(at_us)
        self._soon(at_us)
        return [Deed(KEY, "burn")] if self._types else []

    def _do_bets(self, at_us: int) -> list[Deed]:
        if not self.stakes and not self._has_laid:
            self._has_laid = True
            self.stakes = self.players.stakes()
            self._calls_us = at_us + self.stakes_us
            self._soon(at_us, 1_000_000)
            return [Deed(STAKES, self.stakes)]
        if at_us < self._calls_us:
            self.due_us = self._calls_us
            return []
        self._has_called = True
        return [Deed(KEY, "no_more_bets")]

    def _do_deal(self, at_us: int) -> list[Deed]:
        waits = len(self.cloth) - self.screen.seen
        if self._tries > TRIES * 2:
            return [Deed(KEY, "void")]
        if self._types:
            return self._draw_and_type(at_us)
        if waits > 1:
            return [self._over_again()]
        if waits == 1:
            self.shoe.slide(self.cloth[self.screen.seen], at_us)
        else:
            self._draw(at_us)
        return []

    _do_late = _do_deal

    def _draw(self, at_us: int) -> None:
        """Draws a card and lays it where the screen says."""
        held = self.shoe.draw(at_us)
        if self.shoe.stuck is not None:
            self.due_us = at_us + self._rng.randint(*FREE_US)
        if held and held[0].card == CUT:
            self._soon(at_us)
            return
        # Of two that came together the second one is slid over the readers by itself.
        self.cloth += held

    def _draw_and_type(self, at_us: int) -> list[Deed]:
        """Types the card that lies where the screen says, or that the cut card came first."""
        if len(self.cloth) == self.screen.seen:
            self._draw(at_us)
        if len(self.cloth) == self.screen.seen:
            return [Deed(KEY, "cut")]
        return [Deed(TYPE, self.cloth[self.screen.seen].card)]

    def _over_again(self) -> Deed:
        """More cards lie there than the screen knows: all is read again, or the round is void."""
        return Deed(KEY, "void") if self.said else Deed(RESCAN)

    def _do_insure(self, at_us: int) -> list[Deed]:
        held = self.screen.args.get("at_terminals", ())
        seats = [seat for seat in self.screen.args["seats"] if seat not in held]
        self._soon(at_us)
        if not seats:
            self.due_us = None
            return []
        if self.mute:
            self.mute -= 1
            self.due_us = None  # nobody says anything: time will
            return []
        if self._rng.random() < 0.1:
            return [Deed(KEY, "no_more_bets")]
        seat = self._rng.choice(seats)
        answer = "insure" if self.players.insures() else "no_insurance"
        self.said[(seat, 1, self.screen.seen, True)] = answer
        key = "insurance" if answer == "insure" else "stand"
        self._presses_until_us = at_us + TWO_KEYS_US
        return [Deed(KEY, f"seat_{seat}"), Deed(KEY, key)]

    def _do_decide(self, at_us: int) -> list[Deed]:
        if self.screen.args.get("at_terminal"):
            self.due_us = None
            return []
        if self.mute:
            self.mute -= 1
            self.due_us = None
            return []
        return [Deed(KEY, self.decide_hand(self.screen))]

    def _do_turn(self, at_us: int) -> list[Deed]:
        return [Deed(KEY, "turned")]

    def _do_gold_jack(self, at_us: int) -> list[Deed]:
        if self._rng.random() < 0.5:
            return [Deed(SWITCH, ("key_management", True)), Deed(SWITCH, ("key_management", False))]
        return [Deed(KNOWN)]

    def _do_confirm(self, at_us: int) -> list[Deed]:
        return [Deed(KEY, "confirm")]

    def _do_next(self, at_us: int) -> list[Deed]:
        return [Deed(KEY, "start")]

    _do_burn_all = _do_next

    def _do_locked(self, at_us: int) -> list[Deed]:
        return [Deed(CLEAR)]

    # --- a round that is held ---------------------------------------------------------------------

    def _do_held(self, at_us: int) -> list[Deed]:
        why, ways = self.screen.args["why"], self.screen.args["ways"]
        if self._tries > TRIES:
            return [Deed(KEY, "void")]
        if why == "rescan":
            return self._read_all(at_us)
        waits = len(self.cloth) - self.screen.seen
        if waits > 1:
            return [self._over_again()]
        if "on" in ways:
            if waits == 1:
                self.shoe.slide(self.cloth[self.screen.seen], at_us)
                return []
            return [Deed(KEY, "confirm") if waits == 0 else self._over_again()]
        if "again" in ways:
            self._pull_again(waits, at_us)
            return []
        if "put_away" in ways:
            return [Deed(KEY, "exposed" if self.exposes else "burn")]
        if "burn_by_two" in ways and self._rng.random() < 0.8:
            return self._burn_by_two()
        if "rescan" in ways and not self.said:
            return [Deed(RESCAN)]
        if why in ("jam", "silent", "lying") and at_us - self._began_us < WAITS_US:
            return self._wait_for_shoe(ways, at_us)
        if "enter" in ways:
            return self._enter(at_us)
        return [Deed(KEY, "void")]

    def _pull_again(self, waits: int, at_us: int) -> None:
        """The same card once more; one that went back is the first in the shoe."""
        if waits > 0:
            self.shoe.slide(self.cloth[self.screen.seen], at_us)
        else:
            self._draw(at_us)

    def _wait_for_shoe(self, ways: Any, at_us: int) -> list[Deed]:
        self._tries = 0
        if self.shoe.stuck is not None:
            self._draw(at_us)
            self._soon(at_us)
            return []
        if "enter" in ways and self._rng.random() < 0.15:
            return self._enter(at_us)
        self.due_us = at_us + 1_000_000
        return []

    def _enter(self, at_us: int) -> list[Deed]:
        """He and the management look at the card, and say what it is."""
        if len(self.cloth) == self.screen.seen:
            self._draw(at_us)
        if len(self.cloth) <= self.screen.seen:
            return [Deed(KEY, "void")]
        card = self.cloth[self.screen.seen].card
        if self._rng.random() < 0.5:
            return [Deed(ENTER, card)]
        return [
            Deed(SWITCH, ("key_croupier", True)),
            Deed(TYPE, card),
            Deed(SWITCH, ("key_management", True)),
            Deed(SWITCH, ("key_management", False)),
            Deed(SWITCH, ("key_croupier", False)),
        ]

    def _burn_by_two(self) -> list[Deed]:
        if self._rng.random() < 0.5:
            return [Deed(BURN)]
        return [
            Deed(SWITCH, ("key_croupier", True)),
            Deed(KEY, "burn"),
            Deed(SWITCH, ("key_management", True)),
            Deed(SWITCH, ("key_management", False)),
            Deed(SWITCH, ("key_croupier", False)),
        ]

    def _read_all(self, at_us: int) -> list[Deed]:
        """Pulls what lies on the cloth over the readers again, from the first card on."""
        if self._refusals:
            self._refusals = 0
            self._soon(at_us)
            return [Deed(RESCAN)]
        if self._tries % 2 == 0:
            return [Deed(KEY, "confirm")]
        cards = list(self.cloth)
        if self.swaps and 1 < len(cards) <= self.screen.seen:
            self.swaps = False
            cards[-2:] = cards[:-3:-1]
        for card in cards:
            self.shoe.slide(card, at_us)
            at_us += PULL_US
        self._soon(at_us, PULL_US)
        return []


def _without_seat(screen: Screen) -> Screen:
    return screen._replace(args={key: screen.args[key] for key in screen.args if key != "seat"})
