"""Whose turn it is on the one line, which carries one voice at a time. Knows no message."""

from firmware.bus import slots
from firmware.shims.typed import Any


class LineArbiter:
    """What the line still sends, and who may answer until when."""

    def __init__(self, baud: int) -> None:
        self._baud = baud
        self._free_us = 0  # when the line has sent all that was given to it
        self._asked: Any = None  # the place whose answer may be on its way
        self._until_us = 0  # and until when

    def sent(self, size: int, now_us: int) -> int:
        """Takes that so many bytes are given to the line. Returns when they will be sent."""
        self._free_us = max(self._free_us, now_us) + slots.wire_us(size, self._baud)
        return self._free_us

    def over_us(self, now_us: int) -> int:
        """Tells when whoever speaks or may answer now is done; `now_us` if nobody does."""
        return self._until_us if self.listening(now_us) else max(self._free_us, now_us)

    def is_busy(self, now_us: int) -> bool:
        """Tells whether the line has yet to send what was given to it."""
        return now_us < self._free_us

    def allow_answer(self, place: Any, until_us: int) -> None:
        """Lets that place, and no other, answer until then."""
        self._asked = place
        self._until_us = until_us

    def answered(self, place: Any, now_us: int) -> bool:
        """Takes an answer of that place; whether it was its turn, which is then over."""
        if self._asked is not place or now_us >= self._until_us:
            return False
        self._asked = None
        return True

    def listening(self, now_us: int) -> bool:
        """Tells whether an answer may be on its way: nobody else may speak."""
        if now_us >= self._until_us:
            self._asked = None
        return self._asked is not None
