"""Which cards of a shoe have been seen: what counts is read whole, new, and no more than there are.

CARDS M1. With N decks each of the 52 cards comes N times at most; where cards have an identity of
their own, each comes once, and all are of one set. The hole card counts as the others do.
"""

from firmware.core.cards import facts
from firmware.shims.typed import Any, NamedTuple, Sequence

CARDS = 52

# Why a card is foreign.
TOO_OFTEN = "too_often"
SEEN_BEFORE = "seen_before"
OTHER_SET = "other_set"
NO_IDENTITY = "no_identity"

# A shoe as it stands, which outlives a restart. n: the reader's number of the last card, since its
# boot, -1 where it is not known; drawn: cards that left it, unread ones too; counts: by card;
# idents: in the order drawn; is_trusted: the counts tell what is in it; must_count: it is counted
# before another is played; in_play: rounds are dealt from it, since its first cards were burned;
# first: the first of those rounds, 0 for none; is_over: the cut card came, or it is to be changed.
ShoeState = NamedTuple(
    "ShoeState",
    [
        ("model", str),
        ("serial", str),
        ("decks", int),
        ("boot", int),
        ("is_authenticated", bool),
        ("n", int),
        ("drawn", int),
        ("counts", "Sequence[int]"),
        ("unread", int),
        ("idents", "Sequence[str]"),
        ("is_trusted", bool),
        ("must_count", bool),
        ("in_play", bool),
        ("first", int),
        ("is_over", bool),
    ],
)
NONE = ShoeState("", "", 0, 0, False, -1, 0, (0,) * CARDS, 0, (), False, False, False, 0, False)


def set_mark(ident: str) -> str:
    """Returns the mark of the set, "S17" of "S17-0345"; empty where there is none."""
    return ident[: ident.index("-")] if "-" in ident else ""


class ShoeCount:
    """The shoe at the table. It knows nothing of places."""

    def __init__(self, state: ShoeState) -> None:
        """`state`: as a restart finds it, or NONE."""
        self.hello = facts.ShoeLoaded(
            0, state.model, state.serial, state.decks, state.boot, state.is_authenticated, state.n
        )
        self.n = state.n
        self.drawn = state.drawn
        self.counts = list(state.counts)
        self.unread = state.unread
        self.idents = list(state.idents)
        self.is_trusted = state.is_trusted
        self.must_count = state.must_count
        self.in_play = state.in_play
        self.first = state.first
        self.is_over = state.is_over

    def state(self) -> ShoeState:
        """Returns what a restart would be given."""
        _, model, serial, decks, boot, is_authenticated, _ = self.hello
        return ShoeState(
            model,
            serial,
            decks,
            boot,
            is_authenticated,
            self.n,
            self.drawn,
            tuple(self.counts),
            self.unread,
            tuple(self.idents),
            self.is_trusted,
            self.must_count,
            self.in_play,
            self.first,
            self.in_play and self.is_over,
        )

    def begin_round(self, number: int) -> None:
        """Takes that a round begins: the first of the shoe, if none was."""
        self.first = self.first or number

    def greet(self, hello: "facts.ShoeLoaded") -> int:
        """Takes what the shoe says it is. Its reader numbers cards from 1 with each boot.

        Returns how many cards came out that no row has: as the power is lost, and the hole card.
        """
        if (hello.serial, hello.boot) != (self.hello.serial, self.hello.boot):
            self.n = -1
        self.hello = hello
        if self.n < 0:
            return 0
        before, self.n = self.n, max(self.n, hello.n)
        return self.n - before

    def lost_before(self, n: int) -> int | None:
        """Takes the reader's number of a card. Returns how many went by before it, unread.

        Returns None where that number has come already.
        """
        before, self.n = self.n, max(n, self.n)
        if n <= before:
            return None
        return 0 if before < 0 else n - before - 1

    def load(self) -> None:
        """Takes that all of its decks are in it: nothing of it was seen, and its burning begins."""
        self.n, self.drawn, self.unread = -1, 0, 0
        self.counts = [0] * CARDS
        self.idents = []
        self.is_trusted, self.must_count, self.in_play = False, False, False
        self.first, self.is_over = 0, False

    def why_foreign(self, card: int, ident: str) -> str | None:
        """Returns why this card is none of the shoe's; None if it may be."""
        if self.counts[card] >= self.hello.decks:
            return TOO_OFTEN
        if not self.idents:
            return None  # the first card says whether the others have identities
        if not ident:
            return NO_IDENTITY
        if ident in self.idents:
            return SEEN_BEFORE
        return None if set_mark(ident) == set_mark(self.idents[0]) else OTHER_SET

    def count_card(self, card: int | None, ident: str) -> int:
        """Counts a card that left the shoe; None: nobody knows which. Returns its ordinal."""
        self.drawn += 1
        if card is None:
            self.unread += 1
        else:
            self.counts[card] += 1
            if ident:
                self.idents.append(ident)
        return self.drawn

    def put_back(self, card: int, ident: str) -> None:
        """Takes that the last card counted is none: what was typed is taken back."""
        self.drawn -= 1
        self.counts[card] -= 1
        if ident:
            self.idents.remove(ident)

    def agrees(self, left: Sequence[int]) -> bool:
        """Returns whether all that is missing is as many cards as went unread.

        `left`: by card, as the shoe was unloaded.
        """
        missing = self._missing(left)
        return min(missing) >= 0 and sum(missing) == self.unread

    def differs(self, left: Sequence[int]) -> "list[int]":
        """Returns the cards of which the decks would have more or fewer than seen and left."""
        missing = self._missing(left)
        return [card for card in range(CARDS) if missing[card]]

    def _missing(self, left: Sequence[int]) -> "list[int]":
        decks = self.hello.decks
        return [decks - self.counts[card] - left[card] for card in range(CARDS)]


def is_count(left: Any) -> bool:
    """Returns whether that is a count: 52 whole numbers, none negative."""
    return len(left) == CARDS and min(left) >= 0
