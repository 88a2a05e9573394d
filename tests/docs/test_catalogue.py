"""`make check` fails where a catalogue is not what the code says, or lacks a translation."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.lib.catalogue import DOMAIN, FOLDER, catalogue
from firmware.lib.language import HOLE, Message, filled
from tools.docs.catalogue import compiled, holes, messages, source_of, troubles

FRENCH = catalogue("fr").messages


def test_every_catalogue_is_current_and_whole() -> None:
    assert troubles() == [], "run make docs, then translate"


def in_source(old: str, new: str, domain: str = DOMAIN) -> Callable[[Path], None]:
    def alter(folder: Path) -> None:
        path = source_of("fr", folder, domain)
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(path.read_text(encoding="utf-8"), "fr"))

    return alter


def gone(folder: Path) -> None:
    source_of("fr", folder, "page").unlink()


def of_another_day(folder: Path) -> None:
    path = source_of("fr", folder).with_suffix(".mo")
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (in_source('msgid "Ask again."', 'msgid "Ask once more."'), "not what the code says"),
        (in_source('msgstr "Recommencez."', 'msgstr ""'), "'Ask again.' has no fr"),
        (in_source('msgstr "Recommencez."', 'msgstr "Recommencez, {who}."'), "is not filled in as"),
        (of_another_day, "cylindre.mo: not what cylindre.po says"),
        (in_source("BIENVENUE", "", "display"), "'welcome' (states.ATTRACT) has no fr"),
        (in_source('msgstr "coup {coup}"', 'msgstr "coup"', "page"), "is not filled in as"),
        (in_source("states.VOID", "states.NULL", "display"), "display.po: not what the code says"),
        (gone, "page.po: is missing"),
    ],
    ids=[
        "another text",
        "no translation",
        "other values",
        "stale",
        "a word of a display",
        "a word of the page",
        "another place",
        "gone",
    ],
)
def test_a_catalogue_that_is_wrong_is_found(
    alter: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "locale"
    shutil.copytree(FOLDER, folder)
    assert troubles(folder) == []
    alter(folder)
    assert any(said in line for line in troubles(folder)), troubles(folder)


def test_a_new_sentence_is_extracted(tmp_path: Path) -> None:
    path = tmp_path / "firmware" / "new.py"
    path.parent.mkdir()
    path.write_text(
        'Message("The wheel is {state}.", state=state)\nN_("red")\nprint("not a message")\n'
    )
    new = messages(tmp_path)
    assert {text for text, places in new.items() if "firmware/new.py" in places} == {
        "The wheel is {state}.",
        "red",
    }


@pytest.mark.parametrize("text", FRENCH)
def test_every_message_is_filled_in_in_french(text: str) -> None:
    values = dict.fromkeys(holes(text), 7)
    said = filled(FRENCH[text], values)
    assert said
    assert not HOLE.search(said)
    assert not HOLE.search(Message(text, **values) if values else text)
