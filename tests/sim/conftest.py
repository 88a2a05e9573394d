"""A reference wheel to play on, and what a crude motor driver does with it."""

from bisect import bisect_right

import pytest

import boards
import rules
from tools.sim.wheel import VirtualWheel

BOARD = boards.load("roulette_ref")
RULES = rules.load("roulette_lu")


def new_wheel(preset="W1", seed=1, hand=False, **options):
    return VirtualWheel(BOARD, RULES, preset, seed, hand, **options)


def play(wheel, *, coups, step_us=20_000, permille=500):
    """Reverses the motor at every press of the button; returns all edges."""
    start = wheel.layout.line["btn_start"]
    direction, motor, edges = -1, 0, []
    limit_us = wheel.now_us + (coups + 1) * 60_000_000
    while wheel.finished < coups and wheel.now_us < limit_us:
        for edge in wheel.advance(wheel.now_us + step_us, motor):
            edges.append(edge)
            if edge[1:] == (start, 1):
                direction = -direction
                motor = direction * permille
    return edges


class Decoder:
    """The rotor's angle from encoder and zero mark, as anyone outside would work it out."""

    def __init__(self, wheel, edges):
        self.names, self.pockets, self.edges = wheel.layout.names, wheel.layout.pockets, edges
        level = dict(zip(self.names, wheel.initial_levels(), strict=True))
        self.times, self.counts, self.zeros = [], [], []
        count = 0
        for at_us, line, value in edges:
            name = self.names[line]
            level[name] = value
            if name in ("enc_a", "enc_b"):
                # A leads B ccw: whatever changes, ccw it leaves A xor B at 1 after A, 0 after B.
                forward = (level["enc_a"] ^ level["enc_b"]) == (name == "enc_a")
                count += 1 if forward else -1
                self.times.append(at_us)
                self.counts.append(count)
            elif name == "enc_z":
                self.zeros.append((at_us, value))

    def count_at(self, at_us):
        index = bisect_right(self.times, at_us)
        (t_0, t_1), (c_0, c_1) = (
            self.times[index - 1 : index + 1],
            self.counts[index - 1 : index + 1],
        )
        return c_0 + (c_1 - c_0) * (at_us - t_0) / (t_1 - t_0)

    def zero_before(self, at_us):
        """The count with the zero mark at stator angle 0, from its last whole pulse."""
        passed = [at for at in range(1, len(self.zeros)) if self.zeros[at][0] <= at_us]
        at = next(at for at in reversed(passed) if self.zeros[at][1] == 0)
        return (self.count_at(self.zeros[at - 1][0]) + self.count_at(self.zeros[at][0])) / 2

    def named(self, from_us, until_us):
        """What each pulse of the ring between two times says: (centre, line, compartment)."""
        degrees = {"pocket0": 60, "pocket1": 180, "pocket2": 300}
        rose, found = {}, []
        for at_us, line, level in self.edges:
            name = self.names[line]
            if name not in degrees or not from_us < at_us < until_us:
                continue
            if level:
                rose[name] = at_us
            elif name in rose:
                centre_us = (rose[name] + at_us) / 2
                phi = (self.count_at(centre_us) - self.zero_before(centre_us)) / 144 % 1.0
                found.append((centre_us, line, (phi - degrees[name] / 360) * self.pockets))
        return [(at_us, line, at % self.pockets) for at_us, line, at in found]


@pytest.fixture(scope="session")
def decoder_of():
    return Decoder


@pytest.fixture(scope="session")
def wheel_of():
    return new_wheel


@pytest.fixture(scope="session")
def played():
    return play


@pytest.fixture(scope="module", params=["W1", "W2", "by hand"])
def game(request):
    """A wheel after some coups, and their edges."""
    hand = request.param == "by hand"
    wheel = new_wheel("W1" if hand else request.param, 7, hand)
    return wheel, play(wheel, coups=12)
