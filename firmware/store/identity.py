"""Whose journal it is, and what every record says of the wheel."""

from typing import Any, NamedTuple

from firmware.bus import record
from firmware.store import round_record
from firmware.store.clock import Stamp


class Identity(NamedTuple):
    """A wheel as its records name it."""

    wheel: str  # [wheel] id
    game: str  # one of messages.GAME_CODES
    rules: str  # their name
    rules_hash: bytes  # signing.rules_hash
    layout_verified: bool | None  # None: cards are played
    firmware: bytes  # source_hash.firmware_hash
    board: str  # the serial number of the controller's board, or "virtual"


def fields(
    identity: Identity,
    kind: str,
    body: dict[str, Any],
    *,
    epoch: int,
    stamp: Stamp,
    prev: bytes,
    after: bytes | None = None,
) -> dict[str, Any]:
    """Returns what a record of `kind` is to say: `body` as the core made it, and all that it leaves
    out. A round's body is that of the row before its record.

    `prev`: the hash of the row before it; `after`: the digest of the last outcome's record.
    """
    found: dict[str, Any] = {
        "game": identity.game,
        "rules": identity.rules,
        "rules_hash": identity.rules_hash,
        "layout_verified": identity.layout_verified,
        "firmware": identity.firmware,
    }
    if kind == record.CHECKPOINT:
        found = {}  # what it signs is the chain, by `head` in its body
    else:
        found["prev"] = prev[:16]
    if kind in record.OUTCOMES:
        found["after"] = after
    found |= {"wheel": identity.wheel, "epoch": epoch, "utc": stamp.utc, "quality": stamp.quality}
    found |= round_record.fields(body) if "round" in body else body
    if isinstance(found.get("stakes"), str):
        found["stakes"] = bytes.fromhex(found["stakes"])
    found["kind"] = kind
    return found
