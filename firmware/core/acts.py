"""What somebody did, as a row of the journal: at a wheel, a card table, and in safe mode."""

from firmware.core import facts
from firmware.shims.typed import Any

KIND = "act"  # of the row


def row_of(act: facts.Act) -> "dict[str, Any]":
    """Returns the row of an act."""
    row = {"what": act.what, "who": act.who, "role": act.role, "detail": act.detail}
    if act.sha256 is not None:
        row["sha256"] = act.sha256
    return row
