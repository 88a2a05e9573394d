"""Which wheel is meant: its board, its configuration, and where its files lie, if nobody says.

One rule for every tool (docs/service.md): the folder of the sockets that the command line names;
else of the wheel of the board that it names; else of the wheel that runs here, below var/ or as a
device's; else of the one that has left its files here. Where these are several nobody guesses. A
demo's is meant only where it plays, nobody names a board, and no other is here.

The wheel of that folder has what its controller was started with, as it leaves it in RUN; a device
has what its units and its configuration say. Where neither tells the board, the folder does, which
`cylindre run` calls after it; else the machine.

In all of these `sockets` is the folder of the controller's sockets (None: nobody asks a
controller), and `root` where the machine's files begin, for the card of another machine.
"""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import boards
from boards import raspberry
from firmware.config.choice import choose_game, read_config
from firmware.lib import durable, places
from firmware.lib.errors import NO_DEVICE, USAGE, Failure
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named, open_file

if TYPE_CHECKING:
    from firmware.config import Config
    from firmware.config.game import Game

HERE = Path("/")
MODEL_FILE = "proc/device-tree/model"
_MODEL_MAX = 256  # bytes
_STARTED_MAX = 65_536  # bytes: six paths of the longest
_LEFT = (places.CONTROL, places.RUN, places.JOURNAL, places.PEOPLE, places.KEYS)


class Files(NamedTuple):
    """Where a wheel's files lie."""

    journal: Path
    keys: Path
    people: Path
    sockets: Path
    records: Path  # of coups as they were seen: cylindre run --record
    certificates: Path  # of self-tests


class Started(NamedTuple):
    """What a controller was started with."""

    board: str
    wheel: str  # its name
    config: Path | None
    journal: Path
    keys: Path
    people: Path
    records: Path | None  # of coups as they were seen; None: it keeps none


def leave(started: Started, sockets: Path) -> None:
    """Leaves it beside the sockets, for whoever looks for this wheel. Raises OSError.

    What lies below them is named from there, so that the folder may be moved.
    """
    folder = sockets.absolute()
    said: dict[str, str | None] = {}
    for name, each in started._asdict().items():
        path = each.absolute() if isinstance(each, Path) else None
        below = path is not None and path.is_relative_to(folder)
        said[name] = each if path is None else str(path.relative_to(folder) if below else path)
    durable.replace(folder / places.RUN, json.dumps(said).encode() + b"\n", 0o644)


def left(sockets: Path | None) -> Started | None:
    """Returns what was left there; None where nothing was, or what no controller of ours left.

    Root heeds what root or the folder's owner has left, and nobody else.
    """
    if sockets is None:
        return None
    try:
        with open_file(sockets / places.RUN) as file:
            owner = os.fstat(file.fileno()).st_uid
            if os.geteuid() == 0 and owner not in (0, sockets.stat().st_uid):
                return None
            said = json.loads(file.read(_STARTED_MAX))
        board, wheel, *names = [said[name] for name in Started._fields]
        folder = sockets.absolute()
        config, journal, keys, people, records = [_left_path(folder, name) for name in names]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    known = board in boards.NAMES and isinstance(wheel, str) and wheel.isprintable()
    if not known or journal is None or keys is None or people is None:
        return None
    return Started(board, wheel, config, journal, keys, people, records)


def _left_path(folder: Path, name: str | None) -> Path | None:
    """Returns the path of that name. Raises TypeError or ValueError for what can be none."""
    if name is None:
        return None
    encoded = os.fsencode(name)
    if not encoded or b"\0" in encoded:
        raise ValueError
    return folder / name


def name_of(sockets: Path) -> str:
    """Returns what people call the wheel there."""
    started = left(sockets)
    return sockets.absolute().name if started is None else started.wheel


def find(
    sockets: Path | None = None, board: str | None = None, *, option: str = "--socket"
) -> Path | None:
    """Returns the folder of the sockets of the wheel that is meant; None where none is here.

    `board`: which is meant, where somebody says it: the wheel where `cylindre run` has that board,
    if it is there, and a new one will be there too. `option`: by which to choose. Raises Failure
    where several may be meant.
    """
    if sockets is not None:
        return sockets
    here = _here()
    if board is not None:
        own = places.STATE_FOLDER / board
        here = [] if _is_there(own) else [each for each in here if _may_be(each, board)]
        here = here or [own]
    if len(here) > 1:
        here = [each for each in here if _runs(each)] or here
    if len(here) > 1:
        text = Message(
            "Several wheels are here: {names}. Say with {option} which is meant.",
            names=", ".join(map(str, here)),
            option=option,
        )
        raise Failure(USAGE, text)
    return here[0] if here else None


def meant(
    sockets: Path | None = None, board: str | None = None, *, option: str = "--socket"
) -> Path:
    """Returns the folder of the sockets of the wheel that is meant, as `find`. Raises Failure."""
    found = find(sockets, board, option=option)
    if found is None:
        text = Message(
            "No wheel is here. Start one with cylindre run, or say with {option} which is meant.",
            option=option,
        )
        raise Failure(NO_DEVICE, text)
    return found


def files_meant(
    sockets: Path | None = None, board: str | None = None, *, option: str = "--socket"
) -> Files:
    """Returns where the files of the wheel that is meant lie. Raises Failure."""
    folder = meant(sockets, board, option=option)
    return files_of(board, read_config(config_file(None, folder)), folder)


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
    if not are_devices(sockets):
        started = left(sockets)
        return None if started is None else started.config
    own = _below(root, places.CONFIG_FILE)
    return own if own.exists() else None


def board_name(
    given: str | None, config: Config, sockets: Path | None, root: Path = HERE
) -> str | None:
    """Returns the name of its board, which may be none that is known.

    None where nothing says it.
    """
    folder = None if sockets is None else sockets.resolve().name
    started = None if are_devices(sockets) else left(sockets)
    named = given or (config.board if started is None else started.board)
    named = named or (folder if folder in boards.NAMES else None)
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


def files_of(board: str | None, config: Config, sockets: Path | None, root: Path = HERE) -> Files:
    """Returns them as a device's units have them, where this is its wheel; else as `run` has.

    From `root` on; absolute on this machine. `board`: needed where nobody names sockets.
    """
    started = left(sockets)
    device = are_devices(sockets) and all(
        _below(root, path).exists() for path in (places.CONFIG_FILE, places.DEVICE_STATE)
    )
    folder = places.DEVICE_STATE if device else sockets or places.STATE_FOLDER / str(board)
    records = folder / places.RECORDS
    if started is not None:
        records = started.records or records
    if started is not None and not device:
        return Files(
            journal=started.journal,
            keys=started.keys,
            people=started.people,
            sockets=folder.absolute(),
            records=records,
            certificates=started.journal.parent / places.CERTIFICATES,
        )
    journal = Path(config.journal) if config.journal else folder / places.JOURNAL
    files = Files(
        journal=journal,
        keys=Path(config.keys) if config.keys else folder / places.KEYS,
        people=Path(config.people) if config.people else journal.with_name(places.PEOPLE),
        sockets=places.DEVICE_SOCKETS if device else folder,
        records=records,
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


def are_devices(sockets: Path | None) -> bool:
    """Returns whether these are the sockets of a device, by whatever path; None: nobody's are."""
    return sockets is None or sockets.resolve() == places.DEVICE_SOCKETS.resolve()


def _here() -> list[Path]:
    """Returns the folders of all wheels that are here, running or not.

    Of demos those that play, where no other wheel is here.
    """
    below = [
        folder
        for folder in sorted(places.STATE_FOLDER.glob("*"))
        if any(_is_there(folder / name) for name in _LEFT)
    ]
    found = [folder for folder in below if not is_demo(folder)]
    if _is_there(places.DEVICE_SOCKETS / places.CONTROL) or _is_there(places.CONFIG_FILE):
        found.append(places.DEVICE_SOCKETS)
    return found or [folder for folder in below if _runs(folder)]


def is_demo(folder: Path) -> bool:
    """Returns whether it is the folder of a `cylindre demo`, which is removed at its end."""
    return _is_there(folder / places.DEMO)


def _may_be(folder: Path, board: str) -> bool:
    """Returns whether the wheel there may be of that board.

    A device's may be of any that has a header, and a demo's is of none.
    """
    if are_devices(folder):
        return board in with_header()
    started = left(folder)
    return started is not None and started.board == board and not is_demo(folder)


def _is_there(path: Path) -> bool:
    """Returns whether that is there; False where nobody may look."""
    try:
        return path.exists()
    except OSError:
        return False


def _runs(folder: Path) -> bool:
    """Returns whether a controller listens there: a socket stays where one was killed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.setblocking(False)
        try:
            line.connect(str(folder / places.CONTROL))
        except (PermissionError, BlockingIOError):
            return True
        except OSError:
            return False
    return True


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to("/")
