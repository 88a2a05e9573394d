"""European wheel, one zero: the order and colours of its 37 pockets, and when a coup counts.

Order: the reference layout of contracts/trace.md, clockwise seen from above, which is the order of
every European cylinder. Colours: seeds 003, section 1 (numbers 1 to 36 red or black, zero neither).
Turns: South Dakota 20:18:34:05 asks four revolutions of the ball at least.
"""

# fmt: off
RULES = {
    "name": "european",
    "apparatus": "roulette",
    "layout": (
        0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
        5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
    ),
    "red": (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36),
    "ball_turns_min": 4,
}
# fmt: on
