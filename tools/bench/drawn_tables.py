"""Clean coups of tables that are drawn: other balls, seen wider or narrower, stamped less surely.

`python -m tools.bench.drawn_tables` plays them and tells how many are void, and for what reason
(docs/adr/0016). Each range is twice as wide, about the same middle, as what is drawn elsewhere in
this repository or was recorded; the controller is told how large the ball is, and nothing else.
With `--chips` a chip of 18 to 30 mm falls into the ring at each coup, as the ball comes down.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import ceil
from random import Random
from typing import Any, NamedTuple

import click

from firmware.lib.errors import FAILED, OK
from tools.fast import switch
from tools.testing.progress import Progress
from tools.testing.workers import Tell, each, silent

COUPS = 64  # of a table, which keeps its ball and its sensors so long
HAND_SHARE = 0.3  # of the tables with a rotor: as in a campaign
BALL_MM = (14, 26)  # told to the controller; 17 to 23 of new wheels
SEEN_PERCENT = (-6.0, 6.0)  # so much wider its sensors see it: recorded coups' means lie within 3
# The sd of a stamp, of every line: tools/sim has 50. A recorder's grid of 2 ms is as bad as 580.
JITTER_US = (0.0, 600.0)
_LATENCY = 4.0  # jitters: no stamp is early
# How a ball bounces, kicked by the frets, and rocks in its pocket: what it weighs, what it is of.
_OF_THE_BALL = (
    "first_bounce_m_s_range",
    "bounce_range",
    "fret_kick_range",
    "rocking_keeps_range",
    "rocking_swing_s_range",
)
APPARATUS = ("roulette", "vingt_trois", "boule")
CHIP_MM = (18.0, 30.0)
CHIP_AFTER_S = {"roulette": (0.0, 3.0), "vingt_trois": (4.0, 9.0)}  # as the ball comes down
_WIDER_MM = 23.0  # than that the catalogue has a fault of its own


class Tables(NamedTuple):
    """What one process plays: so many tables of one game, from a place in the row of all."""

    apparatus: str
    begin: int
    tables: int
    seed: int
    plain: bool = False  # as the simulator has them: nothing is drawn but its own
    chips: bool = False

    @property
    def coups(self) -> int:
        """Of all of them."""
        return self.tables * COUPS


def twice(least: float, most: float) -> tuple[float, float]:
    """A range twice as wide about the same middle, but not below 0."""
    return max(0.0, least - (most - least) / 2), most + (most - least) / 2


def play(plan: Tables, tell: Tell = silent) -> Counter[str]:
    """Plays them: coups, and of those right, wrong, late, missed; `void ...` by its reason."""
    found: Counter[str] = Counter()
    for at in range(plan.begin, plan.begin + plan.tables):
        figures = _figures(plan, Random(f"{plan.seed}/{plan.apparatus}/{at}"), tell)
        found.update({key: figures[key] for key in ("coups", "right", "wrong", "late", "missed")})
        found.update({f"void {why}": times for why, times in figures["void_reasons"].items()})
    return found


def _figures(plan: Tables, chance: Random, tell: Tell) -> dict[str, Any]:
    """Plays one table: score.summary."""
    from firmware.config import Config
    from firmware.config.choice import choose_game
    from tools.hil.scenario import REFERENCE_BOARDS
    from tools.hil.world import World
    from tools.sim.table import presets
    from tools.virtual.score import Judged, summary
    from tools.virtual.simulate import Simulation

    game = choose_game(REFERENCE_BOARDS[plan.apparatus], Config())
    preset = chance.choice(presets(plan.apparatus))
    hand = plan.apparatus != "boule" and chance.random() < HAND_SHARE
    seed = chance.randrange(1, 2**31)
    chips = _chips(chance, CHIP_AFTER_S[plan.apparatus]) if plan.chips else ()
    ball_mm = chance.randint(*BALL_MM)
    seen_mm = ball_mm * (1.0 + chance.uniform(*SEEN_PERCENT) / 100)
    jitter_us = chance.uniform(*JITTER_US)

    def within(table: Any) -> Any:
        if not plan.plain:
            table = type(table)(
                _with_ball(game.board, seen_mm),
                game.rules,
                preset,
                seed,
                hand,
                parameters=_drawn(table.parameters, jitter_us),
            )
        return World(table, game.board, chips, seed)

    told = game if plan.plain else game._replace(board=_with_ball(game.board, ball_mm))
    simulation = Simulation(told, preset=preset, seed=seed, hand=hand, within=within)
    for item in simulation.play(COUPS):
        if isinstance(item, Judged):
            tell(1)
    return summary(simulation.score)


def _with_ball(board: dict[str, Any], ball_mm: float) -> dict[str, Any]:
    return {**board, "geometry": {**board["geometry"], "ball_mm": ball_mm}}


def _drawn(parameters: Any, jitter_us: float) -> Any:
    """The simulator's, with a ball of another kind and other stamps."""
    return parameters.changed(
        jitter_us=jitter_us,
        latency_us=parameters.latency_us + _LATENCY * jitter_us,
        **{name: twice(*getattr(parameters, name)) for name in _OF_THE_BALL},
    )


def _chips(chance: Random, after_s: tuple[float, float]) -> Sequence[Any]:
    """One a coup, as `FaultInjection`, so long after the drop."""
    from tools.hil.scenario import US, FaultInjection

    found = []
    for coup in range(1, COUPS + 1):
        size_mm = chance.uniform(*CHIP_MM)
        fault = "chip_falls_on_rotor" if size_mm > _WIDER_MM else "small_chip_falls_on_rotor"
        after_us = int(chance.uniform(*after_s) * US)
        size = (("size_mm", size_mm),)
        found.append(FaultInjection(fault, coup, "drop", after_us=after_us, parameters=size))
    return tuple(found)


def plans(apparatus: str, coups: int, seed: int, *, plain: bool, chips: bool) -> list[Tables]:
    """A table each, so that they can be shared out."""
    count = ceil(coups / COUPS)
    return [Tables(apparatus, at, 1, seed, plain, chips) for at in range(count)]


def line(apparatus: str, found: Counter[str]) -> str:
    """A row of the table of all."""
    void = {why: times for why, times in sorted(found.items()) if why.startswith("void ")}
    said = ", ".join(f"{times} {why.removeprefix('void ')}" for why, times in void.items())
    return (
        f"  {apparatus:<12} {found['coups']:>7} {found['right']:>7} {found['wrong']:>6}"
        f" {found['late']:>5} {sum(void.values()) + found['missed']:>5}   {said}"
    ).rstrip()


@click.command()
@click.option("--game", "games", multiple=True, type=click.Choice(APPARATUS), help="All if none.")
@click.option("--coups", default=20_000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=24, show_default=True)
@click.option("--plain", is_flag=True, help="Draw nothing: the simulator's own tables.")
@click.option("--chips", is_flag=True, help="A chip of 18 to 30 mm falls into the ring each time.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1))
def main(
    games: tuple[str, ...], coups: int, seed: int, plain: bool, chips: bool, jobs: int
) -> None:
    """Play clean coups of drawn tables, and print how many are void. Exits 1 for a wrong number."""
    kind = switch.use_compiled()
    click.echo(f"{coups} coups a game, seed {seed}, {kind}")
    click.echo("  game           coups   right  wrong  late  void   of them")
    wrong = 0
    for game in games or APPARATUS:
        todo = plans(game, coups, seed, plain=plain, chips=chips)
        found: Counter[str] = Counter()
        tasks = [partial(play, plan) for plan in todo]
        total = sum(plan.coups for plan in todo)
        with Progress("drawn-tables", total, unit="coups", like=game, workers=jobs) as progress:
            for _, some in each(tasks, jobs=jobs, progress=progress):
                found.update(some)
        click.echo(line(game, found))
        wrong += found["wrong"]
    sys.exit(FAILED if wrong else OK)


if __name__ == "__main__":
    main()
