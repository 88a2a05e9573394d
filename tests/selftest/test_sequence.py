"""The self-test of whole wheels: a sound one passes, each broken part fails."""

import pytest
from jumping import JumpingBench
from willing import Willing, hand_of

import boards
from firmware.lib.errors import Failure
from tools.technician.selftest import sequence
from tools.technician.selftest.part import FAILED, INCOMPLETE, NOT_FITTED, NOT_TESTED, PASSED, total
from tools.technician.selftest.person import Nobody

DISPLAY = {"address": 3, "asks": 9, "answers": 9, "heard_ms": 20, "lights": "dash", "shown": None}
SOUND = {
    "level": {"x_mdeg": 30, "y_mdeg": -40},
    "clock": {"trusted": True},
    "journal": {"rows": 8, "epoch": 1, "trouble": None},
    "fram": "answers",
    "line": {"port": "/dev/ttyAMA0", "lost": False},
    "displays": [DISPLAY | {"faults": []}],
    "expanders": [{"name": "0x20", "faults": []}],
}


def outcome_of(name="roulette_ref", *, hand=True, but=lambda text: True, **options):
    board = boards.load(name)
    bench = JumpingBench(board, **options)
    person = Willing(hand_of(bench), bench.names, but) if hand else Nobody()
    wheel = sequence.Wheel(board, board["rotor"] == "driven", 100, 28.0)
    parts = list(sequence.parts(bench, wheel, person))
    return bench, {part.name: part for part in parts}, total(parts)


def failed(parts):
    return {name for name, part in parts.items() if part.outcome == FAILED}


@pytest.mark.parametrize("name", ["roulette_ref", "vingt_trois_ref", "boule_ref"])
def test_a_sound_wheel_passes_and_goes_back_into_play(name):
    bench, parts, found = outcome_of(name)
    assert found.outcome == PASSED, failed(parts)
    assert found.not_tested == 0
    assert [on for on, _ in bench.services] == [True, False]
    assert {way for way, _ in bench.turns} <= {"ccw", "cw", None}


def test_without_a_hand_it_is_incomplete_and_never_passed():
    _, parts, found = outcome_of(hand=False)
    assert found.outcome == INCOMPLETE
    untested = {name for name, part in parts.items() if part.outcome == NOT_TESTED}
    assert untested == {"pocket0", "pocket1", "pocket2", "rim0 dark", "rim1 dark", "rim2 dark"}


def test_what_a_person_leaves_out_is_not_tested():
    _, parts, found = outcome_of(but=lambda text: "finger" not in text)
    assert found.outcome == INCOMPLETE
    assert parts["rim1 dark"].outcome == NOT_TESTED


def test_what_is_not_fitted_is_not_passed():
    _, parts, _ = outcome_of("boule_ref")
    assert {parts[name].outcome for name in ("level", "clock", "FRAM", "bus line", "displays")} == {
        NOT_FITTED
    }


def test_slow_parts_that_answer_pass():
    _, parts, found = outcome_of("boule_ref", parts=SOUND)
    assert found.outcome == PASSED
    assert found.not_fitted == 0
    assert parts["level"].value == 50
    assert {"FRAM", "journal", "bus line", "display 3 heard", "expander 0x20"} <= set(parts)


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ({"level": {"x_mdeg": 90, "y_mdeg": 90}}, "level"),
        ({"level": None}, "level"),
        ({"level": {"x_mdeg": None, "y_mdeg": None, "zero_mdeg": [0, 0]}}, "level"),
        ({"clock": {"trusted": False}}, "clock"),
        ({"clock": None}, "clock"),
        ({"fram": "the chip is another"}, "FRAM"),
        ({"journal": {"trouble": "the disk is full"}}, "journal"),
        ({"line": {"port": "/dev/ttyAMA0", "lost": True}}, "bus line"),
        ({"displays": [DISPLAY | {"heard_ms": 4000, "faults": ["B11"]}]}, "display 3 heard"),
        ({"displays": [DISPLAY | {"heard_ms": None, "faults": []}]}, "display 3 heard"),
        ({"displays": [DISPLAY | {"lights": "other", "faults": []}]}, "display 3 lights"),
        ({"expanders": [{"name": "0x20", "faults": ["E10"]}]}, "expander 0x20"),
    ],
)
def test_a_slow_part_that_is_wrong_fails(said, part):
    _, parts, found = outcome_of("boule_ref", parts=SOUND | said)
    assert failed(parts) == {part}
    assert found.outcome == FAILED


def without(name):
    line = [each for each, *_ in boards.load("roulette_ref")["inputs"]].index(name)
    return lambda edges: [edge for edge in edges if edge[1] != line]


def test_a_dead_beam_fails():
    _, parts, _ = outcome_of(spoil=without("rim1"))
    assert failed(parts) == {"rim1 dark"}
    assert parts["rim1 alone"].outcome == NOT_TESTED


def test_a_ring_sensor_that_sees_no_ball_fails():
    _, parts, _ = outcome_of(spoil=without("pocket2"))
    assert failed(parts) == {"pocket2 sees the ball, ccw", "pocket2 sees the ball, cw"}


def test_a_missing_zero_mark_fails_and_no_angle_is_said():
    _, parts, _ = outcome_of(spoil=without("enc_z"))
    assert failed(parts) == {"zero mark, ccw", "zero mark, cw"}
    assert parts["pocket0"].outcome == NOT_TESTED


def test_a_dead_channel_fails():
    bench, parts, found = outcome_of(spoil=without("enc_b"))
    assert found.outcome == FAILED
    assert {"speed, ccw", "speed, cw"} <= failed(parts)
    assert bench.services[-1][0] is False


def test_crosstalk_fails():
    names = [each for each, *_ in boards.load("roulette_ref")["inputs"]]
    one, other = names.index("rim0"), names.index("rim2")

    def coupled(edges):
        return sorted([*edges, *((at, other, level) for at, line, level in edges if line == one)])

    _, parts, _ = outcome_of(spoil=coupled)
    assert failed(parts) == {"rim0 alone", "rim2 alone"}


def test_lines_that_are_swapped_turn_the_rotor_the_wrong_way():
    names = [each for each, *_ in boards.load("roulette_ref")["inputs"]]
    swap = {names.index("enc_a"): names.index("enc_b"), names.index("enc_b"): names.index("enc_a")}

    def swapped(edges):
        return [(at_us, swap.get(line, line), level) for at_us, line, level in edges]

    bench, parts, found = outcome_of(spoil=swapped)
    assert found.outcome == FAILED
    assert parts["faults"].outcome == FAILED  # the driver saw it turn against the drive
    assert bench.services[-1][0] is False


def test_a_sensor_that_is_mounted_elsewhere_fails_by_its_place():
    board = boards.load("roulette_ref")
    geometry = {**board["geometry"], "pocket_deg": (60, 183, 300)}
    bench = JumpingBench({**board, "geometry": geometry})
    wheel = sequence.Wheel(board, True, 100, 28.0)
    parts = list(sequence.parts(bench, wheel, Willing(hand_of(bench), bench.names)))
    wrong = {part.name for part in parts if part.outcome == FAILED}
    assert wrong == {"pocket1 place, ccw", "pocket1 place, cw"}


def test_whoever_interrupts_has_the_wheel_put_back():
    board = boards.load("roulette_ref")
    bench = JumpingBench(board)

    class Interrupts(Willing):
        def ask(self, text):
            if "any compartment" in text:
                raise KeyboardInterrupt
            return super().ask(text)

    wheel = sequence.Wheel(board, True, 100, 28.0)
    with pytest.raises(KeyboardInterrupt):
        list(sequence.parts(bench, wheel, Interrupts(hand_of(bench), bench.names)))
    assert bench.services[-1][0] is False


def test_a_controller_that_dies_is_a_failure_not_a_result():
    board = boards.load("boule_ref")

    class Dies(JumpingBench):
        def parts(self):
            raise Failure(1, "The controller is gone.")

    bench = Dies(board)
    with pytest.raises(Failure, match="gone"):
        list(sequence.parts(bench, sequence.Wheel(board, False, 100, 20.0), Nobody()))
