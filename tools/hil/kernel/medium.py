"""What joins wheel and controller in the guest: the Pi's GPIO lines and its I2C bus."""

from __future__ import annotations

import json
from pathlib import Path

import rules
from boards.apparatus import of
from tools.hil.scenario import PI_BOARDS
from tools.hil.scenario_file import load
from tools.hil.stage.child_process import MODULE

TRACE, LEDGER, LAYOUT = "wheel.vcd", "ledger.json", "layout.toml"
COUNTS = ("made", "counted", "transfers", "late_us")  # of the ledger


class GpioMedium:
    """The stage's Medium: nothing to hand over, for the kernel has it."""

    handles: tuple[int, ...] = ()
    has_line = True

    def board(self, apparatus: str) -> str:
        """The Pi 4 fitted as that apparatus."""
        return PI_BOARDS[apparatus]

    def fram(self, folder: Path) -> Path | None:
        """No file stands in for it: it answers on I2C."""
        return None

    def layout(self, apparatus: str, folder: Path) -> Path | None:
        """Our own order of a vingt-trois as an establishment's: a Pi refuses one unverified."""
        game = rules.load(of(apparatus).rules)
        if game["layout_verified"]:
            return None
        numbers, colours = (json.dumps(list(game[key])) for key in ("layout", "colours"))
        path = folder / LAYOUT
        path.write_text(
            f'apparatus = "{apparatus}"\nsource = "the simulated wheel"\n'
            f"numbers = {numbers}\ncolours = {colours}\n"
        )
        return path

    def controller_options(self) -> list[str]:
        """None: it is started as on a Pi."""
        return []

    def wheel_command(self, scenario: Path, folder: Path) -> list[str]:
        """The module that plays behind the lines."""
        board = self.board(load(scenario).apparatus)
        files = (scenario, board, folder / TRACE, folder / LEDGER)
        return [*MODULE, "tools.hil.kernel.wheel", *map(str, files)]

    def close(self) -> None:
        """It ends with the guest."""
