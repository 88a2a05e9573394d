"""How the slots stand, left where programs may read it that may not look themselves.

The state and the boot words are root's alone, and the service page's unit does not see by what the
kernel was started. Root leaves here what `cylindre update status --json` tells, at each start and
whenever it has changed something. Nothing in it is secret, and nothing is decided by it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
from pathlib import Path
from typing import Any

from firmware.lib import durable
from firmware.lib.errors import Failure
from firmware.lib.named_file import read_named
from firmware.services.update import overview

ROOT = Path("/")
FILE = Path("run/cylindre-update.json")
_SIZE_MAX = 16_384  # bytes; two slots take some 600


def ask_status() -> dict[str, Any] | None:
    """Returns what `cylindre update status --json` tells; None where this machine has no slots."""
    left = read(ROOT)  # on a device the page may read no more than this
    if left is not None or shutil.which("rauc") is None:
        return left
    try:
        return overview.read_overview(ROOT)
    except Failure:  # RAUC is there, but no slots are
        return None


def publish(root: Path) -> None:
    """Leaves it. Where it cannot be told any more, what was left before goes."""
    path = root / FILE
    with contextlib.suppress(OSError), path.with_name(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # an order and RAUC's handler may both be at it
        _write(root, path)


def _write(root: Path, path: Path) -> None:
    try:
        durable.replace(
            path, json.dumps(overview.read_overview(root)).encode() + b"\n", durable.FOR_ALL
        )
    except (Failure, OSError):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def read(root: Path) -> dict[str, Any] | None:
    """Returns what was left; None if nothing was, or nobody can read it."""
    try:
        found = json.loads(read_named(root / FILE, _SIZE_MAX))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "slots" in found else None
