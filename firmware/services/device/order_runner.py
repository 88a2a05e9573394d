"""Carries out, as root, what the service page may only ask for (firmware/lib/order_folder.py).

An order is believed for what the wheel's journal says of it, never for what stands in its folder:
a supervisor's act, signed by the wheel, that names the SHA-256 of that very file. The file is
copied first, so that nobody changes it between the look and the deed; and each act orders once.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware.core.house import SUPERVISOR
from firmware.keys.rotation import public_keys
from firmware.lib import durable, private_copy
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import N_, Message, packed
from firmware.lib.named_file import read_named
from firmware.lib.order_folder import ACTS, ANSWER_MAX, BUNDLE_MAX, DONE, FILES, ORDER, detail
from firmware.store import acts
from firmware.store.acts import Act
from firmware.store.rows import JournalError

_ORDER_MAX = 4096  # bytes
_MARK_MAX = 256  # bytes: a number and a hash
_CARRIED = "carried-out"  # beside the journal: the row of the last act that was carried out
_WRITTEN_S = 10.0  # a worn card may take some seconds to have the act
_LOOK_S = 0.2
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

    def __init__(
        self,
        folder: Path,
        journal: Path,
        keys: Path,
        deeds: dict[str, Deed],
        patience_s: float = _WRITTEN_S,
    ) -> None:
        """`keys`: the folder of the wheel's public keys. `deeds`: by what may be ordered.

        `patience_s`: how long an act may take to be in the journal.
        """
        self._patience_s = patience_s
        self._folder = folder
        self._journal = journal
        self._keys = keys
        self._deeds = deeds
        self._mark = journal.with_name(_CARRIED)
        # The unit's own folder: what is left in it is of a power cut.
        own = os.environ.get("STATE_DIRECTORY")
        self._copies = Path(own) if own else None

    def carry_out(self, *, dry_run: bool = False) -> list[dict[str, Any]]:
        """Carries out what waits, the oldest first; what became of each.

        `dry_run`: whether it would be; the order and its file stay.
        """
        done = []
        if self._copies is not None:
            private_copy.clear(self._copies)
        for path in sorted(self._folder.glob(f"*{ORDER}")):
            found: dict[str, Any] = {"order": path.stem}
            try:
                found |= {"ok": True, "text": self._do(path, dry_run=dry_run)}
            except Failure as failure:
                found |= {"ok": False, "text": failure.sentence}
            except OSError as error:
                why = cause(error)
                found |= {
                    "ok": False,
                    "text": Message(
                        "{}: {}.", error.filename or Message("The storage"), Message(why)
                    ),
                }
            except Exception as error:  # whoever ordered it waits for an answer, as do the others
                traceback.print_exc()  # into the unit's journal
                why = " ".join(f"{type(error).__name__}: {error}".split())
                text = Message(
                    "This is a mistake in cylindre itself ({why}). Report it with the log of"
                    " cylindre-orders.",
                    why=why,
                )
                found |= {"ok": False, "text": text}
            if not dry_run:
                self._answer(path, found)
            done.append(found)
        return done

    def _do(self, path: Path, *, dry_run: bool) -> str:
        order = _read(path)
        with _own_copy(order, self._copies) as copy:
            act = self._ordered(order, copy.stat().st_size)
            if dry_run:
                return Message("{who} ordered it: it would be carried out.", who=act.who)
            # First: a deed that restarts the machine is not to be done again after it.
            durable.replace(self._mark, f"{act.n} {act.hash}\n".encode(), 0o600)
            return self._deeds[order.what](copy)

    def _ordered(self, order: Order, size: int) -> Act:
        """Returns the act that orders it, once it is written. Raises Failure."""
        end_s = time.monotonic() + self._patience_s
        while True:
            act = self._act(order, size)
            if act is not None:
                return act
            if time.monotonic() >= end_s:
                text = N_(
                    "No supervisor's act in the journal orders this file: ask for it again on the"
                    " page."
                )
                raise Failure(FAILED, text)
            time.sleep(_LOOK_S)

    def _act(self, order: Order, size: int) -> Act | None:
        # The name of the file in the detail says what it is, where two share a kind of act.
        wanted = (ACTS[order.what], SUPERVISOR, order.sha256, detail(order.file, size))
        try:
            keys = public_keys(self._keys)
            known = acts.last(self._journal)
            done = self._carried(known)
            for act in known:
                named = (act.what, act.role, act.sha256, act.detail) == wanted
                if act.n > done and named and acts.vouched(self._journal, act, keys):
                    return act
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
        return None

    def _carried(self, known: list[Act]) -> int:
        """The row of the last act that was carried out; 0 if that was in another journal."""
        try:
            n, row_hash = read_named(self._mark, _MARK_MAX).decode("ascii").split()
            if any(act.n == int(n) and act.hash != row_hash for act in known):
                return 0
            return int(n) if known and int(n) <= known[0].n else 0
        except FileNotFoundError:
            return 0
        except (OSError, ValueError) as error:
            text = Message(
                "{mark} cannot be read: remove it if no order has been carried out since the last"
                " start.",
                mark=self._mark,
            )
            raise Failure(FAILED, text) from error

    def _answer(self, path: Path, found: dict[str, Any]) -> None:
        """Says what became of it, then takes it away."""
        utc = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        told = {"ok": found["ok"], "text": found["text"], "utc": utc}
        line = json.dumps(told | {"said": {"text": packed(found["text"])}})
        if len(line) >= ANSWER_MAX:  # else nobody would read it
            line = json.dumps(told)
        with contextlib.suppress(OSError):  # the page may have removed the folder: nobody reads it
            durable.replace(path.with_suffix(DONE), line.encode() + b"\n", 0o644)
        for name in FILES.values():
            path.with_suffix(f".{name}").unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def _read(path: Path) -> Order:
    """Raises Failure for what is no order."""
    try:
        said = json.loads(read_named(path, _ORDER_MAX))
        what, sha256 = said["what"], said["sha256"]
        if what in FILES and isinstance(sha256, str):
            return Order(path, what, path.with_suffix(f".{FILES[what]}"), sha256)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Failure(FAILED, N_("That is no order: ask for it again on the page."))


@contextlib.contextmanager
def _own_copy(order: Order, folder: Path | None) -> Iterator[Path]:
    """The order's file in a folder that nobody else may enter. Raises Failure."""
    copies = private_copy.copied(order.file, FILES[order.what], size_max=BUNDLE_MAX, folder=folder)
    with contextlib.ExitStack() as held:
        try:
            copy = held.enter_context(copies)
        except OSError as error:
            why = cause(error)
            text = Message("The order's file: {why}. Ask for it again.", why=why)
            raise Failure(FAILED, text) from error
        if copy.sha256 != order.sha256:
            raise Failure(FAILED, N_("The file is not the one that was ordered: ask for it again."))
        yield copy.path
