"""A scenario in real time: wheel, controller and displays as processes of their own.

What the places `process` and `kernel` share. They differ in the medium between wheel and
controller: a pty here, GPIO lines of a kernel there.

    medium.controller_options(board)   what `cylindre run` is told besides
    medium.wheel_command(...)          the argv of the wheel's process, which calls wheel.play

The wheel's process (tools.hil.stage.wheel) prints JSON lines, times in the wheel's microseconds:
`ready` (it can be wired to), `start_us` (CLOCK_MONOTONIC at its time 0: once it has read a line on
standard input), `truth` (a CoupTruth, again at every change), `spell` (a world.FaultInterval,
again when it ends), `over` (all coups are played); last of all `held_up_us` (the longest time that
it was kept from its work) and `edges` (how many it made). It ends when its standard input does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Medium(Protocol):
    """What joins the wheel's process to the controller's."""

    @property
    def handles(self) -> tuple[int, ...]:
        """File descriptors that the wheel's process inherits."""
        ...

    @property
    def has_line(self) -> bool:
        """Whether its boards have a UART for displays, which is there without any as well."""
        ...

    def board(self, apparatus: str) -> str:
        """The board that the controller is started on."""
        ...

    def fram(self, folder: Path) -> Path | None:
        """The file that stands in for the FRAM; None where a chip answers the controller. What the
        chip holds at the beginning and at the end is the file `fram` in `folder` all the same."""
        ...

    def layout(self, apparatus: str, folder: Path) -> Path | None:
        """The establishment's layout, for a board that wants one; made in `folder`."""
        ...

    def controller_options(self) -> list[str]:
        """What `cylindre run` is told of its wheel, besides --board."""
        ...

    def wheel_command(self, scenario: Path, folder: Path) -> list[str]:
        """The argv of the wheel's process. `scenario`: a file of tools.hil.scenario; `folder`: for
        what it leaves (the edges' VCD)."""
        ...

    def close(self) -> None:
        """Takes it away."""
        ...


class Wires(Protocol):
    """The wheel's end of a medium, in the wheel's process. Times: CLOCK_MONOTONIC, microseconds."""

    def permille(self, now_us: int) -> int:
        """What the controller's outputs make of the motor, -1000..1000, ccw positive."""
        ...

    def send(self, edges: list[tuple[int, int, int]], world: Any, until_us: int) -> None:
        """The edges (at_us, line, level) up to `until_us`, and what else the world shows then: its
        safety inputs, its tilt."""
        ...
