"""What the rig does with the commands on the wheel's board: start, probe, clear."""

import sys

import pytest
from rig_bench import EXAMPLE, OURS, FakeGpiod, wired

from firmware.lib.errors import Failure
from tools.hil.rig import play, wiring
from tools.hil.rig.play import Play, Probe, check_wires
from tools.hil.scenario import Scenario

FOUND = wiring.load(EXAMPLE)
SCENARIO = Scenario("rigged", "A coup.", "roulette", 1)
PLAYS = "import sys, time\nprint('Playing on the wheel', file=sys.stderr, flush=True)\n"
STARTED = '{"t_us": 5, "event": "coup_started", "coup": 1, "rotor": null}'
LOCKED = '{"t_us": 6, "event": "fault", "code": "M12", "text": "stop"}'


def python(code):
    return (sys.executable, "-c", code)


def played(tmp_path, code, **commands):
    rig = FOUND._replace(start=python(code), **commands)
    gpiod = FakeGpiod(wired(FOUND), OURS)
    try:
        return Play(gpiod, rig, SCENARIO, tmp_path).run(tmp_path / "t.vcd")
    finally:
        assert gpiod.held == set()


def test_a_controller_that_does_not_play_is_told_with_its_last_words(tmp_path):
    with pytest.raises(Failure, match="does not play on the wheel's board: no such board"):
        played(tmp_path, "import sys; sys.exit('no such board')")


def test_a_controller_that_ends_by_itself_breaks_a_rule_and_what_it_said_is_kept(tmp_path):
    said = played(tmp_path, f"{PLAYS}print('{STARTED}')")
    assert [broken.text for broken in said.broken] == ["the controller has ended by itself"]
    assert [fact.coup for fact in said.facts] == [1]
    assert (tmp_path / "t.vcd").exists()


def test_what_is_no_line_of_the_controller_is_a_terminals_echo(tmp_path):
    assert played(tmp_path, f"{PLAYS}print('^C'); print('[1]'); print('{STARTED}')").facts


def test_a_lock_that_nobody_may_clear_breaks_a_rule(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "CLEAR_US", 0)
    said = played(tmp_path, f"{PLAYS}print('{LOCKED}')", clear=())
    assert any("name the command `clear`" in broken.text for broken in said.broken)


def test_a_lock_is_cleared_by_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(play, "CLEAR_US", 0)
    # The controller waits for it, so that nothing depends on how long a process takes to start.
    wait = "import os\nwhile not os.path.exists('cleared'): time.sleep(0.01)"
    said = played(
        tmp_path,
        f"{PLAYS}print('{LOCKED}', flush=True)\n{wait}",
        clear=python("open('cleared', 'w')"),
    )
    assert [broken.text for broken in said.broken] == ["the controller has ended by itself"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit('the lines are taken')", "does not answer: the lines are taken"),
        ("""print('{"ready": "pi5"}')""", "looks at another board"),
    ],
)
def test_a_probe_that_does_not_look_at_that_board_is_told(tmp_path, code, why):
    with pytest.raises(Failure, match=why):
        Probe(FOUND._replace(probe=python(code)), tmp_path)


def test_wires_that_are_not_there_are_told_before_anything_is_played():
    names = list(FOUND.driven)
    code = (
        "import json\nprint(json.dumps({'ready': 'pi4'}), flush=True)\n"
        "while line := __import__('sys').stdin.readline():\n"
        f"    print(json.dumps({{'levels': dict.fromkeys({names}, 0)}}), flush=True)\n"
    )
    gpiod = FakeGpiod(wired(FOUND), OURS)
    with pytest.raises(Failure, match="rim0 goes in by a wire that is missing") as found:
        check_wires(gpiod, FOUND._replace(probe=python(code)))
    assert len(found.value.sentence.split("\n")) == len(FOUND.pins)
    assert gpiod.held == set()
