"""Two boards wired to each other: ours plays the wheel, the other is the wheel's own.

See docs/rig.md. `wiring` reads rig.toml, `lines` drives and reads the wires, `probe` runs on the
other board for the first test, `checking` is that test, `play` plays a scenario.
"""
