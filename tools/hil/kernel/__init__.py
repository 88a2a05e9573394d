"""A real Linux kernel as an ordinary program, for the place `kernel`. See docs/kernel-rig.md.

On the host: `build` makes or finds it, `guest` runs a command in it. Inside: `chip` makes the GPIO
lines of a Pi, `bus` answers on I2C, `wheel` is the simulated wheel behind both.
"""
