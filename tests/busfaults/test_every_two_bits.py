"""What the CRC owes: no two bits of a frame, wherever they are, turn it into another payload."""

import itertools

import pytest

from firmware.bus import frame, message_bytes
from firmware.bus.messages import Answer, Envelope

KEY = bytes(range(32))
ENVELOPE = Envelope(1, 2**63 + 5, 77)
ANSWER = Answer(1, b"12345678", 2, 40, b"1234", 0, b"87654321", b"4321")


@pytest.mark.parametrize(
    "payload",
    [message_bytes.ask_bytes(ENVELOPE, KEY), message_bytes.answer_bytes(ENVELOPE, ANSWER, KEY)],
    ids=["ask", "answer"],
)
def test_every_two_bits_of_the_frames_that_are_said_most(payload: bytes) -> None:
    framed = frame.encode(payload)
    number = int.from_bytes(framed, "little")
    taken = 0
    for first, second in itertools.combinations(range(8 * len(framed)), 2):
        spoiled = (number ^ (1 << first) ^ (1 << second)).to_bytes(len(framed), "little")
        found = frame.Deframer().feed(spoiled + b"\0")
        taken += found not in ([], [payload])
        # A turned delimiter alone costs nothing: the one behind it ends the frame.
        assert found != [payload] or {first >> 3, second >> 3} <= {0, len(framed) - 1}
    assert taken == 0
