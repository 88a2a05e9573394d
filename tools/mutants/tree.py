"""A copy of the checkout, as it stands, in which a mutant is put in and taken out again."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from firmware.lib.errors import FAILED, Failure
from tools.mutants.catalogue import Mutant
from tools.mutants.source import mutated


def files(root: Path) -> list[str]:
    """All that git keeps or would keep: what is not committed, too. Raises Failure."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        told = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise Failure(FAILED, f"{root} is no checkout of git: mutants are played in one.") from None
    return sorted({name for name in told.decode().split("\0") if (root / name).is_file()})


class Tree:
    """One copy. One mutant at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Copies `root` into `folder`, which is made."""
        self.folder = folder
        for name in files(root):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)

    @contextlib.contextmanager
    def holding(self, mutant: Mutant) -> Iterator[None]:
        """The mistake is in the copy, and out of it afterwards."""
        path = self.folder / mutant.path
        text, stat = path.read_text(encoding="utf-8"), path.stat()
        self._put(path, mutated(text, mutant.function, mutant.old, mutant.new))
        try:
            yield
        finally:
            self._put(path, text)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _put(self, path: Path, text: str) -> None:
        # Byte code is told by size and second alone: two mutants may have both.
        for cached in Path(importlib.util.cache_from_source(str(path))).parent.glob(
            f"{path.stem}.*.pyc"
        ):
            cached.unlink()
        path.write_text(text, encoding="utf-8")
