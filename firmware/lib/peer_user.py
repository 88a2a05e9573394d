"""Whose program is at the other end of a connection of this machine, as the kernel knows it."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

_TABLE = Path("/proc/net/tcp")  # proc(5): local_address, rem_address, ..., uid


def user_of(address: tuple[str, int], own: tuple[str, int]) -> int | None:
    """Returns the user of the program whose socket is bound to `address` and connected to `own`.

    Both of IPv4. None: there is no such connection, or no such table.
    """
    wanted = [_text(address), _text(own)]
    try:
        lines = _TABLE.read_text().splitlines()[1:]
    except OSError:
        return None
    for line in lines:
        fields = line.split()
        if fields[1:3] == wanted:
            return int(fields[7])
    return None


def _text(address: tuple[str, int]) -> str:
    """Returns an address as the table has it: in the machine's byte order, hexadecimal."""
    (number,) = struct.unpack("=I", socket.inet_aton(address[0]))
    return f"{number:08X}:{address[1]:04X}"
