"""What a Dask worker does. Imports nothing of the wheel before it knows which kind is meant.

So a plan comes as bytes: as an object it would bring the wheel along.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
from typing import Any

from tools.fast import switch

_CHOOSING = threading.Lock()  # a worker may have several threads


class OtherKind(Exception):
    """This worker cannot play as the campaign does: the sentence for who plays it."""


def play(plan: bytes, index: int, sources: str, kind: str) -> dict[str, Any]:
    """The row of that job, played as `kind` says.

    Raises OtherKind if that cannot be here, RuntimeError if the sources are others.
    """
    with _CHOOSING:
        if kind == switch.COMPILED:
            with contextlib.suppress(RuntimeError):  # it has played the sources before
                switch.use_compiled()
    if switch.kind() != kind:
        where = ", after make fast there" if kind == switch.COMPILED else ""
        raise OtherKind(
            f"A Dask worker plays {switch.kind()}, the campaign is {kind}:"
            f" start the workers anew{where}."
        )
    from tools.hil.campaign import work

    if work.sources() != sources:
        raise RuntimeError("this worker has another version of Cylindre")
    return work.play(pickle.loads(plan), index)
