"""Plays a scenario of a card table at a place, and has it judged."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, NamedTuple

from tools.hil.cards import faults, oracle
from tools.hil.cards.oracle import CardLog, CardVerdict
from tools.hil.cards.scenario import CardScenario
from tools.sim.card_croupier import Screen
from tools.virtual.card_table import VirtualCardTable

ROUND_S = 900  # of the table's time; a round that takes longer has no end

_CODES = {"late": "deal"}


class Ran(NamedTuple):
    """What came of it. `log`: all that was told."""

    verdict: CardVerdict
    log: CardLog
    table_us: int


class Faults:
    """Makes each fault of a scenario when its moment comes."""

    # Any: of this place, with what the entries of the catalogue do to it.
    def __init__(self, scenario: CardScenario, table: Any) -> None:
        self.begun: list[int | None] = [None] * len(scenario.uses)
        self._scenario = scenario
        self._table = table
        self._counts: Counter[str] = Counter()
        self._round = 0

    def see(self, screen: Screen) -> None:
        """The croupier's screen has changed."""
        number = self._table.round
        if number != self._round:
            self._round, self._counts = number, Counter()
        code = _CODES.get(screen.code, screen.code)
        self._counts[code] += 1
        moments = [code, "hole"] if screen.args.get("to") == "d*" and code == "deal" else [code]
        for at, use in enumerate(self._scenario.uses):
            if self.begun[at] is not None or use.moment not in moments:
                continue
            waits = use.moment in faults.SOME_DAY
            is_round = use.round <= number if waits else use.round == number
            if is_round and (use.moment == "hole" or self._counts[code] >= use.nth):
                self.begun[at] = number
                if faults.find(use.fault).make(self._table, Random(use.seed)) is False:
                    self.begun[at] = None  # it can do nothing yet


def run_virtual(scenario: CardScenario) -> Ran:
    """Plays it in this process, in virtual time."""
    table = VirtualCardTable(scenario.setup)
    made = Faults(scenario, table)
    table.on_screen.append(made.see)
    for number in range(1, scenario.rounds + 1):
        until_us = table.now_us + ROUND_S * 1_000_000
        table.play(until_us, lambda number=number: table.ended >= number)  # type: ignore[misc]
        if table.ended < number:
            break
    screen = str(table.croupier.screen)
    log = CardLog(table.told, table.store.rows, table.truths, made.begun, screen, table.seats)
    return Ran(oracle.judge(scenario, log), log, table.now_us)
