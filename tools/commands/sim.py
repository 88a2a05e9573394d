"""`cylindre sim`: coups on the virtual wheel, truth beside decision."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.lib.errors import FAILED, USAGE, Failure
from tools.fast import switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.virtual.simulate import Simulation

# With more coups than this, people get a line each only if they ask.
LINES_MAX = 20


@click.command(
    epilog="""\b
    Examples:
      cylindre sim --coups 20 --seed 1 --wheel W1
      cylindre sim --coups 2000 --seed 1 --wheel W2 --hand
      cylindre sim --coups 3 --seed 7 --wheel W1 --trace coups.vcd
      cylindre sim --coups 500 --seed 1 --wheel W1 --set fret.17.loose=.3
      cylindre sim --board boule_ref --coups 200
      cylindre sim --coups 9 --seed 1 --wheel W1 --json | jq 'select(.event == "judged")'
    """,
)
@click.option(
    "--coups",
    default=20,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="How many to play.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same bytes.")
@click.option(
    "--wheel",
    "preset",
    metavar="WHEEL",
    help="W1: two regimes, as real wheels have. W2: one law, w' = a w^2 + b. V1: a vingt-trois"
    " plate. B1: a boule dish.  [default: the board's first]",
)
@click.option(
    "--board",
    default="roulette_ref",
    show_default=True,
    metavar="BOARD",
    help="The board it plays on.",
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The house's configuration (TOML): rules, layout, cups, when boule calls.",
)
@click.option("--hand", is_flag=True, help="The croupier turns the rotor, not the motor.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="What is uneven at a roulette wheel, from docs/simulator.md: fret.17.loose=.1;"
    " tilt_deg=.3@1000-5000 changes evenly between those coups. May be given again.",
)
@click.option("--trace", type=click.Path(), metavar="OUT.vcd", help="Write what the sensors saw.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: facts, judgements.")
@click.option("-v", "--verbose", is_flag=True, help=f"A line a coup also beyond {LINES_MAX} coups.")
def command(
    coups: int,
    seed: int,
    preset: str | None,
    board: str,
    config_path: Path | None,
    hand: bool,
    changes: tuple[str, ...],
    trace: str | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Play coups on the virtual wheel, in virtual time, and compare with the truth.

    With --json: the events of a replay, after each coup one line "judged" with the truth beside
    the decision, and at the end one line "summary". Exit status 1 if a number was wrong or a call
    came late.
    """
    switch.use_compiled()
    from firmware.config.choice import choose_game, read_config, warn_unverified
    from tools.virtual.score import coup_line, summary_lines
    from tools.virtual.simulate import Simulation

    config = read_config(config_path)
    game = choose_game(board, config)
    from tools.virtual.choice import check_preset

    preset = check_preset(preset, game.board)
    warn_unverified(game)
    try:
        simulation = Simulation(
            game, preset=preset, seed=seed, hand=hand, config=config, changes=changes
        )
    except ValueError as error:
        raise Failure(USAGE, f"--set: {error}.") from None
    lines = as_json or verbose or coups <= LINES_MAX
    if as_json:
        show = _show_json
    elif lines:
        click.echo(coup_line(None))
        show = _show_words
    else:
        show = _show_nothing
    # Lines that scroll past on the same screen show the progress well enough.
    bar = sys.stderr.isatty() and not (lines and sys.stdout.isatty())
    figures = _play(
        simulation,
        coups,
        trace=trace,
        show=show,
        bar=bar,
    )
    figures = {
        "event": "summary",
        "board": board,
        "wheel": preset,
        "seed": seed,
        "hand": hand,
        **({"set": list(changes)} if changes else {}),
    } | figures
    if as_json:
        click.echo(json.dumps(figures))
    else:
        by_hand = ", rotor by hand" if hand else ""
        played = f"{figures['coups']} coups on {preset}, seed {seed}{by_hand}"
        click.echo("\n".join(summary_lines(played, figures)))
    if figures["wrong"] or figures["late"]:
        raise Failure(
            FAILED,
            f"{figures['wrong']} wrong numbers and {figures['late']} late calls in {coups} coups; "
            f"`cylindre sim --board {board} --wheel {preset} --seed {seed} --coups {coups}"
            f"{' --hand' if hand else ''}{''.join(f' --set {each}' for each in changes)} --json`"
            " repeats them.",
        )


def _play(
    simulation: Simulation,
    coups: int,
    *,
    trace: str | None,
    show: Callable[[Any], None],
    bar: bool,
) -> dict[str, Any]:
    """Plays, shows each fact and judgement, returns the summary."""
    from firmware.text.trace import TraceWriter
    from tools.virtual.score import Judged, summary

    with contextlib.ExitStack() as stack:
        writer = None
        if trace is not None:
            writer = TraceWriter(trace, simulation.board, simulation.levels)
            stack.callback(writer.abandon)
        progress = None
        if bar:
            progress = stack.enter_context(
                click.progressbar(length=coups, label="coups", file=sys.stderr, show_pos=True)
            )
        for item in simulation.play(coups, writer):
            show(item)
            if progress is not None and isinstance(item, Judged):
                progress.update(1)
    return summary(simulation.score)


def _show_json(item: Any) -> None:
    from firmware.text.event_text import json_line
    from tools.virtual.score import Judged

    line = json.dumps(item.as_json()) if isinstance(item, Judged) else json_line(item)
    if line is not None:  # nor has a replay what is not for everybody
        click.echo(line)


def _show_words(item: Any) -> None:
    from tools.virtual.score import Judged, coup_line

    if isinstance(item, Judged):
        click.echo(coup_line(item))


def _show_nothing(item: Any) -> None:
    del item
