"""A receipt for money that was taken out of a player's account, as the wheel signs it.

It is shown once, where money is paid, and redeemed there by an employee; the journal knows which
were (firmware/stakes/accounts.py). On paper it is its text and the signed object in base64.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from firmware.lib.language import Message
from firmware.store import signed_object
from firmware.store.signed_object import NotSigned

_DOMAIN = b"cylindre receipt"
RECEIPT_MAX = 600  # characters of base64


def sign(private: bytes, *, wheel: str, epoch: int, body: dict[str, Any]) -> str:
    """Returns the receipt of a PAYOUT in base64, for the journal of that wheel and epoch."""
    said = {"wheel": wheel, "epoch": epoch}
    said |= {name: body[name] for name in ("receipt", "account", "cents", "who")}
    return base64.b64encode(signed_object.sign(private, _DOMAIN, said)).decode()


def reader(
    public_keys: Callable[[], Sequence[bytes]], epochs: Callable[[], Sequence[tuple[str, int]]]
) -> Callable[[str], tuple[int, int, int] | str]:
    """Returns what reads receipts of a journal: number, account and cents of one, or as a sentence,
    without its full stop, why it is none.

    `public_keys`: all that the wheel ever had; `epochs`: wheel and number of each that the journal
    has begun. Both are read anew each time, from the disk.
    """

    def read(text: str) -> tuple[int, int, int] | str:
        try:
            data = base64.b64decode(text.strip(), validate=True)
        except (ValueError, binascii.Error):
            return Message("art. 62: this is no receipt: its code is not whole")
        for public in reversed(public_keys()):
            with contextlib.suppress(NotSigned, KeyError, TypeError, ValueError):
                said = signed_object.read(data, public, _DOMAIN)
                if (said["wheel"], said["epoch"]) not in epochs():
                    return Message(
                        "art. 62: this receipt is of another journal or wheel, {wheel}: it is paid"
                        " there",
                        wheel=said["wheel"],
                    )
                return said["receipt"], said["account"], said["cents"]
        return Message("art. 62: this is no receipt of this wheel: its signature is not its own")

    return read
