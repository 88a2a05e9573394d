"""A scenario: which table plays how many coups, what goes wrong when, and what must follow.

Scenarios are data (TOML files, tools/hil/scenarios) and know nothing of where they run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from boards import apparatus
from tools.hil.faults.entry import Expect

# Simulated, wherever time is: nothing on them is of one machine.
REFERENCE_BOARDS: dict[str, str] = {each.name: each.reference for each in apparatus.ALL}
# As wired to a Raspberry Pi 4; they have a level sensor, the others none.
PI_BOARDS: dict[str, str] = {each.name: each.carrier for each in apparatus.ALL}


US = 1_000_000


class FaultInjection(NamedTuple):
    """One fault in a scenario: when it begins, how long it lasts, how much it is."""

    fault: str
    coup: int  # of the wheel's truth, from 1
    moment: str  # of fault.MOMENTS
    after_us: int = 0
    lasts_us: int | None = None  # None: to the end
    parameters: tuple[tuple[str, Any], ...] = ()  # sorted by name
    expect: Expect | None = None  # None: the catalogue's


class Scenario(NamedTuple):
    """One table's play. `as_dict` and `from_dict` are each other's inverse."""

    name: str
    title: str
    apparatus: str
    coups: int
    seed: int = 1
    wheel: str | None = None  # a preset of tools.sim; None: the apparatus's first
    hand: bool = False
    learned: bool = False  # the controller knows the wheel already; else it is new
    confirm: str = "auto"  # or "croupier"
    displays: int = 0  # on the line
    faults: tuple[FaultInjection, ...] = ()
    requires: tuple[str, ...] = ()


def as_dict(scenario: Scenario) -> dict[str, Any]:
    """As it stands in a file: times in seconds, and nothing that is as by default."""
    default = Scenario("", "", "", 0)
    told = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in scenario._asdict().items()
        if key != "faults" and value != getattr(default, key)
    }
    if scenario.faults:
        told["faults"] = [_use_as_dict(use) for use in scenario.faults]
    return told


def from_dict(told: dict[str, Any]) -> Scenario:
    """The scenario of a dictionary that is known to be right (else: scenario_file.check)."""
    rest = {key: value for key, value in told.items() if key not in ("faults", "requires")}
    return Scenario(
        **rest,
        faults=tuple(_use_of(each) for each in told.get("faults", ())),
        requires=tuple(told.get("requires", ())),
    )


def _use_as_dict(use: FaultInjection) -> dict[str, Any]:
    told: dict[str, Any] = {"fault": use.fault, "coup": use.coup, "moment": use.moment}
    if use.after_us:
        told["after_s"] = use.after_us / US
    if use.lasts_us is not None:
        told["lasts_s"] = use.lasts_us / US
    if use.parameters:
        told["parameters"] = dict(use.parameters)
    if use.expect is not None:
        default = Expect()
        told["expect"] = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in use.expect._asdict().items()
            if key == "outcome" or value != getattr(default, key)
        }
    return told


def _use_of(told: dict[str, Any]) -> FaultInjection:
    expect = told.get("expect")
    if expect is not None:
        lists = {key: tuple(expect.get(key, ())) for key in ("codes", "never", "reasons")}
        expect = Expect(**expect | lists)
    lasts_s = told.get("lasts_s")
    return FaultInjection(
        told["fault"],
        told["coup"],
        told["moment"],
        after_us=round(told.get("after_s", 0) * US),
        lasts_us=None if lasts_s is None else round(lasts_s * US),
        parameters=tuple(sorted(told.get("parameters", {}).items())),
        expect=expect,
    )
