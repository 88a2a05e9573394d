"""What a technician's hand does to a simulated table, out of any coup.

Everything happens at the table's present. What makes no sense where the ball is does nothing, and
the answer says why.
"""

from __future__ import annotations

from typing import Any

from tools.sim.ball import IN_HAND
from tools.sim.dish import VirtualDish
from tools.sim.sensors import Crossing
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import TurningTable
from tools.sim.wheel_ball import WheelBall

_ENCODER = "enc_"  # its channels are behind the disc: no finger gets there


class ByHand:
    """A hand at one table. `table`: what tools.sim.table.virtual_table made."""

    def __init__(self, table: Any, board: dict[str, Any], seed: int = 0) -> None:
        """`seed`: of where in its compartment a ball comes to lie."""
        self._table = table
        self._line = {name: at for at, (name, *_) in enumerate(board["inputs"])}
        self._chance = stream(seed, "hand")
        self.waits = False  # the croupier

    def wait(self, waits: bool) -> None:
        """Whether the croupier takes the ball, and his hands off; or goes on with a new coup."""
        if waits == self.waits:
            return
        self.waits = waits
        table = self._table
        if isinstance(table, VirtualDish):
            if waits:
                table.wait()
            else:
                table.go_on()
            return
        self._take()
        if waits:
            table.croupier.wait()
        else:
            table.disturb(lambda t, _: table.croupier.go_on(t))

    def lay(self, compartment: int) -> str | None:
        """Lays the ball into a compartment, anywhere in its play. Why not, or None."""
        table = self._table
        if not self.waits:
            return "the croupier has the ball: let him pause first."
        if isinstance(table, VirtualDish):
            if not 0 <= compartment < table.surface.cups:
                return f"there is no cup {compartment}."
            table.pick_up()
            table.put(compartment)
            return None
        pockets = table.layout.pockets
        if not 0 <= compartment < pockets:
            return f"there is no compartment {compartment}."
        self._take()
        p = table.parameters
        most = p.rest_offset_max_pitch
        offset = min(max(self._chance.gauss(0.0, p.rest_offset_pitch), -most), most)
        psi = (offset - compartment) / pockets
        table.disturb(lambda t, seen: table.ball.put(t, table.rotor, psi, seen))
        return None

    def lift(self) -> str | None:
        """Takes the ball out. Why not, or None."""
        if not self.waits:
            return "the croupier has the ball: let him pause first."
        if isinstance(self._table, VirtualDish):
            self._table.pick_up()
        else:
            self._take()
        return None

    def throw(self, direction: int) -> str | None:
        """Throws the ball into the track, ccw (1) or cw (-1): it runs, falls and comes to rest."""
        table = self._table
        if not self.waits:
            return "the croupier has the ball: let him pause first."
        if isinstance(table, VirtualDish):
            table.pick_up()
            table.throw(direction)
            return None
        ball = table.ball
        if not isinstance(ball, WheelBall):
            return "the plate flings this ball, nobody throws it."
        self._take()
        truth = CoupTruth(coup=0, t_start_us=table.now_us)

        def launch(t: float, seen: list[Crossing]) -> None:
            seen += ball.launch(t, direction, truth)

        table.disturb(launch)
        return None

    def cover(self, name: str, lasts_s: float, after_s: float = 0.0) -> str | None:
        """Puts a finger before a sensor, or on a button, for so long. Why not, or None.

        `after_s`: so long from now.
        """
        table = self._table
        line = self._line.get(name)
        if line is None:
            return f"there is no line {name}."
        if name.startswith(_ENCODER):
            return "no finger gets to the encoder."
        if isinstance(table, VirtualDish):
            table.cover(line, lasts_s, after_s)
            return None

        def cover(t: float, seen: list[Crossing]) -> None:
            seen += [(t + after_s, line, 1), (t + after_s + lasts_s, line, 0)]

        table.disturb(cover)
        return None

    def _take(self) -> None:
        """Out of the wheel, and what the beams were going to see of it does not come."""
        table: TurningTable = self._table
        if table.ball.phase == IN_HAND:
            return
        dark = table.clear_beams()

        def take(t: float, seen: list[Crossing]) -> None:
            if dark is not None:
                seen.append((t, dark, 0))
            table.ball.pick_up(t, table.rotor, seen)

        table.disturb(take)
