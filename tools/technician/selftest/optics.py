"""Beams and sensors as parts of a self-test: lit, dark, alone, and what a ball shows. No I/O."""

from __future__ import annotations

from math import pi
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from firmware.run.calibration_effect import apart_deg
from tools.technician.selftest import limits
from tools.technician.selftest.encoder import Run
from tools.technician.selftest.part import Part, judged, untested
from tools.technician.selftest.recording import Recording, crossed

FINGER_US = 5_000  # shorter is noise
_GROUP = {"rim": "rim beams", "pocket": "ring sensors", "cup": "cups", "btn": "buttons"}


def group_of(name: str) -> str:
    """What people call the kind of line that this is."""
    return next((group for stem, group in _GROUP.items() if name.startswith(stem)), "lines")


def lit(heard: Recording, name: str, when: str) -> Part:
    """Nothing is before a sensor: it has to be at 0 all the time."""
    share = heard.share_at_1(name) * 100
    return judged(group_of(name), f"{name} lit, {when}", share, limits.LIT)


def touched(heard: Recording, name: str, others: list[str]) -> list[Part]:
    """Somebody put a finger before one sensor after the other: dark, and alone."""
    group = group_of(name)
    pulses = [pulse for pulse in heard.pulses(name) if pulse.width_us >= FINGER_US]
    dark = judged(group, f"{name} dark", float(len(pulses)), limits.DARK)
    if not pulses:
        alone = untested(group, f"{name} alone", "nothing was seen before it")
        return [dark, alone]
    width = max(pulse.width_us for pulse in pulses) / 1000
    met = sum(crossed(pulses, heard.pulses(other)) for other in others)
    return [
        dark,
        judged(group, f"{name} dark for", width, limits.DARK_MS),
        judged(group, f"{name} alone", float(met), limits.CROSSTALK),
    ]


def all_touched(heard: Recording, names: list[str]) -> bool:
    """Whether each of them saw a finger come and go."""
    return all(any(pulse.width_us >= FINGER_US for pulse in heard.pulses(name)) for name in names)


class Seen(NamedTuple):
    """A ball in a compartment, as one ring sensor saw it pass: angles in degrees."""

    passes: int
    turns: float
    width_deg: float
    centres_deg: list[float]  # rotor angle at each pass's middle, 0 to 360


def seen(heard: Recording, run: Run, name: str, span: tuple[int, int]) -> Seen:
    """What a sensor saw within `span`, whole turns of a steady run."""
    begin_us, end_us = span
    centres, widths = [], []
    for pulse in heard.pulses(name):
        if begin_us <= pulse.centre_us < end_us:
            centres.append(run.angle_at(pulse.centre_us) * 360 % 360)
            widths.append(abs(run.count_at(pulse.fall_us) - run.count_at(pulse.rise_us)))
    turns = abs(run.count_at(end_us) - run.count_at(begin_us)) / run.steps_turn
    width_deg = fmean(widths) / run.steps_turn * 360 if widths else 0.0
    return Seen(len(centres), turns, width_deg, centres)


def whole_turns(run: Run, span: tuple[int, int]) -> tuple[int, int] | None:
    """The part of `span` that is whole turns from its begin; None if there is none."""
    turns = int(abs(run.count_at(span[1]) - run.count_at(span[0])) / run.steps_turn)
    if turns < 1:
        return None
    goal = run.count_at(span[0]) + run.direction * turns * run.steps_turn
    for at_us, count in zip(run.times_us, run.steps, strict=True):
        if at_us > span[0] and (count - goal) * run.direction >= 0:
            return span[0], at_us
    return None


def ball_deg(geometry: dict[str, Any]) -> float:
    """How wide a resting ball is to a ring sensor, in degrees of the rotor."""
    return float(geometry["ball_mm"] / (2 * pi * geometry["ring_radius_mm"]) * 360)


def middle_deg(angles: list[float]) -> float:
    """The mean of angles that lie close crossed, 0 to 360."""
    first = angles[0]
    return (first + fmean(apart_deg(each, first) for each in angles)) % 360


def ring(heard: Recording, run: Run, span: tuple[int, int], geometry: dict[str, Any]) -> list[Part]:
    """The ring sensors by a ball that lies in any one compartment."""
    names = heard.called("pocket")
    whole = whole_turns(run, span)
    if whole is None:
        return [untested(group_of(name), name, "no whole turn at one speed") for name in names]
    found = {name: seen(heard, run, name, whole) for name in names}
    wide = ball_deg(geometry)
    way = "ccw" if run.direction > 0 else "cw"
    parts = []
    places = {
        name: apart_deg(middle_deg(each.centres_deg), geometry["pocket_deg"][at])
        for at, (name, each) in enumerate(found.items())
        if each.centres_deg
    }
    usual = middle_deg([place % 360 for place in places.values()]) if places else 0.0
    for name, each in found.items():
        group = group_of(name)
        parts.append(
            judged(group, f"{name} sees the ball, {way}", each.passes / each.turns, limits.SEEN)
        )
        if not each.centres_deg:
            continue
        middle = middle_deg(each.centres_deg)
        scatter = pstdev([apart_deg(centre, middle) for centre in each.centres_deg])
        parts += [
            judged(group, f"{name} width, {way}", each.width_deg / wide * 100, limits.WIDTH),
            judged(group, f"{name} scatter, {way}", scatter, limits.SCATTER),
            judged(group, f"{name} place, {way}", apart_deg(places[name], usual), limits.PLACE),
        ]
    return parts
