"""Encoder and motor as parts of a self-test, from one run each way. No I/O."""

from __future__ import annotations

from typing import NamedTuple

from tools.technician.selftest import encoder, limits
from tools.technician.selftest.encoder import Pace, Run
from tools.technician.selftest.part import Part, judged
from tools.technician.selftest.recording import Recording

ENCODER, MOTOR = "encoder", "motor"
_SIGNS = {"ccw": 1, "cw": -1}


class Turned(NamedTuple):
    """One run of the rotor, and what it was told."""

    way: str
    rpm: float
    heard: Recording
    run: Run
    let_go_us: int
    span: tuple[int, int] | None  # of its steady speed
    pace: Pace | None


def taken(heard: Recording, *, cycles: int, way: str, rpm: float, let_go_us: int) -> Turned:
    """What a recording says of a run."""
    run = encoder.decode(heard, cycles)
    span = encoder.steady(run, let_go_us)
    pace = None if span is None else encoder.pace(run, span)
    return Turned(way, rpm, heard, run, let_go_us, span, pace)


def parts(turned: Turned, cycles: int, *, driven: bool = True) -> list[Part]:
    """Encoder, and motor where one drives it."""
    return _encoder(turned, cycles) + (_motor(turned) if driven else [])


def alike(ccw: Turned, cw: Turned) -> Part:
    """Whether the motor turns the rotor as fast one way as the other."""
    value = None
    if ccw.pace and cw.pace:
        value = abs(abs(ccw.pace.rpm) - abs(cw.pace.rpm)) / abs(ccw.pace.rpm) * 100
    return judged(MOTOR, "both ways alike", value, limits.EVEN)


def _encoder(turned: Turned, cycles: int) -> list[Part]:
    way, run, pace = turned.way, turned.run, turned.pace
    edges = limits.edges_a_turn(cycles)
    lost = turned.heard.lost
    return [
        judged(ENCODER, f"channel A, {way}", pace and pace.edges_a, edges),
        judged(ENCODER, f"channel B, {way}", pace and pace.edges_b, edges),
        judged(ENCODER, f"A to B, {way}", pace and pace.phase_deg, limits.PHASE),
        judged(ENCODER, f"zero mark, {way}", pace and pace.marks, limits.MARKS),
        judged(ENCODER, f"slips, {way}", float(run.slips), limits.SLIPS),
        judged(ENCODER, f"lost on the way here, {way}", float(lost), limits.LOST),
    ]


def _motor(turned: Turned) -> list[Part]:
    way, run, pace, span = turned.way, turned.run, turned.pace, turned.span
    follows = float(run.direction * _SIGNS[way])
    up_s = out_s = percent = None
    if span is not None:
        up_s = (span[0] - run.times_us[0]) / 1e6
        out_s = (run.times_us[-1] - turned.let_go_us) / 1e6
    if pace is not None:
        percent = abs(pace.rpm) / turned.rpm * 100
    return [
        judged(MOTOR, f"turns {way}", follows, limits.WAY),
        judged(MOTOR, f"speed, {way}", percent, limits.SPEED, f"told {turned.rpm:g} rpm"),
        judged(MOTOR, f"ripple, {way}", pace and pace.ripple_percent, limits.RIPPLE),
        judged(MOTOR, f"once a turn, {way}", pace and pace.first_percent, limits.FIRST),
        judged(MOTOR, f"run-up, {way}", up_s, limits.run_up(turned.rpm)),
        judged(MOTOR, f"run-out, {way}", out_s, limits.RUN_OUT),
    ]
