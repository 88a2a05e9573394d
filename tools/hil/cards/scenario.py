"""What a card table plays: its setup, so many rounds, and what goes wrong in which of them."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from random import Random
from typing import Any, NamedTuple

from tools.hil.cards import faults
from tools.hil.cards.faults import GAMES
from tools.hil.faults.entry import Fault
from tools.virtual.card_table import Setup, drawn_setup

ROUNDS = 12  # of a job
CLEAN_SHARE = 0.15  # of the rounds that could have a fault
ALL = faults.of_place("virtual")
SINGLE, PAIR = "single", "pair"


class Use(NamedTuple):
    """One fault in a play. `nth`: the moment that often in its round; `seed`: its own chance."""

    fault: str
    round: int
    moment: str
    nth: int
    seed: int


class CardScenario(NamedTuple):
    """One play."""

    name: str
    setup: Setup
    rounds: int
    uses: tuple[Use, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        setup = self.setup._asdict() | {"key": self.setup.key is not None}
        told = {"name": self.name, "setup": setup, "rounds": self.rounds}
        return told | {"uses": [use._asdict() for use in self.uses]}


class Plan(NamedTuple):
    """All that a campaign's jobs depend on: job `index` is a function of the plan and the index."""

    seed: int
    rounds: int  # with single faults
    pairs: int  # with pairs of them
    faults: tuple[str, ...] = ALL
    games: tuple[str, ...] = GAMES
    accounts: bool = False  # there are players with accounts, beside those with chips


def count(plan: Plan) -> int:
    """How many jobs it has."""
    return ceil(plan.rounds / ROUNDS) + ceil(plan.pairs / ROUNDS)


def kind_of(plan: Plan, index: int) -> str:
    """Whether job `index` has single faults or pairs."""
    return SINGLE if index < ceil(plan.rounds / ROUNDS) else PAIR


def job(plan: Plan, index: int) -> CardScenario:
    """Job `index`. Each game and each fault has its turn."""
    rng = Random(f"{plan.seed}/cards/{index}")
    game = plan.games[index % len(plan.games)]
    setup = drawn_setup(game, rng.randrange(1, 2**31), rng)._replace(accounts=plan.accounts)
    deck = [fault for fault in map(faults.find, plan.faults) if faults.suits(fault, setup)]
    together = 1 if kind_of(plan, index) == SINGLE else 2
    first = (index // len(plan.games)) * (ROUNDS - 1)
    uses = tuple(_uses(deck, game, first, together, rng)) if deck else ()
    return CardScenario(f"job-{index:06}", setup, ROUNDS, uses)


def _uses(deck: list[Fault], game: str, first: int, together: int, rng: Random) -> Iterator[Use]:
    """From round 2 on; the deck is gone through in its order, from another place in each job."""
    at = first
    for number in range(2, ROUNDS + 1):
        if rng.random() < CLEAN_SHARE:
            continue
        turn = deck[at % len(deck)]
        at += 1
        yield use_of(turn, game, number, rng)
        others = [fault for fault in deck if fault is not turn]
        if together > 1 and others:
            yield use_of(rng.choice(others), game, number, rng)


def use_of(fault: Fault, game: str, number: int, rng: Random) -> Use:
    """That fault in round `number`, at some moment that it may have."""
    moment = rng.choice(faults.moments_of(fault, game))
    most = {"deal": faults.DEALS[game], "decide": 2}.get(moment, 1)
    return Use(fault.name, number, moment, rng.randint(1, most), rng.randrange(2**31))
