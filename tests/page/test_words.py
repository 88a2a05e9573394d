"""All that the page says is there, in every language."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.api import guarded
from firmware.core.coup import states as coup_states
from firmware.core.faults import FAULTS
from firmware.lib.catalogue import catalogue
from firmware.lib.language import LANGUAGES
from firmware.services.page import server
from firmware.services.page.words import TABLES, vocabulary

STATIC = Path(server.__file__).parent / "static"
SOURCES = [path for path in STATIC.rglob("*.mjs") if path.parent.name != "vendor"]
WORDS = vocabulary()
ENGLISH = WORDS["en"]
PROGRAMS = ("fault_texts", "fault_mends", "service_acts")  # what other programs say


def said() -> set[str]:
    """Every key that the page names outright."""
    return {
        key
        for path in SOURCES
        for key in re.findall(r"""\.(?:t|has)\(\s*["`](\w+\.\w+)["`]""", path.read_text())
    }


def test_every_text_that_the_page_names_is_there() -> None:
    keys = said()
    assert len(keys) > 100
    missing = [key for key in keys if key.split(".")[1] not in ENGLISH[key.split(".")[0]]]
    assert missing == []


@pytest.mark.parametrize("group", [name for name in ENGLISH if name not in PROGRAMS])
def test_every_text_is_there_in_every_language(group: str) -> None:
    for language, words in WORDS.items():
        assert set(words[group]) == set(ENGLISH[group]), language
        for name, text in ENGLISH[group].items():
            assert words[group][name], (language, name)
            assert names_in(words[group][name]) == names_in(text), (language, name)


def test_every_language_is_called_by_its_own_name() -> None:
    assert set(WORDS) == set(LANGUAGES)
    for name in ("own_name", "own_switch"):
        assert len({words["shell"][name] for words in WORDS.values()}) == len(WORDS)


def test_what_programs_say_is_recognised_without_the_words_of_pages() -> None:
    known = set(catalogue("fr").messages)
    assert "Ask again." in known
    short = [text for table in TABLES.values() for text in table.values() if len(text) > 12]
    assert len(known & set(short)) < len(short) / 10


def names_in(text: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_every_state_has_its_words() -> None:
    states = {
        value for name, value in vars(coup_states).items() if name.isupper() and value == name
    }
    assert states
    assert states <= set(ENGLISH["states"])


def test_every_fault_is_told_in_french_with_its_remedy() -> None:
    french = WORDS["fr"]["fault_texts"]
    assert set(french) == {kind.code for kind in FAULTS}
    for kind in FAULTS:
        text, remedy = french[kind.code]
        assert text.count("{}") == kind.text.count("{}"), kind.code
        assert remedy


def test_who_is_not_logged_in_reads_of_a_wheels_health_that_it_is_to_be_looked_at() -> None:
    for language, said in (("en", "Have the wheel looked at."), ("fr", "Faites examiner le")):
        assert WORDS[language]["fault_texts"][guarded.LOOK][1].startswith(said)


def test_every_fact_that_the_public_hears_has_its_words() -> None:
    told = {name for name, keys in guarded.FACTS.items() if isinstance(keys, dict)}
    assert told - set(ENGLISH["facts"]) == set()
