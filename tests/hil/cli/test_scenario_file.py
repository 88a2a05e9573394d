"""A scenario file is read whole, checked whole, or not used at all."""

from pathlib import Path

import pytest

from firmware.lib.errors import CONFIGURATION, FAILED, USAGE, Failure
from tools.hil import scenario_file
from tools.hil.faults.entry import Expect
from tools.hil.scenario import FaultInjection, Scenario, as_dict, from_dict

WHOLE = Scenario(
    "whole", 'All "of" it.', "roulette", 6, seed=3, wheel="W2", hand=True, learned=True,
    confirm="croupier", displays=2, requires=("X-1",),
    faults=(
        FaultInjection("beam_stuck_dark", 2, "launch", 1_250_001, 60_000_000,
            (("level", "1"), ("line", "rim1")),
            Expect("number", ("W21", "W22"), 1.5, 2, 3)),
        FaultInjection("line_cut", 3, "start"),
    ),
)  # fmt: skip

WRONG = """\
title = "Wrong."
apparatu = "roulette"
apparatus = "roulette"
coups = 0
wheel = "W9"

[[faults]]
fault = "beam_blnd"
coup = 1
moment = "launch"

[[faults]]
fault = "beam_misses"
coup = 1
moment = "lunch"
parameters = { line = "rim9", chance_percent = 900, colour = "red" }

[[faults]]
fault = "cup_blind"
coup = 1
moment = "launch"
"""


def _refused(text: str) -> list[str]:
    with pytest.raises(Failure) as refused:
        scenario_file.parse(text, name="x", where="x.toml")
    assert refused.value.exit_code == CONFIGURATION
    return refused.value.sentence.splitlines()


def test_what_is_written_is_read() -> None:
    assert scenario_file.parse(scenario_file.write(WHOLE), name="whole", where="") == WHOLE
    assert from_dict(as_dict(WHOLE)) == WHOLE


def test_a_title_of_any_letters_comes_back_as_it_was() -> None:
    """JSON writes those beyond U+FFFF as two halves, which are nothing to TOML."""
    odd = WHOLE._replace(title='\U00010428 é \\ "')
    assert scenario_file.parse(scenario_file.write(odd), name="whole", where="") == odd


def test_every_mistake_is_told_at_once_with_its_line_and_what_was_meant() -> None:
    said = _refused(WRONG)
    expected = (
        ("x.toml:2:", 'Did you mean "apparatus"?'),
        ("x.toml:4:", "coups must be a whole number from 1"),
        ("x.toml:5:", "wheel must be one of W1, W2"),
        ("x.toml:8:", 'Did you mean "beam_blind"?'),
        ("x.toml:15:", 'Did you mean "launch"?'),
        ("x.toml:16:", "line of beam_misses must be one of rim"),
        ("x.toml:16:", "chance_percent of beam_misses must be a number from"),
        ("x.toml:16:", "has no parameter 'colour'"),
        ("x.toml:19:", "a fault of boule, not of roulette"),
    )
    for line, text in expected:
        assert any(each.startswith(line) and text in each for each in said), (line, text, said)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("coups = ", "x.toml:1: this is not TOML"),
        ("", "needs the key apparatus"),
        ('apparatus = "boule"\ncoups = 1\nhand = true', "has no rotor"),
        ('apparatus = "boule"\ncoups = true', "whole number"),
        ('apparatus = "boule"\ncoups = 1\nfaults = 3', "[[faults]]"),
        ('apparatus = ["boule"]\ncoups = 1', "apparatus must be one of"),
        ('apparatus = "boule"\ncoups = 1\n[[faults]]\nfault = ["x"]\ncoup = 1\nmoment = "rest"',
         "there is no fault"),
        ('apparatus = "roulette"\ncoups = 1\n[[faults]]\nfault = "line_cut"\ncoup = 1\n'
         'moment = "rest"',
         "displays = 1"),
        ('apparatus = "roulette"\ncoups = 1\n[[faults]]\nfault = "beam_blind"\ncoup = 1\n'
         'moment = "rest"\nparameters = { line = ["rim1"] }', "must be one of rim"),
        ('apparatus = "roulette"\ncoups = 1\n[[faults]]\nfault = "beam_blind"\ncoup = 1\n'
         'moment = "rest"\nexpect = { by_s = "soon" }', "by_s must be a number"),
        ('apparatus = "roulette"\ncoups = 1\n[[faults]]\nfault = "beam_blind"\ncoup = 1\n'
         'moment = "rest"\nexpect = { codes = ["W22"] }', "codes need a deadline"),
        ('apparatus = "roulette"\ncoups = 1\n[[faults]]\nfault = "beam_blind"\ncoup = 1\n'
         'moment = "rest"\nexpect = { codes = ["W99"] }', "there is no code or reason 'W99'"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(text: str, part: str) -> None:
    assert any(part in each for each in _refused(text))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path, code in (
        ("no.toml", FAILED),
        ("binary.toml", CONFIGURATION),
        ("big.toml", CONFIGURATION),
    ):
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
        (tmp_path / "big.toml").write_bytes(b"#" * 300_000)
        with pytest.raises(Failure) as refused:
            scenario_file.load(tmp_path / path)
        assert refused.value.exit_code == code and path in refused.value.sentence


def test_an_unknown_name_is_told_with_what_was_meant() -> None:
    with pytest.raises(Failure, match='Did you mean "beam_dark"') as refused:
        scenario_file.find("beam_drak")
    assert refused.value.exit_code == USAGE


@pytest.mark.parametrize("name", scenario_file.shipped())
def test_every_shipped_scenario_can_be_played(name: str) -> None:
    assert scenario_file.find(name).name == name
