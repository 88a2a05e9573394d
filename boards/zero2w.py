"""Raspberry Pi Zero 2 W on the wheel's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat

BOARD = wheel_hat.board("zero2w", "Roulette wheel on a Raspberry Pi Zero 2 W")
