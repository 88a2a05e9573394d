"""`cylindre replay`: what the controller makes of a recorded trace."""

from __future__ import annotations

from dataclasses import replace as changed
from pathlib import Path

import click

from tools.exits import FAILED, Failure
from tools.games import choose_game, read_config, warn_unverified


@click.command(
    epilog="""\b
    Examples:
      cylindre replay trace.vcd --board roulette_ref
      cylindre replay trace.vcd --board boule_ref --json | jq 'select(.event == "void")'
      cylindre replay trace.vcd --board vingt_trois_ref --config house.toml
    """
)
@click.argument("trace", metavar="TRACE.vcd", type=click.Path())
@click.option(
    "--board", required=True, metavar="BOARD", help="The board the trace was recorded on."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--confirm",
    type=click.Choice(["auto", "croupier"]),
    help="Who confirms a detected number: nobody need, or the croupier with btn_start."
    "  [default: auto]",
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The house's configuration (TOML): rules, layout, cups, when boule calls.",
)
def command(
    trace: str, board: str, as_json: bool, confirm: str | None, config_path: Path | None
) -> None:
    """Replay a sensor trace, at full speed and in its own time.

    Prints what was decided, as it was decided. A trace that is cut short or malformed ends with
    exit status 1, after everything that was decided before that point.
    """
    from tools.event_text import human_line, json_line
    from tools.replay import replay
    from tools.trace import TraceError

    line = json_line if as_json else human_line
    config = read_config(config_path)
    if confirm is not None:
        config = changed(config, confirm=confirm)
    game = choose_game(board, config)
    warn_unverified(game)
    try:
        for fact in replay(trace, game, config):
            click.echo(line(fact))
    except TraceError as error:
        raise Failure(FAILED, str(error)) from error
