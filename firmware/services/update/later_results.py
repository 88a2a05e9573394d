"""Which displays know of later results than the journal holds (B14), before a try and since.

Any display may say that of any journal, as long as its key is good. One alone is not to keep a
wheel from being updated: most of those that answer must say it, and not have said it before.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from firmware.bus.messages import ADDRESS_MAX
from firmware.client.ask import ask
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.lib.places import DEVICE_SOCKETS, STATUS_ONLY


def addresses(found: Any) -> tuple[int, ...]:
    """Returns the addresses that a list from elsewhere names; none where it is no such list."""
    listed = found if isinstance(found, list) else []
    told = {each for each in listed if type(each) is int and 0 < each <= ADDRESS_MAX}
    return tuple(sorted(told))


def telling(status: dict[str, Any]) -> tuple[int, ...]:
    """Returns the addresses of those that answer and say so, by a controller's status."""
    return addresses(status.get("displays_later"))


def telling_now(root: Path) -> tuple[int, ...]:
    """Returns who says so to the controller of this machine; none where no controller tells."""
    try:
        folder = root / str(DEVICE_SOCKETS).lstrip("/")
        status = ask(folder, {"do": "status"}, name=STATUS_ONLY).get("status")
    except Failure:
        return ()
    return telling(status) if isinstance(status, dict) else ()


def check(status: dict[str, Any], before: Collection[int]) -> None:
    """Checks that no more than half of the displays that answer say so now and did not before.

    Raises Failure: they are most.
    """
    since, heard = set(telling(status)) - set(before), status["displays_heard"] or 0
    if 2 * len(since) > heard:
        raise Failure(
            FAILED,
            Message(
                "{since} of the {heard} displays that answer know of later results than the"
                " journal holds, since this update (B14): what it records is not as it must be."
                " docs/faults.md says what to do.",
                since=len(since),
                heard=heard,
            ),
        )
