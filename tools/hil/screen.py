"""One display of the firmware in jumping time: when it hears, answers, lights and goes dark."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from random import Random

from firmware.bus.frame import Deframer
from firmware.bus.messages import STALE
from firmware.bus.receiver import DARK, Lit, Receiver
from firmware.store import signing
from tools.hil.lighting import STALE_US, Lighted

# From an ask's last byte to the answer's first: a microcontroller's least, a Linux computer's most.
ANSWERS_US = (300, 12_000)
NEVER_US = 1 << 62

# The same bytes are given to many displays: one answer for all.
_verify = functools.lru_cache(maxsize=256)(signing.verify)


@functools.lru_cache(maxsize=256)
def opened(data: bytes) -> Sequence[bytes]:
    """The payloads of whole frames."""
    return tuple(Deframer().feed(data))


class Screen:
    """A display at `place`. `lighted` takes what it lights, `complain` what it should not."""

    def __init__(
        self,
        place: int,
        root: bytes,
        rng: Random,
        *,
        lighted: Callable[[Lighted], None],
        complain: Callable[[int, str], None],
    ) -> None:
        """Without power. `root`: the wheel's first public key."""
        self.place = place
        self.due_us = NEVER_US  # when the next `tick` may do something, if nothing comes before
        self._root = root
        self._rng = rng
        self._lighted = lighted
        self._complain = complain
        self._receiver: Receiver | None = None
        self._frozen = False
        self._fresh_us = 0  # when the newest heartbeat that it got whole was said
        self._seen: Lit | None = None  # what the receiver lit when it was looked at last
        self._last: Lighted | None = None
        self._deframer = Deframer()
        self._is_cut = False  # a frame has begun, and not ended
        self._work_us: int | None = None  # since when a signature waits to be checked, if one may

    def power_on(self, address: int, key: bytes, now_us: int) -> None:
        """It starts anew."""
        self._frozen = False
        boot = self._rng.getrandbits(64)
        self._receiver = Receiver(address, key, self._root, boot, verify=_verify)
        self._deframer = Deframer()
        self._is_cut = False
        self._work_us = None
        self._look(now_us)

    def power_off(self, now_us: int) -> None:
        """It is dead."""
        self._receiver = None
        self._look(now_us)

    def freeze(self) -> None:
        """It stands still, and so does its picture."""
        self._frozen = True
        self._reckon()

    def thaw(self, now_us: int) -> None:
        """It goes on, and forgets what waits: that is old (services/display/display.py)."""
        self._frozen = False
        self._reckon()
        self.tick(now_us)

    def receive(
        self, data: bytes, now_us: int, said_us: Mapping[bytes, int]
    ) -> tuple[int, bytes] | None:
        """Takes what came; returns what it says, and when it begins to, if anything.

        `said_us`: when each heartbeat was said, by its payload.
        """
        if self._receiver is None or self._frozen:
            return None
        payloads = self._opened(data)
        for payload in payloads:  # noise beside a frame leaves it whole
            self._fresh_us = max(self._fresh_us, said_us.get(payload, 0))
        reply = self._receiver.receive_payloads(payloads, now_us)
        if self._receiver.waits(now_us):
            self._work_us = now_us
        self._look(now_us)
        return (now_us + self._rng.randrange(*ANSWERS_US), reply) if reply else None

    def tick(self, now_us: int) -> None:
        """Lets time pass, and checks what waits to be checked."""
        receiver = self._receiver
        if receiver is None or now_us < self.due_us:
            return
        deadline_us = receiver.deadline_us
        if self._work_us is not None and not receiver.work():
            self._work_us = None
        if self._work_us is not None or (deadline_us is not None and deadline_us <= now_us):
            receiver.tick(now_us)
        self._look(now_us)
        if receiver.deadline_us is not None and now_us - self._fresh_us > STALE_US:
            self._complain(self.place, "is lit by nothing that was said in the last second")

    def _opened(self, data: bytes) -> Sequence[bytes]:
        if not self._is_cut and data[-1:] == b"\0":
            return opened(data)
        self._is_cut = data[-1:] != b"\0"
        return self._deframer.feed(data)

    def _reckon(self) -> None:
        """When is it to look at its clock again?"""
        self.due_us = NEVER_US
        if self._receiver is None or self._frozen:
            return
        if self._work_us is not None:
            self.due_us = self._work_us
        elif self._receiver.deadline_us is not None:
            self.due_us = min(self._receiver.deadline_us, self._fresh_us + STALE_US + 1)

    def _look(self, now_us: int) -> None:
        """What does it light? And when is it to look at its clock again?"""
        self._reckon()
        lit: Lit = DARK if self._receiver is None else self._receiver.lit
        if lit is self._seen:
            return
        self._seen = lit
        number = None if lit.state == STALE else lit.number
        found = Lighted(now_us, self.place, lit.state, number, lit.coup, lit.seq)
        if self._last is None or self._last[1:] != found[1:]:
            self._last = found
            self._lighted(found)
