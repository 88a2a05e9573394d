"""What a campaign plays: job `index` of a plan is a pure function of the plan and the index.

So the results are the same however many workers there are and in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from math import ceil
from random import Random
from typing import Any, NamedTuple

from tools.hil.faults import catalogue
from tools.hil.faults.entry import APPARATUS, LAYERS, LINE_LAYERS, TURNING, Fault, Parameter
from tools.hil.scenario import US, FaultInjection, Scenario
from tools.hil.scenario_check import board_of
from tools.sim.table import presets

VERSION = 3  # of the way jobs are drawn: a folder of another is not gone on with

COUPS = 16  # of a job in jumping time: long enough that what a fault leaves behind shows
CLEAN_COUPS = 64  # of a job with no fault
LEFT_COUPS = 4  # after the deadline of a fault that stays: what it leaves behind shows
COUP_S = 40.0  # a coup takes longer: so many coups at the most lie in a fault's time
CROUPIER_SHARE = 0.15  # of the jobs in which the croupier confirms
HAND_SHARE = 0.3  # of the jobs with a rotor in which a hand turns it
LEARNED_SHARE = 0.6
# Of the apparatus: the wheel has most of what can go wrong.
SHARES = {"roulette": 0.5, "vingt_trois": 0.25, "boule": 0.25}

SINGLE, PAIR, CLEAN = "single", "pair", "clean"


class Plan(NamedTuple):
    """All that a campaign's jobs depend on."""

    seed: int
    coups: int  # with single faults, in jumping time
    pairs: int  # coups with pairs of faults
    faults: tuple[str, ...]  # names, in the catalogue's order
    places: tuple[str, ...]  # "virtual" jumps; the others play each of their faults in real time
    real_coups: int = 0  # so often each
    clean: int = 0  # coups with no fault, in jumping time
    wheels: tuple[str, ...] = ()  # of the simulator's; none named: all


class Job(NamedTuple):
    """One scenario to play, and where."""

    number: int  # its index in the plan
    place: str
    kind: str  # SINGLE, PAIR or CLEAN
    scenario: Scenario


def chosen(patterns: Sequence[str]) -> tuple[str, ...]:
    """The faults of those names, layers or patterns, in the catalogue's order.

    Raises KeyError with the first that fits none.
    """
    names = [fault.name for fault in catalogue.FAULTS]
    found = set()
    for pattern in patterns:
        if pattern == "all":
            fits = names
        elif pattern in LAYERS:
            fits = [fault.name for fault in catalogue.FAULTS if fault.layer == pattern]
        else:
            fits = [name for name in names if fnmatchcase(name, pattern)]
            if not fits:
                raise KeyError(pattern)
        found.update(fits)
    return tuple(name for name in names if name in found)


def unmade(plan: Plan) -> tuple[str, ...]:
    """The faults that are made in no job: no place or wheel of the plan has them, or no size."""

    def is_made(fault: Fault, place: str) -> bool:
        if not _wheels(plan, fault.apparatus):
            return False
        if place != "virtual":
            return plan.real_coups > 0
        return plan.coups > 0 or (plan.pairs > 0 and fault.pairs)

    return tuple(
        name
        for name in plan.faults
        for fault in (catalogue.find(name),)
        if not any(is_made(fault, place) for place in plan.places if place in fault.places)
    )


def count(plan: Plan) -> int:
    """How many jobs it has."""
    return _singles(plan) + _pairs(plan) + _clean(plan) + len(_real(plan)) * plan.real_coups


def job(plan: Plan, index: int) -> Job:
    """Job `index` of the plan."""
    rng = Random(f"{plan.seed}/{index}")
    left = index - _singles(plan)
    if left < 0:
        return Job(index, "virtual", SINGLE, _drawn(plan, index, rng, SINGLE))
    left -= _pairs(plan)
    if left < 0:
        return Job(index, "virtual", PAIR, _drawn(plan, index, rng, PAIR))
    left -= _clean(plan)
    if left < 0:
        return Job(index, "virtual", CLEAN, _table(plan, index, rng, CLEAN_COUPS, APPARATUS))
    real = _real(plan)
    place, fault = real[left % len(real)]
    return Job(index, place, SINGLE, _one(plan, index, rng, catalogue.find(fault)))


def _singles(plan: Plan) -> int:
    return ceil(plan.coups / COUPS) if "virtual" in plan.places else 0


def _pairs(plan: Plan) -> int:
    return ceil(plan.pairs / COUPS) if "virtual" in plan.places else 0


def _clean(plan: Plan) -> int:
    return ceil(plan.clean / CLEAN_COUPS) if "virtual" in plan.places else 0


def _wheels(plan: Plan, kinds: Sequence[str]) -> dict[str, list[str]]:
    """The wheels of the plan by their apparatus, of those kinds."""
    found = {
        kind: [wheel for wheel in presets(kind) if not plan.wheels or wheel in plan.wheels]
        for kind in kinds
    }
    return {kind: wheels for kind, wheels in found.items() if wheels}


def _real(plan: Plan) -> list[tuple[str, str]]:
    """Each fault at each place where time is real."""
    return [
        (place, name)
        for place in plan.places
        if place != "virtual"
        for name in plan.faults
        for fault in (catalogue.find(name),)
        if place in fault.places and _wheels(plan, fault.apparatus)
    ]


# --- one scenario ---------------------------------------------------------------------------------
def _drawn(plan: Plan, index: int, rng: Random, kind: str) -> Scenario:
    """A table, and faults with clean coups between them. Each fault in turn is surely there."""
    made = [
        fault
        for fault in map(catalogue.find, plan.faults)
        if "virtual" in fault.places and (fault.pairs or kind == SINGLE)
        if _wheels(plan, fault.apparatus)
    ]
    if not made:
        return _table(plan, index, rng, COUPS, APPARATUS)
    turn = made[index % len(made)]
    table = _suited(plan, turn, index, rng, COUPS)
    deck = [fault for fault in made if _suits(fault, table)]
    # Displays cost time: a job has none, or faults of the line only.
    if kind == SINGLE:
        deck = [
            fault for fault in deck if (fault.layer in LINE_LAYERS) is (turn.layer in LINE_LAYERS)
        ]
    return _finished(table, list(_uses(turn, deck, table, rng, 1 if kind == SINGLE else 2)))


def _one(plan: Plan, index: int, rng: Random, entry: Fault) -> Scenario:
    """One fault at some table of its own, in the first coup; and one coup after its deadline."""
    table = _suited(plan, entry, index, rng, 2 + (entry.expect.by_coups or 0))
    return _finished(table, [_use(entry, 1, table, rng)])


def _suited(plan: Plan, entry: Fault, index: int, rng: Random, coups: int) -> Scenario:
    while True:
        table = _table(plan, index, rng, coups, entry.apparatus)
        if _suits(entry, table):
            return table


def _table(plan: Plan, index: int, rng: Random, coups: int, kinds: Sequence[str]) -> Scenario:
    wheels = _wheels(plan, kinds)
    apparatus = rng.choices([*wheels], [SHARES[each] for each in wheels])[0]
    return Scenario(
        name=f"job-{index:06}",
        title=f"Job {index} of a campaign.",
        apparatus=apparatus,
        coups=coups,
        seed=rng.randrange(1, 2**31),
        wheel=rng.choice(wheels[apparatus]),
        hand=apparatus in TURNING and rng.random() < HAND_SHARE,
        learned=rng.random() < LEARNED_SHARE,
        confirm="croupier" if rng.random() < CROUPIER_SHARE else "auto",
    )


def _finished(table: Scenario, uses: list[FaultInjection]) -> Scenario:
    layers = {catalogue.find(use.fault).layer for use in uses}
    displays = 2 if layers & set(LINE_LAYERS) else int("host" in layers)
    return table._replace(faults=tuple(uses), displays=displays)


def _suits(fault: Fault, table: Scenario) -> bool:
    if table.apparatus not in fault.apparatus:
        return False
    if fault.by_hand is not None:
        return table.apparatus in TURNING and fault.by_hand is table.hand
    return True


def _uses(
    turn: Fault, deck: list[Fault], table: Scenario, rng: Random, together: int
) -> Iterator[FaultInjection]:
    """From coup 2 on, `together` at a time, each time when the last is over and settled."""
    passing = [fault for fault in deck if fault.lasts_s is not None]
    staying = [fault for fault in deck if fault.lasts_s is None]
    # What stays till the end comes last, and soon enough that its deadline comes.
    finish = []
    if staying:
        finish = _some([turn if turn in staying else rng.choice(staying)], deck, together, rng)
    last = table.coups - 1 - max([LEFT_COUPS, *(each.expect.by_coups or 0 for each in finish)])
    coup = 2
    first = [turn] if turn in passing else []
    while passing and coup < last:
        uses = [_use(entry, coup, table, rng) for entry in _some(first, passing, together, rng)]
        after = max(_settled(use) for use in uses)
        if not first and turn in finish and after > last:
            break
        yield from uses
        first = []
        coup = after + rng.choice((0, 1))
    if finish and (coup <= last or turn in finish):
        for entry in finish:
            yield _use(entry, last, table, rng)


def _settled(use: FaultInjection) -> int:
    """The first coup that it surely no longer touches."""
    spans = ceil((use.lasts_us or 0) / US / COUP_S) + catalogue.expect_of(use).settles_coups
    return use.coup + spans + 1


def _some(first: list[Fault], deck: list[Fault], count_: int, rng: Random) -> list[Fault]:
    """So many different ones of the deck, those of `first` among them. Two of one maker are one
    fault: what the first does the second undoes."""
    found = [*first]
    while len(found) < count_:
        makers = [fault.make for fault in found]
        rest = [fault for fault in deck if fault not in found and fault.make not in makers]
        if not rest:
            break
        found.append(rng.choice(rest))
    return found


def _use(entry: Fault, coup: int, table: Scenario, rng: Random) -> FaultInjection:
    board = board_of(table.apparatus)
    # To a millisecond, a number to four figures: a person may have to type it.
    lasts_us = None if entry.lasts_s is None else round(rng.uniform(*entry.lasts_s), 3) * US
    return FaultInjection(
        entry.name,
        coup,
        rng.choice(entry.moments),
        after_us=round(round(rng.uniform(*entry.after_s), 3) * US),
        lasts_us=None if lasts_us is None else round(lasts_us),
        parameters=tuple(
            sorted((each.name, _value(each, board, rng)) for each in entry.parameters)
        ),
    )


def _value(parameter: Parameter, board: dict[str, Any], rng: Random) -> Any:
    if parameter.kind != "number":
        return rng.choice(parameter.choices(board))
    low, high = parameter.values
    if isinstance(low, int) and isinstance(high, int):
        return rng.randint(low, high)
    return float(f"{rng.uniform(low, high):.4g}")
