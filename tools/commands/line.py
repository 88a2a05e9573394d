"""`cylindre line`: joined pseudo-terminals, to try controller, displays and terminals on."""

from __future__ import annotations

import json

import click

from firmware.lib.language import Message


@click.command(
    epilog="""\b
    Examples:
      cylindre line 3
      cylindre line 2 --json

    \b
    Then, elsewhere, with what it prints:
      cylindre run --board roulette_ref --config casino.toml --port /dev/pts/4 --keys keys
      cylindre display --port /dev/pts/5
      cylindre terminal --port /dev/pts/6 --keys keys --address 1 --player anna

    Exit codes: 0 stopped by SIGTERM, 1 no pseudo-terminals left, 2 usage, 130 interrupted.
    """,
)
@click.argument("ends", type=click.IntRange(2, 40))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a tty.")
def command(ends: int, as_json: bool) -> int:
    """Make ENDS ttys of which each hears what all others send, until Ctrl-C."""
    from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, cause
    from firmware.lib.signal_fd import SIGINT, Wake
    from tools.virtual.joined_line import JoinedLine

    try:
        line = JoinedLine(ends)
    except OSError as error:
        raise Failure(
            FAILED,
            Message("Cannot make {ends} pseudo-terminals: {cause}.", ends=ends, cause=cause(error)),
        ) from error
    try:
        for number, path in enumerate(line.ends, 1):
            click.echo(json.dumps({"end": number, "tty": path}) if as_json else path)
        with Wake() as wake:
            while wake.stopped_by is None:
                line.forward(0.1)
                wake.read_signals()
    finally:
        line.close()
    return INTERRUPTED if wake.stopped_by == SIGINT else OK
