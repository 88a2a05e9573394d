"""The card games' one engine: cards, stakes, the round, what is paid. Data stands in rules/.

Entry: rules/cards/round.py. Knows nothing of shoes, time or terminals. MicroPython-compatible.
"""
