"""Whether a new wheel can play with a first configuration: said on the laptop, and by the wheel.

The judgement is that of `cylindre config check`, on the files as they will lie on the wheel: what
goes to /etc/cylindre and what goes to /var/lib/cylindre lies in one folder here.
"""

from __future__ import annotations

from pathlib import Path

from firmware.config import ConfigError, Mistake, SourcedValue, survey
from firmware.config.survey import Survey
from firmware.keys import folder as keys
from firmware.keys import key_files, rotation
from firmware.lib import durable
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.lib.language import Message
from firmware.lib.places import CONFIG_FILE, DEVICE_STATE, KEYS, PEOPLE
from firmware.services.configuring import cross_checks
from tools.image import first_files
from tools.image.first_files import MAIN, Files

_ETC = CONFIG_FILE.parent
_PEOPLE = ("people", "file")
_LAYOUT = ("game", "layout")


def stage(files: Files, folder: Path) -> None:
    """Writes the files below `folder` with the modes that they need; no owner is changed."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = durable.OWNER_ONLY if name in first_files.SECRETS else durable.FOR_ALL
        durable.write_once(path, data, mode)


def judge(files: Files, folder: Path) -> list[str]:
    """What the wheel plays with though it may not be meant, as sentences.

    `folder`: where `files` are staged, and what is there already. Raises Failure with all mistakes.
    """
    try:
        found = survey(folder / MAIN)
    except ConfigError as error:
        raise Failure(CONFIGURATION, _said(error.mistakes, folder)) from None
    wrong = _paths(found, files, folder)
    mistakes, notices = cross_checks.check(found)
    wrong += [*mistakes, *_keys(found, files, folder)]
    if ("wheel", "board") not in found.said and not mistakes:
        text = Message("board is missing: a wheel that starts by itself has nobody else to say it.")
        wrong.append(Mistake(MAIN, 0, text))
    if wrong:
        raise Failure(CONFIGURATION, _said(wrong, folder))
    return _said(notices, folder).splitlines()


def _paths(found: Survey, files: Files, folder: Path) -> list[Mistake]:
    """Names the staged files in the place of those of the device; what cannot be there is wrong."""
    wrong = []
    layout, named = found.said.get(_LAYOUT), None
    if layout is not None:
        named = _below(_ETC / layout.value, _ETC)
        if named not in files:
            text = Message(
                "layout: lay {value} beside {main}, and name it without a folder.",
                value=layout.value,
                main=MAIN,
            )
            wrong.append(Mistake(layout.file, layout.line, text))
            found.doubtful.add("game")
        found.said[_LAYOUT] = layout._replace(value=str(folder / str(named)))
    for name in files:
        if "/" not in name and name not in (MAIN, PEOPLE, named):
            wrong.append(Mistake(name, 0, Message("[game] layout does not name it: take it away.")))
    people = found.said.get(_PEOPLE)
    if people is not None and _ETC / people.value != DEVICE_STATE / PEOPLE:
        text = Message(
            "file: leave it out. People are kept in {device_state}.",
            device_state=DEVICE_STATE / PEOPLE,
        )
        wrong.append(Mistake(people.file, people.line, text))
    if PEOPLE in files:
        found.said[_PEOPLE] = SourcedValue(str(folder / PEOPLE), PEOPLE, 0)
    kept = found.said.pop(("bus", "keys"), None)  # what is in them, _keys says
    if kept is not None and _ETC / kept.value != DEVICE_STATE / KEYS:
        text = Message(
            "keys: leave it out. Keys are kept in {device_state}.", device_state=DEVICE_STATE / KEYS
        )
        wrong.append(Mistake(kept.file, kept.line, text))
    found.folder = _ETC
    return wrong


def _below(path: Path, folder: Path) -> str | None:
    """The name of a file that lies right in `folder`."""
    return path.name if path.parent == folder else None


def _keys(found: Survey, files: Files, folder: Path) -> list[Mistake]:
    """What is wrong with the keys, and which are missing."""
    place = folder / KEYS
    wrong = []
    wheel, public = (str(path(Path(KEYS))) for path in (keys.wheel_file, keys.public_file))
    try:
        if public in files and wheel not in files:
            wrong.append(
                Mistake(
                    public,
                    0,
                    Message(
                        "{wheel} is missing: without it nobody can sign for {public}. Add it, or"
                        " take {public} away.",
                        wheel=wheel,
                        public=public,
                    ),
                )
            )
        for name in (name for name in files if first_files.is_key(name)):
            if name in first_files.SECRETS:
                key_files.read_secret(folder / name)
        if {wheel, public} <= files.keys():
            from firmware.store import signing

            present = rotation.public_keys(place)[-1]  # after its rotations, if it had any
            if signing.public_of(keys.read_private(place)) != present:
                wrong.append(
                    Mistake(public, 0, Message("it does not belong to {wheel}.", wheel=wheel))
                )
        keys.read_epoch(place)
    except Failure as failure:
        wrong.append(Mistake("", 0, failure.sentence))
    for section, key, file in (
        ("bus", "displays", keys.display_file),
        ("stakes", "terminals", keys.terminal_file),
    ):
        said = found.said.get((section, key))
        count = 0 if said is None else said.value
        missing = [at for at in range(1, count + 1) if str(file(Path(KEYS), at)) not in files]
        if said is not None and missing:
            text = Message(
                "{key} is {count}, and there is no {file}.",
                key=key,
                count=count,
                file=file(Path(KEYS), missing[0]),
            )
            remedy = Message(
                "cylindre provision {keys} --{key} {count} makes all.",
                keys=KEYS,
                key=key,
                count=count,
            )
            wrong.append(Mistake(said.file, said.line, f"{text} {remedy}"))
    return wrong


def _said(mistakes: list[Mistake], folder: Path) -> str:
    """The sentences, with the files as who laid them out knows them."""
    return "\n".join(dict.fromkeys(map(str, mistakes))).replace(f"{folder}/", "")
