"""The carrier of the wheel's electronics: one circuit for every Raspberry Pi with the 40 pins.

Pins that the header's UART 0 and I2C 1 and the HAT's ID EEPROM take are left alone. All inputs are
active high. The emergency stop is a break contact behind an inverting input, the current limit a
fault output with pull-up: a cut wire of either reads 1 and stops the rotor.
"""

from boards.roulette_ref import BOARD as _REFERENCE

# fmt: off
INPUTS = (
    ("rim0", 4), ("rim1", 5), ("rim2", 6),
    ("pocket0", 7), ("pocket1", 8), ("pocket2", 9),
    ("enc_a", 16), ("enc_b", 17), ("enc_z", 20),
    ("btn_start", 21), ("btn_void", 22),
)
SAFETY_INPUTS = (("estop", 23), ("overcurrent", 24))
OUTPUTS = (
    ("motor_pwm", 12), ("motor_dir", 13), ("motor_enable", 19),
    ("lamp_bets_open", 25), ("lamp_no_more_bets", 26), ("lamp_fault", 27),
)
# What hangs on which bus: level and clock share I2C 1, the displays are on UART 0 behind an RS-485
# transceiver that turns its direction itself.
BUSES = {"displays": ("uart", 0), "sensors": ("i2c", 1)}
# fmt: on
GEOMETRY = _REFERENCE["geometry"]


def board(name: str, title: str) -> dict:  # type: ignore[type-arg]
    """The carrier with the Raspberry Pi model `name` on it."""
    return {
        "name": name,
        "title": title,
        "apparatus": "roulette",
        "rules": "european",
        "provider": "pi",
        "model": name,
        "rotor": "driven",
        "inputs": INPUTS,
        "safety_inputs": SAFETY_INPUTS,
        "outputs": OUTPUTS,
        "buses": BUSES,
        "geometry": GEOMETRY,
    }
