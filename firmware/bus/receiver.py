"""What a display believes, and for how long. Bytes and time in; what to light out.

Unsigned: it keeps out noise, repetition and disorder, not someone who makes frames (docs/bus.md).
"""

from firmware.bus import messages
from firmware.bus.frame import Deframer
from firmware.bus.messages import CONFIRMED, VOID, History, Status
from firmware.shims.typed import NamedTuple

# Not heard for so long, a controller may have decided something else: a dash.
STALE_US = 1_000_000
# The state lit while nobody is heard; never on the line.
STALE = "STALE"

# What is lit. `number` and its `colour` are None for a dash; `game` and `layout_verified` while
# nobody is heard; `history` is as in messages.History.outcomes.
Lit = NamedTuple(
    "Lit",
    [
        ("state", str),
        ("game", "str | None"),
        ("number", "int | None"),
        ("colour", "str | None"),
        ("seq", int),
        ("coup", int),
        ("rotor", int),
        ("reason", "str | None"),
        ("history", "tuple[tuple[int, str] | None, ...]"),
        ("layout_verified", "bool | None"),
    ],
)
DARK = Lit(STALE, None, None, None, 0, 0, 0, None, (), None)


class Receiver:
    """Listens for one display. Read `lit` after each call; call `tick` at `deadline_us`.

    Only a status counts as hearing the controller. Within a session the counter must rise, so a
    frame that comes again or late changes nothing. Another session is believed only when the
    present one has been silent for STALE_US: the dash always lies between two controllers.
    """

    def __init__(self) -> None:
        self.lit = DARK
        self._deframer = Deframer()
        self._session: int | None = None
        self._game = ""
        self._counter = 0
        self._outcome_seq = 0
        self._history: tuple[tuple[int, str] | None, ...] = ()
        # The last status, and when it came; None while stale.
        self._status: Status | None = None
        self._heard_us = 0

    @property
    def deadline_us(self) -> int | None:
        """When to call `tick` if nothing comes before; None while there is only the dash."""
        return None if self._status is None else self._heard_us + STALE_US

    def feed(self, data: bytes, now_us: int) -> None:
        """Takes the bytes that came by `now_us`."""
        self.tick(now_us)
        for payload in self._deframer.feed(data):
            message = messages.decode(payload)
            if message is not None and self._is_news(message):
                self._take(message, now_us)
        self._light()

    def tick(self, now_us: int) -> None:
        """Lets time pass: the dash, once the controller has been silent for STALE_US."""
        if self._status is not None and now_us - self._heard_us >= STALE_US:
            self.drop()

    def drop(self) -> None:
        """Shows the dash now: the port is gone, or nobody listened for a while."""
        self._deframer = Deframer()
        self._status = None
        self._light()

    def _is_news(self, message: Status | History) -> bool:
        if message.session != self._session:
            # Both at once would be two controllers on a line, or an old one's frames played again.
            return self._status is None and isinstance(message, Status)
        if message.counter <= self._counter or message.game != self._game:
            return False
        # Whatever the counter says, a result never gives way to an older one.
        return (
            isinstance(message, History)
            or message.state not in (CONFIRMED, VOID)
            or message.seq >= self._outcome_seq
        )

    def _take(self, message: Status | History, now_us: int) -> None:
        if message.session != self._session:
            self._session = message.session
            self._game = message.game
            self._outcome_seq = 0
            self._history = ()
        self._counter = message.counter
        if isinstance(message, History):
            self._history = message.outcomes
            return
        self._status = message
        self._heard_us = now_us
        if message.state in (CONFIRMED, VOID):
            self._outcome_seq = message.seq

    def _light(self) -> None:
        status = self._status
        if status is None:
            self.lit = DARK
        else:
            self.lit = Lit(
                status.state,
                status.game,
                status.number,
                status.colour,
                status.seq,
                status.coup,
                status.rotor,
                status.reason,
                self._history,
                status.layout_verified,
            )
