"""`cylindre display`: the table display, a process of its own on the bus."""

import sys

import click


@click.command(
    short_help="Show a wheel's coups on a table display.",
    epilog="""\b
    Examples:
      cylindre display --port /dev/ttyUSB0
      cylindre display --port /dev/serial0 --baud 38400 --json

    \b
    A line of --json (shown is null for a dash):
      {"t_us": 1500, "state": "CONFIRMED", "game": "roulette", "shown": 17,
       "colour": "black", "seq": 42, "coup": 43, "rotor": "cw", "reason": null,
       "layout_verified": true}

    Exit codes: 0 stopped by SIGTERM, 2 usage, 3 no such port, 130 interrupted.
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object at every change.")
@click.pass_obj
def command(started_us: int | None, port: str, baud: int, as_json: bool) -> int:
    """Show what the controller says on the bus: state, direction, number, the last 20.

    A number is lit only once it is confirmed. A dash is lit while there is none, and as soon as
    the controller has not been heard for 1 s. A port that vanishes is waited for; Ctrl-C stops.

    On a terminal of 80x24 or more it draws; elsewhere it prints a line at each change.
    NO_COLOR in the environment takes the colours away.
    """
    from tools.display.main import run_display

    return run_display(port, baud, as_json, sys.stdout, started_us=started_us)
