"""A Message crosses a line of JSON as template and values; it is believed if it says the same."""

import json
import tracemalloc
from pathlib import PurePosixPath
from typing import Any

import pytest

from firmware.api import answers
from firmware.api.values import Refused
from firmware.client.ask import sentences
from firmware.lib.language import Message, packed, translated, unpacked

MADE = [
    Message("{name} is {role} now, in {chosen}.", name="a", role="b", chosen=PurePosixPath("c")),
    Message("{}: {}", "a.db", Message("{n} rows", n=7)),
    Message("{n:>5}  {x:.2f}", n=7, x=1.5),
    Message("{path}: {why}", path="a", why=Message("No key changes.")),
]


@pytest.mark.parametrize("made", MADE)
def test_a_message_is_the_same_on_the_other_side(made: Message) -> None:
    came = unpacked(json.loads(json.dumps(packed(made))), str(made))
    assert came == made
    assert came.template == made.template
    assert translated(came, "fr") == translated(made, "fr")


def test_a_sentence_without_values_needs_nothing_beside_it() -> None:
    assert packed("a text of elsewhere") is None
    assert packed(Message("No key changes.")) is None
    assert translated(unpacked(None, "No key changes."), "fr") == "Aucune clé ne change."


DEEP: Any = ["{}", {"0": "x"}]
for _ in range(20):
    DEEP = ["{}", {"0": DEEP}]


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        "ab",
        [],
        ["{}"],
        ["{}", {"0": "x"}, 1],
        [7, {"0": "x"}],
        ["{}", ["x"]],
        ["{}", {}],
        ["{}", {"0": {"a": 1}}],
        ["{}", {"0": ["{}", 7]}],
        ["{n:d}", {"n": "x"}],
        ["{n:>99999999}", {"n": "x"}],
        ["{template}", {"template": "x"}],
        ["{cls}", {"cls": "x"}],
        ["{}", {"0": "another sentence"}],
        DEEP,
    ],
)
def test_what_is_no_packed_message_of_that_sentence_is_not_believed(said: Any) -> None:
    came = unpacked(said, "x of none")
    assert came == "x of none"
    assert came.template == "x of none"


def test_a_refusal_has_what_made_its_sentences_beside_them() -> None:
    refused = Refused("held", Message("{who} is at it already.", who="red"), "Ask again.")
    line = json.loads(answers.line({"error": refused.error}))
    assert line["error"] == {
        "code": "held",
        "text": "red is at it already.",
        "remedy": "Ask again.",
        "said": {"text": ["{who} is at it already.", {"who": "red"}]},
    }
    said = sentences(line["error"])
    assert said == "red is at it already. Ask again."
    assert translated(said, "fr") == "red s'en occupe déjà. Recommencez."
    assert answers.line({"ok": True, "do": "void"}) == b'{"ok":true,"do":"void"}\n'


@pytest.mark.parametrize("said", [None, 7, [], {"text": 7}])
def test_a_controller_that_says_no_more_is_understood_as_before(said: Any) -> None:
    error = {"code": "held", "text": "anna is at it already.", "remedy": "Ask again.", "said": said}
    assert translated(sentences(error), "fr") == "anna s'en occupe déjà. Recommencez."


def test_what_would_grow_beyond_its_sentence_is_not_built() -> None:
    said: list[object] = ["{a}" * 30, {"a": "x" * 30}]
    for _ in range(6):
        said = ["{a}" * 30, {"a": said}]
    tracemalloc.start()
    try:
        assert unpacked(said, "Log in first.") == "Log in first."
        assert tracemalloc.get_traced_memory()[1] < 1_000_000  # bytes; 30 ** 8 else
    finally:
        tracemalloc.stop()
