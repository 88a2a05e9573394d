"""Raspberry Pi Compute Module 4 on an IO board with the wheel's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat

BOARD = wheel_hat.board("cm4", "Roulette wheel on a Raspberry Pi Compute Module 4")
