"""A virtual table as hardware: the simulator and a virtual machine, as the wheel sees them."""

from __future__ import annotations

from typing import Any

from firmware.run import app
from firmware.shims.virtual import VirtualMachine
from tools.sim.expander import CupChips


def hardware(
    board: dict[str, Any], machine: VirtualMachine, world: Any, edges: Any
) -> app.Hardware:
    """The hardware whose edges are `edges`, made of `world` (tools.sim.table.virtual_table).

    Cups stand behind virtual expander chips where the board has them, and are read as on a Pi.
    """
    levels = world.initial_levels()
    if not board.get("expanders"):
        return app.Hardware(machine, edges, levels)
    chips = CupChips(board, machine, edges, levels)
    expanded = app.behind_expanders(board, machine, chips, chips.initial_levels, inline=True)
    return app.Hardware(machine, expanded, expanded.initial_levels, (expanded,))
