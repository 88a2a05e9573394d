"""Vingt-trois plate on a Raspberry Pi 4 Model B with the table's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat
from boards.apparatus import VINGT_TROIS

_TITLE = "Vingt-trois plate on a Raspberry Pi 4 Model B"
BOARD = wheel_hat.board("vingt_trois_pi4", _TITLE, VINGT_TROIS.name, model="pi4")
