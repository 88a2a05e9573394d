"""Whose program is at the other end of a connection of this machine, as the kernel knows it."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

# Of this process: the rest of /proc is not there under ProcSubset=pid.
# proc(5): local_address, rem_address, ..., uid. A socket of IPv6 that is connected to
# ::ffff:127.0.0.1 stands in tcp6, though whoever listens at 127.0.0.1 has it from there.
_TABLES = (
    (Path("/proc/self/net/tcp"), b""),
    (Path("/proc/self/net/tcp6"), bytes(10) + b"\xff\xff"),
)


def user_of(address: tuple[str, int], own: tuple[str, int]) -> int | None:
    """Returns the user of the program whose socket is bound to `address` and connected to `own`.

    Both of IPv4. None: there is no such connection, or no such table.
    """
    for table, before in _TABLES:
        wanted = [_text(before, address), _text(before, own)]
        try:
            lines = table.read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[1:3] == wanted:
                return int(fields[7])
    return None


def _text(before: bytes, address: tuple[str, int]) -> str:
    """Returns an address as the table has it: words in the machine's byte order, hexadecimal."""
    whole = before + socket.inet_aton(address[0])
    words = struct.unpack(f"={len(whole) // 4}I", whole)
    return "".join(f"{word:08X}" for word in words) + f":{address[1]:04X}"
