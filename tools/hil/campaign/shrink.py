"""Makes a scenario that breaks a rule as small as can be while it still breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from tools.hil.faults import catalogue
from tools.hil.scenario import US, Scenario, Use, as_dict
from tools.hil.scenario_check import check

TRIES_MAX = 60  # a coup takes 20 ms: half a minute at the most
# Another coup is another throw: whether it breaks the rule too is a matter of luck.
SEEDS = 20


def shrink(scenario: Scenario, breaks: Callable[[Scenario], bool]) -> Scenario:
    """The smallest found. `breaks`: whether it still breaks the rule; it does for `scenario`."""
    scenario = next(filter(breaks, _shortest(scenario)), scenario)
    tries, seen = 0, {scenario}
    found = True
    while found and tries < TRIES_MAX:
        found = False
        for smaller in _smaller(scenario):
            if smaller in seen or check(as_dict(smaller)):
                continue
            seen.add(smaller)
            tries += 1
            if breaks(smaller):
                scenario, found = smaller, True
                break
            if tries == TRIES_MAX:
                break
    return scenario


def _shortest(scenario: Scenario) -> Iterator[Scenario]:
    """What began in one coup, and nothing else, in the first coup of one: with several seeds."""
    by_coup = groupby(sorted(scenario.faults, key=lambda use: use.coup), lambda use: use.coup)
    groups = [tuple(use._replace(coup=1) for use in uses) for _, uses in by_coup]
    for seed in range(scenario.seed, scenario.seed + SEEDS):
        for uses in groups or [()]:
            shortest = scenario._replace(coups=1, seed=seed, faults=uses)
            if shortest != scenario and not check(as_dict(shortest)):
                yield shortest


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Those one step smaller, the boldest step first."""
    uses = scenario.faults
    last = max((use.coup for use in uses), default=1)
    for coups in range(last, min(last + 4, scenario.coups)):
        yield scenario._replace(coups=coups)
    if len(uses) > 1:
        for use in uses:
            yield scenario._replace(faults=(use,))
    for index in range(len(uses)):
        yield scenario._replace(faults=uses[:index] + uses[index + 1 :])
    early = min((use.coup for use in uses), default=1) - 1
    for steps in dict.fromkeys((early, 1)):
        if 0 < steps <= early:
            moved = tuple(use._replace(coup=use.coup - steps) for use in uses)
            yield scenario._replace(faults=moved, coups=scenario.coups - steps)
    yield from _plainer(scenario)
    for index, use in enumerate(uses):
        for plainer in _plainer_use(use):
            yield scenario._replace(faults=(*uses[:index], plainer, *uses[index + 1 :]))


def _plainer(scenario: Scenario) -> Iterator[Scenario]:
    default = Scenario("", "", "", 0)
    for key in ("displays", "confirm", "hand", "learned", "wheel"):
        if getattr(scenario, key) != getattr(default, key):
            yield scenario._replace(**{key: getattr(default, key)})


def _plainer_use(use: Use) -> Iterator[Use]:
    """Within what the entry says of it: what is too short to be noticed breaks a rule too."""
    entry = catalogue.find(use.fault)
    after_us = round(entry.after_s[0] * US)
    if after_us < use.after_us:
        yield use._replace(after_us=after_us)
    if use.lasts_us is not None and entry.lasts_s is not None:
        for lasts_us in (use.lasts_us // 2, use.lasts_us // US * US):
            if round(entry.lasts_s[0] * US) <= lasts_us < use.lasts_us:
                yield use._replace(lasts_us=lasts_us // 1000 * 1000)
    for name, value in use.parameters:
        default = next(each.default for each in entry.parameters if each.name == name)
        if default not in (None, value):
            rest = tuple(each for each in use.parameters if each[0] != name)
            yield use._replace(parameters=rest)
