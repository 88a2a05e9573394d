"""`python -m tools.hil.cards.day`: a day of a table of seven with followers, and its money.

    python -m tools.hil.cards.day var/card-day                    # twelve hours, in minutes
    python -m tools.hil.cards.day var/card-day --hours 1 --seed 3

Every seat has a terminal, and players bet behind the hands. The controller loses its power now and
then, and the croupier makes a round void. The day is closed as `cylindre account close-day` does,
and its rows are written into a signed journal in FOLDER, each at its time. Meters, register,
closing and the true rounds have to agree, to the cent.

Exit codes: 0 they do, 1 they do not, 2 usage.
"""

from __future__ import annotations

import argparse
import datetime
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.config.season import gaming_day
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.keys import folder as key_folder
from firmware.keys import rotation
from firmware.run.open_journal import identity
from firmware.stakes import accounts
from firmware.stakes.accounts import DESK, ZERO, Meters
from firmware.store.clock import Reading
from firmware.store.journal import WAITING_MAX, Journal
from firmware.text.money import money as money_text
from tools.hil.cards import money, oracle
from tools.hil.cards.oracle import CardLog, CardVerdict
from tools.hil.cards.runner import ROUND_S
from tools.hil.cards.scenario import CardScenario
from tools.hil.verdict import FALSE_ALARM, OUTCOME
from tools.journal import journal_check, round_register
from tools.virtual.card_hands import WHO, Setup
from tools.virtual.card_seats import HOST
from tools.virtual.card_table import VirtualCardTable

GAME, BOARD = "blackjack_live", "blackjack_ref"
OPENS = datetime.datetime(2026, 11, 28, 15, 0)  # local time
FOLLOWERS = 20
HOUR_US = 3_600_000_000
KILLS_US = 2 * HOUR_US  # so often it loses its power
VOIDS_US = HOUR_US // 2  # so often the croupier voids a round
CLOSES_MAX = 20  # so many more rounds until a day that cannot be closed is given up
_OF_FAULTS = (OUTCOME, FALSE_ALARM)  # no fault is named here that made a round void


class NotClosed(Exception):
    """The closing of a day was refused, time and again; the text says why."""


class Line(NamedTuple):
    """The money of one place. `register`: staked and returned, by the rounds told again."""

    name: str
    meters: Meters
    register: tuple[int, int]


class Day(NamedTuple):
    """A day that was played. `truth`: all together by the true rounds; `verified`: the journal."""

    rounds: int
    void: int
    kills: int
    table_us: int
    lines: tuple[Line, ...]
    total: Meters
    truth: Meters
    closing: dict[str, Any]
    balances_cents: int
    verdict: CardVerdict
    verified: dict[str, Any]

    @property
    def differences(self) -> list[str]:
        """What does not agree; empty where all does."""
        broken = [one for one in self.verdict.broken if one.rule not in _OF_FAULTS]
        found = [f"{one.rule}: {one.text}" for one in broken]
        for name, meters, (staked, returned) in self.lines:
            if (meters.staked_cents, meters.won_cents) != (staked, returned):
                found.append(f"{name}: meters {meters}, register {staked}, {returned}")
        if self.total != self.truth:
            found.append(f"meters {self.total}, the true rounds {self.truth}")
        won = self.total.staked_cents - self.total.won_cents
        if self.total.in_cents - self.total.out_cents != self.balances_cents + won:
            found.append(f"in less out is not {self.balances_cents} and {won}")
        closed = (self.total.in_cents, self.total.won_cents, won)
        if (
            tuple(self.closing[name] for name in ("drop_cents", "won_cents", "hold_cents"))
            != closed
        ):
            found.append(f"the closing says {self.closing}")
        if not self.verified["intact"]:
            found.append(f"the journal is not intact: {self.verified}")
        return found

    def table(self) -> str:
        """The day as lines of a table."""
        head = ("", "in", "out", "staked", "returned", "won by the house", "register")
        rows = [head, *(self._cells(*line) for line in self.lines)]
        rows.append(self._cells("all", self.total, _sum(line.register for line in self.lines)))
        names = ("drop_cents", "", "", "won_cents", "hold_cents", "")
        closed = (money_text(self.closing[name]) if name else "" for name in names)
        rows.append(("closing", *closed))
        truth = self.truth
        rows.append(self._cells("true rounds", truth, (truth.staked_cents, truth.won_cents)))
        lines = [f"{name:<14}" + "".join(f"{each:>17}" for each in rest) for name, *rest in rows]
        won = self.total.staked_cents - self.total.won_cents
        lines += [
            f"in less out {money_text(self.total.in_cents - self.total.out_cents)} ="
            f" balances {money_text(self.balances_cents)} + won {money_text(won)}",
            f"{self.rounds} rounds in {self.table_us / HOUR_US:.1f} h, {self.void} void,"
            f" {self.kills} losses of power; {self.verified['what']}",
        ]
        return "\n".join(lines)

    def _cells(self, name: str, meters: Meters, register: tuple[int, int]) -> tuple[str, ...]:
        won = register[0] - register[1]
        sums = (*meters, meters.staked_cents - meters.won_cents, won)
        return (name, *map(money_text, sums))


def _sum(pairs: Any) -> tuple[int, int]:
    staked, returned = zip(*pairs, strict=True)
    return sum(staked), sum(returned)


def play(folder: Path, *, hours: float, seed: int = 1, followers: int = FOLLOWERS) -> Day:
    """Plays a day, and writes its journal into `folder`. Raises Failure, NotClosed."""
    table = VirtualCardTable(Setup(GAME, seed, accounts=True), followers=followers)
    ends_us = table.now_us + round(hours * HOUR_US)
    kills: list[int] = []

    def every(period_us: int, what: Callable[[], None]) -> None:
        def again() -> None:
            what()
            every(period_us, what)

        if table.now_us + period_us < ends_us:
            table.later(period_us, again)

    def kill() -> None:
        kills.append(table.now_us)
        table.kill()

    every(round(KILLS_US * min(1, hours / 4)), kill)
    every(round(VOIDS_US * min(1, hours / 4)), lambda: table.press(facts.KEY_VOID))
    while table.now_us < ends_us:
        _play_round(table)
    closing = _close(table)
    log = CardLog(table.told, table.store.rows, table.truths, (), "", table.seats)
    scenario = CardScenario("day", table.setup, table.ended)
    purses = money.followed(table.limits, log)
    journal = folder / "journal.db"
    _write(folder, journal, table)
    lines = _lines(closing, journal)
    return Day(
        rounds=table.ended,
        void=sum(type(fact) is facts.RoundVoid for fact in table.told),
        kills=len(kills),
        table_us=table.now_us,
        lines=lines,
        total=Meters(*map(sum, zip(*(line.meters for line in lines), strict=True))),
        truth=purses.sums,
        closing=closing,
        balances_cents=sum(cents for _, cents, *_ in closing["accounts"]),
        verdict=oracle.judge(scenario, log),
        verified=journal_check.check(journal, folder / "keys", None, None),
    )


def _play_round(table: VirtualCardTable) -> None:
    number = table.ended + 1
    table.play(table.now_us + ROUND_S * 1_000_000, lambda: table.ended >= number)


def _close(table: VirtualCardTable) -> dict[str, Any]:
    """A member of the management closes the day, once nothing lies and nothing waits. Raises
    NotClosed.
    """
    day = gaming_day(OPENS)

    def closings() -> list[Any]:
        return [
            fact.body
            for fact in table.told
            if type(fact) is core_facts.Entered and fact.kind == accounts.CLOSING
        ]

    for _ in range(CLOSES_MAX):
        given = {"day": day, "who": WHO[1]}
        table.ask(core_facts.EntryAsked(table.now_us, accounts.CLOSING, given))
        table.play(table.now_us + 200_000, lambda: bool(closings()))
        found = closings()
        if found:
            return dict(found[0])
        _play_round(table)
    refused = [fact.text for fact in table.told if getattr(fact, "code", "") == "P10"]
    raise NotClosed(refused[-1] if refused else "nothing came of it")


def _lines(closing: dict[str, Any], journal: Path) -> tuple[Line, ...]:
    register = round_register.read_day(journal, OPENS.date().isoformat())
    assert register is not None
    sums: dict[int, list[int]] = {}
    for payment in register.payments:
        at = HOST if payment.player[0] == "f" else int(payment.player[1:].split(".")[0])
        found = sums.setdefault(at, [0, 0])
        found[0] += payment.stake_cents
        found[1] += payment.returned_cents
    meters = {at: Meters(*rest) for at, *rest in closing["meters"]}
    lines = []
    for at in sorted(meters.keys() | sums.keys()):
        name = "desk" if at == DESK else "followers" if at == HOST else f"seat {at}"
        staked, returned = sums.get(at, (0, 0))
        lines.append(Line(name, meters.get(at, ZERO), (staked, returned)))
    return tuple(lines)


def _write(folder: Path, path: Path, table: VirtualCardTable) -> None:
    """The day's rows, in a journal as a table has it, each at its time."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = folder / "keys"
    key_folder.provision(keys)
    game = choose_game(BOARD, replace(Config(), rules=GAME))
    opens_s = int(OPENS.timestamp())
    now_s = [opens_s]
    journal = Journal(
        path,
        signer=rotation.open_signer(keys, path),
        identity=identity(game, "day"),
        clock=lambda: Reading(now_s[0], True),
        next_epoch=lambda: key_folder.next_epoch(keys, 0),
    )
    try:
        waits = 0
        for row in table.store.rows:
            now_s[0] = opens_s + row.at_us // 1_000_000
            journal.put(0, row.kind, row.body)
            waits += 1
            while waits > WAITING_MAX // 2:
                waits -= _written(journal)
        while waits:
            waits -= _written(journal)
    finally:
        journal.close()


def _written(journal: Journal) -> int:
    assert journal.trouble() is None
    time.sleep(0.001)
    return len(journal.done())


def main(arguments: list[str] | None = None) -> int:
    """Plays the day that is asked for, and prints its table; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.hil.cards.day", description="A day of a table of seven, to the cent."
    )
    parser.add_argument("folder", type=Path, help="where its keys and journal go; not there yet")
    parser.add_argument("--hours", type=float, default=12.0, help="of play, until the closing")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--followers", type=int, default=FOLLOWERS, help="who bet behind hands")
    given = parser.parse_args(arguments)
    if given.folder.exists():
        print(f"{given.folder} is there already: name another folder.", file=sys.stderr)
        return 2
    try:
        day = play(given.folder, hours=given.hours, seed=given.seed, followers=given.followers)
    except NotClosed as error:
        print(f"the day cannot be closed: {error}", file=sys.stderr)
        return 1
    print(day.table())
    for each in day.differences:
        print(each)
    return 1 if day.differences else 0


if __name__ == "__main__":
    sys.exit(main())
