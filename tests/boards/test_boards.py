import copy

import pytest

import boards
from boards import check, raspberry

LINES = ("inputs", "safety_inputs", "outputs")


def changed(name="pi4", **keys):
    board = copy.deepcopy(boards.load(name))
    board.update(keys)
    return board


def moved(line, pin, name="pi4"):
    """The board with one line on another pin."""
    board = changed(name)
    for key in LINES:
        board[key] = tuple((n, pin if n == line else p) for n, p in board[key])
    return board


def geometry(**keys):
    board = changed()
    board["geometry"] = {**board["geometry"], **keys}
    return board


@pytest.mark.parametrize("name", boards.NAMES)
def test_every_board_is_sound(name):
    assert check.problems(boards.load(name)) == ()


@pytest.mark.parametrize("name", boards.NAMES)
def test_a_board_is_called_as_its_file(name):
    assert boards.load(name)["name"] == name


def test_every_board_has_the_same_lines_in_the_same_order():
    reference = boards.load("roulette_ref")
    for name in boards.NAMES:
        board = boards.load(name)
        for key in LINES:
            assert [line for line, _ in board[key]] == [line for line, _ in reference[key]]


def test_a_board_that_nobody_knows_is_a_key_error():
    with pytest.raises(KeyError):
        boards.load("pi3")


# fmt: off
BROKEN = [
    (moved("rim0", 5), "Pin 5 is both rim0 and rim1."),
    (moved("estop", 25), "Pin 25 is both estop and lamp_bets_open."),
    (moved("rim0", 9, "roulette_ref"), "Pin 9 is both rim0 and btn_start."),
    (moved("rim0", 28), "A pi4 has no GPIO 28, which rim0 wants."),
    (moved("rim0", "GPIO4"), "A pi4 has no GPIO GPIO4, which rim0 wants."),
    (moved("rim0", 14), "GPIO 14 of rim0 belongs to uart 0 (displays)."),
    (moved("lamp_fault", 3), "GPIO 3 of lamp_fault belongs to i2c 1 (sensors)."),
    (moved("rim0", 1), "GPIO 1 of rim0 belongs to the HAT's ID EEPROM."),
    (moved("motor_pwm", 11), "GPIO 11 of motor_pwm has no PWM on a pi4."),
    (moved("motor_pwm", 18, "pi5"), None),
    (changed("zero2w", buses={"displays": ("uart", 3)}),
     "A zero2w has no uart 3 (displays)."),
    (changed(buses={"displays": ("uart", 3), "sensors": ("i2c", 3)}),
     "GPIO 4 of i2c 3 (sensors) belongs to uart 3 (displays)."),
    (changed(buses={"displays": ("uart", 2)}),
     "GPIO 0 of uart 2 (displays) belongs to the HAT's ID EEPROM."),
    (changed(model="pi3"), "The key model must be one of cm4, pi4, pi5, zero2w."),
    (changed(provider="arduino"), "The key provider must be virtual or pi."),
    (changed("roulette_ref", model="pi4"), "The key model is unknown."),
    (changed(rotr="driven"), "The key rotr is unknown."),
    (changed(rotor="steam"), "The key rotor must be driven or hand."),
    (changed(apparatus="poker"), "The key apparatus must be roulette."),
    (changed(safety_inputs=(("estop", 23),)),
     "The line overcurrent is missing from safety_inputs."),
    (changed(outputs=(("motor_pwm", 12),)), "The line motor_enable is missing from outputs."),
    (changed(inputs=(("enc_a", 16),)), "The line btn_void is missing from inputs."),
    (geometry(rim_deg=(0, 240, 120)),
     "The geometry's rim_deg must ascend within 0 to 359 degrees."),
    (geometry(rim_deg=(0, 120, 120)),
     "The geometry's rim_deg must ascend within 0 to 359 degrees."),
    (geometry(pocket_deg=(60, 180, 360)),
     "The geometry's pocket_deg must ascend within 0 to 359 degrees."),
    (geometry(pocket_deg=(60, 180)),
     "The geometry's pocket_deg has 2 angles, the inputs have pocket0, pocket1, pocket2: "
     "they must be pocket0, pocket1 and so on, one an angle."),
    (geometry(encoder_cycles=0), "The geometry's encoder_cycles must be more than 0."),
    (geometry(ball_inches=1), "The geometry's key ball_inches is unknown."),
]
# fmt: on


@pytest.mark.parametrize(("board", "sentence"), BROKEN)
def test_what_is_impossible_is_named(board, sentence):
    found = check.problems(board)
    if sentence is None:
        assert found == ()
    else:
        assert sentence in found


@pytest.mark.parametrize("key", sorted(boards.load("pi4")))
def test_a_missing_key_is_named(key):
    board = changed()
    del board[key]
    found = check.problems(board)
    assert any(f"The key {key} " in sentence for sentence in found)


def test_two_lines_of_one_name_are_named():
    board = changed()
    board["outputs"] = (*board["outputs"], ("rim0", 10))
    assert check.problems(board) == ("The name rim0 is there twice.",)


def test_a_wheel_turned_by_hand_needs_no_motor():
    board = changed(rotor="hand")
    board["outputs"] = tuple(line for line in board["outputs"] if line[0][:5] == "lamp_")
    assert check.problems(board) == ()


@pytest.mark.parametrize("model", sorted(raspberry.MODELS))
def test_a_models_buses_and_pwm_lie_on_pins_it_has(model):
    has = raspberry.MODELS[model]
    pins = [pin for bus in has["uarts"] + has["i2c"] for pin in bus[-1]] + list(has["pwm"])
    assert set(pins) <= set(has["gpio"])
    assert raspberry.bus_pins(model, "uart", 0) == (14, 15)
    assert raspberry.bus_pins(model, "i2c", 1) == (2, 3)


def test_a_bus_a_model_lacks_is_a_key_error():
    with pytest.raises(KeyError):
        raspberry.bus_pins("zero2w", "uart", 5)
