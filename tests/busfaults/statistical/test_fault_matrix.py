"""The fault matrix of the bus (IEC 61784-3, EN 50159), each row on the bytes of real ttys.

`make bus-faults ARGS="--frames 1000000 --seed 2"` asks more of each row, and another chance. A lost
frame takes a display's time to be missed: that row is played in shares, side by side.
"""

import pytest

from firmware.bus.messages import KINDS
from tools.busfaults.campaign import repeat_command, run
from tools.busfaults.rows import ROWS
from tools.busfaults.world import honest
from tools.testing.sizes import size

FRAMES = size("frames of a fault")
SEED = 1
BLANK_MS = 1000
CONVERGE_MS = 2000
ALL_BITS = 50_000  # frames in which every bit of every kind has had its turn
SHARES = {"loss-10": 6, "loss-50": 2}
PLAYED = [(row, share) for row in ROWS for share in range(SHARES.get(row.name, 1))]


@pytest.mark.req("LU-37-1.shown")
@pytest.mark.parametrize(
    ("row", "share"), PLAYED, ids=[f"{row.name}-{share + 1}" for row, share in PLAYED]
)
def test_no_display_lights_a_wrong_or_old_number(row, share) -> None:
    shares = SHARES.get(row.name, 1)
    frames, seed = -(-FRAMES // shares), SEED * shares + share
    outcome = run(row, frames=frames, seed=seed, make=honest)
    told = [*outcome.complaints, "again: " + repeat_command(row.name, frames=frames, seed=seed)]
    assert outcome.is_sound, "\n".join(told)
    assert outcome.frames >= frames
    assert (outcome.wrong, outcome.old) == (0, 0)
    assert outcome.blank_ms <= BLANK_MS
    assert outcome.converge_ms <= CONVERGE_MS
    if row.name == "flip-1" and FRAMES >= ALL_BITS:
        assert outcome.kinds == tuple(kind for kind, _, _ in KINDS)
