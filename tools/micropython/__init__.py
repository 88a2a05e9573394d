"""The portable part on real MicroPython: what `make micropython` runs."""
