"""What is looked at together: a machine, the board it is to be, and where its wheel's files lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from boards import raspberry
from firmware.config import Config, ConfigError, load
from tools import places
from tools.doctor.machine import Machine
from tools.games import load_board
from tools.pinout.header import of_this_machine

# On a device: tools/device/systemd.
CONFIGURATION = Path("/etc/cylindre/wheel.toml")
STATE = Path("/var/lib/cylindre")
CERTIFICATES = "selftest"  # of self-tests, a folder beside the journal


class Files(NamedTuple):
    """Where a wheel's files lie."""

    journal: Path
    keys: Path
    people: Path
    sockets: Path
    records: Path  # of coups as they were seen: cylindre run --record
    certificates: Path  # of self-tests


class Case(NamedTuple):
    """What every check is given."""

    machine: Machine
    board: dict[str, Any] | None  # None: nobody said which
    config: Config
    mistakes: tuple[str, ...]  # of the configuration

    @property
    def files(self) -> Files | None:
        """Where the wheel's files lie, from the machine's root on; None without a board."""
        if self.board is None:
            return None
        files = _files(self.machine, self.board["name"], self.config)
        if not self.machine.here:
            return files
        return Files(*[path.absolute() for path in files])

    def port(self, board: dict[str, Any]) -> str | None:
        """The tty of the displays' line; None where the board has none."""
        if self.config.port is not None:
            return self.config.port
        kind, number = board["buses"].get("displays", ("", 0))
        paths = {at: path for at, path, _ in raspberry.MODELS[board["model"]]["uarts"]}
        return paths.get(number) if kind == "uart" else None


def _files(machine: Machine, board: str, config: Config) -> Files:
    """As the units of a device have it, where one is; else as `cylindre run --board` has it."""
    device = machine.path(STATE).is_dir() and machine.path(CONFIGURATION).exists()
    folder = STATE if device else places.STATE_FOLDER / board
    journal = Path(config.journal) if config.journal else folder / places.JOURNAL
    return Files(
        journal=journal,
        keys=Path(config.keys) if config.keys else folder / places.KEYS,
        people=Path(config.people) if config.people else journal.with_name(places.PEOPLE),
        sockets=places.DEVICE_SOCKETS if device else folder,
        records=folder / "coups",
        certificates=journal.parent / CERTIFICATES,
    )


def open_case(machine: Machine, board: str | None, config_file: Path | None) -> Case:
    """The case of a board; where none is named, of the one that configuration or machine name.

    Raises Failure for a board that is not known.
    """
    config = Config()
    mistakes: tuple[str, ...] = ()
    if config_file is None and machine.path(CONFIGURATION).exists():
        config_file = machine.path(CONFIGURATION)
    if config_file is not None:
        try:
            config = load(config_file)
        except ConfigError as error:
            mistakes = tuple(error.sentences)
    name = board or config.board or next(iter(of_this_machine(machine.root)), None)
    return Case(machine, None if name is None else load_board(name), config, mistakes)
