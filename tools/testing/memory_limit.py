"""A group of processes that may take so much memory and no more, as a unit's MemoryMax= says it."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

_V2 = Path("/sys/fs/cgroup")
_V1 = Path("/sys/fs/cgroup/memory")
_GONE_S = 5.0  # a group is empty once its last process is reaped
_LOOK_S = 0.01


class Group:
    """Processes that share a limit. `prefix`: a command that begins with it runs in the group."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.prefix = ("sh", "-c", f'echo $$ > {folder}/cgroup.procs && exec "$@"', "sh")

    def peak(self) -> int:
        """Returns the most that was taken, in bytes."""
        names = ("memory.peak", "memory.max_usage_in_bytes")
        path = next(self._folder / name for name in names if (self._folder / name).exists())
        return int(path.read_text())


def _limit_file() -> tuple[Path, str] | None:
    """Returns below which folder a group may be made here, and the file that has its limit."""
    delegated = _V2 / "cgroup.subtree_control"
    if delegated.exists() and "memory" in delegated.read_text().split():
        return _V2, "memory.max"
    return (_V1, "memory.limit_in_bytes") if (_V1 / "memory.limit_in_bytes").exists() else None


@contextlib.contextmanager
def limited(size: int) -> Iterator[Group]:
    """Makes a group that may take `size` bytes, and removes it. Raises OSError."""
    found = _limit_file()
    if found is None:
        raise FileNotFoundError("no control group has a memory limit here")
    above, limit = found
    folder = above / f"cylindre-test-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / limit).write_text(str(size))
        yield Group(folder)
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    ends_s = time.monotonic() + _GONE_S
    while True:
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > ends_s:
                raise
            time.sleep(_LOOK_S)
        else:
            return


def is_possible() -> bool:
    """Returns whether a group can be made here, and holds."""
    try:
        with limited(1 << 30) as group:
            group.peak()
    except (OSError, StopIteration):
        return False
    return True
