"""The files and folders that a configuration names: whether they can be what they are named for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import boards
from firmware.config import Config
from firmware.core.house import CROUPIER, MANAGEMENT, PEOPLE
from firmware.lib.language import Message
from firmware.lib.places import DEVICE_STATE


class Wrong(NamedTuple):
    """A key, and a sentence; of a notice: the wheel plays with it."""

    section: str
    key: str
    text: str
    is_notice: bool = False


_ETC = Path("/etc")  # ProtectSystem=strict in tools/image/systemd/cylindre.service


def check(config: Config, board: str | None) -> list[Wrong]:
    """Returns what is wrong with them."""
    return [*_twice(config), *_read_only(config), *_people(config, board), *_keys(config)]


def _twice(config: Config) -> list[Wrong]:
    """Two keys that name one file: each would destroy what the other keeps."""
    named = (
        ("store", "journal", config.journal),
        ("store", "fram", config.fram),
        ("stakes", "orphelins", config.orphelins),
        ("people", "file", config.people),
        ("game", "layout", config.layout),
    )
    wrong = []
    seen: dict[str, str] = {}
    for section, key, path in named:
        if path is None:
            continue
        real = os.path.realpath(path)
        if real in seen:
            text = Message(
                "{key} names the file of {seen}. Each needs one of its own.",
                key=key,
                seen=seen[real],
            )
            wrong.append(Wrong(section, key, text))
        seen.setdefault(real, f"[{section}] {key}")
    return wrong


def _read_only(config: Config) -> list[Wrong]:
    """Files that the wheel writes, where its service may only read."""
    written = (
        ("people", "file", config.people),
        ("store", "journal", config.journal),
        ("store", "fram", config.fram),
        ("stakes", "orphelins", config.orphelins),
    )
    return [
        Wrong(
            section,
            key,
            Message(
                "{path}: the wheel may not write there. Give {device_state}.",
                path=path,
                device_state=DEVICE_STATE / name,
            ),
            is_notice=True,
        )
        for section, key, path in written
        if path is not None and Path(path).is_relative_to(_ETC) and (name := Path(path).name)
    ]


def _people(config: Config, board: str | None) -> list[Wrong]:
    if config.people is None:
        return []
    from firmware.core.coup.manual import CROUPIERS_KEY
    from firmware.keys import people  # here, as below: most files name none

    path = Path(config.people)
    try:
        roles = {person.role for person in people.load(path)}
    except FileNotFoundError:
        roles = set()
    except people.PeopleError as error:
        unseen = _unseen(path)
        return [Wrong("people", "file", unseen or text, bool(unseen)) for text in error.sentences]
    has_keys = board is not None and CROUPIERS_KEY in dict(boards.load(board)["inputs"])
    if config.undetected != PEOPLE or has_keys or {CROUPIER, MANAGEMENT} <= roles:
        return []
    return [
        Wrong(
            "people",
            "file",
            Message(
                "nobody can enter a number yet: {path} needs a croupier and one of the"
                " management. See cylindre people --help.",
                path=path,
            ),
            is_notice=True,
        )
    ]


def _keys(config: Config) -> list[Wrong]:
    if config.keys is None:
        return []
    from firmware.keys import folder as keys
    from firmware.lib.errors import Failure

    folder = Path(config.keys)
    wrong = []
    for key, read in (
        ("keys", lambda: keys.read_private(folder)),
        ("displays", lambda: keys.read_displays(folder, config.displays or 0)),
        ("terminals", lambda: keys.read_terminals(folder, config.terminals or 0)),
    ):
        try:
            read()
        except (Failure, OSError) as error:
            unseen = _unseen(folder / "wheel.key")
            section = "stakes" if key == "terminals" else "bus"
            wrong.append(Wrong(section, key, unseen or str(error), bool(unseen)))
    return wrong if not wrong or not wrong[0].is_notice else wrong[:1]


def _unseen(path: Path) -> str | None:
    """A sentence if it is not for this user to read: then nothing is known of it."""
    try:
        path.stat()
    except PermissionError:
        readable = False
    except OSError:
        return None
    else:
        readable = os.access(path, os.R_OK)
    return (
        None
        if readable
        else Message("{path} is not for you to read, so it is not checked.", path=path)
    )
