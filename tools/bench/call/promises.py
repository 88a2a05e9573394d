"""What issues 5 and 22 promise of the call, beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from tools.bench.call.changes import TRACELESS, Changed
from tools.bench.call.grid import PROMISED, PROMISED_SCATTER
from tools.bench.call.new_wheels import FIRST, Newcomer
from tools.bench.call.run import LEARN, Outcome
from tools.bench.call.spins import Setting

# Median leads in seconds, at most, by wheel and scatter of the drop speed.
# fmt: off
MEDIANS_S = {
    ("W1", 0.01): 1.10, ("W2", 0.01): 0.65,
    ("W1", 0.003): 0.40, ("W2", 0.003): 0.30,
}
# fmt: on
SHIPPED_SHARE = 0.95  # of the mean lead of the threshold tuned in hindsight
BEST_SHARE = 0.80  # the same, where ours is tuned in hindsight too
FACTORY_SHARE = 0.40  # of the mean lead of the factory's threshold
NEW_TIMES = 2.0  # learned leads, in the median of a new wheel's first coups: issue 22


class Promise(NamedTuple):
    """One figure beside its limit. `safe`: it says that no call is late."""

    name: str
    value: float
    limit: float
    safe: bool

    @property
    def kept(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value <= self.limit


def promises(
    outcomes: Sequence[Outcome],
    changed: Sequence[Changed] = (),
    newcomers: Sequence[Newcomer] = (),
) -> list[Promise]:
    """All that these outcomes can tell of."""
    found: list[Promise] = []
    for outcome in outcomes:
        found += _of_row(outcome)
    late = sum(outcome.first.late for outcome in outcomes)
    rows = len(outcomes)
    found.append(Promise(f"first {LEARN} coups of each of {rows} rows: late calls", late, 0, True))
    shown = [one for one in changed if one.change not in TRACELESS]
    if shown:
        late = sum(one.late for one in shown)
        coups = sum(one.coups for one in shown)
        found.append(Promise(f"late calls in {coups} coups after a change", late, 0, True))
    if newcomers:
        late = sum(one.late_first for one in newcomers)
        name = f"first {FIRST} coups of {len(newcomers)} new wheels"
        found.append(Promise(f"{name}: late calls", late, 0, True))
        found.append(Promise(f"{name}: learned leads", times(newcomers), NEW_TIMES, False))
    return found


def times(newcomers: Sequence[Newcomer]) -> float:
    """How early the first coups of new wheels are called, in learned leads: the median of all."""
    return median(one.times(coup) for one in newcomers for coup in range(FIRST))


def share(ours: float, rival: float) -> float:
    """Of the rival's mean lead."""
    return ours / rival if rival else float("inf")


def _of_row(outcome: Outcome) -> Iterator[Promise]:
    wheel, scatter, tilt_deg = outcome.setting
    median = MEDIANS_S.get((wheel, scatter))
    if outcome.eyes != PROMISED or tilt_deg or median is None:
        return
    name, ours = named(outcome.setting), outcome.ours
    yield Promise(f"{name}: late calls in {outcome.coups} coups", ours.late, 0, True)
    yield Promise(f"{name}: median lead, s", ours.p50, median, False)
    if scatter != PROMISED_SCATTER:
        return
    threshold, factory = outcome.threshold.mean, outcome.factory.mean
    to_best = share(outcome.best.mean, threshold)
    yield Promise(f"{name}: lead to threshold's", share(ours.mean, threshold), SHIPPED_SHARE, False)
    yield Promise(f"{name}: the same, both in hindsight", to_best, BEST_SHARE, False)
    yield Promise(f"{name}: lead to factory's", share(ours.mean, factory), FACTORY_SHARE, False)


def named(setting: Setting) -> str:
    """Wheel and scatter, and the tilt if there is one."""
    tilt = f", {setting.tilt_deg:g} deg" if setting.tilt_deg else ""
    return f"{setting.wheel} {setting.scatter * 100:g} %{tilt}"
