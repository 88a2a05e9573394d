"""The first supervisor proves by the void button that he stands at the wheel, and that it is he.

Who asks is told a number of presses, drawn at random, and nobody else is. So many presses and no
more, then a pause, are his; any other number refuses him, and a press that is somebody else's
proves nothing; after one that failed nobody is heard for a minute. Who may ask can keep others from
it, and gains nothing by that.
"""

import math
import secrets
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from firmware.api.connection import Client
from firmware.api.values import Claim, Refused
from firmware.core.sense.button import Button
from firmware.lib.language import Message

BUTTON = "btn_void"  # on every wheel; pressed while no coup is open it means nothing else
# A croupier presses once now and then, so that one press is nobody's proof.
PRESSES = range(2, 7)
WITHIN_S = 60.0  # until the first press: to walk around the table, not to find out how
PAUSE_S = 3.0  # after the last press: then no more comes
# After a request that failed nobody is heard: presses that still come are nobody's who asks then
# (of two who asked at once, nobody at the wheel knows whose they are), and who hangs up does not
# have another number drawn until he likes it.
DEAF_S = 60.0


class Asked(NamedTuple):
    """Who waits for the button, and what it must do."""

    client: Client
    claim: Claim
    presses: int
    until_s: float


class Judged(NamedTuple):
    """What became of who asked. `why`: None where the button proved it, else a sentence."""

    client: Client
    claim: Claim
    why: str | None


class FirstSupervisor:
    """Keeps who asks, and counts presses."""

    def __init__(
        self,
        draw: Callable[[], int] = lambda: secrets.choice(PRESSES),
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`draw`: a number of presses."""
        self.clock_s = clock_s
        self._draw = draw
        self._asked: Asked | None = None
        self._button = Button()
        self._count = 0
        self._pressed_s = 0.0
        self._deaf_until_s = 0.0
        self._judged: Judged | None = None  # by another's asking

    @property
    def name(self) -> str | None:
        """Returns the name asked for, while somebody waits."""
        asked = self._asked
        return None if asked is None else asked.claim.name

    def check_heard(self) -> None:
        """Raises Refused while nobody is heard, or if somebody waits: both are refused then."""
        left_s = self._deaf_until_s - self.clock_s()
        if left_s > 0:
            raise Refused(
                "too_soon",
                Message(
                    "A request for that has just failed, so nobody is heard for {left_s} s.",
                    left_s=math.ceil(left_s),
                ),
                Message("Wait, then ask again; one of you alone."),
            )
        if self._asked is not None:
            self._end(Message("Somebody else asked for that at the same time."))
            raise Refused(
                "busy",
                Message("Two ask for that at once."),
                Message("Wait for a minute, then one of you ask again."),
            )

    def ask(self, client: Client, claim: Claim) -> int:
        """Takes who asks, and has been checked. Returns how often he is to press."""
        assert self._asked is None
        presses = self._draw()
        self._asked = Asked(client, claim, presses, self.clock_s() + WITHIN_S)
        self._button, self._count = Button(), 0
        return presses

    def forget(self, client: Client) -> None:
        """Forgets a client that is gone."""
        if self._asked is not None and self._asked.client is client:
            self._asked = None
            self._deaf_until_s = self.clock_s() + DEAF_S

    def judge(self, edges: Sequence[tuple[int, int]], *, idle: bool) -> Judged | None:
        """Takes the edges of the button since the last call, (at_us, level); returns what came of
        who asked, once.

        `idle`: no coup is open. Once one is, the button means another thing, and proves nothing.
        """
        asked = self._asked
        if asked is not None and not idle:
            self._end(Message("A coup was opened."))
        elif asked is not None:
            self._press(asked, edges)
        found, self._judged = self._judged, None
        return found

    def _press(self, asked: Asked, edges: Sequence[tuple[int, int]]) -> None:
        now_s = self.clock_s()
        late = now_s > asked.until_s and not self._count
        for at_us, level in edges:
            if self._button.pressed(at_us, level):
                self._count += 1
                self._pressed_s = now_s
        if late:
            self._end(Message("The button was not pressed in time."))
        elif self._count > asked.presses:
            self._end(Message("The button was pressed more often than was told."))
        elif self._count and now_s - self._pressed_s >= PAUSE_S:
            enough = self._count == asked.presses
            self._end(
                None if enough else Message("The button was pressed less often than was told.")
            )

    def _end(self, why: str | None) -> None:
        assert self._asked is not None
        self._judged = Judged(self._asked.client, self._asked.claim, why)
        self._asked = None
        if why is not None:
            self._deaf_until_s = self.clock_s() + DEAF_S
