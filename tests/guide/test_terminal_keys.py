"""What comes from a terminal byte by byte, as over a slow line, is no other key than at once."""

from __future__ import annotations

import asyncio
import os
import select
from typing import Any

import pytest
from patience import LAST_RESORT_S

from firmware.core.cards import facts
from firmware.services.guide import keys
from firmware.services.guide.terminal_keys import SETTLED_US, TerminalKeys


class _Follower:
    def __init__(self) -> None:
        self.pressed: list[str] = []

    async def press(self, key: str, n: int) -> None:
        self.pressed.append(key)


async def _typed(pieces: list[bytes]) -> list[str]:
    """Returns what is pressed by these, each read by itself."""
    master, slave = os.openpty()
    follower, now_us = _Follower(), [0]
    known: Any = follower
    offered = [keys.CAPS[facts.KEY_CARD]._asdict(), keys.CAPS[facts.KEY_DOUBLE]._asdict()]
    with TerminalKeys(slave, known, lambda: now_us[0], lambda: None) as typed:
        typed.take_scene({"n": 1, "stage": "table", "keys": offered, "asks": []})
        now_us[0] = SETTLED_US
        for piece in pieces:
            os.write(master, piece)
            assert select.select([slave], [], [], LAST_RESORT_S)[0]
            for _ in range(4):  # the loop reads, begins the task, and ends it
                await asyncio.sleep(0)
    os.close(slave)
    os.close(master)
    return follower.pressed


@pytest.mark.parametrize(
    "pieces",
    [
        [b"\x1b", b"[", b"C"],
        [b"\x1b", b"O", b"D"],
        [b"\x1b[", b"D"],
        [b"\x1b[1", b";5", b"C"],
        [b"\x1b", b"[", b"[", b"C"],  # F3 of a Linux console
        [b"cd"],
        [b"x" * 64 + b"c"],
    ],
)
def test_no_arrow_and_no_paste_is_a_key_however_it_comes(pieces: list[bytes]) -> None:
    assert asyncio.run(_typed(pieces)) == []
    assert asyncio.run(_typed([*pieces, b"c"])) == [facts.KEY_CARD]


@pytest.mark.parametrize("strange", [b"\xe9", b"\xc3", b"\xff", b"\x00", b"\x04"])
def test_a_byte_that_is_no_letter_leaves_the_keys_as_they_were(strange: bytes) -> None:
    assert asyncio.run(_typed([strange, b"c"])) == [facts.KEY_CARD]


def test_what_came_of_a_key_is_told_no_more_once_something_else_is_due() -> None:
    assert asyncio.run(_told_after_another_scene()) == ("Press it again to confirm.", "", [1, 1])


async def _told_after_another_scene() -> tuple[str, str, list[int]]:
    master, slave = os.openpty()
    known: Any = _Follower()
    now_us, drawn = [0], [0]

    def draw() -> None:
        drawn[0] += 1

    scene = {"stage": "table", "keys": [keys.CAPS[facts.KEY_VOID]._asdict()], "asks": []}
    with TerminalKeys(slave, known, lambda: now_us[0], draw) as typed:
        typed.take_scene({"n": 1, **scene})
        now_us[0] = SETTLED_US
        os.write(master, b"v")
        assert select.select([slave], [], [], LAST_RESORT_S)[0]
        for _ in range(4):
            await asyncio.sleep(0)
        asked, times = typed.note, [drawn[0]]
        typed.take_scene({"n": 1, **scene})
        assert typed.note == asked
        typed.take_scene({"n": 2, **scene})
        told = typed.note
        times.append(drawn[0] - times[0])
    os.close(slave)
    os.close(master)
    return asked, told, times
