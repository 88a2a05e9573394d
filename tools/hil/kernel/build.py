"""Finds the kernel of the rig, or builds it.

It is kept in .cache/hil-kernel/HASH of the checkout, where HASH is the recipe's; CYLINDRE_KERNEL
names a folder that has one already.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from firmware.lib.errors import FAILED, NO_DEVICE, Failure, cause

RECIPE = Path(__file__).with_name("recipe")
ROOT = RECIPE.parents[3]
LINUX, DEVICE_TREE, SITE = "linux", "pi4.dtb", "site"
_PARTS = (LINUX, DEVICE_TREE, SITE)
_HASH_CHARACTERS = 12
_NAMED = "CYLINDRE_KERNEL"
_LOCK = "lock"


def folder() -> Path:
    """Where the kernel of this recipe lies, or will."""
    named = os.environ.get(_NAMED)
    if named:
        return Path(named).resolve()
    found = hashlib.sha256(f"{sys.implementation.cache_tag}".encode())
    for path in sorted(RECIPE.iterdir()):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return ROOT / ".cache" / "hil-kernel" / found.hexdigest()[:_HASH_CHARACTERS]


def is_built() -> bool:
    """Whether all of it is there."""
    return all((folder() / part).exists() for part in _PARTS)


def why_not() -> str | None:
    """Why it cannot be used nor built here: a sentence."""
    if is_built():
        return None
    if os.environ.get(_NAMED):
        return f"{_NAMED} names {folder()}, and no kernel of the rig lies there."
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return "The kernel of the rig runs on Linux on x86_64 alone."
    if shutil.which("apt-get") is None:
        return "The kernel of the rig is built from a package of Debian 12, and this is no Debian."
    return None


def build() -> Path:
    """Builds it unless it is there, some minutes; returns its folder. Raises Failure.

    Of many who want it at once, one builds and the others wait.
    """
    if (why := why_not()) is not None:
        raise Failure(NO_DEVICE, why)
    found = folder()
    if is_built():
        return found
    try:
        found.parent.mkdir(parents=True, exist_ok=True)
        with (found.parent / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_built():  # nobody has built it while we waited
                _build(found)
    except OSError as error:
        why = cause(error)
        raise Failure(FAILED, f"The kernel of the rig cannot be built in {found}: {why}.") from None
    return found


def _build(found: Path) -> None:
    # Beside, and then in its place whole: one that was interrupted is not taken for built.
    beside = found.with_name(f"{found.name}.{os.getpid()}")
    done = subprocess.run([RECIPE / "build.sh", sys.executable, beside], check=False)
    if done.returncode:
        shutil.rmtree(beside, ignore_errors=True)
        raise Failure(FAILED, "The kernel of the rig could not be built: see above.")
    shutil.rmtree(found, ignore_errors=True)
    beside.rename(found)
