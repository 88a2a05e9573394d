"""All that the page says is there, in both languages."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.core.coup import states as coup_states
from firmware.core.faults import FAULTS
from firmware.services.page import server
from firmware.services.page.words import vocabulary

STATIC = Path(server.__file__).parent / "static"
SOURCES = [path for path in STATIC.rglob("*.mjs") if path.parent.name != "vendor"]
WORDS = vocabulary()


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
    missing = [key for key in keys if key.split(".")[1] not in WORDS[key.split(".")[0]]]
    assert missing == []


@pytest.mark.parametrize("group", [name for name in WORDS if not name.startswith("french_")])
def test_every_text_is_there_in_both_languages(group: str) -> None:
    for name, pair in WORDS[group].items():
        assert len(pair) == 2, name
        assert all(pair), name
        assert names_in(pair[0]) == names_in(pair[1]), name


def names_in(text: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_every_state_has_its_words() -> None:
    states = {
        value for name, value in vars(coup_states).items() if name.isupper() and value == name
    }
    assert states
    assert states <= set(WORDS["states"])


def test_every_fault_is_told_in_french_with_its_remedy() -> None:
    french = WORDS["french_faults"]
    assert set(french) == {kind.code for kind in FAULTS}
    for kind in FAULTS:
        text, remedy = french[kind.code]
        assert text.count("{}") == kind.text.count("{}"), kind.code
        assert remedy
