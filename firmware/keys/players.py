"""The keys of the players' accounts, by which they sign on at a terminal.

A PIN or the number of a card makes a secret by PBKDF2 (RFC 8018); the secret and the account's
number make the account's key (firmware/stakes/book.py). The controller keeps the keys alone, in one
file beside its own: a JSON object a line, `{"account": 7, "player": "anna", "good": 2, "key": ""}`,
`good` counting how often it was given one. A key that the journal does not know as the last one of
that player opens nothing. A terminal answers each challenge with its player's key, and keeps it not
longer than he sits there.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

from firmware.bus.mac import KEY_SIZE
from firmware.keys import key_files
from firmware.lib import durable
from firmware.lib.durable import OWNER_ONLY
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.lib.language import Message

ROUNDS = 200_000  # of PBKDF2-HMAC-SHA256: .1 s here, .6 s on a Zero 2 W
SECRET_MAX = 64  # characters of a PIN, or of a card's number
PIN_MIN = 4
_SALT = b"cylindre account"
_SIZE_MAX = 16_000_000  # bytes: a hundred thousand accounts


def players_file(folder: Path) -> Path:
    """Returns where the keys of the players lie, in the folder of keys."""
    return folder / "players"


def secret_of(given: str) -> bytes:
    """Returns what a PIN or a card's number makes. Raises ValueError, a sentence, for neither."""
    if not PIN_MIN <= len(given) <= SECRET_MAX or not given.isascii() or not given.isalnum():
        raise ValueError(
            Message(
                "A player's PIN or card has {pin_min} to {secret_max} letters and digits.",
                pin_min=PIN_MIN,
                secret_max=SECRET_MAX,
            )
        )
    return hashlib.pbkdf2_hmac("sha256", given.encode(), _SALT, ROUNDS)


class Kept(NamedTuple):
    """A key as the file has it."""

    player: str
    good: int  # which of the account's keys it is, from 1
    key: bytes


def read_players(folder: Path, accounts: dict[int, tuple[str, int]]) -> dict[int, Kept]:
    """Returns the key of each account that has one. Raises Failure.

    `accounts`: player and good key of each account of the journal.
    """
    path = players_file(folder)
    found = {}
    for number, line in enumerate(key_files.read_secret_text(path, _SIZE_MAX).splitlines(), 1):
        try:
            said = json.loads(line)
            account, kept = said["account"], Kept(said["player"], said["good"],
                                                  bytes.fromhex(said["key"]))  # fmt: skip
            typed = (type(account), type(kept.player), type(kept.good)) == (int, str, int)
            if not typed or account < 1 or len(kept.key) != KEY_SIZE:
                raise ValueError(said)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            text = Message(
                "{path}:{number} is no key of an account: restore the file, or take that line out"
                " and give its player another PIN.",
                path=path,
                number=number,
            )
            raise Failure(CONFIGURATION, text) from error
        if accounts.get(account) == (kept.player, kept.good):
            found[account] = kept
    return found


def write_players(folder: Path, keys: dict[int, Kept]) -> None:
    """Writes the keys of all accounts, durably. Raises OSError."""
    lines = [
        json.dumps({"account": n, "player": kept.player, "good": kept.good, "key": kept.key.hex()})
        for n, kept in sorted(keys.items())
    ]
    content = "".join(f"{line}\n" for line in lines).encode()
    durable.replace(players_file(folder), content, OWNER_ONLY)
