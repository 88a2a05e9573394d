"""`cylindre terminal`: a virtual player's terminal, a process of its own on the bus."""

from __future__ import annotations

import time
from pathlib import Path

import click

from firmware.keys.pin_entry import pin_file_option


@click.command(
    epilog="""\b
    Examples:
      cylindre terminal --port /dev/ttyUSB0 --keys keys --address 1 --account 7
      cylindre terminal --port /dev/pts/6 --keys keys --address 2 --script bets.txt --json

    \b
    Orders, typed or one a line in a script (cents are whole):
      rouge 500            plein 17 500         cheval 1 2 500
      back 3               on 7 4711            off, help, quit
      repeat (the stakes of your last coup)     clear (takes all back)
      insert 5000          card 7 4711          pull
    In a script an order may wait, and each waits for the one before:
      at BETS_OPEN: plein 17 500
      at coup 2 NO_MORE_BETS: rouge 500
      at SETTLED: quit

    Exit codes: 0 quit or SIGTERM, 1 a script that cannot be used, 2 usage, 3 no such port, 4 keys,
    130 interrupted.
    """,
)
@click.option("--port", required=True, metavar="TTY", help="Serial port on which the bus arrives.")
@click.option(
    "--baud",
    default=115200,
    show_default=True,
    type=click.IntRange(300, 4_000_000),
    help="Speed of the bus, bits a second.",
)
@click.option(
    "--keys",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keys, as cylindre provision made them.",
)
@click.option(
    "--address", required=True, type=click.IntRange(1, 32), metavar="A", help="Of this terminal."
)
@click.option(
    "--account", type=int, metavar="N", help="Whose player signs on, whenever the seat is free."
)
@pin_file_option("--pin-file", "his PIN, or the number of his card")
@click.option(
    "--script", type=click.Path(path_type=Path), metavar="FILE", help="Orders, instead of typing."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all that happens.")
@click.pass_obj
def command(
    started_us: int | None,
    port: str,
    baud: int,
    keys: Path,
    address: int,
    account: int | None,
    pin_file: Path | None,
    script: Path | None,
    as_json: bool,
) -> int:
    """Play at a terminal of a semi-automatic game (Luxembourg, art. 20-1 to 20-3).

    A stake takes part once it is accepted, before « rien ne va plus ». Refusals come with the rule
    that refuses; payments when the number is official. The sums of what lies and of the last stakes
    are shown. A port that vanishes is waited for.
    """
    from firmware.services.terminal.program import Choices, run_terminal

    start_us = started_us if isinstance(started_us, int) else time.monotonic_ns() // 1000
    return run_terminal(
        Choices(port, baud, keys, address, account, pin_file, script, as_json, started_us=start_us)
    )
