"""What a Dask worker does. Imports nothing of the wheel before it knows which kind is meant.

So a plan comes as bytes: as an object it would bring the wheel along.
"""

from __future__ import annotations

import pickle
from typing import Any

from tools.fast import switch


def play(plan: bytes, index: int, sources: str, kind: str) -> dict[str, Any]:
    """The row of that job, played as `kind` says. Raises RuntimeError if that cannot be here."""
    if kind == switch.COMPILED:
        switch.use_compiled()
    if switch.kind() != kind:
        raise RuntimeError(f"this worker plays {switch.kind()}, the campaign is {kind}: make fast")
    from tools.hil.campaign import work

    if work.sources() != sources:
        raise RuntimeError("this worker has another version of Cylindre")
    return work.play(pickle.loads(plan), index)
