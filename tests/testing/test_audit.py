"""`make audit`: an index that says nothing is not one without advisories."""

import json
import sys
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED, NO_DEVICE, OK, Failure
from tools.testing.audit import Advisory, ask, judged, parse

SOUND = {"name": "click", "version": "8.3.1", "vulns": []}
HOLE = {
    "name": "microdot",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.0", "2.1"], "aliases": [], "description": ""}],
}
SKIPPED = {"name": "cbor2", "skip_reason": "Dependency not found on PyPI"}


def answer(*dependencies: object) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


def test_a_published_hole_fails_and_says_which_release_is_without_it():
    status, lines = judged([parse(answer(SOUND, HOLE))])
    assert status == FAILED
    assert lines == [
        "microdot 1.0: PYSEC-1. Take 2.0 or 2.1.",
        "Dependencies asked for: 2; advisories: 1.",
    ]


def test_a_hole_of_both_locks_is_told_once():
    both = [parse(answer(HOLE)), parse(answer(HOLE))]
    assert both[0].advisories == (Advisory("microdot", "1.0", "PYSEC-1", ("2.0", "2.1")),)
    assert judged(both)[1][0].startswith("microdot") and len(judged(both)[1]) == 2


def test_what_nobody_answered_of_is_not_free_of_holes():
    status, lines = judged([parse(answer(SOUND, SKIPPED))])
    assert status == NO_DEVICE
    assert lines[0].startswith("Of 1 dependencies nothing could be learned (cbor2).")


def test_everything_asked_for_and_nothing_published_is_well():
    assert judged([parse(answer(SOUND))]) == (OK, ["Dependencies asked for: 1; advisories: 0."])
    assert judged([parse(answer())])[0] == NO_DEVICE


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"dependencies": [{"name": "x"}]}', "ERROR"])
def test_what_is_no_answer_is_none(text: str):
    with pytest.raises(ValueError, match="no answer of pip-audit"):
        parse(text)


def test_without_a_network_it_says_so():
    said = "import sys; sys.exit('ERROR: could not connect to the feed')"
    with pytest.raises(Failure) as failure:
        ask(Path("x.lock"), (sys.executable, "-c", said))
    assert failure.value.exit_code == NO_DEVICE
    assert "could not connect to the feed" in failure.value.sentence
    assert "where there is a network" in failure.value.sentence
