"""The boards that stand for a table of each apparatus."""

# Simulated, wherever time is: nothing on them is of one machine.
REFERENCE = {
    "roulette": "roulette_ref", "vingt_trois": "vingt_trois_ref", "boule": "boule_ref",
}  # fmt: skip
# As wired to a Raspberry Pi 4; they have a level sensor, the others none.
PI = {"roulette": "pi4", "vingt_trois": "vingt_trois_pi4", "boule": "boule_pi4"}
