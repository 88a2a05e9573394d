"""A short talk between controller and display, printed: the same lines on CPython and MicroPython.

Not a test by itself. test_bus_script.py holds CPython to the golden lines; `make micropython` may
run the same file on the device's interpreter and compare.
"""

from firmware.bus import frame, messages
from firmware.bus.receiver import Receiver
from firmware.bus.sender import Talker


def lines():
    """Every frame of the talk in hexadecimal, and what the display lights after it."""
    talker = Talker(session=0x01020304, past=((40, 0, "green"), (41, None, None)))
    receiver = Receiver()
    # fmt: off
    views = (
        (0, ("BETS_OPEN", 42, 41, 0, None, None, None)),
        (10_000_000, ("BALL_IN_TRACK", 42, 41, -1, None, None, None)),
        (20_000_000, ("DETECTED", 42, 41, -1, 17, "black", None)),
        (20_040_000, ("CONFIRMED", 42, 42, -1, 17, "black", None)),
        (20_061_000, ("CONFIRMED", 42, 42, -1, 17, "black", None)),
        (30_000_000, ("VOID", 43, 43, 1, None, None, "foreign_object")),
    )
    # fmt: on
    for now_us, view in views:
        talker.show(*view)
        for sent in talker.poll(now_us):
            yield "".join([f"{byte:02x}" for byte in sent])
            # One byte at a time, behind noise that ends in the middle of a frame.
            for byte in b"\x05noise" + sent:
                receiver.feed(bytes([byte]), now_us)
            yield f"{now_us} {tuple(receiver.lit)}"
    receiver.tick(receiver.deadline_us)
    yield f"{tuple(receiver.lit)}"
    flipped = bytearray(frame.encode(b"\0" * 300))
    flipped[7] ^= 1
    yield f"{frame.Deframer().feed(bytes(flipped))} {messages.decode(bytes([2]))}"


if __name__ == "__main__":
    for line in lines():
        print(line)
