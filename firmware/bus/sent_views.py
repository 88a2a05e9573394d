"""What the displays were told lately, and so what one of them may light (messages.lit_digest)."""

from firmware.bus import messages
from firmware.shims.typed import Any

# A view may still be lit for the second in which a display heard nothing newer, and its answer
# takes half of one more at worst.
LATE_US = 1_500_000
VIEWS_MAX = 16  # remembered: a coup has eight in as many seconds

NUMBER = 1  # as told, and a number
BARE = 2  # as told, and no number was
DASH = 3  # less than told: dark, or a dash instead of the number
WRONG = 4  # something that nobody told

DARK_DIGEST = messages.lit_digest(messages.STALE, None, 0, 0)


class SentViews:
    """Keeps the last views, each with the time at which another took its place."""

    def __init__(self) -> None:
        # [what is told, digest of it, of its dash, until when it may be lit]
        self._views: list[Any] = []

    def add(self, state: str, number: "int | None", epoch: int, seq: int, *, now_us: int) -> None:
        """Adds what is told from now on."""
        view = (state, number, epoch, seq)
        if self._views and self._views[-1][0] == view:
            return
        if self._views:
            self._views[-1][3] = now_us + LATE_US
        kept = [known for known in self._views if known[3] >= now_us]
        whole = messages.lit_digest(state, number, epoch, seq)
        dash = messages.lit_digest(state, None, epoch, seq)
        self._views = kept[1 - VIEWS_MAX :] + [[view, whole, dash, 0]]

    def is_dark(self, lit: bytes) -> bool:
        """Tells whether a display hears nobody."""
        return lit == DARK_DIGEST

    def is_last(self, lit: bytes) -> bool:
        """Tells whether a display lights what was told last, all of it."""
        return bool(self._views) and lit == self._views[-1][1]

    def shown(self, lit: bytes) -> Any:
        """Gives the number in what is lit, if that was told; None: none is, or nobody told it."""
        for view, whole, _, _ in self._views:
            if lit == whole:
                return view[1]
        return None

    def judge(self, lit: bytes, now_us: int) -> int:
        """Judges what is lit: NUMBER, BARE, DASH or WRONG."""
        found = DASH if self.is_dark(lit) or not self._views else WRONG
        for known in self._views:
            if known is self._views[-1] or now_us < known[3]:
                if lit == known[1]:
                    return BARE if known[0][1] is None else NUMBER
                if lit == known[2]:
                    found = DASH
        return found
