"""Raspberry Pi 4 Model B on the wheel's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat

BOARD = wheel_hat.board("pi4", "Roulette wheel on a Raspberry Pi 4 Model B")
