"""The reference boule dish: virtual, with the geometry of the trace contract.

A fixed dish: no rotor, no encoder, no motor. Cup k lies at -k * 360 / cups degrees. The cups stand
behind expanders, as on a real board; their interrupt lines are in no trace.
"""

from boards import lines

CUPS = 18


def board(cups: int) -> dict:  # type: ignore[type-arg]
    """Returns the board of a dish of so many cups: 9, 18 or 36."""
    rim = tuple([("rim" + str(beam), beam) for beam in range(3)])
    return {
        "name": "boule_ref",
        "title": "Reference boule dish (built-in virtual dish)",
        "apparatus": "boule",
        "rules": "boule_fr",
        "provider": "virtual",
        "rotor": "none",
        "inputs": rim + lines.cup_inputs(cups) + (("btn_start", 9), ("btn_void", 10)),
        "safety_inputs": (),
        "outputs": (("lamp_bets_open", 23), ("lamp_no_more_bets", 24), ("lamp_fault", 25)),
        "buses": {"cups": ("i2c", 1)},
        "expanders": lines.cup_expanders(cups, "cups", (11, 12, 13)),
        "geometry": {
            "rim_deg": (0, 120, 240),
            "cups": cups,
            "ball_mm": 20,
            "track_radius_mm": 380,
            "ring_radius_mm": 240,
        },
    }


BOARD = board(CUPS)
