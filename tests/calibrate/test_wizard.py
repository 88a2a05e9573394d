"""A calibration finds where the sensors of a wheel are that is not built as it is drawn."""

import pytest
from jumping import JumpingBench
from willing import Willing, hand_of

import boards
import rules
from firmware.core.sense.ring import RingSensors
from firmware.core.sense.rotor import RotorEncoder
from firmware.lib.errors import FAILED, Failure
from firmware.run import calibration_effect
from firmware.store import calibration
from tools.technician.calibrate import judge, wizard
from tools.technician.calibrate.notes import Notes
from tools.technician.calibrate.ring import Unclear

BUILT = {"pocket_deg": (60.9, 178.7, 301.1), "rim_deg": (0.4, 119.2, 240.9)}
# The part that all sensors share is the zero mark's: (.9 - 1.3 + 1.1) / 3, and none is for beams.
OWN_POCKET_MDEG = (60_667, 178_467, 300_867)
OWN_RIM_MDEG = (233, 119_033, 240_733)
DRAWN = boards.load("roulette_ref")
NAMES = [str(number) for number in rules.load("roulette_lu")["layout"]]


def wheel_of(board, names=NAMES, lays=3):
    return wizard.Wheel(board, names, board["rotor"] == "driven", lays, 28.0)


def bench_of(built=BUILT, name="roulette_ref", **options):
    board = boards.load(name)
    return JumpingBench({**board, "geometry": {**board["geometry"], **built}}, **options)


def measured(bench, *, lays=3, but=lambda text: "speeds" not in text):
    """Notes of a whole calibration, speeds left out."""
    notes = Notes(None, DRAWN["name"])
    person = Willing(hand_of(bench), bench.names, but)
    wizard.run(bench, wheel_of(DRAWN, lays=lays), person, notes)
    return notes, person


@pytest.mark.parametrize("seed", [2, 5, 8])
def test_sensors_and_beams_are_found_where_they_are(seed):
    notes, _ = measured(bench_of(seed=seed, preset="W2"))
    values, lines = judge.values(notes, DRAWN, 37, 28.0)
    judge.check(lines)
    for found, true in zip(values["pocket_mdeg"], OWN_POCKET_MDEG, strict=True):
        assert abs(found - true) < 20
    for found, true in zip(values["rim_mdeg"], OWN_RIM_MDEG, strict=True):
        assert abs((found - true + 180_000) % 360_000 - 180_000) < 150
    assert abs(values["index_mdeg"] - 233) < 3 * values["index_sd_mdeg"]
    assert values["ball_pockets"] == [0, 12, 24]
    assert calibration.check(values) == values


def test_a_sensor_that_answers_late_is_found_where_it_is():
    line = [name for name, *_ in DRAWN["inputs"]].index("pocket1")
    late_us = 8_000  # 1.3 degrees at 28 rpm

    def late(edges):
        return [(at + late_us if each == line else at, each, level) for at, each, level in edges]

    notes, _ = measured(bench_of(spoil=late), but=lambda text: "Lay" in text)
    values, _ = judge.values(notes, DRAWN, 37, 28.0)
    assert abs(values["pocket_mdeg"][1] - OWN_POCKET_MDEG[1]) < 40


def test_a_sensor_that_answers_far_too_late_is_refused():
    line = [name for name, *_ in DRAWN["inputs"]].index("pocket1")

    def late(edges):
        return [(at + 15_000 if each == line else at, each, level) for at, each, level in edges]

    notes, _ = measured(bench_of({}, spoil=late), but=lambda text: "Lay" in text)
    _, lines = judge.values(notes, DRAWN, 37, 28.0)
    with pytest.raises(Unclear, match=r"pocket1 answers 1[45]\.\d ms later"):
        judge.check(lines)


def test_the_ball_is_turned_one_way_and_the_other_in_turn():
    bench = bench_of()
    measured(bench, lays=4, but=lambda text: "Lay" in text)
    assert [way for way, _ in bench.turns if way] == ["ccw", "cw", "ccw", "cw"]


def test_lays_of_one_way_alone_say_nothing():
    notes, _ = measured(bench_of(), lays=6, but=lambda text: "Lay" in text)
    notes.lays = [each for each in notes.lays if each.way == 1]
    with pytest.raises(Unclear, match="turned both ways"):
        judge.values(notes, DRAWN, 37, 28.0)


def test_lays_of_another_wheel_are_refused():
    notes, _ = measured(bench_of(), but=lambda text: "Lay" in text)
    notes.lays = [each._replace(passes=each.passes[:2]) for each in notes.lays]
    with pytest.raises(Unclear, match="begin anew"):
        judge.values(notes, DRAWN, 37, 28.0)


def test_more_compartments_make_the_zero_mark_surer():
    few, _ = measured(bench_of(), but=lambda text: "Lay" in text)
    many, _ = measured(bench_of(), lays=8, but=lambda text: "Lay" in text)
    sure = [judge.values(notes, DRAWN, 37, 28.0)[0]["index_sd_mdeg"] for notes in (few, many)]
    assert sure[1] < sure[0] * 0.7


def test_what_was_measured_is_not_measured_again(tmp_path):
    bench = bench_of()

    class Tires(Willing):
        def ask(self, text):
            if "compartment 24" in text:
                raise KeyboardInterrupt
            return super().ask(text)

    path = tmp_path / "calibrating.json"
    person = Tires(hand_of(bench), bench.names)
    with pytest.raises(KeyboardInterrupt):
        wizard.run(bench, wheel_of(DRAWN), person, Notes(path, DRAWN["name"]))
    assert bench.services[-1][0] is False
    person = Willing(hand_of(bench), bench.names, lambda text: "Lay" in text)
    notes = Notes(path, DRAWN["name"])
    wizard.run(bench, wheel_of(DRAWN), person, notes)
    assert [text for text in person.asked if "Lay" in text] == [
        f"Lay the ball into compartment 24 ({NAMES[24]}), keep clear."
    ]
    assert {lay.compartment for lay in Notes(path, DRAWN["name"]).lays} == {0, 12, 24}


def test_anew_forgets_only_once_the_wheel_is_out_of_play_for_who_asks(tmp_path):
    """What another has measured is not lost for one who may not."""

    class Taken(JumpingBench):
        def service(self, on, why):
            raise Failure(FAILED, "klein has it.")

    path = tmp_path / "calibrating.json"
    notes = Notes(path, DRAWN["name"])
    notes.level = (3, 4)
    notes.keep()
    bench = bench_of()
    with pytest.raises(Failure, match="klein"):
        wizard.run(
            Taken(DRAWN), wheel_of(DRAWN), Willing(hand_of(bench), bench.names), notes, anew=True
        )
    assert Notes(path, DRAWN["name"]).level == (3, 4)
    person = Willing(hand_of(bench), bench.names, lambda text: False)
    wizard.run(bench, wheel_of(DRAWN), person, notes, anew=True)
    assert Notes(path, DRAWN["name"]).empty


def test_the_speeds_that_the_drive_holds_are_found_in_one_run():
    bench = bench_of()
    notes, _ = measured(bench, but=lambda text: "speeds" in text)
    assert notes.speeds == (5, 26)
    assert [way for way, _ in bench.turns if way] == ["ccw", "ccw"]


def test_a_drive_that_turns_neither_slowly_nor_fast_is_found_out():
    class Limited(JumpingBench):
        def turn(self, way, rpm, for_s):
            super().turn(way, min(max(rpm, 7), 23), for_s)

    notes, person = measured(Limited(DRAWN), but=lambda text: "speeds" in text)
    assert notes.speeds == (8, 22)
    assert "Turning at 6 rpm." in person.told


def test_a_drive_that_holds_no_slow_speed_has_its_speeds_left_out():
    class Hasty(JumpingBench):
        def turn(self, way, rpm, for_s):
            super().turn(way, max(rpm, 15), for_s)

    bench = Hasty(DRAWN)
    notes, person = measured(bench, but=lambda text: "speeds" in text)
    assert notes.speeds is None
    assert person.told[-1] == "No speed from 5 to 12 rpm was held: left out."


def test_a_dish_has_its_beams_alone():
    board = boards.load("boule_ref")
    bench = JumpingBench(board)
    notes = Notes(None, board["name"])
    person = Willing(hand_of(bench), bench.names)
    names = [str(number) for number in rules.load("boule_fr")["layout"]]
    wizard.run(bench, wheel_of(board, names), person, notes)
    values, _ = judge.values(notes, board, 18, 28.0)
    assert "rim_mdeg" in values
    assert "pocket_mdeg" not in values


def test_a_plate_is_calibrated_by_its_ring():
    board = boards.load("vingt_trois_ref")
    bench = JumpingBench(board)
    notes = Notes(None, board["name"])
    person = Willing(hand_of(bench), bench.names, lambda text: "speeds" not in text)
    names = [str(number) for number in rules.load("vingt_trois_fr")["layout"]]
    wizard.run(bench, wheel_of(board, names), person, notes)
    values, lines = judge.values(notes, board, 27, 28.0)
    judge.check(lines)
    assert "rim_mdeg" not in values
    assert "not measured" in {line.measured for line in lines}


def test_a_level_wheel_is_the_zero_of_its_sensor():
    bench = JumpingBench(boards.load("boule_ref"), parts={"level": {"x_mdeg": 120, "y_mdeg": -7}})
    notes = Notes(None, "boule_ref")
    person = Willing(hand_of(bench), bench.names, lambda text: "level" in text)
    wizard.run(bench, wheel_of(boards.load("boule_ref")), person, notes)
    assert notes.level == (120, -7)


# --- what is refused ------------------------------------------------------------------------------
def test_a_ball_in_another_compartment_than_was_said_is_refused():
    bench = bench_of()
    reach = hand_of(bench)

    def careless(request):
        if request["do"] == "lay" and request["compartment"] == 12:
            request = {"do": "lay", "compartment": 13}
        reach(request)

    notes = Notes(None, DRAWN["name"])
    person = Willing(careless, bench.names, lambda text: "Lay" in text)
    wizard.run(bench, wheel_of(DRAWN), person, notes)
    with pytest.raises(Unclear, match="compartment 12 lay in another"):
        judge.values(notes, DRAWN, 37, 28.0)


@pytest.mark.parametrize(
    ("built", "says"),
    [
        ({"pocket_deg": (60, 186, 300)}, "pocket1 is"),
        ({"pocket_deg": (65, 185, 305)}, "zero mark is"),
        ({"rim_deg": (0, 128, 240)}, "rim1 is"),
    ],
)
def test_what_contradicts_the_drawing_is_refused(built, says):
    notes, _ = measured(bench_of(built, preset="W2"))
    _, lines = judge.values(notes, DRAWN, 37, 28.0)
    with pytest.raises(Unclear, match=says):
        judge.check(lines)


class Persists(Willing):
    """Wants everything again."""

    def again(self, text):
        super().again(text)
        return True


def test_a_ball_that_was_not_laid_is_asked_for_again_and_then_gone_on_from():
    bench = bench_of()
    person = Persists(lambda request: None, bench.names, lambda text: "Lay" in text)
    notes = Notes(None, DRAWN["name"])
    failed = wizard.run(bench, wheel_of(DRAWN), person, notes)
    assert [each.step for each in failed] == [f"compartment {at}" for at in (0, 12, 24)]
    assert {each.tries for each in failed} == {wizard.TRIES}
    assert all(each.why.startswith("pocket0 saw something 0 times") for each in failed)
    assert sum("Again?" in text for text in person.asked) == 3 * (wizard.TRIES - 1)
    assert notes.empty
    assert bench.services[-1][0] is False


def test_a_lay_that_failed_is_laid_again_and_the_others_are_measured():
    bench = bench_of()
    reach = hand_of(bench)

    class Forgets(Willing):
        def ask(self, text):
            if "compartment 12" in text:
                reach({"do": "lift"})
                return True
            return super().ask(text)

    forgets = Forgets(reach, bench.names, lambda text: "Lay" in text)
    notes = Notes(None, DRAWN["name"])
    (failed,) = wizard.run(bench, wheel_of(DRAWN), forgets, notes)
    assert (failed.step, failed.tries) == ("compartment 12", 1)
    assert {lay.compartment for lay in notes.lays} == {0, 24}
    last = wizard.with_failed("It ends.", [failed]).splitlines()[-1]
    assert last.startswith("compartment 12: pocket0 saw something 0 times")
    assert last.endswith("Leave one ball alone in the wheel, or clean the sensor.")

    class Remembers(Forgets):
        def again(self, text):
            reach({"do": "lay", "compartment": 12})
            return True

    remembers = Remembers(reach, bench.names, lambda text: "Lay" in text)
    assert wizard.run(bench, wheel_of(DRAWN), remembers, notes) == []
    assert {lay.compartment for lay in notes.lays} == {0, 12, 24}


def test_a_calibration_says_which_step_of_how_many_and_goes_on_in_the_middle():
    bench = bench_of()
    notes, person = measured(bench)
    numbers = list(dict.fromkeys(each.number for each in person.steps))
    assert numbers == list(range(1, 9))  # three lays, four throws, the speeds
    assert {each.of for each in person.steps} == {8}
    goes_on = Willing(hand_of(bench), bench.names, lambda text: "Lay" in text)
    notes.lays.pop()
    wizard.run(bench, wheel_of(DRAWN), goes_on, notes)
    assert goes_on.steps[0][:2] == (3, 8)


def test_speeds_that_are_not_held_and_a_level_that_is_not_read_are_said_at_the_end():
    class Hasty(JumpingBench):
        def turn(self, way, rpm, for_s):
            super().turn(way, max(rpm, 15), for_s)

    bench = Hasty(DRAWN, parts={"level": {"x_mdeg": None, "y_mdeg": None}})
    person = Willing(hand_of(bench), bench.names, lambda text: "speeds" in text or "level" in text)
    failed = wizard.run(bench, wheel_of(DRAWN), person, Notes(None, DRAWN["name"]))
    assert [each.step for each in failed] == ["speeds", "level"]
    assert person.asked[-1] == "The level sensor has not measured: look at its cable. Again?"


def test_a_fault_that_locks_the_wheel_is_named_and_what_was_measured_stays():
    class RunsAway(JumpingBench):
        def turn(self, way, rpm, for_s):
            if rpm == 26:
                self.faults.append({"code": "M11", "text": "M11: The rotor turns too fast."})
                raise Failure(1, "P10: What was asked is not done.")
            super().turn(way, rpm, for_s)

    bench = RunsAway(DRAWN)
    notes = Notes(None, DRAWN["name"])
    person = Willing(hand_of(bench), bench.names)
    with pytest.raises(Failure, match=r"^M11: The rotor turns too fast\. P10: What was asked"):
        wizard.run(bench, wheel_of(DRAWN), person, notes)
    assert len(notes.lays) == 3
    assert bench.services[-1][0] is False


def test_who_stops_it_is_told_of_no_fault():
    class Stopped(Failure):
        pass

    class Stops(Willing):
        def ask(self, text):
            bench.faults.append({"code": "W21", "text": "W21: Beam 1 has been dark."})
            raise Stopped(1, "It was stopped.")

    bench = bench_of()
    with pytest.raises(Stopped, match=r"^It was stopped\.$"):
        wizard.run(
            bench, wheel_of(DRAWN), Stops(hand_of(bench), bench.names), Notes(None, DRAWN["name"])
        )


# --- how it takes effect --------------------------------------------------------------------------
def test_the_core_reads_the_balls_of_the_built_wheel_by_its_calibration():
    notes, _ = measured(bench_of(seed=4), lays=8)
    values, _ = judge.values(notes, DRAWN, 37, 28.0)
    calibrated = calibration_effect.board(DRAWN, values)
    residuals = {}
    for board in (DRAWN, calibrated):
        ring = RingSensors(board["geometry"], compartments=37, rotor=RotorEncoder(cycles=36))
        # The rotor's angle at which a ball in compartment 5 passes each sensor as it is built.
        seen = [
            ring.compartment_at(round((deg / 360 + 5 / 37) * 1e6) - sensor)
            for deg, sensor in zip(BUILT["pocket_deg"], ring.sensors, strict=True)
        ]
        assert {compartment for compartment, _ in seen} == {5}
        residuals[board["name"], board is calibrated] = [residual for _, residual in seen]
    drawn, after = (residuals["roulette_ref", is_calibrated] for is_calibrated in (False, True))
    assert max(drawn) - min(drawn) > 6_000  # 2.4 degrees from sensor to sensor
    assert max(after) - min(after) < 100


def test_a_board_without_a_calibration_stays_as_it_is():
    ring = RingSensors(DRAWN["geometry"], compartments=37, rotor=RotorEncoder(cycles=36))
    assert list(ring.sensors) == [deg * 1_000_000 // 360 for deg in (60, 180, 300)]
    assert calibration_effect.board(DRAWN, {"board": "roulette_ref"}) is DRAWN


def test_an_index_offset_that_is_not_sure_does_not_count():
    values = {
        "board": "roulette_ref",
        "pocket_mdeg": [60_000, 180_000, 300_000],
        "index_mdeg": 700,
        "index_sd_mdeg": 500,
    }
    assert calibration_effect.board(DRAWN, values)["geometry"]["pocket_mdeg"] == (
        60_000,
        180_000,
        300_000,
    )
    sure = values | {"index_mdeg": 1_100}
    assert calibration_effect.board(DRAWN, sure)["geometry"]["pocket_mdeg"] == (
        61_100,
        181_100,
        301_100,
    )


def test_a_calibration_of_another_board_is_refused():
    with pytest.raises(ValueError, match="is of pi4"):
        calibration_effect.board(DRAWN, {"board": "pi4"})
