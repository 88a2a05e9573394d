"""`cylindre gateway`: existing displays, on a second serial port."""

from pathlib import Path

import click

from firmware.client.ask import socket_option
from firmware.lib.language import N_


@click.command(
    epilog="""\b
    Examples:
      cylindre gateway --port /dev/ttyUSB1
      cylindre gateway --port /dev/ttyUSB1 --mode extended --socket /run/cylindre

    \b
    A line (every 500 ms): *X;4;011;23;0;165;1
    state, game, last number, flags, rotor's speed in tenths of rpm, its direction.
    docs/gateway.md says what each is, and what such a line cannot say.

    Exit codes: 0 stopped by SIGTERM, 1 a controller of another version, 2 usage, 3 no such port or
    no controller, 130 interrupted.
    """,
)
@click.option("--port", required=True, metavar="TTY", help="Serial port of the displays; 9600 8N1.")
@socket_option
@click.option(
    "--mode",
    type=click.Choice(["status", "extended", "basic"]),
    default="status",
    show_default=True,
    help="What the displays are set to.",
)
@click.option(
    "--games",
    type=click.Choice(["1-256", "0-255"]),
    default="1-256",
    show_default=True,
    help="How they count the games.",
)
@click.option(
    "--slow-rpm",
    type=click.FloatRange(2, 60),
    default=10.0,
    show_default=True,
    help="A roulette's rotor below this raises the flag of its speed.",
)
@click.option(
    "--fast-rpm",
    type=click.FloatRange(2, 60),
    default=30.0,
    show_default=True,
    help="And above this.",
)
def command(
    port: str, folder: Path | None, mode: str, games: str, slow_rpm: float, fast_rpm: float
) -> int:
    """Tell existing displays how the table stands, one way, by the usual ASCII status line.

    Nothing of it is signed: whoever holds the wire can make such a display show anything. When the
    controller does not answer, the line falls silent, which these displays take for a fault.
    """
    from firmware.client.ask import path_of
    from firmware.lib.errors import USAGE, Failure
    from firmware.lib.places import STATUS_ONLY
    from firmware.services.gateway.main import run_gateway
    from firmware.services.gateway.translator import Translator

    if slow_rpm >= fast_rpm:
        raise Failure(USAGE, N_("No speed is legal: give a --slow-rpm below --fast-rpm."))
    translator = Translator(mode, count=games, slow_rpm=slow_rpm, fast_rpm=fast_rpm)
    return run_gateway(port, path_of(folder, STATUS_ONLY), translator)
