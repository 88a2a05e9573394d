"""The byte port of the bus: a UART that may vanish and come back. No call waits.

The transceiver turns its direction by itself (switching it from software would need a sleep).
A line that takes no more is stalled: what waits for it is forgotten, for a display must not hear
late what held then. The bus says again what still holds, and a frame cut in two is no frame there.
"""

from firmware.shims.typed import Any

LOST = "B10"
OUT_MAX = 1024  # two frames: a line so far behind says only what held long ago
REOPEN_US = 1_000_000  # a pulled adapter takes longer than this to be put back
NEVER_US = 1 << 62


class Rs485Port:
    """Opens its port by itself and again when it is lost."""

    def __init__(self, open_uart: Any) -> None:
        """`open_uart()` gives a machine UART or raises OSError. Opens nothing before `poll`."""
        self._open_uart = open_uart
        self._uart = None  # type: Any
        self._out = bytearray()  # what the line has yet to take
        self._try_at_us = 0
        self._untold = False  # a loss that `poll` has yet to report
        self._told = False  # this loss is reported

    @property
    def lost(self) -> bool:
        """Returns whether there is no port now."""
        return self._uart is None

    def write(self, data: Any) -> bool:
        """Takes a whole frame for sending; False if it is lost, for want of a port or of room."""
        if self._uart is None:
            return False
        if len(self._out) > OUT_MAX:
            self._out = bytearray()
        self._out.extend(data)
        return self._send()

    def read(self) -> bytes:
        """Returns what has come since the last call; b"" for nothing."""
        if self._uart is None:
            return b""
        try:
            return self._uart.read() or b""
        except OSError:
            self._lose()
            return b""

    def poll(self, now_us: int) -> Any:
        """Sends what waits, opens a lost port again. Returns LOST once when it is lost, or None."""
        if self._uart is None and not self._untold and now_us >= self._try_at_us:
            self._try_at_us = now_us + REOPEN_US
            self._open()
        self._send()
        if not self._untold:
            return None
        self._untold = False
        self._told = True
        self._try_at_us = now_us + REOPEN_US
        return LOST

    def due_us(self, now_us: int) -> int:
        """Returns when the next `poll` may do something."""
        if self._untold or self._out:
            return now_us
        return self._try_at_us if self._uart is None else NEVER_US

    def close(self) -> None:
        """Gives the port back; a later `poll` would open it again."""
        self._lose()
        self._untold = False

    def _open(self) -> None:
        try:
            self._uart = self._open_uart()
            self._told = False
        except OSError:
            self._untold = not self._told

    def _send(self) -> bool:
        """Gives the line what it takes; False if it takes nothing, and then nothing waits."""
        if self._uart is None or not self._out:
            return True
        try:
            sent = self._uart.write(self._out)
        except OSError:
            self._lose()
            return False
        self._out = self._out[sent:] if sent else bytearray()
        return bool(sent)

    def _lose(self) -> None:
        # What waited is dropped: the bus repeats what still holds.
        self._out = bytearray()
        uart = self._uart
        self._uart = None
        self._untold = True
        if uart is not None:
            try:
                uart.deinit()
            except OSError:
                pass  # it is gone anyway
