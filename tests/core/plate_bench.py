"""Plays sessions of bench_plate.py through the core and judges them against their truth."""

from __future__ import annotations

from typing import Any

from bench_plate import PlateSession, PlateTruth
from core_bench import ENDS

import boards
import rules
from firmware.core import facts
from firmware.core.controller import FRESH, HOUSE, Controller
from firmware.core.feed import feed

BOARD = boards.load("vingt_trois_ref")
RULES = rules.load(BOARD["rules"])


def controller(**options: Any) -> Controller:
    """A new core for the reference plate."""
    memory = options.pop("memory", FRESH)
    return Controller(BOARD, RULES, memory=memory, house=HOUSE._replace(**options))


def replayed(session: PlateSession, **options: Any) -> list[Any]:
    """The facts of a whole session, each record durable at once."""
    return list(feed(controller(**options), session.edges(), session.levels()))


class PlateCoup:
    """What the core said in the time of one planned coup."""

    def __init__(self, truth: PlateTruth) -> None:
        self.truth = truth
        self.facts: list[Any] = []

    @property
    def ends(self) -> list[Any]:
        """Its results and voids."""
        return [fact for fact in self.facts if isinstance(fact, ENDS)]

    @property
    def outcome(self) -> str:
        """The word result, a void's reason, or how many ends it has if not one."""
        if len(self.ends) != 1:
            return f"{len(self.ends)} ends"
        end = self.ends[0]
        return "result" if isinstance(end, facts.Result) else str(end.reason)

    def times(self, kind: Any) -> list[int]:
        """When facts of that kind came."""
        return [fact.at_us for fact in self.facts if isinstance(fact, kind)]


def in_coups(session: PlateSession, told: list[Any]) -> list[PlateCoup]:
    """The facts by the coup in whose time theirs began."""
    coups = [PlateCoup(truth) for truth in session.truths]
    numbers: dict[int, PlateCoup] = {}
    for fact in told:
        if isinstance(fact, facts.CoupStarted):
            begun = [coup for coup in coups if coup.truth.start_us - 50_000 <= fact.at_us]
            numbers[fact.coup] = begun[-1] if begun else coups[0]
    for fact in told:
        if not isinstance(fact, facts.Fault):
            numbers[fact.coup].facts.append(fact)
    return coups


def wrong_numbers(coups: list[PlateCoup]) -> list[str]:
    """Every number that was not where the ball lay when it was decided."""
    wrong = []
    for end in [end for coup in coups for end in coup.ends]:
        if not isinstance(end, facts.Result):
            continue
        places = {coup.truth.lies(end.at_us) for coup in coups} - {None}
        at = end.compartment
        if at not in places or (RULES["layout"][at], RULES["colours"][at]) != end[3:6:2]:
            wrong.append(f"coup {end.coup}: {end} at {end.at_us}, the ball in {places}")
    return wrong
