"""`cylindre demo`: a virtual table with display, service page and a guest, in one command."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
    Examples:
      cylindre demo
      cylindre demo --lang fr
      cylindre demo --board blackjack_ref
      cylindre demo --json

    The service page's certificate is made for this demo, so a browser warns: compare the
    fingerprint that it shows with the one printed here, then go on.

    Exit codes: 0 stopped by SIGTERM, 1 failed, 130 interrupted.
    """,
)
@click.option(
    "--board",
    default="roulette_ref",
    show_default=True,
    type=click.Choice(("roulette_ref", "blackjack_ref", "baccarat_ref")),
    help="What is played on: a wheel, or a card table.",
)
@click.option("--json", "as_json", is_flag=True, help="Addresses and login as one JSON object.")
def command(board: str, as_json: bool) -> int:
    """Play on a virtual wheel, with its table display, its service page and a guest.

    On a card table's board shoe, croupier and the players beside the guest are simulated, and the
    croupier's guide is a page too.

    The guest may log in on the service page as a supervisor, and plays at a terminal by himself;
    another terminal is free for you. Nothing but this machine reaches any of it, no browser is
    opened, and all of it lies in a folder below var/ that is removed at the end: name and PIN are
    good for this wheel alone. The pages are served on ports that are free; it says which.
    """
    from tools.virtual.demo import play_demo

    return play_demo(board, as_json=as_json)
