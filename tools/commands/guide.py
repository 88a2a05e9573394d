"""`cylindre guide`: the croupier's guide, on the table's own screen."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from firmware.client.ask import ask, lang_option, socket_option
from firmware.config.this_wheel import meant
from firmware.lib.language import N_
from firmware.lib.places import GUIDE_PORT


@click.command(
    epilog="""\b
    Examples:
      cylindre guide
      cylindre guide --socket var/blackjack_ref --page-port 0
      cylindre guide --terminal --lang fr

    Exit codes: 0 stopped by SIGTERM, 1 failed, 2 usage, 3 no such table, 130 interrupted.
    """,
)
@socket_option
@click.option("--terminal", is_flag=True, help="Draw in this terminal.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object at every change.")
@click.option(
    "--page-port",
    type=click.IntRange(0, 65535),
    help="Port of the page, 0: any that is free"
    f"  [default: {GUIDE_PORT}; no page with --json, --terminal]",
)
@lang_option
def command(
    folder: Path | None, terminal: bool, as_json: bool, page_port: int | None, language: str
) -> int:
    """Show the croupier of a card table what to do next, and take the keys that are touched.

    Serves a page for a browser on this machine, whose address it prints: French, or English with
    ?lang=en. With --terminal it draws the same on a terminal of 80x24 or more, or prints a line at
    each change; the letters that stand before its keys there press them. It takes the right to
    write to the controller's socket, as watch does.

    Who touches a key presses that of the croupier's keyboard. What takes two people asks for their
    names and PINs. The screen is dark within 1 s of a controller that goes, and comes back with it.
    """
    if as_json and terminal:
        raise click.UsageError(N_("--json and --terminal both want the output: give one of them."))
    from firmware.services.guide.main import Choices, run_guide

    if page_port is None and not (as_json or terminal):
        page_port = GUIDE_PORT
    sockets = meant(folder)
    ask(sockets, {"do": "guide"})  # one that goes away later is waited for
    return run_guide(Choices(sockets, as_json, terminal, page_port), sys.stdout)
