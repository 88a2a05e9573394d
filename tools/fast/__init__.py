"""The compiled part: what `make fast` compiles of the sources, for commands that play by the thousand.

A wheel never loads it: `cylindre run` plays the sources that the firmware hash names (ADR 20). It lies in
`.venv/fast`, outside what Python searches; only a command that asks for it (use.py) finds it there.
"""
