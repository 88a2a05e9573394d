"""What makes a wheel uneven: parts unlike the others, and what changes from coup to coup.

Each has its name for `cylindre sim --set` and for Wear: `tilt_deg`, or `fret.17.loose` where one
part of several is meant. Where the sizes come from is told in docs/simulator.md, "Causes".
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Pocket(NamedTuple):
    """A pocket unlike the others. `at`: its compartment, in layout order."""

    at: int
    wider_mm: float = 0.0  # than the others; these share what is left of the ring
    # Its floor leans along the ring, falling counter-clockwise: over its low side the fret stands
    # higher, over its high side lower.
    floor_slope_deg: float = 0.0
    capture_speed_m_s: float | None = None  # None: as the others


class Fret(NamedTuple):
    """A fret unlike the others. `at`: the compartment counter-clockwise of it, in layout order."""

    at: int
    higher_mm: float = 0.0  # than the others
    keeps: float = 1.0  # of the sliding speed that others would leave
    loose: float = 0.0  # the share of a ball's rise and slide that it swallows


class Deflector(NamedTuple):
    """A deflector unlike the others. `at`: which, counter-clockwise from the first."""

    at: int
    moved_deg: float = 0.0  # counter-clockwise; less than half the way to the next
    hit_chance: float | None = None  # None: as the others
    keeps: float | None = None  # of the speed; None: drawn as at the others


class Shift(NamedTuple):
    """A croupier and his habits; None: as the parameters have it. They take turns by number."""

    at: int  # his number
    coups: int = 200  # of one turn of duty
    launch_speed_rad_s_range: tuple[float, float] | None = None
    launch_angle_deg_range: tuple[float, float] | None = None
    hand_speed_turn_s_range: tuple[float, float] | None = None


class Wear(NamedTuple):
    """A value that changes: from coup `since` on evenly, until it is `value` at coup `until`."""

    name: str
    value: Any
    since: int
    until: int  # the same as since: all at once


# The field of the parameters that holds the parts of each kind.
PARTS: dict[str, tuple[str, Any]] = {
    "pocket": ("odd_pockets", Pocket),
    "fret": ("odd_frets", Fret),
    "deflector": ("odd_deflectors", Deflector),
    "croupier": ("shifts", Shift),
}
# What may be set by name: the least and the most. Of `_range` each end must be within.
LIMITS: dict[str, tuple[float, float]] = {
    "pocket.wider_mm": (-10.0, 10.0),
    "pocket.floor_slope_deg": (-10.0, 10.0),
    "pocket.capture_speed_m_s": (0.05, 2.0),
    "fret.higher_mm": (-10.0, 10.0),
    "fret.keeps": (0.0, 2.0),
    "fret.loose": (0.0, 1.0),
    "deflector.moved_deg": (-20.0, 20.0),
    "deflector.hit_chance": (0.0, 1.0),
    "deflector.keeps": (0.0, 1.0),
    "croupier.coups": (1, 1_000_000),
    "croupier.launch_speed_rad_s_range": (4.0, 15.0),
    "croupier.launch_angle_deg_range": (0.0, 720.0),
    "croupier.hand_speed_turn_s_range": (0.1, 1.0),
    "rotor_wobble_deg": (0.0, 5.0),
    "rotor_wobble_at_deg": (0.0, 360.0),
    "track_flaw_deg": (0.0, 360.0),
    "track_flaw_width_deg": (1.0, 180.0),
    "track_flaw_rise": (0.0, 0.5),
    "slowing": (0.5, 2.0),
    "tilt_deg": (0.0, 2.0),
    "tilt_low_point_deg": (0.0, 360.0),
    "exit_speed_rad_s": (2.0, 5.0),
    "exit_speed_scatter": (0.0, 0.1),
    "deceleration_scatter": (0.0, 0.3),
    "deceleration_flutter": (0.0, 0.3),
    "launch_speed_rad_s_range": (4.0, 15.0),
    "launch_angle_deg_range": (0.0, 720.0),
    "hand_speed_turn_s_range": (0.1, 1.0),
}


def put(parameters: Any, name: str, value: Any) -> Any:
    """The parameters with the value of that name. Raises ValueError for one that cannot be."""
    _check(parameters, name, value)
    kind, dot, rest = name.partition(".")
    if not dot:
        return parameters.changed(**{name: value})
    held, part = PARTS[kind]
    at_text, _, field = rest.partition(".")
    at = int(at_text)
    parts = {each.at: each for each in getattr(parameters, held)}
    parts[at] = parts.get(at, part(at))._replace(**{field: value})
    return parameters.changed(**{held: tuple(parts[at] for at in sorted(parts))})


def get(parameters: Any, name: str) -> Any:
    """The value of that name; None: as the others. Raises ValueError for an unknown name."""
    _limits(parameters, name)
    kind, dot, rest = name.partition(".")
    if not dot:
        return getattr(parameters, name)
    held, part = PARTS[kind]
    at, _, field = rest.partition(".")
    found = [each for each in getattr(parameters, held) if each.at == int(at)]
    return getattr(found[0] if found else part(int(at)), field)


def set_from(parameters: Any, text: str) -> Any:
    """The parameters changed as `NAME=VALUE`, `NAME=LEAST:MOST` or `NAME=VALUE@SINCE-UNTIL` says.

    Raises ValueError for what is not so.
    """
    name, is_set, value_text = text.partition("=")
    value_text, wears, coups = value_text.partition("@")
    try:
        values = [float(part) for part in value_text.split(":")]
        since, _, until = coups.partition("-")
        span = (int(since), int(until or since)) if wears else (0, 0)
    except ValueError:
        is_set = ""
    if not is_set or len(values) > 2 or (wears and not 1 <= span[0] <= span[1]):
        raise ValueError("write NAME=VALUE, NAME=LEAST:MOST or NAME=VALUE@SINCE-UNTIL (coups)")
    value: Any = values[0] if len(values) == 1 else (values[0], values[1])
    if name.endswith(".coups"):
        value = int(values[0])
    if not wears:
        return put(parameters, name, value)
    _check(parameters, name, value)
    wear = Wear(name, value, *span)
    return parameters.changed(wears=(*parameters.wears, wear))


def in_coup(parameters: Any, coup: int) -> Any:
    """The parameters as they are in that coup (1 is the first): worn, and with who is on duty."""
    if not parameters.wears and not parameters.shifts:
        return parameters
    found = parameters
    for wear in parameters.wears:
        if coup < wear.since:
            continue
        value = wear.value
        if coup < wear.until:
            share = (coup - wear.since) / (wear.until - wear.since)
            value = _between(get(found, wear.name), wear.value, share)
        found = put(found, wear.name, value)
    shift = on_duty(parameters.shifts, coup)
    habits = {} if shift is None else shift._asdict()
    return found.changed(
        **{name: value for name, value in habits.items() if value and name.endswith("_range")}
    )


def on_duty(shifts: tuple[Shift, ...], coup: int) -> Shift | None:
    """Who throws in that coup, 1 the first; None if croupiers have no numbers."""
    if not shifts:
        return None
    left = (coup - 1) % sum(shift.coups for shift in shifts)
    for shift in shifts:
        left -= shift.coups
        if left < 0:
            return shift
    return shifts[-1]


def check(parameters: Any, pockets: int) -> None:
    """Raises ValueError for a part that the wheel does not have, now or once all is worn."""
    worn = in_coup(parameters, max([wear.until for wear in parameters.wears], default=1))
    counts = {"pocket": pockets, "fret": pockets, "deflector": parameters.deflectors}
    for kind, count in counts.items():
        for part in getattr(worn, PARTS[kind][0]):
            if not 0 <= part.at < count:
                raise ValueError(f"there is no {kind} {part.at}: they are 0 to {count - 1}")


def _between(before: Any, after: Any, share: float) -> Any:
    if isinstance(after, tuple):
        return tuple(_between(one, other, share) for one, other in zip(before, after, strict=True))
    return after if before is None else before + share * (after - before)


def _limits(parameters: Any, name: str) -> tuple[float, float]:
    """The limits of that name. Raises ValueError if this apparatus has none of it."""
    kind, dot, rest = name.partition(".")
    at, _, field = rest.partition(".")
    held = PARTS[kind][0] if dot and kind in PARTS else kind
    limits = LIMITS.get(f"{kind}.{field}" if dot else name)
    if limits is None or not hasattr(parameters, held) or (dot and not at.isdecimal()):
        known = ", ".join(sorted(_known(parameters)))
        raise ValueError(f"there is no {name or 'name'} here. There is: {known}")
    return limits


def _known(parameters: Any) -> list[str]:
    names = []
    for name in LIMITS:
        kind, dot, field = name.partition(".")
        if hasattr(parameters, PARTS[kind][0] if dot else name):
            names.append(f"{kind}.N.{field}" if dot else name)
    return names


def _check(parameters: Any, name: str, value: Any) -> None:
    """Raises ValueError for a value that a part of that name cannot have."""
    least, most = _limits(parameters, name)
    ends = value if isinstance(value, tuple) else (value,)
    if isinstance(value, tuple) != name.endswith("_range"):
        raise ValueError(f"{name} takes {'one value' if len(ends) > 1 else 'LEAST:MOST'}")
    if not all(least <= end <= most for end in ends) or list(ends) != sorted(ends):
        raise ValueError(f"{name} is from {least:g} to {most:g}")
