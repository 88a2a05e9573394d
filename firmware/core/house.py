"""What a house chooses within the regulations: the same record for every apparatus."""

from firmware.shims.typed import NamedTuple

AUTO = "auto"
CROUPIER = "croupier"  # and a role of people; the other:
MANAGEMENT = "management"
# Roles of those who look after the wheel. A supervisor may do what a technician may, and move it.
TECHNICIAN = "technician"
SUPERVISOR = "supervisor"
# Who may change the limits of a table (Luxembourg art. 37-3).
DIRECTOR = "director"
# What becomes of a coup whose number is not detected.
PEOPLE = "manual"  # people enter the number
VOID = "void"

House = NamedTuple(
    "House",
    [
        ("confirm", str),  # who makes a detected number official: AUTO or CROUPIER
        ("driven", bool),  # btn_start makes the motor turn the rotor; else a hand does
        ("call_us", int),  # what the call itself takes
        ("late_ppb", int),  # roulette: the chance of a late call that is aimed at, in 1e-9
        ("pace_us", int),  # least time between the beginnings of two coups
        ("after_throw_us", int),  # boule: the call so long after the throw's first beam
        ("alternate_throws", bool),  # boule: the throw must go the other way each time
        ("undetected", str),  # what becomes of a coup whose number is not detected: VOID or PEOPLE
    ],
)
# What replays, simulations and benches use.
HOUSE = House(AUTO, False, 0, 1_000, 0, 0, False, VOID)
