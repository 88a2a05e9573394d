"""`cylindre replay`: what the controller makes of a recorded trace."""

from __future__ import annotations

import click

from tools.boardnames import load_board
from tools.exits import FAILED, Failure


@click.command(
    epilog="""\b
    Examples:
      cylindre replay trace.vcd --board roulette_ref
      cylindre replay trace.vcd --board roulette_ref --json | jq 'select(.event == "void")'
    """
)
@click.argument("trace", metavar="TRACE.vcd", type=click.Path())
@click.option("--board", required=True, help="The board the trace was recorded on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--confirm",
    type=click.Choice(["auto", "croupier"]),
    default="auto",
    show_default=True,
    help="Who confirms a detected number: nobody need, or the croupier with btn_start.",
)
def command(trace: str, board: str, as_json: bool, confirm: str) -> None:
    """Replay a sensor trace, at full speed and in its own time.

    Prints what was decided, as it was decided. A trace that is cut short or malformed ends with
    exit status 1, after everything that was decided before that point.
    """
    from tools.lines import human_line, json_line
    from tools.replay import replay
    from tools.trace import TraceError

    line = json_line if as_json else human_line
    try:
        for fact in replay(trace, load_board(board), confirm=confirm):
            click.echo(line(fact))
    except TraceError as error:
        raise Failure(FAILED, str(error)) from error
