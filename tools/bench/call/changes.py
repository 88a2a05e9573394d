"""A wheel changes between two coups: is a call late, and when is the change noticed?

Each wheel learns from LEARNED coups, then something happens to it, and so many coups more are
played. What happens: issue 5 names the ball, the polish and the tilt; a drop speed that rises while
nothing else changes shows what no margin can cover.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from typing import NamedTuple

from tools.bench.call.ours import Ours
from tools.bench.call.spins import Chance, Eyes, Setting, Thrower, passings
from tools.sim.parameters import Parameters
from tools.testing.workers import Tell, silent

LEARNED = 200  # coups, before the change
AFTER = 40  # coups, after it
NEXT = 5  # coups after the notice, whose leads show whether the margin is wider
NOTICED = "W52"
_COST = 2.7  # of a coup, beside those of tools.bench.call.run


class Change(NamedTuple):
    """What happens. Rolling drag goes with 1/d of the ball: PHYSICS, both laws."""

    name: str
    drag: float = 1.0  # times the deceleration
    drop_speed: float = 1.0  # times w_c
    tilt_deg: float | None = None
    low_deg: float = 0.0

    def of(self, wheel: Parameters) -> Parameters:
        """The wheel after it."""
        changed = wheel.changed(
            deceleration=tuple((w, d * self.drag) for w, d in wheel.deceleration),
            exit_speed_rad_s=wheel.exit_speed_rad_s * self.drop_speed,
        )
        if self.tilt_deg is None:
            return changed
        return changed.changed(tilt_deg=self.tilt_deg, tilt_low_point_deg=self.low_deg)


# The ball's centre rolls a little further in or out: w_c changes by some .2 %.
CHANGES = (
    Change("nothing"),
    Change("ball 18 to 21 mm", drag=18 / 21, drop_speed=1.002),
    Change("ball 21 to 18 mm", drag=21 / 18, drop_speed=0.998),
    Change("polished, lets go 1 % later", drag=0.85, drop_speed=0.99),
    Change("polished, lets go 1 % earlier", drag=0.85, drop_speed=1.01),
    Change("tilt .2 deg, low side 20", tilt_deg=0.2, low_deg=20.0),
    Change("tilt .2 deg, low side 140", tilt_deg=0.2, low_deg=140.0),
    Change("tilt .2 deg, low side 260", tilt_deg=0.2, low_deg=260.0),
)
# Nothing of these shows before the ball leaves.
TRACELESS = (
    Change("lets go 1 % earlier", drop_speed=1.01),
    Change("lets go 2 % earlier", drop_speed=1.02),
    Change("lets go 4 % earlier", drop_speed=1.04),
    Change("lets go 3 % later", drop_speed=0.97),
)


class Changed(NamedTuple):
    """What became of some wheels that all changed alike. Lists: by wheel."""

    setting: Setting
    change: Change
    coups: int
    late: int
    least_s: float  # lead
    noticed: list[int | None]  # the coup after which, counted from 1; None: not at all
    wider_s: list[float | None]  # median lead of the NEXT coups less that before the change


class Campaign(NamedTuple):
    """What one process plays."""

    setting: Setting
    eyes: Eyes
    wheels: int
    seed: int

    @property
    def cost(self) -> float:
        """All that `play` tells."""
        return self.wheels * (LEARNED + len(CHANGES + TRACELESS) * AFTER) * _COST


def play(plan: Campaign, tell: Tell = silent) -> list[Changed]:
    """All changes. Tells the cost of what is done."""
    setting, eyes, wheels, seed = plan
    changes = CHANGES + TRACELESS
    return list(campaign(setting, eyes, changes, wheels=wheels, seed=seed, tell=tell))


def campaign(
    setting: Setting, eyes: Eyes, changes: tuple[Change, ...], *, wheels: int, seed: object,
    tell: Tell = silent,
) -> Iterator[Changed]:  # fmt: skip
    """Plays every change on the same wheels."""
    taught = []
    for wheel in range(wheels):
        taught.append(_taught(setting, eyes, f"{seed}/{wheel}"))
        tell(LEARNED * _COST)
    for change in changes:
        changed = change.of(setting.parameters())
        all_us: list[int] = []
        noticed: list[int | None] = []
        wider_s: list[float | None] = []
        for wheel, (ours, usual_us) in enumerate(taught):
            drawn = f"{seed}/{wheel}/{change.name}"
            coups = list(_played(ours.restarted(), changed, eyes, AFTER, drawn))
            leads_us = [lead_us for lead_us, _ in coups]
            heard = _heard([told for _, told in coups])
            after_us = leads_us[heard : heard + NEXT] if heard else []
            all_us += leads_us
            noticed.append(heard)
            wider_s.append((median(after_us) - usual_us) / 1e6 if after_us else None)
            tell(AFTER * _COST)
        late = sum(lead <= 0 for lead in all_us)
        yield Changed(setting, change, len(all_us), late, min(all_us) / 1e6, noticed, wider_s)


def _heard(told: list[list[tuple[str, str]]]) -> int | None:
    """The first coup, counted from 1, that gave notice of a change."""
    for coup, faults in enumerate(told, 1):
        if NOTICED in [code for code, _ in faults]:
            return coup
    return None


def _taught(setting: Setting, eyes: Eyes, seed: str) -> tuple[Ours, float]:
    """A wheel before any change, and its median lead in us once it has learned."""
    ours = Ours(eyes.beams)
    leads_us = [lead for lead, _ in _played(ours, setting.parameters(), eyes, LEARNED, seed)]
    return ours, median(leads_us[LEARNED // 2 :])


def _played(
    ours: Ours, wheel: Parameters, eyes: Eyes, coups: int, seed: str
) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Coup by coup: its lead, and what it told maintenance."""
    chance = Random(seed)
    thrower = Thrower(wheel, chance)
    for coup in range(coups):
        start = chance.random()
        spin = thrower.throw(wheel, direction=1 if coup % 2 else -1, start_turn=start)
        drawn = Chance(chance, len(spin.centres))
        called = ours.coup(passings(spin, eyes, drawn), spin.direction)
        yield spin.drop_us - called.at_us, called.told
