"""The boards that stand for a table of each apparatus."""

from boards import apparatus

# Simulated, wherever time is: nothing on them is of one machine.
REFERENCE: dict[str, str] = {each.name: each.reference for each in apparatus.ALL}
# As wired to a Raspberry Pi 4; they have a level sensor, the others none.
PI: dict[str, str] = {each.name: each.carrier for each in apparatus.ALL}
