"""What takes long is done by `cylindre` in a process of its own: the page goes on meanwhile."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import ENGLISH


async def cylindre(*words: str | Path, limit_s: float, beyond: str) -> bytes:
    """Returns what it printed. It ends with whoever waits for it, and after `limit_s`.

    Raises Failure: its own sentence where it printed nothing, `beyond` where it took too long.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-m", "tools.cli", *map(str, words)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(),
    )
    try:
        async with asyncio.timeout(limit_s):
            told, why = await process.communicate()
    except TimeoutError:
        raise Failure(FAILED, beyond) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if not told:
        raise Failure(FAILED, why.decode(errors="replace").strip())
    return told


def _environment() -> dict[str, Any]:
    """Ours, where our modules lie, and English: the page puts it into its reader's language."""
    path = os.pathsep.join(filter(None, sys.path))
    return os.environ | {"PYTHONPATH": path, "CYLINDRE_LANG": ENGLISH}
