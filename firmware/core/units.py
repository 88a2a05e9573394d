"""The units of angles, lengths of arc and speeds in the core: whole numbers, and what they count.

Angles are micro-turns: the suffix `_uturn` is millionths of a turn, `_uturn_s` so many of them a
second. Where floats are allowed (call/) the suffix `_turn_s` is turns a second. `_mdeg` is
thousandths of a degree, `_us` microseconds. Ccw is positive.
"""

TURN = 1_000_000  # micro-turns
TURN_MDEG = 360_000
PI_MICRO = 3_141_593  # pi, in millionths
