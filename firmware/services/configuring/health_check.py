"""Whether the wheel came up: another process than before answers, its loop runs, and goes on."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from firmware.client.ask import LOOP_AGE_MAX_MS, records_nothing
from firmware.core.coup.states import FAULT, SERVICE
from firmware.lib.language import Message
from firmware.lib.places import STATUS_ONLY

PROVEN_S = 3.0  # what fails in its first steps has failed by then
_POLL_S = 0.05
_PATIENCE_S = 2.0  # the controller answers within a period of its loop, 10 ms
_ANSWER_MAX = 65_536  # bytes
_CREDENTIALS = struct.Struct("3i")  # struct ucred of unix(7): pid, uid, gid


class Seen(NamedTuple):
    """A controller that answered: its process, and what `status` tells."""

    pid: int
    status: dict[str, Any]

    @property
    def runs(self) -> bool:
        """Returns whether its loop has begun and comes round."""
        age_ms = self.status.get("loop_age_ms")
        return isinstance(age_ms, int) and age_ms <= LOOP_AGE_MAX_MS

    @property
    def locked(self) -> bool:
        """Returns whether a fault has taken it out of play."""
        return bool(self.status.get("state") == FAULT)

    @property
    def in_service(self) -> bool:
        """Returns whether a technician has taken it out of play."""
        return self.runs and bool(self.status.get("state") == SERVICE)  # safe mode looks like it

    @property
    def records_nothing(self) -> bool:
        """Returns whether it is safe mode without a journal, where nothing can be written down."""
        return records_nothing(self.status)

    @property
    def open(self) -> bool:
        """Returns whether a coup is open."""
        return bool(self.status.get("open"))


def find_controller(folder: Path) -> Seen | None:
    """Returns the controller whose sockets lie in `folder`; None if none answers there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(_PATIENCE_S)
        try:
            line.connect(str(folder / STATUS_ONLY))
            who = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            line.sendall(b'{"do":"status"}\n')
            with line.makefile("rb") as answers:
                while text := answers.readline(_ANSWER_MAX):
                    told = json.loads(text)
                    if "status" in told:
                        return Seen(_CREDENTIALS.unpack(who)[0], told["status"])
        except (OSError, ValueError, RecursionError):
            pass
    return None


def wait(
    folder: Path,
    limit_s: float,
    *,
    old_pid: int | None = None,
    may_be_locked: bool = False,
    clock_s: Callable[[], float] = time.monotonic,
) -> str | None:
    """Waits until the wheel has come up and stayed so for PROVEN_S; why not, if it does not.

    `old_pid`: the process that ran before the restart. `may_be_locked`: for a fault that locks the
    wheel has nothing to do with this restart.
    """
    end_s = clock_s() + limit_s
    up: tuple[int, float] | None = None  # the process that is up, and since when
    while True:
        seen, now_s = find_controller(folder), clock_s()
        why = _why_not(seen, folder, old_pid, may_be_locked=may_be_locked)
        if why is None and seen is not None:
            if up is None or up[0] != seen.pid:
                up = (seen.pid, now_s)
            if now_s - up[1] >= PROVEN_S:
                return None
            why = Message("it stops again and again")
        else:
            up = None
        if now_s >= end_s + (0 if up is None else PROVEN_S):
            return why
        time.sleep(_POLL_S)


def _why_not(
    seen: Seen | None, folder: Path, old_pid: int | None, *, may_be_locked: bool
) -> str | None:
    if seen is None:
        return Message("no controller answers at {folder}", folder=folder)
    if seen.pid == old_pid:
        return Message("the controller was not restarted")
    if not seen.runs:
        return Message("its loop does not run")
    if seen.locked and not may_be_locked:
        return Message(
            "it is locked by {names}",
            names=", ".join(seen.status.get("faults", ())) or Message("a fault"),
        )
    return None
