"""The one thing the other end may say: `*X`, a poll."""

POLL_US = 100_000  # one that comes oftener is not answered
_POLL = b"*X"


class Polls:
    """Finds polls in what comes, however it is cut. Anything else is heeded no further."""

    def __init__(self) -> None:
        self._before = b""
        self._answered_us: int | None = None

    def heard(self, data: bytes, now_us: int) -> bool:
        """True if a poll has come that is to be answered now."""
        came = self._before + data
        # Half a poll waits for its other half; a whole one is not found twice.
        self._before = b"*" if came.endswith(b"*") else b""
        if _POLL not in came:
            return False
        if self._answered_us is not None and now_us - self._answered_us < POLL_US:
            return False
        self._answered_us = now_us
        return True
