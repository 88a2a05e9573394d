"""The story of a wheel: fair, then with a fret that works loose, told, mended, and fair again.

    python -m tools.health.story [--fair COUPS] [--seed N] [--drops]

Balls are rolled (tools/health/rolled.py); the watch is the product's. The same seed tells the same
story.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from firmware.core.health.facts import FRETS, Coup, Notice
from firmware.core.health.watch import HealthWatch
from tools.health.new_watch import new_watch
from tools.health.rolled import RolledWheel
from tools.sim.causes import set_from
from tools.sim.parameters import PRESETS

LOOSE = 0.3  # the share that the fret swallows in the end
LOOSENS = 3_000  # coups, until it does
MENDED_AFTER = 400  # coups after the notice: a day
_NEVER = 100_000


class Chapter(NamedTuple):
    """What came by a coup. odds: the most that numbers or frets had against an even wheel."""

    coup: int
    what: str
    odds: float
    notices: list[tuple[int, Notice]]


def notices_of(watch: HealthWatch, coups: Iterator[Coup]) -> list[tuple[int, Notice]]:
    """Gives coups to the watch. Returns its notices, each with the coup after which it came."""
    found = []
    for coup in coups:
        watch.add(coup)
        found += [(watch.coups, notice) for notice in watch.take_notices()]
    return found


def chapters(fair: int, seed: int, *, drops: bool) -> Iterator[Chapter]:
    """Tells the story chapter by chapter. `fair`: coups before the fret loosens, and after.

    `drops`: as RolledWheel has it.
    """
    level = PRESETS["W1"].changed(tilt_deg=0.0)
    worn = set_from(level, f"fret.17.loose={LOOSE}@{fair + 1}-{fair + LOOSENS}")
    wheel = RolledWheel(worn, seed, drops=drops)
    watch = new_watch(wheel.wheel)
    yield _chapter(watch, "fair", notices_of(watch, wheel.coups(fair)))
    notices: list[tuple[int, Notice]] = []
    while not notices and watch.coups < fair + _NEVER:
        notices = notices_of(watch, wheel.coups(1))
    yield _chapter(watch, "told", notices)
    yield _chapter(watch, "played on", notices_of(watch, wheel.coups(MENDED_AFTER)))
    wheel.use(level)
    watch.act(FRETS)
    yield _chapter(watch, "mended", [])
    yield _chapter(watch, "fair again", notices_of(watch, wheel.coups(fair)))


def _chapter(watch: HealthWatch, what: str, notices: list[tuple[int, Notice]]) -> Chapter:
    judged = [watch.stream(name) for name in ("numbers", "ccw", "cw", "loose", "gain")]
    odds = max(stream.judge.total for stream in judged if stream is not None)
    return Chapter(watch.coups, what, odds, notices)


@click.command()
@click.option("--fair", default=30_000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--drops", is_flag=True, help="Judge the drops too: twice as long.")
def main(fair: int, seed: int, drops: bool) -> None:
    """Tell the story, with its coups and odds."""
    for chapter in chapters(fair, seed, drops=drops):
        click.echo(f"coup {chapter.coup:6}  {chapter.what:10}  odds {chapter.odds:.3g} to 1")
        for coup, notice in chapter.notices:
            click.echo(f"  {coup}: {notice.kind} {notice.place} ({notice.stream})")


if __name__ == "__main__":
    main()
