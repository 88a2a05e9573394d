"""The carrier of the table's electronics: one circuit for every Raspberry Pi with the 40 pins.

Fitted as a roulette wheel, as a vingt-trois plate, as a boule dish or as a card table. Pins that
the header's UART 0 and I2C 1 and the HAT's ID EEPROM take are left alone. All inputs are active
high. The emergency stop is a break contact behind an inverting input, the current limit a fault
output with pull-up: a cut wire of either reads 1 and stops the rotor.
"""

from boards import apparatus as apparatus_kinds
from boards import boule_ref, card_tables, lines, load

CUPS = boule_ref.CUPS

# fmt: off
RIM = (("rim0", 4), ("rim1", 5), ("rim2", 6))
RING = (
    ("pocket0", 7), ("pocket1", 8), ("pocket2", 9),
    ("enc_a", 16), ("enc_b", 17), ("enc_z", 20),
)
BUTTONS = (
    ("btn_start", 21), ("btn_void", 22),
    # Manual mode (arrêté of 14 May 2007, art. 67-5): the croupier's key, the management's, and a
    # button for the number.
    ("key_croupier", 10), ("key_management", 11), ("btn_number", 18),
)
SAFETY_INPUTS = (("estop", 23), ("overcurrent", 24))
MOTOR = (("motor_pwm", 12), ("motor_dir", 13), ("motor_enable", 19))
LAMPS = (("lamp_bets_open", 25), ("lamp_no_more_bets", 26), ("lamp_fault", 27))
# Where a dish has no ring sensors, the expanders' interrupts come in.
INTERRUPTS = (7, 8, 9)
# What hangs on which bus: level, clock, FRAM and expanders share I2C 1, the displays are on UART 0
# behind an RS-485 transceiver that turns its direction itself.
BUSES = {"displays": ("uart", 0), "sensors": ("i2c", 1)}
# A card table's shoe stands where a wheel has sensors, on UART 3 (GPIO 4 and 5), 3.3 V; one on USB
# comes in by its path. The croupier's keyboard is on USB.
CARD_BUSES = {"displays": ("uart", 0), "sensors": ("i2c", 1), "shoe": ("uart", 3)}
CARD_RELEASE = (("card_release", 12),)
# The MB85RC256V, all its address pins low. A clock's module may bring an EEPROM at 0x57.
FRAM = ("sensors", 0x50)
# fmt: on


def board(
    name: str,
    title: str,
    apparatus: str = apparatus_kinds.ROULETTE.name,
    model: str | None = None,
    cups: int = CUPS,
) -> dict:  # type: ignore[type-arg]
    """Returns the carrier with a Raspberry Pi on it: `model`, or the one that `name` names.

    `apparatus`: what the carrier is fitted as. `cups`: how many, of a boule dish.
    """
    kind = apparatus_kinds.of(apparatus)
    found = {
        "name": name,
        "title": title,
        "apparatus": apparatus,
        "rules": kind.rules,
        "provider": "pi",
        "model": model or name,
        "buses": BUSES,
        "fram": FRAM,
    }
    found.update(_dish(cups) if kind.cups else _wheel(kind))
    return found


def _wheel(kind: apparatus_kinds.Apparatus) -> dict:  # type: ignore[type-arg]
    """Returns what turns: encoder, ring sensors, motor."""
    return {
        "rotor": "driven",
        "inputs": RIM + RING + BUTTONS,
        "safety_inputs": SAFETY_INPUTS,
        "outputs": MOTOR + LAMPS,
        "geometry": load(kind.reference)["geometry"],
    }


def _dish(cups: int) -> dict:  # type: ignore[type-arg]
    """Returns what stands still: cups behind expanders, and nothing that could run away."""
    return {
        "rotor": "none",
        "inputs": RIM + lines.cup_inputs(cups) + BUTTONS,
        "safety_inputs": (),
        "outputs": LAMPS,
        "expanders": lines.cup_expanders(cups, "sensors", INTERRUPTS),
        "geometry": boule_ref.board(cups)["geometry"],
    }


def card_table(kind: card_tables.CardTable, model: str) -> dict:  # type: ignore[type-arg]
    """Returns the carrier fitted as a card table, with that Raspberry Pi on it."""
    titles = {"pi4": "Raspberry Pi 4 Model B"}
    switches = tuple([line for line in BUTTONS if line[0] in card_tables.INPUTS])
    return {
        "name": kind.carrier,
        "title": kind.title[0].upper() + kind.title[1:] + " table on a " + titles[model],
        "apparatus": kind.name,
        "rules": kind.rules,
        "provider": "pi",
        "model": model,
        "rotor": "none",
        "inputs": switches,
        "safety_inputs": (),
        "outputs": LAMPS + CARD_RELEASE,
        "buses": CARD_BUSES,
        "fram": FRAM,
        "geometry": {},
    }
