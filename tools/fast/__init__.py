"""The compiled part: what `make fast` compiles, for commands that play coups by the thousand.

A wheel never loads it: `cylindre run` plays the sources that the firmware hash names (ADR 20). It
lies in `.venv/fast`, outside what Python searches; a command finds it there that asks for it by
switch.py.
"""
