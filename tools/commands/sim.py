"""`cylindre sim`: coups on the virtual wheel or card table, truth beside decision."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import Message, echo
from tools.fast import switch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from firmware.config import Config
    from firmware.config.game import Game

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
      cylindre sim --board baccarat_ref --rules punto_2000 --coups 80
      cylindre sim --coups 9 --seed 1 --wheel W1 --json | jq 'select(.event == "judged")'
    """,
)
@click.option(
    "--coups",
    default=20,
    show_default=True,
    type=click.IntRange(1, 1_000_000),
    help="How many to play; at a card table rounds.",
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
    "--rules",
    "rules_name",
    metavar="RULES",
    help="What is played; cylindre rules lists them.  [default: the house's, or the board's]",
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
    rules_name: str | None,
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

    On a card table's board: rounds with a virtual shoe, croupier and players, each compared with
    what the rules make of the cards that lay on the cloth. The truth of a round that has a result
    is what cylindre settle takes. Exit status 1 if a round was wrong, or did not end.
    """
    switch.use_compiled()
    from boards.card_tables import is_card_table
    from firmware.config.choice import choose_game, read_config

    config = read_config(config_path)
    if rules_name is not None:
        config = replace(config, rules=rules_name)
    game = choose_game(board, config)
    shown = _Shown(coups, as_json=as_json, lines=as_json or verbose or coups <= LINES_MAX)
    if not is_card_table(game.board):
        _play_coups(
            game, config, shown, preset=preset, seed=seed, hand=hand, changes=changes, trace=trace
        )
        return
    if preset is not None or hand or changes or trace is not None:
        text = Message(
            "--wheel, --hand, --set and --trace are of a wheel; {board} is a card table.",
            board=board,
        )
        raise Failure(USAGE, text)
    _play_rounds(game, config, shown, seed=seed)


class _Shown(NamedTuple):
    """What is to be shown of a play; `lines`: one each to people."""

    coups: int
    as_json: bool
    lines: bool

    def show(self, items: Iterator[Any], judged: type, line: Callable[[Any], str]) -> None:
        """Plays, and shows each fact and what is `judged`, which `line` puts into words."""
        if self.lines and not self.as_json:
            echo(line(None))
        with contextlib.ExitStack() as stack:
            progress = None
            # Lines that scroll past on the same screen show the progress well enough.
            if sys.stderr.isatty() and not (self.lines and sys.stdout.isatty()):
                progress = stack.enter_context(
                    click.progressbar(
                        length=self.coups, label="coups", file=sys.stderr, show_pos=True
                    )
                )
            for item in items:
                is_judged = isinstance(item, judged)
                if self.as_json:
                    _show_json(item, is_judged=is_judged)
                elif is_judged and self.lines:
                    echo(line(item))
                if is_judged and progress is not None:
                    progress.update(1)

    def end(self, figures: dict[str, Any], lines: list[str]) -> None:
        """Shows the summary: the figures, or lines of words."""
        for line in (json.dumps(figures),) if self.as_json else lines:
            echo(line)


def _show_json(item: Any, *, is_judged: bool) -> None:
    from firmware.text.event_text import json_line

    line = json.dumps(item.as_json()) if is_judged else json_line(item)
    if line is not None:  # nor has a replay what is not for everybody
        click.echo(line)


def _play_coups(
    game: Game,
    config: Config,
    shown: _Shown,
    *,
    preset: str | None,
    seed: int,
    hand: bool,
    changes: tuple[str, ...],
    trace: str | None,
) -> None:
    from firmware.config.choice import warn_unverified
    from firmware.text.trace import TraceWriter
    from tools.virtual.choice import check_preset
    from tools.virtual.score import Judged, coup_line, summary, summary_lines
    from tools.virtual.simulate import Simulation

    preset = check_preset(preset, game.board)
    warn_unverified(game)
    try:
        simulation = Simulation(
            game, preset=preset, seed=seed, hand=hand, config=config, changes=changes
        )
    except ValueError as error:
        raise Failure(USAGE, f"--set: {error}.") from None
    with contextlib.ExitStack() as stack:
        writer = None
        if trace is not None:
            writer = TraceWriter(trace, simulation.board, simulation.levels)
            stack.callback(writer.abandon)
        shown.show(simulation.play(shown.coups, writer), Judged, coup_line)
    board = game.board["name"]
    figures = {
        "event": "summary",
        "board": board,
        "wheel": preset,
        "seed": seed,
        "hand": hand,
        **({"set": list(changes)} if changes else {}),
    } | summary(simulation.score)
    played = Message(
        "{coups} coups on {preset}, seed {seed}{by_hand}",
        coups=figures["coups"],
        preset=preset,
        seed=seed,
        by_hand=Message(", rotor by hand") if hand else "",
    )
    shown.end(figures, summary_lines(played, figures))
    if figures["wrong"] or figures["late"]:
        raise Failure(
            FAILED,
            f"{figures['wrong']} wrong numbers and {figures['late']} late calls in {shown.coups}"
            f" coups; `cylindre sim --board {board} --wheel {preset} --seed {seed}"
            f" --coups {shown.coups}"
            f"{' --hand' if hand else ''}{''.join(f' --set {each}' for each in changes)} --json`"
            " repeats them.",
        )


def _play_rounds(game: Game, config: Config, shown: _Shown, *, seed: int) -> None:
    from tools.virtual.card_simulate import (
        CardSimulation,
        JudgedRound,
        round_line,
        round_summary_lines,
    )

    simulation = CardSimulation(game, seed=seed, config=config)
    shown.show(simulation.play(shown.coups), JudgedRound, round_line)
    board, rules = game.board["name"], game.rules["name"]
    named = {"event": "summary", "board": board, "rules": rules, "seed": seed}
    figures = named | simulation.summary()
    played = Message(
        "{rounds} rounds of {rules}, seed {seed}", rounds=figures["rounds"], rules=rules, seed=seed
    )
    shown.end(figures, round_summary_lines(played, figures))
    if figures["wrong"] or figures["unended"]:
        text = Message(
            "{wrong} wrong rounds and {unended} without an end; `cylindre sim --board {board}"
            " --rules {rules} --seed {seed} --coups {coups} --json` repeats them.",
            wrong=figures["wrong"],
            unended=figures["unended"],
            board=board,
            rules=rules,
            seed=seed,
            coups=shown.coups,
        )
        raise Failure(FAILED, text)
