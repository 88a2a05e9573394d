"""What the watch judges and tells, in words."""

from __future__ import annotations

from firmware.core.health import facts
from firmware.lib.language import N_, Message

# Of each kind of notice; {}: its place.
KINDS = {
    facts.POCKET: N_("number {} comes more often than it should"),
    facts.DEAD: N_("number {} comes too seldom"),
    facts.SECTOR: N_("numbers near {} come more often than they should"),
    facts.UNEVEN: N_("numbers come unevenly"),
    facts.TILT: N_("the wheel leans, its low side is at {} degrees"),
    facts.FLAW: N_("the track lets balls go at {} degrees"),
    facts.GAIN: N_("a player could gain by number {}"),
    facts.SIGNATURE: N_("throws of croupier {} lead to like numbers"),
    facts.LOOSE: N_("the pocket of number {} holds the ball, as a loose fret does"),
    facts.BALL: N_("the ball slows otherwise than before"),
    facts.TRACK: N_("the track slows balls otherwise than before"),
    facts.SENSOR: N_("ring sensor {} misses numbers"),
    facts.MOTOR: N_("the motor works otherwise than before"),
}


def of_kind(kind: str, place: int | None) -> Message:
    """Returns what a notice says. `place`: as people know it, a number where it is one."""
    return Message(KINDS[kind], place) if place is not None else Message(KINDS[kind])
