"""`python -m tools.bench.cards` (`make bench-cards`): figures of the card games, ours and theirs.

Prints each known figure beside ours, then the means of played black jack. Exits 1 if one DIFFERS: a
figure in a digit, a mean by more than three standard errors. Writes nothing; the same seed prints
the same figures.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import click

from firmware.lib.errors import FAILED, OK
from tools.bench.cards import solver
from tools.bench.cards.figures import (
    EXACT,
    KNOWN_PLAYS,
    LIVE,
    LU,
    SIGMAS,
    Key,
    Known,
    as_printed,
    deviation,
    table_of,
)
from tools.bench.cards.played import Played, play
from tools.testing.progress import Progress
from tools.testing.workers import Tell, each

ROUNDS = 500_000  # of each game
_BLOCK = 250_000
_DIFFERS = "  DIFFERS"
_UPS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)


@click.command()
@click.option(
    "--rounds", default=ROUNDS, show_default=True, type=click.IntRange(2), help="Of each game."
)
@click.option("--plans", is_flag=True, help="Print the basic strategies too.")
@click.option("--seed", default=27, show_default=True)
@click.option("--jobs", default=os.cpu_count() or 1, type=click.IntRange(1), help="Processes.")
def main(rounds: int, plans: bool, seed: int, jobs: int) -> None:
    """Count and play card games through the engine, and compare with what is known."""
    games: list[int] = []
    tasks: list[Callable[[Tell], Any]] = [partial(_exact, count) for _, count in EXACT]
    for at, play_known in enumerate(KNOWN_PLAYS):
        table = table_of(play_known.game, play_known.decks)
        for begin in range(0, rounds, _BLOCK):
            games.append(at)
            tasks.append(partial(_play, table, min(_BLOCK, rounds - begin), f"{seed} {begin}"))
    ours: dict[Key, Fraction] = {}
    played = [Played() for _ in KNOWN_PLAYS]
    total = rounds * len(KNOWN_PLAYS)
    with Progress("bench-cards", total, unit="rounds", workers=jobs) as progress:
        for at, found in each(tasks, jobs=jobs, progress=progress):
            if at < len(EXACT):
                ours |= found
            else:
                game = games[at - len(EXACT)]
                played[game] = played[game].plus(found)
    known = [one for rows, _ in EXACT for one in rows]
    differ = report(known, ours) + report_played(played)
    if plans:
        for game_name in (LU, LIVE):
            click.echo(f"\n{game_name}: P split, D double, H hit, - stand")
            for line in lines_of(solver.strategy(solver.game_of(table_of(game_name)))):
                click.echo(line)
    sys.exit(FAILED if differ else OK)


def _exact(count: Callable[[], dict[Key, Fraction]], _tell: Tell) -> dict[Key, Fraction]:
    return count()


def _play(table: Any, rounds: int, seed: str, tell: Tell) -> Played:
    return play(table, rounds, seed, tell)


def report(known: Sequence[Known], ours: Mapping[Key, Fraction]) -> int:
    """Prints each known figure and ours. Returns how many differ."""
    differ = 0
    click.echo("Counts, chances, and what the house keeps of a stake in the mean")
    click.echo(f"{'':<40}{'decks':>6}{'ours':>24}{'known':>24}  source")
    for one in known:
        mine = as_printed(ours[one.key], one)
        same = mine == one.text
        differ += not same
        decks = "inf" if one.decks is None else one.decks
        click.echo(
            f"{one.what:<40}{decks:>6}{mine:>24}{one.text:>24}  {one.source}"
            + ("" if same else _DIFFERS)
        )
    return differ


def report_played(played: Sequence[Played]) -> int:
    """Prints each known mean and ours. Returns how many are too far away."""
    differ = 0
    click.echo(
        "\nPlayed, a fresh shoe each round: what a stake wins in the mean, +- standard error"
    )
    click.echo(f"{'':<20}{'decks':>6}{'rounds':>16}{'ours':>24}{'known':>24}{'sigmas':>8}")
    for known, mine in zip(KNOWN_PLAYS, played, strict=True):
        away = deviation(mine, known)
        near = abs(away) <= SIGMAS
        differ += not near
        click.echo(
            f"{known.game:<20}{known.decks:>6}{mine.rounds:>16,}{_mean(mine.mean, mine.error):>24}"
            f"{_mean(known.mean, known.error):>24}{away:>8.1f}" + ("" if near else _DIFFERS)
        )
    return differ


def _mean(mean: float, error: float) -> str:
    return f"{100 * mean:.4f} +- {100 * error:.4f} %"


def lines_of(plan: solver.Strategy) -> list[str]:
    """A basic strategy, a line a hand, a column a first card of the dealer."""
    lines = ["        " + "".join(f"{_rank(up):>3}" for up in _UPS)]
    for is_soft in (False, True):
        for points in range(12 if is_soft else 4, 21):
            name = f"{'soft' if is_soft else 'hard'} {points:>2} "
            hands = [(points, is_soft, up) for up in _UPS]
            lines.append(
                name
                + "".join(
                    f"{'D' if hand in plan.doubles else 'H' if hand in plan.draws else '-':>3}"
                    for hand in hands
                )
            )
    for card in _UPS:
        words = ("P" if (card, up) in plan.splits else "." for up in _UPS)
        lines.append(f"pair {_rank(card):>2} " + "".join(f"{word:>3}" for word in words))
    return lines


def _rank(points: int) -> str:
    return {solver.ACE: "A", solver.TEN: "T"}.get(points, str(points))
