"""Raspberry Pi 5 on the wheel's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat

BOARD = wheel_hat.board("pi5", "Roulette wheel on a Raspberry Pi 5")
