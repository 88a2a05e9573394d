"""What is looked at together: a machine, the board it is to be, and where its wheel's files lie."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import Config, ConfigError, made, survey, this_wheel
from firmware.config.choice import load_board
from firmware.config.survey import Survey
from firmware.config.this_wheel import Files
from firmware.lib import places
from firmware.lib.errors import Failure
from firmware.services.update import release
from tools.technician.doctor.machine import Machine


class Case(NamedTuple):
    """What every check is given."""

    machine: Machine
    board: dict[str, Any] | None  # None: nobody said which
    config: Config  # of one with mistakes all that is right
    mistakes: tuple[str, ...]  # of the configuration
    sockets: Path | None = None  # their folder; None: no wheel is here, or this is a card
    hidden: tuple[str, ...] = ()  # of `keys` and `people`: mistakes may hide where they lie

    @property
    def files(self) -> Files | None:
        """Where the wheel's files lie, from the machine's root on; None without a board."""
        if self.board is None:
            return None
        machine, sockets = self.machine, self.sockets
        if machine.is_image and not machine.runs:
            sockets = places.DEVICE_STATE  # nothing is bound to it, so it does not look like it
        return this_wheel.files_of(self.board["name"], self.config, sockets, machine.root)

    def port(self, board: dict[str, Any]) -> str | None:
        """The tty of the displays' line; None where the board has none."""
        return this_wheel.displays_port(board, self.config)


def open_case(
    machine: Machine, board: str | None, config_file: Path | None, sockets: Path | None = None
) -> Case:
    """The case of the wheel that is meant, as firmware.config.this_wheel finds it; of none where
    only the machine is here.

    A mistake in the configuration hides nothing of what else it says, least where the keys lie.

    Raises Failure for a board that is not known, and where several wheels may be meant.
    """
    config, mistakes, hidden = _read(config_file)
    if machine.here:
        sockets = this_wheel.find(sockets, board or config.board)
    if config_file is None:
        file = this_wheel.config_file(None, sockets, machine.root)
        bound = machine.path(places.CONFIG_FILE)  # on a card, somewhere else
        if file is None and sockets is None and bound.exists():
            file = bound
        config, mistakes, hidden = _read(file)
    name = this_wheel.board_name(board, config, sockets, machine.root)
    if name is None and machine.is_image:
        with suppress(Failure):
            name = release.running(machine.root).board
    return Case(
        machine, None if name is None else load_board(name), config, mistakes, sockets, hidden
    )


def _read(file: Path | None) -> tuple[Config, tuple[str, ...], tuple[str, ...]]:
    """What a configuration says, its mistakes, and what they may hide."""
    if file is None:
        return Config(), (), ()
    try:
        found = survey(file)
    except ConfigError as error:  # of a newer program: what it says is not known
        return Config(), tuple(error.sentences), ("keys", "people")
    config = made(found.said, found.folder)
    return config, tuple(map(str, found.mistakes)), tuple(_hidden(found))


def _hidden(found: Survey) -> Iterator[str]:
    """Which of keys and people may lie elsewhere than it seems, for what says it may be broken."""

    def sure(section: str, key: str) -> bool:
        return (section, key) in found.said or not found.doubtful & {section, None}

    if not sure("bus", "keys"):
        yield "keys"
    # Those that are not said lie beside the journal.
    if ("people", "file") not in found.said and not (
        sure("people", "file") and sure("store", "journal")
    ):
        yield "people"
