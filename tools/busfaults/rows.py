"""The rows of the matrix: the black-channel faults of IEC 61784-3 and EN 50159, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.busfaults import addressing, corruption, forgery, masquerade, passing, replay
from tools.busfaults.addressing import Replaced
from tools.busfaults.corruption import Babble, stuck
from tools.busfaults.world import DISPLAYS, Fault, World


class Row(NamedTuple):
    """One fault: `make` begins an episode of it, on a line of so many displays."""

    name: str
    says: str
    make: Callable[[World, int], Fault]
    displays: int = DISPLAYS
    # At least so many, for WHOLE frames: else a few would do, and each is judged at its end.
    episodes: int = 0
    cards: str = ""  # the game of a card table, where cards are judged too


# On a full line of 32 each record that is needed or under way takes .8 s, and it may take three.
MANY = 24
OFTEN = 40
WHOLE = 100_000


# fmt: off
def _of_cards(name: str, cards: str) -> tuple[Row, ...]:
    """The rows of a card game."""
    return (
        Row(f"{name}-flip", "cards with two bits turned", corruption.corruption(corruption.bits(2)),
            cards=cards),
        Row(f"{name}-cut", "cards that are cut", corruption.corruption(corruption.drop),
            cards=cards),
        Row(f"{name}-forged", "cards that nobody signed", forgery.ForgedCards, cards=cards),
        Row(f"{name}-foreign", "another table's cards and records", forgery.Foreign, cards=cards),
        Row(f"{name}-repeated", "a captured day of cards again", replay.Repetition, cards=cards),
        Row(f"{name}-disorder", "cards in another order", passing.Disorder, episodes=OFTEN,
            cards=cards),
        Row(f"{name}-loss", "half of the frames lost", passing.loss(50), episodes=OFTEN,
            cards=cards),
        Row(f"{name}-delay", "cards late by up to 60 s", passing.Delay, episodes=OFTEN,
            cards=cards),
        Row(f"{name}-jitter", "cards late by changing times", passing.Jitter, episodes=OFTEN,
            cards=cards),
    )


ROWS = (
    Row("flip-1", "every single bit of every kind of frame turned", corruption.EveryBit),
    Row("flip-2", "two bits turned", corruption.corruption(corruption.bits(2))),
    Row("flip-3", "three bits turned", corruption.corruption(corruption.bits(3))),
    Row("burst", "up to 64 bits in a row are noise", corruption.corruption(corruption.burst)),
    Row("drop", "up to 8 bytes lost", corruption.corruption(corruption.drop)),
    Row("insert", "up to 8 bytes put in", corruption.corruption(corruption.insert)),
    Row("repetition", "a captured day again, also after a reboot or a restart",
        replay.Repetition),
    Row("disorder", "frames in another order", passing.Disorder, episodes=OFTEN),
    Row("loss-10", "10 % of the frames lost", passing.loss(10), MANY, OFTEN),
    Row("loss-50", "50 % of the frames lost", passing.loss(50), MANY, OFTEN),
    Row("loss-90", "90 % of the frames lost", passing.loss(90), MANY, OFTEN),
    Row("delay", "all late by the same time, up to 60 s", passing.Delay, episodes=OFTEN),
    Row("jitter", "all late by changing times, up to 60 s", passing.Jitter,
        episodes=OFTEN),
    Row("unsigned", "a second talker: frames that look valid", forgery.Unsigned),
    Row("foreign", "a second talker: another wheel's signed records and heartbeats",
        forgery.Foreign),
    Row("old-controller", "a second talker: a controller that was replaced", Replaced),
    Row("masquerade", "all keys of one display in wrong hands", masquerade.Masquerade),
    Row("all-keys", "all keys of all displays in wrong hands", masquerade.AllKeys),
    Row("swapped", "two displays with each other's address", addressing.Swapped),
    Row("duplicate", "two displays at one address", addressing.Duplicate),
    Row("maximal", "counters at their greatest", forgery.Maximal),
    Row("babble", "random bytes without pause", Babble),
    Row("shorted", "a shorted line: all 00, nothing, all FF", stuck),
    *_of_cards("cards", "baccarat"),
    *_of_cards("blackjack", "blackjack"),
)
# fmt: on
BY_NAME = {row.name: row for row in ROWS}
