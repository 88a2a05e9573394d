"""The slow parts: level, clock, memory, expanders, the line and its displays, as the controller's
`parts` says them (docs/service.md): what is not fitted is not named, null is what does not answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Any

from tools.technician.selftest import limits
from tools.technician.selftest.part import Part, judged, unfitted

GROUP = "slow parts"
_SILENT = "it does not answer, or has not yet: try again in ten seconds"
_GOOD_LIGHTS = ("number", "as told", "dash")


def parts(said: dict[str, Any], *, warn_mdeg: int) -> Iterator[Part]:
    """Of the answer to `parts`. `warn_mdeg`: [level] warn_deg."""
    yield _level(said, warn_mdeg)
    yield _clock(said)
    yield _fram(said)
    if (journal := said.get("journal")) is not None:
        yield _answers("journal", journal.get("trouble"))
    for expander in said.get("expanders") or ():
        yield _answers(f"expander {expander['name']}", " ".join(expander["faults"]) or None)
    line = said.get("line")
    if line is None:
        yield unfitted(GROUP, "bus line", "no port is opened")
        yield unfitted(GROUP, "displays", "no port is opened")
        return
    yield _answers("bus line", f"{line['port']} is gone" if line["lost"] else None)
    displays = said.get("displays") or ()
    if not displays:
        yield unfitted(GROUP, "displays", "the wheel has none")
    for display in displays:
        yield from _display(display)


def _level(said: dict[str, Any], warn_mdeg: int) -> Part:
    if "level" not in said:
        return unfitted(GROUP, "level", "the board names no sensor")
    limit = limits.TILT._replace(high=warn_mdeg)
    level = said["level"]
    if level is None or level["x_mdeg"] is None:
        return judged(GROUP, "level", None, limit, _SILENT)
    x, y = level["x_mdeg"], level["y_mdeg"]
    return judged(GROUP, "level", hypot(x, y), limit, f"x {x}, y {y}")


def _clock(said: dict[str, Any]) -> Part:
    if "clock" not in said:
        return unfitted(GROUP, "clock", "the board names none")
    clock = said["clock"]
    if clock is None:
        return judged(GROUP, "clock", None, limits.TRUSTED, _SILENT)
    trusted = bool(clock["trusted"])
    note = "" if trusted else "it has stopped since it was set: change its battery, set it"
    return judged(GROUP, "clock", float(trusted), limits.TRUSTED, note)


def _fram(said: dict[str, Any]) -> Part:
    fram = said.get("fram")
    if fram is None:
        return unfitted(GROUP, "FRAM", "the wheel has none")
    return _answers("FRAM", None if fram == "answers" else str(fram))


def _display(said: dict[str, Any]) -> Iterator[Part]:
    name, faults = f"display {said['address']}", " ".join(said["faults"])
    heard_ms = said["heard_ms"]
    value = None if heard_ms is None else float(heard_ms)
    yield judged(GROUP, f"{name} heard", value, limits.HEARD, faults)
    if heard_ms is not None:
        lights = said["lights"]
        good = float(lights in _GOOD_LIGHTS)
        yield judged(GROUP, f"{name} lights", good, limits.LIGHTS, f"{lights} {faults}".strip())


def _answers(name: str, trouble: str | None) -> Part:
    return judged(GROUP, name, float(trouble is None), limits.ANSWERS, trouble or "")
