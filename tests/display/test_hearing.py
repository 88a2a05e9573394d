"""Why a display stays dark is told once, in a sentence."""

import pytest

from firmware.bus import frame, messages
from firmware.services.display.display import PATIENCE_US, Hearing

HEARTBEAT = frame.encode(bytes([messages.VERSION, messages.HEARTBEAT]) + bytes(60))
OLD = frame.encode(bytes([messages.VERSION - 1, messages.HEARTBEAT]) + bytes(60))


def told(data: bytes, *, dark: bool = True) -> list[str]:
    hearing = Hearing("/dev/ttyS0", 19_200)
    said = [
        hearing.receive(data, now_us, dark=dark) for now_us in range(0, 3 * PATIENCE_US, 250_000)
    ]
    return [sentence for sentence in said if sentence]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (HEARTBEAT, "not to this display: give it the address and the keys"),
        (OLD, "is of another version"),
        (b"$GPGGA,123519,4807.038,N*47\r\n", "no wheel: check what is plugged in there"),
    ],
    ids=["wrong key", "another version", "a foreign device"],
)
def test_a_display_that_stays_dark_says_why_once(data: bytes, why: str) -> None:
    (sentence,) = told(data)
    assert why in sentence


def test_silence_and_light_need_no_explanation() -> None:
    assert told(b"") == []
    assert told(HEARTBEAT, dark=False) == []


def test_a_short_darkness_is_not_explained_and_the_next_one_is_counted_anew() -> None:
    hearing = Hearing("/dev/ttyS0", 19_200)
    assert hearing.receive(HEARTBEAT, 0, dark=True) is None
    assert hearing.receive(HEARTBEAT, PATIENCE_US - 1, dark=True) is None
    assert hearing.receive(HEARTBEAT, PATIENCE_US, dark=False) is None
    assert hearing.receive(HEARTBEAT, PATIENCE_US + 1, dark=True) is None
    assert hearing.receive(HEARTBEAT, 2 * PATIENCE_US, dark=True) is None
    assert hearing.receive(HEARTBEAT, 2 * PATIENCE_US + 1, dark=True) is not None
