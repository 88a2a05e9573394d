"""The first test of a rig names each wire that is not where the file says."""

import pytest
from rig_bench import EXAMPLE, OURS, THEIRS, FakeGpiod, probed, wired

from tools.hil.rig import probe, wiring
from tools.hil.rig.checking import problems
from tools.hil.rig.lines import Motor, RigLines

FOUND = wiring.load(EXAMPLE)


def checked(wires):
    lines = RigLines(FakeGpiod(wires, OURS), FOUND, {})
    pins = probed(wires, FOUND)
    try:
        return problems(lines, pins, settle=lambda wait_s: None)
    finally:
        pins.close()
        lines.close()


def test_wires_as_the_file_has_them_are_right():
    assert checked(wired(FOUND)) == []


@pytest.mark.parametrize("signal", ["rim1", "estop", "btn_start"])
def test_a_wire_that_is_not_there_is_named(signal):
    (sentence,) = checked(wired(FOUND, skip=(signal,)))
    assert sentence.startswith(f"{signal} goes in by a wire that is missing")


def test_an_output_that_does_not_come_out_is_named():
    (sentence,) = checked(wired(FOUND, skip=("motor_enable",)))
    assert sentence.startswith("motor_enable comes out by a wire that is missing")


def test_crossed_wires_are_named_both():
    found = checked(wired(FOUND, enc_a="enc_b", enc_b="enc_a"))
    assert [each.split(":")[0] for each in found] == [
        "enc_a goes in as enc_b",
        "enc_b goes in as enc_a",
    ]


def test_crossed_outputs_are_named_both():
    found = checked(wired(FOUND, motor_pwm="motor_dir", motor_dir="motor_pwm"))
    assert len(found) == 2
    assert found[0].startswith("motor_pwm comes out as motor_dir")


def test_shorted_wires_are_named_once():
    wires = wired(FOUND)
    one, other = (
        next(net for net in wires.nets if (OURS, FOUND.pins[name]) in net)
        for name in ("pocket0", "pocket1")
    )
    one |= other
    wires.nets.remove(other)
    (sentence,) = checked(wires)
    assert sentence.startswith("pocket0 and pocket1 are shorted")


def test_a_line_that_is_high_by_itself_is_named_alone():
    wires = wired(FOUND)
    wires.stuck.add(list(FOUND.pins).index("overcurrent"))
    (sentence,) = checked(wires)
    assert sentence.startswith("overcurrent is high")


def test_a_probe_that_ends_leaves_every_output_low():
    wires = wired(FOUND)
    pins = probed(wires, FOUND)
    assert list(probe.answers(pins, ["set lamp_fault 1\n"])) == [{"set": "lamp_fault"}]
    outputs = [(THEIRS, pin) for _, pin in FOUND.board["outputs"]]
    assert any(map(wires.level, outputs))
    pins.close()
    assert not any(map(wires.level, outputs))


@pytest.mark.parametrize("line", ["", "set", "set rim0 1", "set lamp_fault 2", "halt"])
def test_a_probe_refuses_what_it_does_not_know(line):
    (said,) = probe.answers(probed(wired(FOUND), FOUND), [line])
    assert list(said) == ["refused"]


@pytest.mark.parametrize(("direction", "drive"), [(1, 250), (0, -250)])
def test_the_motors_duty_is_what_its_edges_average(direction, drive):
    wires = wired(FOUND)
    pins = probed(wires, FOUND)
    motor = Motor(FOUND.board, RigLines(FakeGpiod(wires, OURS), FOUND, {}), lambda: wires.now_us)
    pins.set("motor_dir", direction)
    for period in range(20):
        pins.set("motor_enable", period % 2)
        pins.set("motor_pwm", 1)
        wires.now_us += 250
        pins.set("motor_pwm", 0)
        wires.now_us += 750
    assert abs(motor.permille() - drive) <= 1


def test_a_motor_whose_enable_stands_still_is_off():
    wires = wired(FOUND)
    pins = probed(wires, FOUND)
    motor = Motor(FOUND.board, RigLines(FakeGpiod(wires, OURS), FOUND, {}), lambda: wires.now_us)
    pins.set("motor_enable", 1)
    pins.set("motor_pwm", 1)
    wires.now_us += 10_000
    motor.permille()
    wires.now_us += 100_000
    assert motor.permille() == 0
