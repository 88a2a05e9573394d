"""The reference vingt-trois plate, 27 cases: virtual, with the geometry of the trace contract.

It has the lines and the geometry of the reference roulette wheel.
"""

from boards.roulette_ref import BOARD as _REFERENCE

BOARD = dict(_REFERENCE)
BOARD.update(
    {
        "name": "vingt_trois_ref",
        "title": "Reference vingt-trois plate (built-in virtual plate)",
        "apparatus": "vingt_trois",
        "rules": "vingt_trois_fr",
    }
)
