"""Why a display stays dark though something comes: told to people, and to nobody else.

Looks at the bytes beside the receiver, which believes nothing of this.
"""

from firmware.bus import message_bytes, messages
from firmware.bus.frame import Deframer

# Dark for so long with bytes coming, it is no loss and no start any more.
PATIENCE_US = 3_000_000


class Hearing:
    """What comes over one line while the display is dark."""

    def __init__(self, port: str, baud: int) -> None:
        """Both as people know them."""
        self._port = port
        self._baud = baud
        self._deframer = Deframer()
        self._since_us: int | None = None
        self._frames = self._ours = self._wheel = 0
        self._told = False

    def hear(self, data: bytes, now_us: int, *, dark: bool) -> str | None:
        """Takes the bytes that came. Returns a sentence when it is time to say one, once for each
        time the display is dark."""
        if not dark:
            self._begin()
            return None
        if not data:
            return None
        if self._since_us is None:
            self._since_us = now_us
        for payload in self._deframer.feed(data):
            self._frames += 1
            kind = message_bytes.kind(payload)
            self._ours += kind != 0
            self._wheel += kind in (messages.HEARTBEAT, messages.ASK)
        if self._told or now_us - self._since_us < PATIENCE_US:
            return None
        self._told = True
        return self._sentence()

    def _begin(self) -> None:
        self._deframer = Deframer()
        self._since_us = None
        self._frames = self._ours = self._wheel = 0
        self._told = False

    def _sentence(self) -> str:
        if self._wheel:
            return (
                f"A wheel speaks on {self._port}, but not to this display: give it the address and"
                " the keys that the wheel has for it."
            )
        if self._frames and not self._ours:
            return f"What speaks on {self._port} is of another version: install one on both."
        return (
            f"Something comes on {self._port}, and no wheel: check what is plugged in there, its"
            f" cable, and that it speaks at {self._baud} baud."
        )
