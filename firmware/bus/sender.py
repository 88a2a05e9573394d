"""What the controller says, and when: at once, and again, so that whoever missed it hears it soon.

Knows nothing of a port: `poll` returns frames, and whether they leave is the caller's affair.
"""

from firmware.bus import frame, messages
from firmware.bus.messages import CONFIRMED, HISTORY_MAX, VOID
from firmware.shims.typed import Sequence

# Four in the second after which a display shows a dash: three may be lost in a row.
HEARTBEAT_US = 250_000
HISTORY_US = 1_000_000
# A result goes out at once and three times more: a frame lasts 3 ms at 115200 baud, a motor's
# interference some 10 ms.
REPEATS = 3
REPEAT_US = 20_000

_U32 = 0xFFFFFFFF


class Talker:
    """Says to all displays what they may show. Give it each new view, then poll it often.

    `session` is any number that differs from the one of the controller's previous start (32 bits
    of it are used). `game`: the apparatus, one of messages.GAMES. `past`: the outcomes before this
    start, (seq, number, colour), both None for a void, oldest first; what is not whole, or does not
    follow without a gap, is left out. `layout_verified`: whether a source gives the order of the
    compartments.
    """

    def __init__(
        self,
        session: int,
        game: str = "roulette",
        past: Sequence[tuple[int, int | None, str | None]] = (),
        layout_verified: bool = True,
    ) -> None:
        self._session = session & _U32
        self._game = game
        self._layout_verified = layout_verified
        self._counter = 0
        self._view: tuple[str, int, int, int, int | None, str | None, str | None] | None = None
        self._first_seq = 0
        self._outcomes: list[tuple[int, str] | None] = []
        self._repeats_left = 0
        # None: at the next poll.
        self._status_at_us: int | None = None
        self._history_at_us: int | None = None
        for seq, number, colour in past:
            if (number is None) == (colour is None):
                self._remember(seq, number, colour)

    def show(
        self,
        state: str,
        coup: int,
        seq: int,
        rotor: int,
        number: int | None,
        colour: str | None,
        reason: str | None,
    ) -> None:
        """Takes what the displays shall show from now on, a View's fields; `poll` sends it at once.

        A number leaves only with CONFIRMED, and its colour; a reason only with VOID: others are
        left out.
        """
        if state == CONFIRMED:
            assert number is not None and colour is not None, "confirmed without a number"
        else:
            number = None
            colour = None
        reason = messages.known_reason(reason) if state == VOID else None
        view = (state, coup, seq, rotor, number, colour, reason)
        if view == self._view:
            return
        self._view = view
        self._status_at_us = None
        self._repeats_left = 0
        if state in (CONFIRMED, VOID):
            self._repeats_left = REPEATS
            self._remember(seq, number, colour)

    def poll(self, now_us: int) -> list[bytes]:
        """The frames due at `now_us`, in order; a late poll sends none twice."""
        frames = []
        if self._view is not None and _due(self._status_at_us, now_us):
            frames.append(frame.encode(self._status()))
            if self._repeats_left:
                self._repeats_left -= 1
                self._status_at_us = now_us + REPEAT_US
            else:
                self._status_at_us = now_us + HEARTBEAT_US
        if self._view is not None and _due(self._history_at_us, now_us):
            frames.append(frame.encode(self._history()))
            self._history_at_us = now_us + HISTORY_US
        return frames

    def _status(self) -> bytes:
        assert self._view is not None
        return messages.encode_status(
            messages.Status(
                self._session, self._next(), self._game, *self._view, self._layout_verified
            )
        )

    def _history(self) -> bytes:
        return messages.encode_history(
            messages.History(
                self._session, self._next(), self._game, self._first_seq, tuple(self._outcomes)
            )
        )

    def _next(self) -> int:
        self._counter += 1
        return self._counter

    def _remember(self, seq: int, number: int | None, colour: str | None) -> None:
        newest = self._first_seq + len(self._outcomes) - 1
        if self._outcomes and seq == newest:
            return
        if not self._outcomes or seq != newest + 1:
            self._outcomes = []
            self._first_seq = seq
        self._outcomes.append(None if number is None or colour is None else (number, colour))
        if len(self._outcomes) > HISTORY_MAX:
            self._outcomes = self._outcomes[1:]
            self._first_seq += 1
        self._history_at_us = None


def _due(at_us: int | None, now_us: int) -> bool:
    return at_us is None or now_us >= at_us
