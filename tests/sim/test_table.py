"""One door to every simulated apparatus."""

import subprocess
import sys
from random import Random

import pytest

import boards
import rules
from firmware.shims.virtual import VirtualMachine
from tools.sim.ports import Bridge, JumpingWheel
from tools.sim.table import presets, virtual_table

BOARDS = ("roulette_ref", "vingt_trois_ref", "boule_ref")


def open_table(name, **options):
    board = boards.load(name)
    return board, virtual_table(board, rules.load(board["rules"]), **options)


@pytest.mark.parametrize("name", BOARDS)
def test_every_reference_board_has_a_table_to_play_on(name):
    board, table = open_table(name, seed=3)
    assert table.finished == 0
    assert len(table.initial_levels()) == len(board["inputs"])
    wheel = JumpingWheel(table, Bridge(board, VirtualMachine()))
    edges = wheel.read(5_000_000)
    start = [entry[0] for entry in board["inputs"]].index("btn_start")
    assert start in {line for _, line, _ in edges}
    assert table.now_us == wheel.now_us() == 5_000_000


@pytest.mark.parametrize("name", BOARDS)
def test_the_default_specimen_is_the_first_named(name):
    board, table = open_table(name, seed=3)
    first = presets(board["apparatus"])[0]
    _, named = open_table(name, preset=first, seed=3)
    assert table.advance(20_000_000, 500) == named.advance(20_000_000, 500)


def test_the_specimens_have_their_names():
    assert presets("roulette") == ("W1", "W2")
    assert presets("vingt_trois") == ("V1",)
    assert presets("boule")[0] == "B1"


def test_a_specimen_of_another_apparatus_is_refused():
    with pytest.raises(KeyError):
        open_table("vingt_trois_ref", preset="W1")
    with pytest.raises(KeyError):
        presets("petits_chevaux")


def test_a_plate_is_played_without_loading_wheel_or_dish():
    code = (
        "import sys, boards, rules; from tools.sim.table import virtual_table; "
        "virtual_table(boards.load('vingt_trois_ref'), rules.load('vingt_trois_fr')); "
        "print([name for name in ('wheel', 'track', 'dish') if 'tools.sim.' + name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("hand", [False, True])
@pytest.mark.parametrize("name", BOARDS)
def test_before_anybody_acts_only_the_encoder_is_seen_whatever_the_motor_does(name, hand):
    board, table = open_table(name, seed=2, hand=hand)
    motor = Random(1)
    far = 0
    while table.now_us < 150_000_000:
        acts_us = min(table.acts_us, table.now_us + 1_000_000)
        far += acts_us > table.now_us + 20_000
        while table.now_us < acts_us - 1:
            way = 1 if table.now_us // 40_000_000 % 2 else -1
            until_us = min(table.now_us + 25_000, acts_us - 1)
            seen = table.advance(until_us, way * motor.choice((-1000, 300, 600, 1000, 1000)))
            assert {board["inputs"][line][0] for _, line, _ in seen} <= {"enc_a", "enc_b", "enc_z"}
        table.advance(table.now_us + 5_000, 400)
    assert table.finished
    assert far > 50


class Unforeseen:
    """A table of which nobody knows when somebody acts: a wheel looks at it in each slot."""

    acts_us = 0

    def __init__(self, table):
        self.now_us = table.now_us
        self.advance = table.advance


@pytest.mark.parametrize("name", BOARDS)
def test_slots_in_which_nobody_acts_are_passed_over_unnoticed(name):
    board, table = open_table(name, seed=4, hand=True)
    encoder = {line for line, (each, *_) in enumerate(board["inputs"]) if each.startswith("enc_")}
    leaping, walking = (
        JumpingWheel(each, Bridge(board, VirtualMachine()), encoder)
        for each in (table, Unforeseen(open_table(name, seed=4, hand=True)[1]))
    )
    while leaping.now_us() < 90_000_000:
        until_us = leaping.now_us() + 50_000
        assert leaping.read(until_us) == walking.read(until_us)
        assert leaping.now_us() == walking.now_us()


class Calling:
    """A table beside which something moves at a time."""

    def __init__(self, table, moves_us):
        self.table, self.moves_us, self.wheel = table, moves_us, None

    @property
    def now_us(self):
        return self.table.now_us

    @property
    def acts_us(self):
        return self.table.now_us

    def advance(self, until_us, motor_permille):
        if self.table.now_us < self.moves_us <= until_us:
            self.wheel.call()
        return self.table.advance(until_us, motor_permille)


def test_what_moves_beside_the_table_ends_a_wait_at_the_end_of_its_slot():
    board, table = open_table("roulette_ref", seed=3)
    calling = Calling(table, 5_003_000)
    wheel = calling.wheel = JumpingWheel(calling, Bridge(board, VirtualMachine()), range(99))
    wheel.read(5_000_000)
    wheel.read(5_200_000)
    assert wheel.now_us() == table.now_us == 5_010_000
    wheel.read(5_200_000)
    assert wheel.now_us() == 5_200_000
