"""The programs an image is made with: are they here, and what did one say when it failed?"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.exits import FAILED, Failure

# Program, and the Debian package that brings it.
# fmt: off
ASSEMBLING = (
    ("sfdisk", "fdisk"), ("mkfs.fat", "dosfstools"), ("mcopy", "mtools"),
    ("sqfstar", "squashfs-tools"), ("mkimage", "u-boot-tools"),
    ("dtc", "device-tree-compiler"), ("fdtoverlay", "device-tree-compiler"),
)
BUILDING = (
    *ASSEMBLING, ("mmdebstrap", "mmdebstrap"), ("qemu-aarch64-static", "qemu-user-static"),
)
# fmt: on
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # a user's lacks sbin


def require(programs: Sequence[tuple[str, str]]) -> None:
    """Raises Failure, naming all that is missing and how to get it."""
    missing = [each for each in programs if shutil.which(each[0], path=_PATH) is None]
    if missing:
        names = ", ".join(program for program, _ in missing)
        packages = " ".join(sorted({package for _, package in missing}))
        raise Failure(FAILED, f"Missing here: {names}. sudo apt install {packages} brings them.")


def run(*command: str | Path, epoch: int, stdin: Path | None = None) -> str:
    """What a program printed; its clock is `epoch`, its zone UTC. Raises Failure if it fails."""
    environ: Mapping[str, str] = {
        **os.environ,
        "PATH": _PATH,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": str(epoch),
        "MTOOLSRC": os.devnull,
        "MTOOLS_SKIP_CHECK": "1",
    }
    source = subprocess.DEVNULL if stdin is None else stdin.open("rb")
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=source,
            capture_output=True,
            env=environ,
            check=False,
        )
    finally:
        if not isinstance(source, int):
            source.close()
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        why = next((line for line in reversed(lines) if line.startswith("E:")), lines[-1])
        raise Failure(FAILED, f"{command[0]} failed: {why[:300]}")
    return done.stdout.decode("utf-8", "replace")
