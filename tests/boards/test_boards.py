import copy

import pytest

import boards
from boards import check, lines, raspberry
from drivers.expander_mcp23017 import OUTPUT_ONLY, PINS

LINES = ("inputs", "safety_inputs", "outputs")
# A carrier has them besides, for the manual mode; a trace has not.
MANUAL = ["key_croupier", "key_management", "btn_number"]


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


def without_manual_mode(board):
    board["inputs"] = tuple(line for line in board["inputs"] if line[0] not in MANUAL)
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


# The virtual wheel or table that each is wired like: that with the same rules.
REFERENCES = {
    boards.load(name)["rules"]: boards.load(name)
    for name in boards.NAMES
    if boards.load(name)["provider"] == "virtual"
}


def names(board, key):
    return [line for line, _ in board[key]]


@pytest.mark.parametrize("name", boards.NAMES)
def test_every_board_has_the_lines_of_its_virtual_wheel_in_the_same_order(name):
    board = boards.load(name)
    reference = REFERENCES[board["rules"]]
    # A card table has its two key switches at any board.
    manual = MANUAL if board["provider"] == "pi" and name in boards.WHEELS else []
    assert names(board, "inputs") == names(reference, "inputs") + manual
    for key in ("safety_inputs", "outputs"):
        assert names(board, key) == names(reference, key)


def test_the_lines_of_the_reference_dish_are_those_of_the_contract():
    cups = [f"cup{cup:02d}" for cup in range(18)]
    rim, buttons = ["rim0", "rim1", "rim2"], ["btn_start", "btn_void"]
    assert names(boards.load("boule_ref"), "inputs") == rim + cups + buttons


@pytest.mark.parametrize("name", ["boule_ref", "boule_pi4"])
@pytest.mark.parametrize(("cups", "chips"), [(9, 1), (18, 2), (36, 3)])
def test_a_dish_has_as_many_expanders_as_hold_its_cups(name, cups, chips):
    board = boards.load(name, cups)
    assert check.problems(board) == ()
    assert [address for _, address, _, _ in board["expanders"]] == [0x20, 0x21, 0x22][:chips]
    behind = [lines.of_chip(board, chip) for chip in range(chips)]
    assert [len(pins) for pins in behind] == [cups // chips] * chips
    assert sorted(number for pins in behind for number, _ in pins) == list(range(3, 3 + cups))


def test_no_cup_is_at_a_pin_that_is_an_output_alone():
    pins = {
        pin for chip in range(3) for _, pin in lines.of_chip(boards.load("boule_ref", 36), chip)
    }
    assert not pins & set(OUTPUT_ONLY)
    assert set(lines.CUP_PINS) | set(OUTPUT_ONLY) == set(range(PINS))


def test_what_the_machine_watches_ends_with_the_interrupt_lines():
    board = boards.load("boule_pi4")
    watched = lines.watched(board)
    assert watched[:3] == ((0, 4), (1, 5), (2, 6))
    assert watched[-2:] == ((len(board["inputs"]), 7), (len(board["inputs"]) + 1, 8))
    assert len(watched) == len(board["inputs"]) - 18 + 2
    roulette = boards.load("pi4")
    assert lines.watched(roulette) == tuple(
        (at, pin) for at, (_, pin) in enumerate(roulette["inputs"])
    )


def test_a_board_that_nobody_knows_is_a_key_error():
    with pytest.raises(KeyError):
        boards.load("pi3")


def dish(**keys):
    board = changed("boule_pi4")
    board["geometry"] = {**board["geometry"], **keys}
    return board


def expander(*first):
    """The dish with another first expander."""
    board = changed("boule_pi4")
    board["expanders"] = (first, *board["expanders"][1:])
    return board


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
    (without_manual_mode(moved("motor_pwm", 18, "pi5")), None),
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
    (changed(apparatus="poker"),
     "The key apparatus must be roulette, vingt_trois, boule, blackjack or baccarat."),
    (changed(rotor="none"), "The key rotor must be driven or hand."),
    (changed("vingt_trois_pi4", rotor="none"), "The key rotor must be driven or hand."),
    (changed("boule_pi4", rotor="driven"), "The key rotor must be none."),
    (changed("boule_pi4", outputs=(("motor_pwm", 12),)),
     "The line motor_pwm drives nothing: the rotor is none."),
    (changed("boule_pi4", expanders=()),
     "The line cup00 is at (0, 0): there is no such expander."),
    (changed("boule_pi4", expanders=(("sensors", 0x20),)),
     "An expander is (bus, address, interrupt line, its GPIO)."),
    (expander("displays", 0x20, "int_expander0", 7),
     "The expander at 0x20 is on displays, which is no i2c bus."),
    (expander("sensors", 0x28, "int_expander0", 7),
     "An expander cannot be at 0x28: 0x20 to 0x27 alone."),
    (expander("sensors", 0x21, "int_expander0", 7), "Two expanders are at 0x21 of i2c 1."),
    (expander("sensors", 0x20, "int_expander0", 4), "Pin 4 is both rim0 and int_expander0."),
    (expander("sensors", 0x20, "rim0", 7), "The name rim0 is there twice."),
    (expander("sensors", 0x20, "int_expander0", 2),
     "GPIO 2 of int_expander0 belongs to i2c 1 (sensors)."),
    (expander("sensors", 0x20, "int_expander0", 40),
     "A pi4 has no GPIO 40, which int_expander0 wants."),
    (moved("cup00", (0, 1), "boule_pi4"), "Pin 1 of expander 0 is both cup00 and cup01."),
    (moved("cup00", (2, 1), "boule_pi4"),
     "The line cup00 is at (2, 1): there is no such expander."),
    (moved("cup00", (0, 7), "boule_pi4"),
     "The line cup00 is at pin 7 of an expander: 0-6, 8-14 alone."),
    (moved("cup00", (0, 16), "boule_pi4"),
     "The line cup00 is at pin 16 of an expander: 0-6, 8-14 alone."),
    (moved("rim0", (0, 0)), "The line rim0 is at (0, 0): there is no such expander."),
    (dish(cups=17), "The geometry's cups must be 9, 18 or 36."),
    (dish(cups=36), "The inputs must have cup00 to cup35 in this order, one a cup."),
    (dish(pocket_deg=(0, 120, 240)), "The geometry's key pocket_deg is unknown."),
    (geometry(cups=18), "The geometry's key cups is unknown."),
    (changed(safety_inputs=(("estop", 23),)),
     "The line overcurrent is missing from safety_inputs."),
    (changed(outputs=(("motor_pwm", 12),)), "The line motor_enable is missing from outputs."),
    (changed(inputs=(("enc_a", 16),)), "The line btn_void is missing from inputs."),
    (changed(fram=("displays", 0x50)), "The FRAM is on displays, which is no i2c bus."),
    (changed(fram=("sensors", 0x58)), "A FRAM cannot be at 0x58: 0x50 to 0x57 alone."),
    (changed(fram=("sensors",)), "A FRAM is (bus, address)."),
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


@pytest.mark.parametrize("key", sorted(set(boards.load("pi4")) - {"fram"}))
def test_a_missing_key_is_named(key):
    board = changed()
    del board[key]
    found = check.problems(board)
    assert any(f"The key {key} " in sentence for sentence in found)


def test_every_board_on_a_pi_has_the_fram_and_no_virtual_one_has():
    for name in boards.NAMES:
        board = boards.load(name)
        wanted = ("sensors", 0x50) if board["provider"] == "pi" else None
        assert board.get("fram") == wanted


def test_two_lines_of_one_name_are_named():
    board = changed("roulette_ref")
    board["outputs"] = (*board["outputs"], ("rim0", 99))
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
