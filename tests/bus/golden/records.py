"""Writes records.json: one record of each kind, signed with keys that nothing else uses.

    PYTHONPATH=. .venv/bin/python tests/bus/golden/records.py > tests/bus/golden/records.json

test_record.py holds the file to this; docs/bus.md shows it; record_script.py reads it on both
interpreters. A display of another make that reads these reads ours.
"""

import json
import sys

from firmware.store.signing import Signer, public_of
from rules.cards import deck

PRIVATE = bytes(range(32))
NEXT = bytes(range(32, 64))


def _cards(text):
    return bytes([deck.card_of(word) for word in text.split()])


_ALWAYS = {"wheel": "table-3", "epoch": 2, "utc": 1795285518, "quality": 3}
_ABOUT = {
    "game": "roulette",
    "rules": "roulette_lu",
    "rules_hash": bytes.fromhex("d0c77ae58094ef26"),
    "layout_verified": True,
    "firmware": bytes.fromhex("c4b580ad8bb4764d"),
    "prev": bytes(range(0x80, 0x90)),
}
_AFTER = {"after": bytes(range(0x70, 0x78))}
_COUP = _ALWAYS | _ABOUT | _AFTER | {"rotor": -1, "ball": 1}
_SENSORS = {"sensors": 3, "votes": 6, "residual_uturn": -1234}
_NUMBER = {"number": 17, "compartment": 8, "colour": "black"}
_PEOPLE = {"manual": ("anna", "rené")}
_ROUND = (
    _ALWAYS
    | _AFTER
    | {
        "rules_hash": bytes.fromhex("d0c77ae58094ef26"),
        "firmware": bytes.fromhex("c4b580ad8bb4764d"),
        "prev": bytes(range(0x80, 0x90)),
        "wheel": "table-9",
    }
)
_BACCARAT = _ROUND | {"game": "baccarat", "rules": "punto_2000"}
_BLACKJACK = _ROUND | {"game": "blackjack", "rules": "blackjack_lu"}
_SHOE = {"seal": bytes(range(0xC0, 0xE0)), "decks": 6, "authenticated": True, "verified": True}

# fmt: off
RECORDS = (
    ("result", PRIVATE,
     {"kind": "result", "seq": 4242, "coup": 4300} | _COUP | _NUMBER | _SENSORS),
    ("result_with_stakes", PRIVATE,
     {"kind": "result", "seq": 4243, "coup": 4301, "number": 0, "compartment": 0, "colour": "green",
      "stakes": bytes(range(0xA0, 0xC0))} | _COUP | _SENSORS),
    ("result_by_hand", PRIVATE,
     {"kind": "result", "seq": 7, "coup": 7, "number": 12, "colour": "red"} | _COUP | _PEOPLE
     | {"game": "vingt_trois", "rules": "vingt_trois_fr", "layout_verified": False,
        "rotor": 0, "ball": 0, "quality": 0, "utc": 12}),
    ("result_of_a_cup", PRIVATE,
     {"kind": "result", "seq": 1, "coup": 1, "number": 5, "compartment": 13, "colour": "yellow",
      "held_us": 2_500_000} | _COUP
     | {"after": None, "game": "boule", "rules": "boule_fr", "rotor": 0}),
    ("void", PRIVATE,
     {"kind": "void", "seq": 4244, "coup": 4302, "reason": "foreign_object"} | _COUP),
    ("correction", PRIVATE,
     {"kind": "correction", "seq": 4245, "coup": 4300, "corrects": 4242, "number": 34,
      "compartment": 9, "colour": "red"} | _ALWAYS | _ABOUT | _AFTER | _PEOPLE),
    ("correction_to_void", PRIVATE,
     {"kind": "correction", "seq": 4246, "coup": 4301, "corrects": 4243, "reason": "two_balls"}
     | _ALWAYS | _ABOUT | _AFTER | _PEOPLE),
    ("rotation", PRIVATE, {"kind": "rotation", "next_key": public_of(NEXT), "seq": 4246} | _ALWAYS),
    ("result_after_rotation", NEXT,
     {"kind": "result", "seq": 4247, "coup": 4303} | _COUP | _NUMBER | _SENSORS),
    ("checkpoint", NEXT, {"kind": "checkpoint", "n": 64, "head": bytes(range(32))} | _ALWAYS),
    ("epoch", NEXT,
     {"kind": "epoch", "next_key": public_of(NEXT), "board": "10000000abcdef01",
      "fram": bytes(range(8))} | _ALWAYS | {"epoch": 3}),
    ("baccarat_result", NEXT,
     {"kind": "result", "seq": 1, "coup": 7, "cards": _cards("5S 2H 6D TC 8H 4S"),
      "winner": "player", "player_points": 9, "banker_points": 6}
     | _BACCARAT | _SHOE | {"after": None}),
    ("baccarat_natural_tie", NEXT,
     {"kind": "result", "seq": 2, "coup": 8, "cards": _cards("9S 4C KD 5H"), "winner": "tie",
      "player_points": 9, "banker_points": 9} | _BACCARAT | _SHOE | {"authenticated": False}),
    ("blackjack_result", NEXT,
     {"kind": "result", "seq": 1, "coup": 1, "cards": _cards("AS 3D 2C"), "dealer_points": 16}
     | _BLACKJACK | _SHOE | _PEOPLE | {"verified": False}),
    ("round_void", NEXT,
     {"kind": "void", "seq": 3, "coup": 9, "reason": "foreign_card"} | _BACCARAT),
    ("round_correction", NEXT,
     {"kind": "correction", "seq": 4, "coup": 1, "corrects": 1, "cards": _cards("AS 6D"),
      "dealer_points": 17, "seal": bytes(range(0xB0, 0xD0)), "decks": 6}
     | _BLACKJACK | _PEOPLE),
    ("round_correction_to_void", NEXT,
     {"kind": "correction", "seq": 5, "coup": 8, "corrects": 2, "reason": "misdealt"}
     | _BACCARAT | _PEOPLE),
)
# fmt: on


def _shown(value):
    if isinstance(value, bytes):
        return value.hex()
    return list(value) if isinstance(value, tuple) else value


def vectors():
    """What the file holds."""
    told = []
    for name, private, fields in RECORDS:
        signer = Signer(private)
        shown = {key: _shown(value) for key, value in sorted(fields.items())}
        told.append(
            {
                "name": name,
                "public": signer.public.hex(),
                "fields": shown,
                "cose": signer.sign(fields).hex(),
            }
        )
    return {"root": public_of(PRIVATE).hex(), "private": PRIVATE.hex(), "records": told}


if __name__ == "__main__":
    json.dump(vectors(), sys.stdout, indent=1)
    sys.stdout.write("\n")
