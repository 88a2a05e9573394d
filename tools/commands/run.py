"""`cylindre run`: the controller plays on a board's wheel."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boards.card_tables import is_card_table
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, translated
from tools.commands.config_help import WithKeys

if TYPE_CHECKING:
    from contextlib import ExitStack

    from firmware.config import Config
    from firmware.config.game import Game
    from firmware.core.house import House
    from firmware.run.parts import Keep, OpenRecorder, OpenTable, OpenVirtual


@click.command(
    cls=WithKeys,
    epilog="""\b
    Examples:
      cylindre run --board roulette_ref
      cylindre run --board roulette_ref --wheel W2 --seed 7 --coups 3 --json
      cylindre run --board vingt_trois_ref --coups 3
      cylindre run --config /etc/cylindre/wheel.toml --port /dev/ttyUSB0

    Keys, journal, people and sockets lie in ./var/BOARD/ unless said otherwise. A key
    of the wheel is made there where there is none.

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
@click.option("--port", metavar="PORT", help="Serial line to the displays and terminals.")
@click.option(
    "--keys",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The wheel's key and those of displays and terminals: cylindre provision makes them."
    "  [default: var/BOARD/keys]",
)
@click.option(
    "--journal",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where coups are recorded  [default: var/BOARD/journal.db]",
)
@click.option(
    "--fram",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Stands in for the FRAM chip: knows where the journal ends, so that none can be cut.",
)
@click.option(
    "--socket",
    "sockets",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the sockets lie; a virtual wheel with a --journal takes a new folder where another"
    " wheel has that.  [default: var/BOARD]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="The virtual wheel's chance; in real time numbers still depend on the machine's pace."
    "  [default: any]",
)
@click.option("--wheel", metavar="WHEEL", help="The virtual wheel: W1, W2; V1; B1.")
@click.option(
    "--wheel-port",
    metavar="TTY",
    help="A virtual board's wheel is in another process, at the end of this line (docs/hil.md).",
)
@click.option(
    "--pace",
    type=int,
    default=1,
    metavar="N",
    help="The virtual wheel and all that waits for it go N times as fast as real time, displays and"
    " people do not (docs/simulator.md).  [default: 1]",
)
@click.option("--coups", type=click.IntRange(min=1), help="Stop after so many  [default: never]")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep the last coups there as they were seen and decided: cylindre replay plays them.",
)
@click.option(
    "--record-coups",
    type=click.IntRange(1, 1_000),
    default=20,
    show_default=True,
    help="How many of them.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def command(
    ctx: click.Context,
    board: str | None,
    config_path: Path | None,
    port: str | None,
    keys: Path | None,
    journal: Path | None,
    fram: Path | None,
    sockets: Path | None,
    seed: int | None,
    wheel: str | None,
    wheel_port: str | None,
    pace: int,
    coups: int | None,
    record: Path | None,
    record_coups: int,
    as_json: bool,
) -> None:
    """Play coups on the wheel of a board; a virtual board brings its own wheel, in real time.

    Prints what happens, tells the displays, records every coup before it is shown. A display or
    port that vanishes does not stop the wheel. Ctrl-C stops it, rotor off.
    """
    from firmware.lib.lean import without_openssl

    with without_openssl():
        from firmware.run.options import Typed, choose
        from firmware.run.play import play
        from firmware.text.event_text import json_line

    def opens(game: Game) -> OpenVirtual | OpenTable | None:
        if record is not None and is_card_table(game.board):
            raise Failure(
                USAGE,
                N_("--record keeps coups of a wheel: of a round of cards the journal has all."),
            )
        return _virtual(game, wheel=wheel, seed=seed, port=wheel_port, pace=pace)

    choices = choose(
        Typed(board, config_path, port, keys, journal, fram, sockets, record, coups),
        virtual=opens,
        recorder=None if record is None else _recorder(record, record_coups),
        line=json_line if as_json else _for_people,
        started_us=ctx.obj if isinstance(ctx.obj, int) else time.monotonic_ns() // 1000,
    )
    ctx.exit(play(choices))


def _for_people(fact: Any) -> str | None:
    """The line of a fact in the language of who reads it; None for an order."""
    from firmware.text.event_text import human_line

    line = human_line(fact)
    return None if line is None else translated(line)


def _virtual(
    game: Game, *, wheel: str | None, seed: int | None, port: str | None, pace: int
) -> OpenVirtual | OpenTable | None:
    """What opens the wheel of a virtual board; None for a real one. Raises Failure."""
    if is_card_table(game.board):
        return _virtual_table(game, wheel=wheel, seed=seed, port=port, pace=pace)
    if game.board["provider"] != "virtual":
        if seed is not None or wheel is not None or port is not None:
            text = Message(
                "--seed, --wheel and --wheel-port are for a virtual wheel; {board} has a real one.",
                board=game.board["name"],
            )
            raise Failure(USAGE, text)
        if pace != 1:
            from tools.virtual.choice import check_pace

            check_pace(pace, game.board)
        return None
    from tools.virtual.choice import check_pace, check_preset
    from tools.virtual.provider import BuiltIn, Remote

    check_preset(wheel, game.board)
    if port is not None and (seed is not None or wheel is not None):
        raise Failure(
            USAGE, N_("The wheel at --wheel-port has its own chance: give no --seed, --wheel.")
        )
    check_pace(pace, game.board, port)
    return BuiltIn(wheel, seed, pace) if port is None else Remote(port)


def _virtual_table(
    game: Game, *, wheel: str | None, seed: int | None, port: str | None, pace: int
) -> OpenTable | None:
    """What opens the card table of a virtual board; None for a real one. Raises Failure."""
    if wheel is not None or port is not None or pace != 1:
        raise Failure(
            USAGE,
            Message(
                "--wheel, --wheel-port and --pace are of a wheel; {board} is a card table.",
                board=game.board["name"],
            ),
        )
    if game.board["provider"] != "virtual":
        if seed is not None:
            text = Message(
                "--seed is for a virtual table; {board} has a real one.", board=game.board["name"]
            )
            raise Failure(USAGE, text)
        return None
    from tools.virtual.card_provider import BuiltInTable

    return BuiltInTable(seed)


def _recorder(folder: Path, kept: int) -> OpenRecorder:
    """What opens the recorder of the last coups."""

    def opened(game: Game, config: Config, house: House, stack: ExitStack) -> Keep:
        from firmware.services.recorder.recorder import open_recorder

        return open_recorder(folder, kept, game=game, config=config, house=house, stack=stack)

    return opened
