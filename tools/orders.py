"""Carries out, as root, what the service page may only ask for (tools/page/orders.py).

An order is believed for what the wheel's journal says of it, never for what stands in its folder:
a supervisor's act, signed by the wheel, that names the SHA-256 of that very file. The file is
copied first, so that nobody changes it between the look and the deed; and each act orders once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware.core.house import SUPERVISOR
from firmware.store import acts
from firmware.store.acts import Act
from firmware.store.files import JournalError
from tools import key_files
from tools.exits import FAILED, Failure
from tools.page.orders import BUNDLE_MAX, DONE, FILES, ORDER
from tools.rotation import public_keys

_ORDER_MAX = 4096  # bytes
_CARRIED = "carried-out"  # beside the journal: the row of the last act that was carried out
_CHUNK = 1 << 20
# Takes the file of an order, says what became of it; raises Failure.
Deed = Callable[[Path], str]


class Order(NamedTuple):
    """What an order says of itself; nothing of it is believed."""

    path: Path
    what: str
    file: Path
    sha256: str


class Orders:
    """One folder of orders, and the journal that they must stand in."""

    def __init__(self, folder: Path, journal: Path, keys: Path, deeds: dict[str, Deed]) -> None:
        """`keys`: the folder of the wheel's public keys. `deeds`: by what may be ordered."""
        self._folder = folder
        self._journal = journal
        self._keys = keys
        self._deeds = deeds
        self._mark = journal.with_name(_CARRIED)

    def carry_out(self) -> list[dict[str, Any]]:
        """Carries out what waits, the oldest first; what became of each."""
        done = []
        for path in sorted(self._folder.glob(f"*{ORDER}")):
            found: dict[str, Any] = {"order": path.stem}
            try:
                found |= {"ok": True, "text": self._do(path)}
            except Failure as failure:
                found |= {"ok": False, "text": failure.sentence}
            self._answer(path, found)
            done.append(found)
        return done

    def _do(self, path: Path) -> str:
        order = _read(path)
        with _own_copy(order) as copy:
            act = self._ordered(order)
            # First: a deed that restarts the machine is not to be done again after it.
            key_files.replace(self._mark, b"%d\n" % act.n, 0o600)
            return self._deeds[order.what](copy)

    def _ordered(self, order: Order) -> Act:
        """The act that orders it. Raises Failure."""
        try:
            keys = public_keys(self._keys)
            for act in acts.last(self._journal):
                if act.n <= self._carried():
                    break
                named = (act.what, act.role, act.sha256) == (order.what, SUPERVISOR, order.sha256)
                if named and acts.vouched(self._journal, act, keys):
                    return act
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
        raise Failure(
            FAILED,
            "No supervisor's act in the journal orders this file: ask for it again on the page.",
        )

    def _carried(self) -> int:
        try:
            return int(self._mark.read_text(encoding="ascii"))
        except FileNotFoundError:
            return 0
        except (OSError, ValueError) as error:
            text = f"{self._mark} cannot be read: write the number of the last act that was done"
            raise Failure(FAILED, f"{text} into it (cylindre journal tail).") from error

    def _answer(self, path: Path, found: dict[str, Any]) -> None:
        """Says what became of it, then takes it away."""
        utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        said = json.dumps({"ok": found["ok"], "text": found["text"], "utc": utc}) + "\n"
        with contextlib.suppress(OSError):  # the page may have removed the folder: nobody reads it
            key_files.replace(path.with_suffix(DONE), said.encode(), 0o644)
        for name in FILES.values():
            path.with_suffix(f".{name}").unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def _read(path: Path) -> Order:
    """Raises Failure for what is no order."""
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_ORDER_MAX))
        what, sha256 = said["what"], said["sha256"]
        if what in FILES and isinstance(sha256, str):
            return Order(path, what, path.with_suffix(f".{FILES[what]}"), sha256)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Failure(FAILED, "That is no order: ask for it again on the page.")


@contextlib.contextmanager
def _own_copy(order: Order) -> Iterator[Path]:
    """The order's file in a folder that nobody else may enter. Raises Failure."""
    with tempfile.TemporaryDirectory(prefix="cylindre-order-") as folder:
        copy = Path(folder) / FILES[order.what]
        try:
            handle = os.open(order.file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as source, copy.open("xb") as target:
                about = os.fstat(source.fileno())
                if not stat.S_ISREG(about.st_mode) or about.st_size > BUNDLE_MAX:
                    raise Failure(FAILED, "The order's file is none: ask for it again.")
                if about.st_size > shutil.disk_usage(folder).free:
                    raise Failure(FAILED, f"{folder} has no room for it: free some storage.")
                digest = hashlib.sha256()
                while data := source.read(_CHUNK):
                    digest.update(data)
                    target.write(data)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise Failure(FAILED, f"The order's file: {why}. Ask for it again.") from error
        if digest.hexdigest() != order.sha256:
            raise Failure(FAILED, "The file is not the one that was ordered: ask for it again.")
        yield copy
