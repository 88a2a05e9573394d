"""The last certificates of a wheel: numbered, in a folder beside its journal.

Numbers, not times: a clock that stands at 1970 must not make the newest the oldest.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from firmware.lib.errors import FAILED, Failure, cause
from tools.technician.selftest import certificate

KEPT = 20  # of some 15 kB; the months between two inspections have fewer
_NAME = re.compile(r"(\d{6,})-selftest\.html")


def keep(folder: Path, text: str) -> Path:
    """Adds one, and removes the oldest beyond KEPT. Raises Failure; then none is removed."""
    try:
        if not folder.exists():
            folder.mkdir()
            of = folder.parent.stat()
            if os.geteuid() == 0:  # for the wheel's user, too
                os.chown(folder, of.st_uid, of.st_gid)
        there = kept(folder)
    except OSError as error:
        why = cause(error)
        text = f"The certificate is not kept in {folder}: {why}. Give --certificate FILE.html."
        raise Failure(FAILED, text) from None
    number = _number(there[-1]) + 1 if there else 1
    path = folder / f"{number:06d}-selftest.html"
    certificate.write(path, text)
    for old in there[: -KEPT + 1]:
        old.unlink(missing_ok=True)
    return path


def kept(folder: Path) -> list[Path]:
    """Those that are there, the oldest first. Raises OSError."""
    return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), key=_number)


def _number(path: Path) -> int:
    match = _NAME.fullmatch(path.name)
    assert match is not None, "only those of that name are asked for"
    return int(match[1])
