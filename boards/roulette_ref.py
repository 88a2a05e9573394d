"""The reference roulette wheel: virtual, with the geometry of the trace contract.

Angles in degrees, counter-clockwise positive, seen from above, in the stator's frame.
"""

# fmt: off
BOARD = {
    "name": "roulette_ref",
    "title": "Reference roulette wheel (built-in virtual wheel)",
    "apparatus": "roulette",
    "rules": "roulette_lu",
    "provider": "virtual",
    "rotor": "driven",
    # An input line: name, pin. Their order is the numbering the core knows.
    "inputs": (
        ("rim0", 0), ("rim1", 1), ("rim2", 2),
        ("pocket0", 3), ("pocket1", 4), ("pocket2", 5),
        ("enc_a", 6), ("enc_b", 7), ("enc_z", 8),
        ("btn_start", 9), ("btn_void", 10),
    ),
    # Inputs the drivers poll; no trace has them: the emergency stop and the motor's current limit.
    "safety_inputs": (("estop", 11), ("overcurrent", 12)),
    "outputs": (
        ("motor_pwm", 20), ("motor_dir", 21), ("motor_enable", 22),
        ("lamp_bets_open", 23), ("lamp_no_more_bets", 24), ("lamp_fault", 25),
    ),
    "buses": {},
    "geometry": {
        "rim_deg": (0, 120, 240),
        "pocket_deg": (60, 180, 300),
        "encoder_cycles": 36,
        "index_half_width_mdeg": 1250,
        "ball_mm": 20,
        "track_radius_mm": 380,
        "ring_radius_mm": 240,
    },
}
# fmt: on
