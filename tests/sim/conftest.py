"""A reference wheel to play on, and what a crude motor driver does with it."""

import pytest

import boards
import rules
from tools.sim.wheel import VirtualWheel

BOARD = boards.load("roulette_ref")
RULES = rules.load("european")


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
