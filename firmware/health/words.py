"""What the watch judges and tells, in words."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.core.health import facts
from firmware.core.health.facts import Notice
from firmware.health.answer import place_of
from firmware.lib.language import N_, Message
from firmware.store.acts import SERVICE_ACTS

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


# Of each family of soundness that people read in one line: sound, and told of.
SOUNDNESS = (
    (
        "slowing",
        N_("ball and track slow as before"),
        N_("ball or track slow otherwise than before"),
    ),
    ("loose", N_("no pocket holds the ball"), N_("one pocket holds the ball")),
    ("motor", N_("motor as before"), N_("motor otherwise than before")),
)


def of_notice(notice: Notice, numbers: Sequence[int]) -> Message:
    """Returns what a notice says."""
    place = place_of(notice.kind, notice.place, numbers)
    return Message(KINDS[notice.kind]) if place is None else Message(KINDS[notice.kind], place)


def of_act(kind: str) -> Message:
    """Returns what was done to the wheel; of an act that is not known its own word."""
    known = {act.what: act.done for act in SERVICE_ACTS} | {facts.CALIBRATION: N_("calibrated")}
    return Message(known.get(kind, kind))
