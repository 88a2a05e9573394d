"""`cylindre safe`: safe mode, where the controller does not come up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware.config.choice import load_board
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo


@click.command(
    short_help="Tell the displays that the wheel is out of service.",
    epilog="""\b
    Examples:
      cylindre safe --config /etc/cylindre/wheel.toml --keys /var/lib/cylindre/keys
      cylindre safe --board roulette_ref --port /dev/ttyUSB0 --keys keys --json

    systemd starts it when the controller has failed four times in ten minutes (docs/device.md).

    Exit codes: 0 stopped by SIGTERM, 1 failed, 2 usage, 3 no line, 4 configuration,
    130 interrupted.
    """,
)
@click.option("--board", metavar="BOARD", help="The board; cylindre boards lists them.")
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration (TOML); the command line goes before it.",
)
@click.option("--port", metavar="PORT", help="Serial line to the displays.")
@click.option(
    "--keys",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="The keys of the displays, and wheel.pub.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(
    board: str | None, config_path: Path | None, port: str | None, keys: Path, as_json: bool
) -> None:
    """Keep the displays at "out of service" until stopped; play nothing, move nothing.

    Only the line to the displays is opened, with the displays' own keys. No number is shown.
    """
    from firmware.config import Config, sound_part
    from firmware.run.safe_mode import keep_safe

    # A configuration with mistakes is what mostly keeps a controller from coming up.
    config, mistakes = (Config(), []) if config_path is None else sound_part(config_path)
    for mistake in mistakes:
        echo(Message("Not regarded: {mistake}", mistake=Message(str(mistake))), err=True)
    name = board or config.board
    if name is None:
        raise Failure(USAGE, N_("Which board? Give --board; cylindre boards lists them."))

    def say(kind: str, text: str, told: dict[str, Any]) -> None:
        if as_json:
            click.echo(json.dumps({"event": kind, **told, "text": text}))
        else:
            echo(text, err=True)

    keep_safe(config, load_board(name), keys, port, say)
