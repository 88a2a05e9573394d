"""A wiring file: every mistake at once, with its line; a rig without one is refused."""

import pytest
from rig_bench import EXAMPLE

from firmware.lib.errors import CONFIGURATION, NO_DEVICE, USAGE, Failure
from tools.hil.places import load, rig
from tools.hil.rig import wiring
from tools.hil.scenario import FaultInjection, Scenario

TEXT = EXAMPLE.read_text()


def refused(tmp_path, text):
    path = tmp_path / "rig.toml"
    path.write_text(text)
    with pytest.raises(Failure) as found:
        wiring.load(path)
    assert found.value.exit_code == CONFIGURATION
    return found.value.sentence.replace(f"{path}:", "").split("\n")


def line_of(text, begin):
    return next(at for at, line in enumerate(text.splitlines(), 1) if line.startswith(begin))


def test_the_example_names_each_signal_of_its_board():
    found = wiring.load(EXAMPLE)
    assert found.board["name"] == "pi4"
    assert len(found.driven) + len(found.watched) == len(found.pins)


def test_every_mistake_is_told_at_once_with_its_line(tmp_path):
    text = TEXT.replace("rim1 = 5", "rim1 = 4").replace("rim2 = 6", "rim_2 = 6")
    text = text.replace("estop = 23", "estop = 99").replace("chip =", "chips =")
    assert refused(tmp_path, text) == [
        f'{line_of(text, "chips")}: the key chips is unknown. Did you mean "chip"?',
        "1: a wiring needs the key chip: rig.example.toml has them all.",
        f"{line_of(text, 'rim1')}: GPIO 4 is both rim0 and rim1.",
        f'{line_of(text, "rim_2")}: pi4 has no signal rim_2. Did you mean "rim2"?',
        f"{line_of(text, 'estop')}: estop is at 99: pins are GPIO 2 to 27 of the header.",
        f"{line_of(text, '[pins]')}: the signal rim2 of pi4 has no pin: wire and name it.",
    ]


@pytest.mark.parametrize("pin", ["0", "1", "28", "-4", "true", '"GPIO4"', "4.0"])
def test_a_pin_that_is_not_on_the_header_is_refused(tmp_path, pin):
    (sentence,) = refused(tmp_path, TEXT.replace("rim0 = 4", f"rim0 = {pin}"))
    assert "pins are GPIO 2 to 27" in sentence


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ('"roulette_ref"', "is a board in memory"),
        ('"boule_pi4"', "come in over I2C"),
        ('"pi9"', "there is no board 'pi9'"),
        ("[]", "there is no board []"),
    ],
)
def test_a_board_that_no_wire_goes_to_is_refused(tmp_path, board, why):
    (sentence,) = refused(tmp_path, TEXT.replace('"pi4"  ', board))
    assert why in sentence


@pytest.mark.parametrize("command", ["[]", '"ssh"', "[1]", '[""]'])
def test_a_command_that_is_none_is_refused(tmp_path, command):
    text = TEXT.replace('clear = ["ssh", "wheel", "cylindre clear"]', f"clear = {command}")
    (sentence,) = refused(tmp_path, text)
    assert "clear must be a list of texts" in sentence


@pytest.mark.parametrize("text", ["pins = 4", "[", "\0", "x" * 70_000])
def test_what_is_no_wiring_is_refused(tmp_path, text):
    assert all(refused(tmp_path, text))


def test_a_rig_without_a_wiring_file_is_refused_with_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("CYLINDRE_RIG", str(tmp_path / "rig.toml"))
    place = load("rig")
    assert "copy tools/hil/rig/rig.example.toml" in place.check()
    with pytest.raises(Failure, match="There is no wiring file") as found:
        place.run(Scenario("s", "s", "roulette", 1))
    assert found.value.exit_code == NO_DEVICE


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        (Scenario("s", "s", "boule", 1), "is for boule"),
        (Scenario("s", "s", "roulette", 1, hand=True), "another house"),
        (Scenario("s", "s", "roulette", 1, confirm="croupier"), "another house"),
    ],
)
def test_what_cannot_be_played_on_these_wires_is_refused(monkeypatch, scenario, why):
    monkeypatch.setenv("CYLINDRE_RIG", str(EXAMPLE))
    with pytest.raises(Failure, match=why) as found:
        load("rig").run(scenario)
    assert found.value.exit_code == USAGE


@pytest.mark.parametrize("name", ["wheel_knocked", "line_cut", "beam_doubted"])
def test_a_fault_that_no_wire_carries_is_refused_and_says_where_it_can_be_made(name):
    scenario = Scenario("s", "s", "roulette", 1, faults=(FaultInjection(name, 1, "start"),))
    with pytest.raises(Failure, match="cannot make") as found:
        rig._refuse(scenario, wiring.load(EXAMPLE))
    assert found.value.exit_code == USAGE
    assert "--place virtual" in found.value.sentence
