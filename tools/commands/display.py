"""`cylindre display`: the table display, a process of its own on the bus."""

from __future__ import annotations

from pathlib import Path

import click

from firmware.lib.language import N_
from firmware.services.display.start import (
    ADDRESS,
    ADDRESSES,
    BAUD,
    BAUDS,
    PAGE_PORT,
    PAGE_PORTS,
    start,
)


@click.command(
    epilog="""\b
    Examples:
      cylindre display --port /dev/ttyUSB0 --keys /var/lib/cylindre-display/keys
      cylindre display --port /dev/serial0 --keys keys --address 2 --terminal
      cylindre display --port /dev/serial0 --keys keys --baud 19200 --json

    \b
    A line of --json (shown is null for a dash):
      {"t_us": 1500, "state": "CONFIRMED", "game": "roulette", "shown": 17,
       "colour": "black", "epoch": 1, "seq": 42, "coup": 43, "rotor": "cw",
       "reason": null, "manual": false, "layout_verified": true}

    Exit codes: 0 stopped by SIGTERM, 1 failed, 2 usage, 3 no such port, 4 no key,
    130 interrupted.
    """,
)
@click.option("--port", required=True, metavar="TTY", help="Serial port on which the bus arrives.")
@click.option(
    "--keys",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keys: wheel.pub and display-NN.key, as cylindre provision makes them.",
)
@click.option(
    "--address",
    default=ADDRESS,
    show_default=True,
    type=click.IntRange(ADDRESSES[0], ADDRESSES[-1]),
    help="Of this display: which key is its own.",
)
@click.option(
    "--baud",
    default=BAUD,
    show_default=True,
    type=click.IntRange(BAUDS[0], BAUDS[-1]),
    help="Speed of the bus, bits a second.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at every change.")
@click.option("--terminal", is_flag=True, help="Draw in this terminal.")
@click.option(
    "--page-port",
    type=click.IntRange(PAGE_PORTS[0], PAGE_PORTS[-1]),
    help="Port of the page, 0: any that is free"
    f"  [default: {PAGE_PORT}; no page with --json, --terminal]",
)
@click.pass_obj
def command(
    started_us: int | None,
    port: str,
    keys: Path,
    address: int,
    baud: int,
    as_json: bool,
    terminal: bool,
    page_port: int | None,
) -> int:
    """Show what the controller says on the bus: state, direction, number, the last 20.

    Serves a page for a browser on this machine, whose address it prints: French, or English with
    ?lang=en. With --terminal it draws the same on a terminal of 80x24 or more, or prints a line at
    each change; NO_COLOR in the environment takes the colours away.

    A number is lit only once it is confirmed, signed by the wheel, and named by a controller that
    answers this display. A dash is lit while there is none, and as soon as the controller has not
    answered for 1 s. A port that vanishes is waited for; Ctrl-C stops.
    """
    if as_json and terminal:
        raise click.UsageError(N_("--json and --terminal both want the output: give one of them."))
    return start(
        port,
        keys,
        address=address,
        baud=baud,
        as_json=as_json,
        terminal=terminal,
        page_port=page_port,
        started_us=started_us,
    )
