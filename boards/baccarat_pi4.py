"""Baccarat table on a Raspberry Pi 4 Model B with the table's carrier (boards/wheel_hat.py)."""

from boards import card_tables, wheel_hat

BOARD = wheel_hat.card_table(card_tables.BACCARAT, model="pi4")
