"""The configuration of one wheel: TOML files, read whole, checked whole, or not used at all.

    /etc/cylindre/wheel.toml      what the house chooses
    /etc/cylindre/conf.d/*.toml   more of the same, by name: a later file wins, key by key

Every mistake in any of them is found at once, with its line and what was probably meant. Beside a
file of another name nothing else is read.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware.config.keys import BAUD, KEYS, MANY, Config, kept
from firmware.config.survey import FORMAT, ConfigError, Mistake, Source, SourcedValue, Survey
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named

__all__ = [
    "BAUD",
    "FORMAT",
    "KEYS",
    "Config",
    "ConfigError",
    "Mistake",
    "Source",
    "SourcedValue",
    "decoded",
    "load",
    "made",
    "parse",
    "read",
    "sound_part",
    "survey",
]

FILE_MAX = 65_536  # bytes
MAIN = "wheel.toml"
FOLDER = "conf.d"
FILES_MAX = 64  # in the folder: nobody could follow more
_ALL_MAX = 4 * FILE_MAX  # bytes of all of them together


def load(path: Path) -> Config:
    """Returns the configuration in `path` and beside it.

    Raises ConfigError with every mistake in it.
    """
    return _sound(survey(path))


def sound_part(path: Path) -> tuple[Config, list[Mistake]]:
    """Returns what is right in it, and what is not.

    For what has to come up with any configuration.
    """
    try:
        found = survey(path)
    except ConfigError as error:
        return Config(), error.mistakes
    return made(found.said, found.folder), found.mistakes


def parse(text: str, name: str = "config") -> Config:
    """Returns the configuration written in `text`; `name` stands in front of the line numbers.

    It lies in no folder: relative paths stay so.
    """
    found = Survey(name)
    found.add_file(Source(name, text))
    return _sound(found)


def survey(path: Path, main: Source | None = None) -> Survey:
    """Returns what `load` reads, with who says what, and what is wrong of it.

    `main`: stands in the place of what is in `path`. Raises ConfigError, one sentence, if one of
    the files is of a newer program.
    """
    found = Survey(str(path) if main is None else main.name, path.parent)
    if main is not None:
        found.add_file(main)
    size = 0 if main is None else len(main.text)
    for file in ([path] if main is None else []) + _beside(path, found):
        try:
            source = read(file)
        except ConfigError as error:
            found.unread(error.mistakes)
            continue
        size += len(source.text)
        if size > _ALL_MAX:
            text = Message(
                "with the files before it longer than {all_max} bytes, so not a configuration.",
                all_max=_ALL_MAX,
            )
            found.unread([Mistake(str(file), 0, text)])
            break
        found.add_file(source)
    return found


def made(said: Mapping[tuple[str, str], SourcedValue], folder: Path = Path()) -> Config:
    """Returns what was said, as the program keeps it. `folder`: where relative paths begin."""
    values: dict[str, Any] = {}
    keys = {(key.section, key.name): key for key in KEYS}
    for place, (value, _, _) in said.items():
        key = keys[place]
        if key.section in MANY:
            values.setdefault(key.field, {})[key.name] = value
        elif key.is_path:
            values[key.field] = str(folder / value)
        else:
            values[key.field] = kept(key, value)
    return Config(**values)


def read(path: Path) -> Source:
    """Returns one file. Raises ConfigError if it cannot be read, is too long, or no text."""
    name = str(path)
    try:
        data = begin_named(path, FILE_MAX + 1, own_handles=True)
    except OSError as error:
        text = Message("{why}. Give a file that can be read.", why=cause(error))
        raise ConfigError([Mistake(name, 0, text)]) from None
    except ValueError:
        raise ConfigError(
            [Message("The path of the configuration has a null character.")]
        ) from None
    return decoded(name, data)


def decoded(name: str, data: bytes) -> Source:
    """Returns the text of a file's bytes. Raises ConfigError if they are too many, or no text."""
    if len(data) > FILE_MAX:
        text = Message("longer than {file_max} bytes, so not a configuration.", file_max=FILE_MAX)
        raise ConfigError([Mistake(name, 0, text)])
    try:
        return Source(name, data.decode("utf-8-sig"))  # Windows' Notepad may mark it
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = Message("this is not UTF-8 text. Save it as UTF-8.")
        raise ConfigError([Mistake(name, line, text)]) from None


def _sound(found: Survey) -> Config:
    if found.mistakes:
        raise ConfigError(found.mistakes)
    return made(found.said, found.folder)


def _beside(path: Path, found: Survey) -> list[Path]:
    """Returns the files of the folder beside a main file, by name; tells `found` what is none."""
    folder = path.parent / FOLDER
    if path.name != MAIN:
        return []
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        text = Message(
            "{why}. Make it a folder that can be read, or remove it.",
            why=cause(error),
        )
        found.unread([Mistake(str(folder), 0, text)])
        return []
    # An editor's own files begin with a dot.
    files = [folder / name for name in names if name.endswith(".toml") and name[0] != "."]
    if len(files) > FILES_MAX:
        text = Message(
            "there are {count} files; {files_max} at most are read. Join some of them.",
            count=len(files),
            files_max=FILES_MAX,
        )
        found.unread([Mistake(str(folder), 0, text)])
        return []
    return files
