"""What self-test, calibration and the check of a configuration say has its French.

`make check` knows of every sentence in their code whether the catalogue has it. Here whole tests,
calibrations and bad files are played, and all that they say is said in French.
"""

import ast
import re
import sys
import tomllib._parser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "selftest"))

from jumping import JumpingBench
from willing import Willing, hand_of

import boards
from firmware import config
from firmware.config.keys import KEYS
from firmware.core import faults
from firmware.lib.catalogue import catalogue
from firmware.services.configuring import cross_checks
from firmware.services.page.translation import with_translations
from tools.technician.calibrate import judge, wizard
from tools.technician.calibrate.notes import Notes
from tools.technician.selftest import sequence
from tools.technician.selftest.person import Nobody

french = catalogue("fr").recognised
# What needs no French: names of lines and of things, numbers, units that are alike.
ALIKE = re.compile(r"[a-z_]+\d*|FRAM|%|[-+.\d ,]*")


def test_all_that_tomllib_complains_of_has_its_french():
    tree = ast.parse(Path(tomllib._parser.__file__).read_text())
    calls = [
        node.args[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "suffixed_err"
    ]
    assert calls
    for said in calls:
        words = ast.literal_eval(said) if isinstance(said, ast.Constant) else filled(said)
        assert french(words[0].lower() + words[1:]) is not None, words


def filled(node):
    return "".join(
        part.value if isinstance(part, ast.Constant) else "'x'"
        for part in getattr(node, "values", [])
    )


def unsaid(steps):
    """What of some steps nobody says in French."""
    found = []
    for step in map(with_translations, steps):
        told = step.get("translations", {}).get("fr", {})
        for key in ("text", "group", "part", "note", "why", "unit", "name", "wrong", "measured"):
            value = step.get(key)
            if value and key not in told and not ALIKE.fullmatch(value):
                found.append((key, value))
    return found


@pytest.mark.parametrize("name", ["roulette_ref", "vingt_trois_ref", "boule_ref"])
@pytest.mark.parametrize("lends", [True, False])
def test_a_whole_selftest_is_said_in_french(name, lends):
    board = boards.load(name)
    bench = JumpingBench(board, parts={"level": None, "clock": {"trusted": False}})
    willing = Willing(hand_of(bench), bench.names)
    person = willing if lends else Nobody(willing)
    wheel = sequence.Wheel(board, board["rotor"] == "driven", 100, 28.0)
    steps = [part.as_json() for part in sequence.parts(bench, wheel, person)]
    steps += [{"text": text} for text in (*willing.told, *willing.asked)]
    assert len(steps) > 10
    assert unsaid(steps) == []


def test_a_whole_calibration_is_said_in_french():
    board = boards.load("roulette_ref")
    bench = JumpingBench(board, preset="W2")
    willing = Willing(hand_of(bench), bench.names)
    notes = Notes(None, board["name"])
    names = [f"number {number}" for number in range(37)]
    wizard.run(bench, wizard.Wheel(board, names, True, 3, 28.0), willing, notes)
    _, lines = judge.values(notes, board, 37, 28.0)
    steps = [line._asdict() for line in lines]
    steps += [{"text": text} for text in (*willing.told, *willing.asked)]
    assert len(steps) > 10
    assert unsaid(steps) == []


BAD = """
[whel]
[wheel]
board = "roulette_ref"
idd = "x"
[bus]
baud = 5
port = 7
displays = true
[confirm]
mode = "nobody"
[stakes]
terminals = 3
[call]
call_s = 9
watchdog_s = 1
[boule]
cups = 18
[rotor]
drive = "hand"
target_rpm = 20
[rotor
"""


def test_every_mistake_of_a_bad_file_is_said_in_french(tmp_path):
    path = tmp_path / "wheel.toml"
    for text in (BAD, BAD.replace("[rotor\n", "").replace("[whel]", ""), "format = 99", "a = "):
        try:
            source = config.Source(str(path), text)
            found = cross_checks.check(config.survey(path, source))
            mistakes = [*found.mistakes, *found.notices]
        except config.ConfigError as error:
            mistakes = error.mistakes
        assert mistakes
        assert unsaid([{"text": each.text} for each in mistakes]) == []


def test_what_a_key_must_be_is_said_in_french():
    for key in KEYS:
        sentence = f'{key.name} must be {key.wants}, not "x".'
        said = french(sentence)
        assert said is not None, sentence
        assert "must" not in said, sentence
        wants = french(key.wants)
        if wants is None:  # words of the file itself, between which there is only "or"
            assert key.choices, key.wants
            continue
        assert wants in said, sentence


def test_what_a_key_decides_is_said_in_french():
    assert unsaid([{"text": key.means} for key in KEYS]) == []


def test_what_was_filled_in_is_in_french_too():
    said = french("Nothing is signed. The ball made too few turns: throw it harder.")
    assert said == "Rien n'est signé. La bille a fait trop peu de tours : lancez-la plus fort."
    said = french("Lay the ball into compartment 12 (number 34), keep clear.")
    assert said == "Posez la bille dans la case 12 (numéro 34) et écartez-vous."
    said = french('There is no key "idd" in [wheel]. Did you mean "id"?')
    assert said == "Il n'y a pas de clé « idd » dans [wheel]. Vouliez-vous dire « id » ?"
    said = french("pocket1 saw something 3 times in 2 turns. Leave one ball alone in the wheel,"
                  " or clean the sensor. Again?")  # fmt: skip
    assert said is not None
    assert said.endswith("ou nettoyez le capteur. Recommencer ?")


REFUSAL = {
    "code": "held",
    "text": "wheel has the wheel in service.",
    "remedy": "Ask wheel, or take it over.",
    "said": {
        "text": ["{holder} has the wheel in service.", {"holder": "wheel"}],
        "remedy": ["Ask {holder}, or take it over.", {"holder": "wheel"}],
    },
}


def test_a_refusal_of_the_controller_is_filled_in_as_it_was_made():
    told = with_translations(REFUSAL)
    assert told == {
        "code": "held",
        "text": "wheel has the wheel in service.",
        "remedy": "Ask wheel, or take it over.",
        "translations": {
            "fr": {
                "text": "wheel a le cylindre hors service.",
                "remedy": "Demandez à wheel, ou reprenez-le.",
            }
        },
    }


@pytest.mark.parametrize(
    "said", [None, [], {"text": 7}, {"text": ["{holder}", {}]}, {"text": ["It is {}.", {"0": 1}]}]
)
def test_what_says_something_else_than_its_sentence_is_not_believed(said):
    told = with_translations(REFUSAL | {"said": said})
    assert told["translations"]["fr"]["text"].endswith(" a le cylindre hors service.")


def test_the_detail_of_a_fault_is_said_in_french_beside_its_sentence():
    text = faults.sentence("W52", "it slows less than it did")
    told = with_translations({"event": "fault", "code": "W52", "text": text})
    assert told["text"] == text
    assert told["translations"]["fr"]["detail"] == "elle ralentit moins qu'avant"
    told = with_translations({"event": "fault", "code": "W21", "text": "W21: none of ours"})
    assert "detail" not in told.get("translations", {}).get("fr", {})
    told = with_translations({"event": "fault", "code": "Z99", "text": "Z99: of another day"})
    assert told["code"] == "Z99"


@pytest.mark.parametrize("what", ["note", "service on", "service off"])
def test_a_persons_own_words_stay_as_they_are(what):
    assert with_translations({"what": what, "detail": "two balls"}) == {
        "what": what,
        "detail": "two balls",
    }
    told = with_translations({"what": "turn", "detail": "ccw, 20.0 rpm, 3 s"})
    assert told["translations"]["fr"]["detail"] == "sens inverse des aiguilles, 20,0 tr/min, 3 s"


def test_what_is_typed_fills_no_memory():
    assert type(catalogue("fr")).recognised.cache_info().maxsize is not None


def test_what_nobody_knows_stays_as_it_was():
    assert french("The moon is made of cheese.") is None
    assert with_translations({"kind": "tell", "text": "x" * 9_000}) == {
        "kind": "tell",
        "text": "x" * 9_000,
    }
