"""What the suite of the kernel rig plays, as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tools.hil import scenario_file
from tools.hil.faults.entry import APPARATUS
from tools.hil.scenario import US, FaultInjection, Scenario

# Of `make kernel-rig`: a lane is one guest after another. A coup is some 40 s of the wheel.
CLEAN, FAULTS, REAL = "clean", "faults", "real"
# Before which step of a result's way to the disk (of 1..20) the power is cut, and at what table.
CUTS = (("boule", 6), ("roulette", 20))
# What goes wrong at the ttys of two card tables, and in how many rounds; some have no fault.
CARD_ROUNDS = 24
CARD_FAULTS = (
    "killed",
    "cut_pressed",
    "card_unread_thrice",
    "shoe_unplugged",
    "keyboard_unplugged",
    "shoe_reboots",
    "line_forged",
    "line_replays",
    "line_silent",
    "line_drops",
    "line_garbage",
)


class Guest(NamedTuple):
    """Scenarios that one guest plays, one after the other."""

    name: str
    kind: str
    scenarios: tuple[Scenario, ...]

    @property
    def coups(self) -> int:
        """How many in all."""
        return sum(scenario.coups for scenario in self.scenarios)


def clean(coups: int, displays: int) -> list[Guest]:
    """So many coups of each apparatus in which nothing goes wrong."""
    return [_guest(f"virtual-{one}", CLEAN, one, coups, displays) for one in APPARATUS if coups]


def real(coups: int, displays: int) -> list[Guest]:
    """So many coups of each apparatus in real time."""
    return [_guest(f"real-{one}", REAL, one, coups, displays) for one in APPARATUS if coups]


def faults() -> list[Guest]:
    """One fault of each layer that this place makes, and those of the host that only it can."""
    dish = (
        _fault("boule", 2, "beam_stuck_dark", 60.0, line="rim0", level="1"),
        _fault("boule", 1, "void_tapped", 0.1, "launch"),
        _fault("boule", 1, "line_cut", 8.0, display="all", way="both"),
        _fault("boule", 1, "display_frozen", 8.0, display="1"),
        _fault("boule", 1, "controller_killed", 0.1, "launch"),
    )
    disk = (
        _fault("boule", 2, "disk_full", 60.0, left_bytes=0),
        _fault("boule", 2, "disk_read_only", 60.0),
        _fault("boule", 2, "clock_back", 60.0, by_s=-3600),
    )
    wheel = (
        _fault("roulette", 2, "rotor_jams", 10.0, "launch", hold_turn_s2=20),
        _fault("roulette", 1, "ball_along_rotor", None, "start"),
        _fault("roulette", 1, "chip_falls_late", None, "rest"),
        _fault("roulette", 1, "wheel_tilted", 60.0, tilt_mdeg=500),
    )
    return [
        Guest("faults-wheel", FAULTS, wheel),
        Guest("faults-dish", FAULTS, dish),
        Guest("faults-disk", FAULTS, disk),
    ]


def _guest(name: str, kind: str, apparatus: str, coups: int, displays: int) -> Guest:
    """What a clean coup shows, the shipped scenario of that apparatus says."""
    shows = scenario_file.find(f"clean_{apparatus}").requires
    title = "Nothing goes wrong"
    scenario = Scenario(name, title, apparatus, coups, displays=displays, requires=shows)
    return Guest(name, kind, (scenario,))


def _fault(
    apparatus: str,
    coups: int,
    name: str,
    lasts_s: float | None,
    moment: str = "start",
    **parameters: str | int,
) -> Scenario:
    lasts_us = None if lasts_s is None else round(lasts_s * US)
    told = _sorted(parameters.items())
    use = FaultInjection(name, 1, moment, after_us=US, lasts_us=lasts_us, parameters=told)
    return Scenario(
        name, f"Something goes wrong: {name}", apparatus, coups, displays=1, faults=(use,)
    )


def _sorted(items: Iterable[tuple[str, str | int]]) -> tuple[tuple[str, str | int], ...]:
    return tuple(sorted(items))
