"""What a first configuration is made of: the files that a new wheel takes, and no others.

    wheel.toml       what the house chooses
    conf.d/*.toml    more of the same
    NAME.toml        the layout that [game] layout names
    people.jsonl     who may, with a PIN (cylindre people)
    keys/            of the wheel, its displays and terminals (cylindre provision)

Only wheel.toml must be there. No link is followed, and everything has a limit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from firmware import config
from firmware.bus.terminal_messages import ADDRESS_MAX
from firmware.config import layout_file
from firmware.keys import folder as keys
from firmware.keys import people, rotation
from firmware.lib.errors import CONFIGURATION, Failure, cause
from firmware.lib.language import Message, listed
from firmware.lib.named_file import begin_named
from firmware.lib.places import KEYS, PEOPLE

MAIN = config.MAIN
MORE = config.FOLDER
_KEYS = Path(KEYS)
_ADDRESSES = range(1, ADDRESS_MAX + 1)
# fmt: off
SECRETS = (
    PEOPLE,
    str(keys.wheel_file(_KEYS)),
    *(str(keys.display_file(_KEYS, address)) for address in _ADDRESSES),
    *(str(keys.terminal_file(_KEYS, address)) for address in _ADDRESSES),
)
# fmt: on
_CHAIN = str(rotation.chain_file(_KEYS))
_OPEN = (str(keys.public_file(_KEYS)), str(keys.epoch_file(_KEYS)))
_KEY_FILE_MAX = 256  # bytes: a key has 65
_ENTRIES_MAX = 256  # of one folder; 64 files in conf.d and 66 keys is the most that can be used
_TOML = re.compile(rf"({re.escape(MORE)}/)?[A-Za-z0-9_][A-Za-z0-9_.-]{{0,63}}\.toml")

Files = dict[str, bytes]  # by the name below the folder, as "keys/wheel.pub"


def read(path: Path) -> Files:
    """The files of the folder `path`; or that one file, which is wheel.toml then.

    Raises Failure with every mistake. What begins with a dot is an editor's, or a Mac's.
    """
    wrong: list[str] = []
    files: Files = {}
    if not path.is_dir():
        _take(path, MAIN, files, wrong)  # by itself it may have any name
    else:
        for name in _names(path, wrong):
            if name in (MORE, KEYS) and (path / name).is_dir() and not (path / name).is_symlink():
                for below in _names(path / name, wrong):
                    _take(path / name / below, f"{name}/{below}", files, wrong)
            else:
                _take(path / name, name, files, wrong)
        if not wrong and MAIN not in files:
            wrong.append(
                Message(
                    "{path} has no {main}: that is what makes it a configuration.",
                    path=path,
                    main=MAIN,
                )
            )
    if wrong:
        raise Failure(CONFIGURATION, listed(wrong, "\n"))
    return files


def is_key(name: str) -> bool:
    """Whether a file is one of the folder of keys."""
    return name.startswith(f"{KEYS}/")


def _limit(name: str) -> int | None:
    """How many bytes such a file may have; None for one that no wheel takes."""
    if name == PEOPLE:
        return people.FILE_MAX
    if name in SECRETS or name in _OPEN:
        return _KEY_FILE_MAX
    if name == _CHAIN:
        return rotation.CHAIN_MAX
    return max(config.FILE_MAX, layout_file.FILE_MAX) if _TOML.fullmatch(name) else None


def _names(folder: Path, wrong: list[str]) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        wrong.append(
            Message(
                "{folder}: {why}. Give a folder that can be read.",
                folder=folder,
                why=cause(error),
            )
        )
        return []
    if len(names) > _ENTRIES_MAX:
        wrong.append(
            Message(
                "{folder} has {count} files: no wheel takes more than {entries_max}.",
                folder=folder,
                count=len(names),
                entries_max=_ENTRIES_MAX,
            )
        )
        return []
    return names


def _take(path: Path, name: str, files: Files, wrong: list[str]) -> None:
    """Adds the file to `files`, or why not to `wrong`."""
    most = _limit(name)
    if most is None:
        wrong.append(
            Message(
                "{path}: a wheel takes {main}, {more}/*.toml, a layout, {people} and {keys}/"
                " alone. Take it away, or correct its name.",
                main=MAIN,
                more=MORE,
                people=PEOPLE,
                keys=KEYS,
                path=path,
            )
        )
        return
    try:
        data = begin_named(path, most + 1)
    except (OSError, ValueError) as error:
        why = cause(error) if isinstance(error, OSError) else str(error)
        wrong.append(Message("{path}: {why}. Give a file that can be read.", path=path, why=why))
        return
    if len(data) > most:
        wrong.append(
            Message(
                "{path}: longer than {most} bytes, so not what its name says.", path=path, most=most
            )
        )
    else:
        files[name] = data
