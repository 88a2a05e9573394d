"""Which wheel is meant: its board, its configuration, and where its files lie, if nobody says.

One order for every tool: what the command line names; else a device's own configuration, where the
sockets are the device's; else the folder of the sockets, which `cylindre run` calls after its
board; else the machine.

In all of these `sockets` is the folder of the controller's sockets (None: nobody asks a
controller), and `root` where the machine's files begin, for the card of another machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import boards
from boards import raspberry
from firmware.config.choice import choose_game, read_config
from firmware.lib import places
from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.config.game import Game

HERE = Path("/")
MODEL_FILE = "proc/device-tree/model"
_MODEL_MAX = 256  # bytes


class Files(NamedTuple):
    """Where a wheel's files lie."""

    journal: Path
    keys: Path
    people: Path
    sockets: Path
    records: Path  # of coups as they were seen: cylindre run --record
    certificates: Path  # of self-tests


def with_header() -> list[str]:
    """Returns the boards that have a header."""
    return [name for name in boards.NAMES if boards.load(name)["provider"] == "pi"]


def of_this_machine(root: Path = HERE) -> list[str]:
    """Returns the boards that this machine may be: none where it is no Pi that we know."""
    try:
        # The kernel's is a link to /sys.
        machine = begin_named(root / MODEL_FILE, _MODEL_MAX, follow=True)
    except OSError:
        return []
    model = raspberry.model_called(machine.decode(errors="replace").rstrip("\0\n"))
    return [name for name in with_header() if boards.load(name)["model"] == model]


def config_file(given: Path | None, sockets: Path | None, root: Path = HERE) -> Path | None:
    """Returns the wheel's configuration; None where it has none."""
    if given is not None:
        return given
    own = _below(root, places.CONFIG_FILE)
    return own if _are_devices(sockets) and own.exists() else None


def board_name(
    given: str | None, config: Config, sockets: Path | None, root: Path = HERE
) -> str | None:
    """Returns the name of its board, which may be none that is known.

    None where nothing says it.
    """
    folder = None if sockets is None else sockets.resolve().name
    named = given or config.board or (folder if folder in boards.NAMES else None)
    return named or next(iter(of_this_machine(root)), None)


def game_of(board: str | None, config: Path | None, sockets: Path) -> tuple[Game, Config]:
    """Returns the game of the wheel at these sockets, and what the house chose. Raises Failure."""
    chosen = read_config(config_file(config, sockets))
    return game_with(board, chosen, sockets), chosen


def game_with(board: str | None, config: Config, sockets: Path) -> Game:
    """Returns the game of the wheel at these sockets, with these choices of the house.

    Raises Failure.
    """
    name = board_name(board, config, sockets)
    if name is None:
        text = Message(
            "Which board? Give --board, or --config with one; cylindre boards lists them."
        )
        raise Failure(USAGE, text)
    return choose_game(name, config)


def files_of(board: str, config: Config, sockets: Path | None, root: Path = HERE) -> Files:
    """Returns them as a device's units have them, where this is its wheel; else as `run` has.

    From `root` on; absolute on this machine.
    """
    device = _are_devices(sockets) and all(
        _below(root, path).exists() for path in (places.CONFIG_FILE, places.DEVICE_STATE)
    )
    folder = places.DEVICE_STATE if device else sockets or places.STATE_FOLDER / board
    journal = Path(config.journal) if config.journal else folder / places.JOURNAL
    files = Files(
        journal=journal,
        keys=Path(config.keys) if config.keys else folder / places.KEYS,
        people=Path(config.people) if config.people else journal.with_name(places.PEOPLE),
        sockets=places.DEVICE_SOCKETS if device else folder,
        records=folder / places.RECORDS,
        certificates=journal.parent / places.CERTIFICATES,
    )
    return Files(*[path.absolute() for path in files]) if root == HERE else files


def displays_port(board: dict[str, Any], config: Config) -> str | None:
    """Returns the tty of the displays' line: the house's, else the board's; None where neither has
    one.
    """
    kind, number = board["buses"].get("displays", ("", 0))
    if config.port is not None or kind != "uart":
        return config.port
    return raspberry.uart_path(board["model"], number)


def _are_devices(sockets: Path | None) -> bool:
    return sockets is None or sockets.resolve() == places.DEVICE_SOCKETS.resolve()


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")
