"""Facts into systemd's journal, with fields to search by: COUP, ROUND, FAULT_CODE, TECH_ID.

Its native protocol (systemd's JOURNAL_NATIVE_PROTOCOL), one datagram an entry:
`journalctl COUP=17`, `journalctl FAULT_CODE=W21`, `journalctl TECH_ID=weber`. The wheel's own
journal (docs/journal.md) is what counts; this one is for whoever looks after the machine.
Nothing here waits or raises.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Mapping
from typing import Any

from firmware.api.card_lines import card_line
from firmware.core.facts import Act, Fault, croupiers_line, fact_line
from firmware.text.event_text import words_of

SOCKET = "/run/systemd/journal/socket"
IDENTIFIER = "cylindre"
VALUE_MAX = 2048  # characters; a datagram of more than 200 kB would need a memory file
_STDERR = 2
_INFO, _NOTICE, _WARNING = "6", "5", "4"  # syslog(3)


class JournaldLog:
    """A FactListener that writes each fact as an entry."""

    def __init__(self, address: str = SOCKET) -> None:
        self._address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._socket.setblocking(False)

    def take_fact(self, fact: Any) -> None:
        """Takes one fact; it is lost where the journal does not keep up."""
        found = fields(fact)
        if found is None:
            return
        with contextlib.suppress(OSError):
            self._socket.sendto(entry(found), self._address)

    def close(self) -> None:
        """Closes the socket: nothing more is written."""
        self._socket.close()


def fields(fact: Any) -> dict[str, str] | None:
    """Returns the entry of a fact; None for what is nobody's, or the croupier's alone."""
    pairs = croupiers_line(fact) if isinstance(fact, Act) else fact_line(fact) or card_line(fact)
    if pairs is None:
        return None
    values = dict(pairs)
    found = {
        "MESSAGE": _said(values),
        "PRIORITY": _INFO,
        "SYSLOG_IDENTIFIER": IDENTIFIER,
        "CYLINDRE_EVENT": values["event"],
    }
    if "coup" in values:
        found["COUP"] = str(values["coup"])
    if "round" in values:
        found["ROUND"] = str(values["round"])
    if values["event"] in ("void", "round_void"):
        found["PRIORITY"] = _NOTICE
    if isinstance(fact, Fault):
        found.update(FAULT_CODE=fact.code, PRIORITY=_WARNING)
    if isinstance(fact, Act):
        found.update(TECH_ID=fact.who, PRIORITY=_NOTICE)
    return found


def entry(found: Mapping[str, str]) -> bytes:
    """Returns the datagram of these fields: `NAME=value`, or with a length where the value has
    lines.
    """
    parts = []
    for name, text in found.items():
        value = text[:VALUE_MAX].encode(errors="replace")
        if b"\n" in value:
            parts.append(b"%s\n%s%s\n" % (name.encode(), struct.pack("<Q", len(value)), value))
        else:
            parts.append(b"%s=%s\n" % (name.encode(), value))
    return b"".join(parts)


def log(environment: Mapping[str, str]) -> JournaldLog | None:
    """Returns the journal, where it has our standard error: systemd.exec(5) says how to tell by
    $JOURNAL_STREAM. Else we were started by somebody who reads the facts himself.
    """
    try:
        mine = os.fstat(_STDERR)
    except OSError:
        return None
    if environment.get("JOURNAL_STREAM") != f"{mine.st_dev}:{mine.st_ino}":
        return None
    return JournaldLog()


def _said(values: dict[str, Any]) -> str:
    _, _, words = words_of(values).partition(" s  ")  # the entry has a time of its own
    return words
