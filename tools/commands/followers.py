"""`cylindre followers`: a host of followers, a process of its own on the bus."""

from __future__ import annotations

import time
from pathlib import Path

import click


@click.command(
    epilog="""\b
    Examples:
      cylindre followers --port /dev/ttyUSB0 --keys keys --address 8 < asks.jsonl

    \b
    One JSON object a line on standard input, each with the account of its player:
      {"do": "sign_on", "account": 7, "pin": "4711"}
      {"do": "follow", "account": 7, "seat": 3, "cents": 1000, "double": true}
      {"do": "back", "account": 7, "seat": 3}
      {"do": "sign_off", "account": 7}
      {"do": "quit"}

    Exit codes: 0 quit or SIGTERM, 2 usage, 3 no such port, 4 keys, 130 interrupted.
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
    "--address",
    default=8,
    show_default=True,
    type=click.IntRange(1, 32),
    metavar="A",
    help="Of this host: followers of the configuration.",
)
@click.pass_obj
def command(started_us: int | None, port: str, baud: int, keys: Path, address: int) -> int:
    """Bet behind the hands of a black jack table, for 140 players at most (Live Casino, 2.9).

    Each has his own account and choice: whether he follows doubles and splits. What is asked on
    standard input is decided by the controller, once; what happens is told on standard output, one
    JSON object a line. A port that vanishes is waited for.
    """
    from firmware.services.terminal.followers import Choices, run_followers

    start_us = started_us if isinstance(started_us, int) else time.monotonic_ns() // 1000
    return run_followers(Choices(port, baud, keys, address, start_us))
