"""A journal without a disk: what it is told is durable at once, and outcomes are signed."""

from __future__ import annotations

from typing import Any

from firmware.bus import record
from firmware.config.game import Game
from firmware.store.clock import Stamp
from firmware.store.identity import Identity, fields
from firmware.store.signing import Signer
from firmware.store.source_hash import HASH_SIZE
from tools.virtual.memory_store import MemoryStore

_UTC = 1_795_000_000  # of every record: the wheel's time alone goes on here


class SigningStore(MemoryStore):
    """What a line needs of the journal: the records of outcomes, and whose key signs them."""

    epoch = 1
    rotations: tuple[bytes, ...] = ()

    def __init__(self, game: Game, private: bytes) -> None:
        """`private`: the signing key, signing.PRIVATE_SIZE bytes."""
        super().__init__()
        self._signer = Signer(private)
        self.kid = self._signer.kid
        self.root = self._signer.public
        self._identity = Identity(
            wheel="hil",
            game=game.board["apparatus"],
            rules=game.rules["name"],
            rules_hash=bytes(HASH_SIZE),
            layout_verified=game.rules["layout_verified"],
            firmware=bytes(HASH_SIZE),
            board="virtual",
        )
        self._by_seq: dict[int, bytes] = {}

    def put(self, ticket: int, kind: str, body: Any) -> None:
        """As a journal: an outcome is signed, and there to be sent, before anybody is told."""
        if kind in record.OUTCOMES:
            before = self._by_seq.get(body["seq"] - 1)
            after = None if before is None else record.digest(before)
            stamp = Stamp(_UTC, record.UNSYNCHRONISED)
            said = fields(
                self._identity, kind, body, epoch=1, stamp=stamp, prev=bytes(32), after=after
            )
            self._by_seq[body["seq"]] = self._signer.sign(said)
        super().put(ticket, kind, body)

    def record(self, seq: int) -> bytes | None:
        """The signed record of an outcome, or None."""
        return self._by_seq.get(seq)
