"""`cylindre table`: the virtual wheel or card table and its display, side by side."""

from __future__ import annotations

from pathlib import Path

import click

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import Message


@click.command(
    epilog="""\b
    Examples:
      cylindre table
      cylindre table --wheel W2 --seed 7 --coups 3
      cylindre table --board boule_ref
      cylindre table --board blackjack_ref
      cylindre table --board vingt_trois_ref --config house.toml --page-port 0

    Exit codes: 0 all coups played or SIGTERM, 1 failed, 130 interrupted.
    """,
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="The wheel's chance; in real time numbers still depend on the machine's pace."
    "  [default: any]",
)
@click.option("--wheel", metavar="WHEEL", help="The virtual wheel: W1, W2; V1; B1.")
@click.option(
    "--board", default="roulette_ref", show_default=True, metavar="BOARD", help="What is played on."
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration (TOML), as cylindre run has it.",
)
@click.option(
    "--pace",
    type=int,
    default=1,
    metavar="N",
    help="The wheel goes N times as fast as real time (docs/simulator.md).  [default: 1]",
)
@click.option("--coups", type=click.IntRange(min=1), help="Stop after so many  [default: never]")
@click.option(
    "--page-port",
    type=click.IntRange(0, 65535),
    help="Port of the display's page  [default: 8037, or any that is free]",
)
@click.pass_context
def command(
    ctx: click.Context,
    seed: int | None,
    wheel: str | None,
    board: str,
    config_path: Path | None,
    pace: int,
    coups: int | None,
    page_port: int | None,
) -> None:
    """Play on the built-in wheel in real time, with the table display beside it.

    The display is a page: its address is printed, and a browser opened where there is a screen for
    one; elsewhere the display is drawn in this terminal too.

    A card table plays by itself too: shoe, croupier and players are simulated. The croupier's
    guide is a page of its own there, whose address is printed.

    Controller and display are two processes joined by a real pseudo-terminal. What the controller
    says goes to var/BOARD/run.log; its journal, keys and sockets lie there too.
    """
    from boards.card_tables import is_card_table
    from firmware.config.choice import choose_game, read_config, warn_unverified
    from firmware.lib.places import STATE_FOLDER
    from tools.virtual.choice import check_pace, check_preset
    from tools.virtual.table_runner import play_table

    config = read_config(config_path)
    game = choose_game(board, config)  # a mistake is told here, not in the log
    if game.board["provider"] != "virtual":
        raise Failure(
            USAGE,
            Message(
                "{board} has a real wheel: use cylindre run and cylindre display.", board=board
            ),
        )
    options = ["--board", board]
    is_cards = is_card_table(game.board)
    if not is_cards:
        options += ["--wheel", check_preset(wheel, game.board)]
        check_pace(pace, game.board)
        warn_unverified(game)
    elif wheel is not None or pace != 1:
        text = Message("--wheel and --pace are of a wheel; {board} is a card table.", board=board)
        raise Failure(USAGE, text)
    chosen = (
        ("--seed", seed),
        ("--coups", coups),
        ("--config", config_path),
        ("--pace", None if is_cards else pace),
    )
    for name, value in chosen:
        if value is not None:
            options += [name, str(value)]
    key_folder = Path(config.keys) if config.keys else None
    folder = STATE_FOLDER / board
    ctx.exit(
        play_table(options, folder, key_folder=key_folder, page_port=page_port, has_guide=is_cards)
    )
