"""Where everything is on the reference wheels, read anew from contracts/trace.md.

Angles in turns, ccw positive, in the stator's frame.
"""

from math import pi

LINES = (
    "rim0 rim1 rim2 pocket0 pocket1 pocket2 enc_a enc_b enc_z btn_start btn_void".split()
)  # in the order of boards/roulette_ref.py, which a test compares
LAYOUT = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
PITCH = 1 / 37
RIM = (0.0, 1 / 3, 2 / 3)
RING = (1 / 6, 0.5, 5 / 6)
RIM_BALL = 20 / (2 * pi * 380)
RING_BALL = 20 / (2 * pi * 240)
MARK = 2.5 / 360
