"""Boule dish on a Raspberry Pi 4 Model B with the table's carrier (boards/wheel_hat.py)."""

from boards import wheel_hat
from boards.apparatus import BOULE


def board(cups: int) -> dict:  # type: ignore[type-arg]
    """Returns the board of a dish of so many cups: 9, 18 or 36."""
    title = "Boule dish on a Raspberry Pi 4 Model B"
    return wheel_hat.board("boule_pi4", title, BOULE.name, model="pi4", cups=cups)


BOARD = board(wheel_hat.CUPS)
