"""A card shoe on its table: what lies in it, and what its two edges and two readers see of a card.

A card is a whole number 0..51 and, where the set has one, an identity of its own. The shoe knows
no rules and no line: it moves cards, and says what its sensors see, each with its time (us). What
goes wrong in a pull is physical, a Pull; `mishaps` are those of the next pulls, in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

CARDS = 52
CUT = 255  # the cut card
NOTHING = 255  # what a reader reads that reads nothing

# What the sensors see.
IN = "in"  # the front edge of a card, before the readers
READ = "read"
CUT_READ = "cut"
OUT = "out"  # the front edge of a card, behind the readers
JAM = "jam"
EMPTY = "empty"

# A card is under the readers so long after it came in, and out so long after (us).
TO_READERS_US = (60_000, 140_000)
TO_OUT_US = (60_000, 160_000)
UNLOAD_US = 150_000  # from one card to the next, as the shoe is unloaded by hand


class ShoeCard(NamedTuple):
    """One card of paper. `ident`: empty where its set has none."""

    card: int
    ident: str


class Detection(NamedTuple):
    """What the sensors saw. The last four of a READ alone: what the shoe takes the card for, what
    each reader read."""

    at_us: int
    what: str
    card: int = NOTHING
    ident: str = ""
    read1: int = NOTHING
    read2: int = NOTHING


class Pull(NamedTuple):
    """How a card is pulled over the readers, and what is wrong with it."""

    reads: tuple[bool, bool] = (True, True)  # which reader reads
    differs: bool = False  # the second reader reads another card
    again: bool = False  # it is read twice
    sees_in: bool = True
    sees_out: bool = True
    back: bool = False  # pulled back before it was out
    out_us: int = 0  # so much longer until it is out
    jams: bool = False  # it sticks under the readers
    two: bool = False  # the next one comes out under it, unread


PLAIN = Pull()
BLIND = Pull(reads=(False, False), sees_in=False, sees_out=False)


def shuffled(rng: Random, decks: int, mark: str, cut_behind: int) -> list[ShoeCard]:
    """`decks` times 52 cards, shuffled, the first to come first; the cut card after `cut_behind`.

    `mark`: of the set, as "S17", whose cards have identities; empty: they have none.
    """
    cards = [
        ShoeCard(at % CARDS, f"{mark}-{at + 1:04}" if mark else "") for at in range(decks * CARDS)
    ]
    rng.shuffle(cards)
    cards.insert(cut_behind, ShoeCard(CUT, ""))
    return cards


class CardShoe:
    """What lies in a shoe, and what its sensors have seen that nobody has asked for yet."""

    def __init__(self, cards: Sequence[ShoeCard], rng: Random) -> None:
        """`cards`: the first to come first."""
        self.cards = deque(cards)
        self.mishaps: deque[Pull] = deque()
        self.gone: list[ShoeCard] = []  # all that ever left it
        self.stuck: ShoeCard | None = None
        self._rng = rng
        self._sights: deque[Detection] = deque()

    @property
    def due_us(self) -> int | None:
        """When the sensors see the next thing; None: nothing is on its way."""
        return self._sights[0].at_us if self._sights else None

    def detections(self, until_us: int) -> list[Detection]:
        """What they saw until then, in order, once."""
        found = []
        while self._sights and self._sights[0].at_us <= until_us:
            found.append(self._sights.popleft())
        return found

    def load(self, cards: Sequence[ShoeCard]) -> None:
        """Takes out what is left, and puts these in."""
        self.cards = deque(cards)
        self.gone = []
        self.stuck = None
        self.mishaps.clear()

    def draw(self, at_us: int) -> list[ShoeCard]:
        """Pulls the first card; gives what the hand holds then: two where two came together, none
        where it went back, sticks, or nothing is left."""
        if self.stuck is not None:
            return [self._free(at_us)]
        if not self.cards:
            return []
        card = self.cards[0]
        pull = PLAIN if card.card == CUT else self._next_pull()
        out_us = self._pass(card, pull, at_us)
        if pull.back:
            return []
        self.cards.popleft()
        if pull.jams:
            self.stuck = card
            return []
        held = [card]
        if pull.two and self.cards and self.cards[0].card != CUT:
            held.append(self.cards.popleft())
        self.gone += held
        if not self.cards:
            self._see(Detection(out_us + 1_000, EMPTY))
        return held

    def slide(self, card: ShoeCard, at_us: int) -> None:
        """Pulls a card over the readers that is out of the shoe."""
        self._pass(card, self._next_pull(), at_us)

    def push_back(self, card: ShoeCard, at_us: int) -> None:
        """Pushes a card that is out into the shoe again: it is the first one then."""
        readers_us = at_us + self._rng.randint(*TO_OUT_US)
        self._see(Detection(at_us, OUT))
        self._see(Detection(readers_us, READ, card.card, card.ident, card.card, card.card))
        self._see(Detection(readers_us + self._rng.randint(*TO_READERS_US), IN))
        if card in self.gone:  # else it is of the shoe that was here before
            self.gone.remove(card)
        self.cards.appendleft(card)

    def unload(self, at_us: int) -> int:
        """Pulls everything out over the readers; gives when that is done (us)."""
        while self.cards:
            self.gone.append(self.cards.popleft())
            self._pass(self.gone[-1], PLAIN, at_us)
            at_us += UNLOAD_US
        self._see(Detection(at_us + 500_000, EMPTY))
        return at_us + 500_000

    def _free(self, at_us: int) -> ShoeCard:
        """Pulls out what sticks."""
        card = self.stuck
        assert card is not None
        self.stuck = None
        self._see(Detection(at_us, OUT))
        self.gone.append(card)
        if not self.cards:
            self._see(Detection(at_us + 1_000, EMPTY))
        return card

    def _next_pull(self) -> Pull:
        return self.mishaps.popleft() if self.mishaps else PLAIN

    def _pass(self, card: ShoeCard, pull: Pull, at_us: int) -> int:
        """Lets a card pass edges and readers; gives when it is out."""
        readers_us = at_us + self._rng.randint(*TO_READERS_US)
        out_us = readers_us + self._rng.randint(*TO_OUT_US) + pull.out_us
        if pull.sees_in:
            self._see(Detection(at_us, IN))
        if card.card == CUT:
            self._see(Detection(readers_us, CUT_READ))
        elif pull.sees_in or pull.sees_out or pull.reads != (False, False):
            self._see(self._read(card, pull, readers_us))
            if pull.again:
                self._see(self._read(card, pull, readers_us + 20_000))
        if pull.jams:
            self._see(Detection(readers_us + 30_000, JAM))
        elif pull.sees_out and not pull.back:
            self._see(Detection(out_us, OUT))
        return out_us

    def _read(self, card: ShoeCard, pull: Pull, at_us: int) -> Detection:
        read1 = card.card if pull.reads[0] else NOTHING
        read2 = card.card if pull.reads[1] else NOTHING
        if pull.differs:
            read2 = (card.card + self._rng.randrange(1, CARDS)) % CARDS
        taken = read1 if read1 != NOTHING else read2
        return Detection(at_us, READ, taken, "" if taken == NOTHING else card.ident, read1, read2)

    def _see(self, detection: Detection) -> None:
        """Keeps it; the sensors see one thing after the other."""
        at_us = detection.at_us
        if self._sights:
            at_us = max(at_us, self._sights[-1].at_us)
        self._sights.append(detection._replace(at_us=at_us))
