"""The gateway's serial line: whole ASCII lines out, or none."""

import contextlib
import os
import termios

from firmware.lib.serial_line import Line, LineLostError

BAUD = 9600  # 8N1, no flow control: what those displays are built for
# A line and the answers to two polls, extended. Where more still waits, nothing takes it.
_WAITING_MAX = 120


class Port(Line):
    """A line on which what cannot go now is thrown away whole: nobody is told old news later."""

    def __init__(self, port: str) -> None:
        """Opens nothing yet."""
        super().__init__(port, BAUD)

    def put(self, data: bytes) -> bool:
        """Sends all of `data`; False if the line takes it not, or not whole.

        Raises LineLostError, and the line is closed then.
        """
        assert self._serial is not None
        try:
            if self._serial.out_waiting > _WAITING_MAX:
                self._serial.reset_output_buffer()
                return False
            if os.write(self._serial.fileno(), data) == len(data):
                return True
            self._serial.reset_output_buffer()
        except BlockingIOError:
            with contextlib.suppress(OSError, termios.error):
                self._serial.reset_output_buffer()
        except (OSError, termios.error) as error:
            self.close()
            raise LineLostError(self.port) from error
        return False
