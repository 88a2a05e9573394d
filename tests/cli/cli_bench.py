"""The other end of a controller's socket, for the tests of the command line."""

import socket
from pathlib import Path

from patience import LAST_RESORT_S, until

from firmware.lib.places import CONTROL


def listening(folder: Path) -> socket.socket:
    """The controller's socket, once somebody listens there."""

    def connected() -> socket.socket | None:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(LAST_RESORT_S)
        try:
            line.connect(str(folder / CONTROL))
        except (FileNotFoundError, ConnectionRefusedError):
            line.close()
            return None
        return line

    line = until(connected, "the controller's socket")
    assert line is not None
    return line
