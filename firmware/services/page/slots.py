"""How the slots of this machine stand, as far as the page may know."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tools.exits import Failure
from tools.update import overview, standing

ROOT = Path("/")


def look() -> dict[str, Any] | None:
    """What `cylindre update status --json` tells; None where this machine has no slots."""
    left = standing.read(ROOT)  # on a device the page may read no more than this
    if left is not None or shutil.which("rauc") is None:
        return left
    try:
        return overview.look(ROOT)
    except Failure:  # RAUC is there, but no slots are
        return None
