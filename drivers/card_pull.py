"""One pull of a card out of a shoe: what its two edges and its two readers make of it.

    in, card, out       a card is out
    in, card, (3 s)     it was pulled back
    in, card, in, card  pulled back and pulled again: one card, if it is the same one
    in, card, (3 s,) out    a slow card, that nobody can name; after 6 s it is another one
    out, (card,) in     a card that was out went back
    all else            a card is out that nobody can name

Times are the shoe's, in ms, and may wrap at 2**32.
"""

from firmware.shims.typed import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    Read = tuple[int, str]  # a card and its id

OUT_MS = 3_000  # from the edge in to the edge out of one card
SLOW_MS = 6_000  # so late it may come out as an unread one
# What becomes of a pull.
CARD_OUT = "card_out"  # with what was read
UNREAD = "unread"  # a card is out, and nobody knows which
PULLED_BACK = "pulled_back"  # it did not come out
WENT_BACK = "went_back"  # one that was out is in again, with what was read of it, None: nothing
CUT = (0xFF, "")  # what is read of the cut card, which is told when it is read
_MS = 0xFFFFFFFF


class Pull:
    """Follows one card after the other. Every call gives what became of pulls: (what, read)."""

    def __init__(self) -> None:
        self._in_ms: int | None = None  # when a card came in; None: none is on its way
        self._unseen = False  # it was read, but its edge was not
        self._bad = False  # what was read of it contradicts itself
        self._read: Any = None  # what was read of it
        self._must: Any = None  # what was read of one that was pulled back: the next one must be it
        self._back_ms: int | None = None  # when one came out that had not come in
        self._is_told = False  # of that one, as out
        self._is_read_back = False  # and something was read of it since,
        self._back_read: Any = None  # this
        self._slow_ms: int | None = None  # when one came in that was given up, and may come out yet
        self._lost = False  # its edge in may be among what was never said

    def come_in(self, at_ms: int) -> "Sequence[tuple[str, Any]]":
        """The front edge of a card came to the way out; or its end, as it went back."""
        told = []
        self._lost = False
        if self._back_ms is not None:
            is_late = _after(self._back_ms, at_ms) > OUT_MS
            self._back_ms = None
            if not is_late and (self._is_read_back or not self._is_told):
                return [(WENT_BACK, self._back_read)]
            if not self._is_told:
                told.append((UNREAD, None))
        if self._in_ms is not None:
            told.append(self._give_up())
        self._in_ms = at_ms
        self._unseen = self._bad = False
        self._slow_ms = None
        return told

    def read(self, at_ms: int, read: "Read | None") -> None:
        """A card was read; None: the readers differ, or one has nothing."""
        if self._back_ms is not None:
            is_same = not self._is_read_back or self._back_read == read
            self._back_read = read if is_same else None
            self._is_read_back = True
            return
        if self._in_ms is None:
            self._in_ms = at_ms
            self._unseen = True
            self._bad = read != CUT
        if read is None or self._read not in (None, read) or self._must not in (None, read):
            self._bad = True
        else:
            self._read = read

    def spoil(self) -> None:
        """What is on its way is stuck."""
        self._bad = True

    def come_out(self, at_ms: int) -> "Sequence[tuple[str, Any]]":
        """The front edge of a card came to the end of the way out; or its end, as it goes back."""
        if self._in_ms is None:
            is_told = self._back_ms is None or self._is_told
            self._back_ms = at_ms
            self._is_told = self._is_read_back = False
            self._back_read = None
            if self._lost:
                self._back_ms = None
                return [(UNREAD, None)]
            if self._slow_ms is not None and _after(self._slow_ms, at_ms) <= SLOW_MS:
                self._slow_ms = None
                self._is_told = True
                if self._must != CUT:
                    return [(UNREAD, None)]
                self._must = None
                return []
            return [] if is_told else [(UNREAD, None)]
        read = self._read
        self._read = self._must = None
        is_late = _after(self._in_ms, at_ms) > OUT_MS
        self._in_ms = None
        if self._bad or is_late or read is None:
            return [(UNREAD, None)]
        return [] if read == CUT else [(CARD_OUT, read)]

    def wait(self, now_ms: int) -> "Sequence[tuple[str, Any]]":
        """All that happened before `now_ms` has been said."""
        told = []
        if self._back_ms is not None and _after(self._back_ms, now_ms) > OUT_MS:
            self._back_ms = None
            if not self._is_told:
                told.append((UNREAD, None))
        if self._in_ms is not None and _after(self._in_ms, now_ms) > OUT_MS:
            slow_ms = None if self._unseen else self._in_ms
            told.append(self._give_up())
            self._slow_ms = slow_ms
        return told

    def lose(self) -> None:
        """Forgets what was on its way: something happened that was never said."""
        self._in_ms = self._back_ms = self._slow_ms = self._read = self._must = None
        self._lost = True

    def _give_up(self) -> "tuple[str, Any]":
        """Tells of a card that came in, or was read, and not out."""
        read = None if self._bad else self._read
        self._in_ms = self._read = None
        if not self._unseen:
            self._must = read or self._must
            return (PULLED_BACK, None)
        # Neither sensor saw it: it may as well be out.
        self._must = None
        return (UNREAD, None)


def _after(begin_ms: int, end_ms: int) -> int:
    return (end_ms - begin_ms) & _MS
