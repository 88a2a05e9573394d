"""`cylindre run`: the controller plays on a board's wheel."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tools.boardnames import load_board
from tools.exits import CONFIGURATION, USAGE, Failure

if TYPE_CHECKING:
    from firmware.config import Config


@click.command(
    short_help="Play: the controller on a board's wheel.",
    epilog="""\b
    Examples:
      cylindre run --board roulette_ref
      cylindre run --board roulette_ref --wheel W2 --seed 7 --coups 3 --json
      cylindre run --board pi4 --config /etc/cylindre.toml --port /dev/ttyUSB0

    \b
    A configuration holds what a house chooses; all of it may be left out:
      [wheel]     board = "pi4"           id = "table-3"
      [call]      call_s = 1.0            how long the spoken call takes
      [confirm]   mode = "auto"           or "croupier"
      [rotor]     drive = "driven"        or "hand"; target_rpm = 21
      [bus]       port = "/dev/ttyUSB0"   baud = 115200
      [store]     journal = "coups.jsonl"
      [level]     warn_deg = 0.1          zero_x_deg = 0.0, zero_y_deg = 0.0
      [watchdog]  timeout_s = 10          0: none

    Journal and sockets lie in ./var/BOARD/ unless said otherwise.

    Exit codes: 0 all coups played or SIGTERM, 1 failed, 2 usage, 3 no device, 4 configuration,
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
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where coups are recorded  [default: var/BOARD/journal.jsonl]",
)
@click.option(
    "--socket",
    "sockets",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the sockets lie  [default: var/BOARD]",
)
@click.option("--seed", type=click.IntRange(min=0), help="The virtual wheel's seed  [default: any]")
@click.option("--wheel", type=click.Choice(["W1", "W2"]), help="The virtual wheel  [default: W1]")
@click.option("--coups", type=click.IntRange(min=1), help="Stop after so many  [default: never]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def command(
    ctx: click.Context,
    board: str | None,
    config_path: Path | None,
    port: str | None,
    journal: Path | None,
    sockets: Path | None,
    seed: int | None,
    wheel: str | None,
    coups: int | None,
    as_json: bool,
) -> None:
    """Play coups on the wheel of a board; a virtual board brings its own wheel, in real time.

    Prints what happens, tells the displays, records every coup before it is shown. A display or
    port that vanishes does not stop the wheel. Ctrl-C stops it, rotor off.
    """
    from tools.lines import human_line, json_line
    from tools.places import STATE_FOLDER
    from tools.play import Choices, play

    config = _config(config_path)
    name = board or config.board
    if name is None:
        raise Failure(USAGE, "Which board? Give --board; cylindre boards lists them.")
    found = load_board(name)
    if found["provider"] != "virtual" and (seed is not None or wheel is not None):
        raise Failure(USAGE, f"--seed and --wheel are for a virtual wheel; {name} has a real one.")
    folder = STATE_FOLDER / name
    choices = Choices(
        board=found,
        config=config,
        port=port or config.port,
        journal=journal or (Path(config.journal) if config.journal else folder / "journal.jsonl"),
        sockets=sockets or folder,
        preset=wheel,
        seed=seed,
        coups=coups,
        line=json_line if as_json else human_line,
        started_us=ctx.obj if isinstance(ctx.obj, int) else time.monotonic_ns() // 1000,
    )
    ctx.exit(play(choices))


def _config(path: Path | None) -> Config:
    from firmware.config import Config, ConfigError, load

    if path is None:
        return Config()
    try:
        return load(path)
    except ConfigError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from error
