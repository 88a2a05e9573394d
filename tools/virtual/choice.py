"""Which virtual wheel a person asked for, and how fast it goes."""

from __future__ import annotations

from typing import Any

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message
from tools.sim.pace import PACE_MAX
from tools.sim.table import presets


def check_preset(preset: str | None, board: dict[str, Any]) -> str:
    """The virtual wheel to play on; the first of the board's apparatus if none is named.

    Raises Failure for one of another apparatus.
    """
    known = presets(board["apparatus"])
    if preset is None:
        return known[0]
    if preset not in known:
        raise Failure(
            USAGE,
            Message(
                'There is no wheel "{}" for {}; known: {}.',
                preset,
                board["name"],
                ", ".join(known),
            ),
        )
    return preset


def check_pace(pace: int, board: dict[str, Any], wheel_port: str | None = None) -> None:
    """Raises Failure for a pace that no wheel goes, and for one that is not asked of ours."""
    if not 1 <= pace <= PACE_MAX:
        raise Failure(
            USAGE,
            Message(
                "--pace {pace}: a wheel goes 1 to {pace_max} times as fast.",
                pace=pace,
                pace_max=PACE_MAX,
            ),
        )
    if pace == 1:
        return
    if board["provider"] != "virtual":
        text = Message("--pace is for a virtual wheel; {name} has a real one.", name=board["name"])
        raise Failure(USAGE, text)
    if wheel_port is not None:
        raise Failure(USAGE, N_("The wheel at --wheel-port has its own clock: give no --pace."))
