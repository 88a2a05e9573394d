"""Whether what was measured may hold: not too far from the drawing, and sure enough. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from firmware.run.calibration_effect import RIM_MAX_MDEG, SENSOR_MAX_MDEG, apart_deg
from tools.technician.calibrate import rim, ring
from tools.technician.calibrate.notes import Notes
from tools.technician.calibrate.ring import Unclear

SENSOR_SD_MAX_MDEG = 100  # the residual that decides is 3.4 deg: this is a thirtieth of it
# A ball seen so late, at the speed of the wheel, is half of the residual off, one way as the other.
LATE_MAX_MDEG = 1_700
# Of a compartment's pitch: more is a ball that lay elsewhere, or a mark on the wrong spoke.
INDEX_MAX_PITCH = 0.35
INDEX_SD_MAX_PITCH = 0.065  # with three lays; 35 % decide, 20 % are the ball's own play
RIM_SD_MAX_MDEG = (
    500  # the call learns what is left (firmware/core/call/direction_model.py: offsets)
)


class Line(NamedTuple):
    """One value: as measured, as the drawing has it, how sure, and what is wrong with it."""

    name: str
    measured: str
    drawing: str
    uncertain: str
    wrong: str = ""


def values(
    notes: Notes, board: dict[str, Any], compartments: int, rpm: float
) -> tuple[dict[str, Any], list[Line]]:
    """The values to be signed, and each as people read it. `rpm`: what the wheel is turned at.

    Raises Unclear.
    """
    geometry = board["geometry"]
    found: dict[str, Any] = {"board": board["name"]}
    lines: list[Line] = []
    if notes.lays:
        placed = ring.place(notes.lays, geometry["pocket_deg"], compartments)
        found |= placed._asdict()
        del found["delay_us"]  # judged alone: it is nothing that a calibration could mend
        lines += _ring(placed, geometry["pocket_deg"], 360_000 / compartments, rpm)
    if notes.throws:
        beams = rim.place(notes.throws, geometry["rim_deg"])
        found |= beams._asdict()
        lines += _rim(beams, geometry["rim_deg"])
    else:
        lines.append(Line("rim beams", "not measured", _angles(geometry["rim_deg"]), "-"))
    if notes.speeds is not None:
        found |= {"target_rpm_min": notes.speeds.low, "target_rpm_max": notes.speeds.high}
        lines.append(Line("speeds", f"{notes.speeds.low} to {notes.speeds.high} rpm", "-", "-"))
    if notes.level is not None:
        found["level_zero_mdeg"] = list(notes.level)
        x, y = notes.level
        lines.append(Line("level zero", f"x {x / 1000:+.2f}, y {y / 1000:+.2f} deg", "-", "0.02"))
    return found, lines


def check(lines: Sequence[Line]) -> None:
    """Raises Unclear with every sentence of what is wrong, each in a line of its own."""
    wrong = [line.wrong for line in lines if line.wrong]
    if wrong:
        raise Unclear("\n".join(wrong))


def _ring(placed: ring.Ring, drawing: Sequence[float], pitch_mdeg: float, rpm: float) -> list[Line]:
    lines = []
    for at, (mdeg, deg) in enumerate(zip(placed.pocket_mdeg, drawing, strict=True)):
        off = apart_deg(mdeg / 1000, deg)
        wrong = ""
        if abs(off) * 1000 > SENSOR_MAX_MDEG:
            wrong = f"pocket{at} is {off:+.1f} deg off the drawing: look at its cable and mount."
        elif abs(placed.delay_us[at]) * rpm * 6 / 1000 > LATE_MAX_MDEG:
            wrong = (
                f"pocket{at} answers {placed.delay_us[at] / 1000:.1f} ms later than the encoder:"
                " clean it, and look at its cable."
            )
        elif placed.pocket_sd_mdeg > SENSOR_SD_MAX_MDEG:
            wrong = f"pocket{at} is not sure enough: keep the ball still, and begin anew."
        lines.append(_line(f"pocket{at}", mdeg, deg, placed.pocket_sd_mdeg, wrong))
    index, wrong = placed.index_mdeg, ""
    if abs(index) > INDEX_MAX_PITCH * pitch_mdeg:
        wrong = (
            f"The zero mark is {index / 1000:+.1f} deg off compartment 0: the ball lay in another"
            " compartment than was said, or the encoder's disc has turned on its shaft."
        )
    elif placed.index_sd_mdeg > INDEX_SD_MAX_PITCH * pitch_mdeg:
        wrong = "The zero mark is not sure enough: lay the ball into more compartments (--lays)."
    lines.append(_line("zero mark", index, 0, placed.index_sd_mdeg, wrong))
    return lines


def _rim(beams: rim.Rim, drawing: Sequence[float]) -> list[Line]:
    lines = []
    for at, (mdeg, deg) in enumerate(zip(beams.rim_mdeg, drawing, strict=True)):
        off = apart_deg(mdeg / 1000, deg)
        wrong = ""
        if abs(off) * 1000 > RIM_MAX_MDEG:
            wrong = f"rim{at} is {off:+.1f} deg off the drawing: look at its cable and mount."
        elif beams.rim_sd_mdeg > RIM_SD_MAX_MDEG:
            wrong = f"rim{at} is not sure enough: throw the ball harder, and begin anew."
        lines.append(_line(f"rim{at}", mdeg, deg, beams.rim_sd_mdeg, wrong))
    return lines


def _line(name: str, mdeg: int, deg: float, sd_mdeg: int, wrong: str) -> Line:
    measured = f"{mdeg / 1000:.2f} deg"
    return Line(name, measured, f"{deg:g} deg", f"{sd_mdeg / 1000:.2f}", wrong)


def _angles(degrees: Sequence[float]) -> str:
    return ", ".join(f"{deg:g}" for deg in degrees) + " deg"
