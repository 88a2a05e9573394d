"""`cylindre safe`: safe mode, where the controller does not come up."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from firmware.config.choice import load_board
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo
from firmware.lib.places import PEOPLE


@click.command(
    epilog="""\b
    Examples:
      cylindre safe --config /etc/cylindre/wheel.toml --keys /var/lib/cylindre/keys \\
          --journal /var/lib/cylindre/journal.db --socket /run/cylindre
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
@click.option(
    "--socket",
    "sockets",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Answer there, in the controller's place, who looks after the wheel.",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The wheel's journal, for that; people lie beside it.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(
    board: str | None,
    config_path: Path | None,
    port: str | None,
    keys: Path,
    sockets: Path | None,
    journal: Path | None,
    as_json: bool,
) -> None:
    """Keep the displays at "out of service" until stopped; play nothing, move nothing.

    No line of the wheel is opened, and no number is shown. With --socket a technician logs in as
    ever, reads, and has a configuration or an update carried out; the rest is refused.
    """
    from firmware.config import Config, sound_part
    from firmware.run import safe_desk
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

    chosen = load_board(name)
    if sockets is None or journal is None:
        if sockets is not None or journal is not None:
            raise Failure(USAGE, N_("Give --socket and --journal, or neither."))
        keep_safe(config, chosen, keys, port, say)
        return

    def open_desk(stack: ExitStack) -> safe_desk.SafeDesk:
        fram = None if config.fram is None else Path(config.fram)
        desk = safe_desk.SafeDesk(
            sockets,
            people=Path(config.people) if config.people else journal.with_name(PEOPLE),
            game=chosen["apparatus"],
            journal=safe_desk.go_on_with(journal, keys, fram, chosen, stack),
            say=say,
        )
        stack.callback(desk.close)
        return desk

    keep_safe(config, chosen, keys, port, say, open_desk)
