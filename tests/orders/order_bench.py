"""A folder of orders, with a journal that orders them."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import Any

import own_journal

from firmware.lib.errors import FAILED, Failure
from firmware.lib.order_folder import CONFIG, UPDATE, Draft, detail
from firmware.services.device.order_runner import Orders
from firmware.store.journal import Journal

NEW = b'[wheel]\nboard = "pi4"\n'


class Bench:
    """A folder of orders, a journal, and somebody who does what is ordered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "orders"
        self.journal = folder / "journal.db"
        self.keys = folder / "keys"
        own_journal.keys(self.keys)
        self.store: Journal = own_journal.opened(self.journal)
        self.done: list[tuple[str, bytes]] = []
        self.fails = False
        self.full = False

    def act(self, path: Path, data: bytes = NEW, **other: Any) -> None:
        """The act that orders the file of that order."""
        said = {"what": "config", "who": "weber", "role": "supervisor"}
        said["detail"] = detail(path.with_suffix(".wheel.toml"), len(data))
        self.store.write("act", said | {"sha256": hashlib.sha256(data).hexdigest()} | other)

    def order(self, data: bytes = NEW, what: str = CONFIG) -> Path:
        draft = Draft(self.folder, what)
        draft.write(data)
        draft.finish()
        return self.folder / f"{draft.order('weber')}.order"

    def carry_out(self, *, dry_run: bool = False) -> list[dict[str, Any]]:
        deeds = {CONFIG: self._deed("config"), UPDATE: self._deed("update")}
        orders = Orders(self.folder, self.journal, self.keys, deeds, 0.0)
        return orders.carry_out(dry_run=dry_run)

    def _deed(self, what: str) -> Any:
        def deed(path: Path) -> str:
            if self.full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/etc/cylindre")
            if self.fails:
                raise Failure(FAILED, "The wheel did not come up.")
            self.done.append((what, path.read_bytes()))
            return "Done."

        return deed
