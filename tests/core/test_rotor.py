"""The rotor's angle from quadrature and zero mark (contracts/trace.md: reference boards)."""

import pytest
from harness.places import LINES
from harness.wheel import WheelSession
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.sense.rotor import RotorEncoder

STEPS = 144
# Levels (a, b) in the quarters 0 to 3 of a cycle: A high while sin >= 0, B a quarter behind.
QUARTERS = ((1, 0), (1, 1), (0, 1), (0, 0))


class Disc:
    """An encoder disc on quarter `at`, which turns in single steps and tells a RotorEncoder."""

    def __init__(self, rotor: RotorEncoder, at: int = 3) -> None:
        self.rotor = rotor
        self.at = at
        self.mark = 0  # the quarter above the zero mark
        self.now_us = 0
        for channel, level in zip("ab", QUARTERS[at % 4], strict=True):
            rotor.preset(channel, level)

    def step(self, way: int, after_us: int = 20_000) -> bool:
        """One step; True if the rotor says that it was set in motion."""
        before = QUARTERS[self.at % 4]
        self.at += way
        after = QUARTERS[self.at % 4]
        self.now_us += after_us
        if before[0] != after[0]:
            return self.rotor.edge_a(self.now_us, after[0])
        return self.rotor.edge_b(self.now_us, after[1])

    def turn(self, steps: int, after_us: int = 20_000) -> int:
        """Many steps with the zero mark where it belongs; how often it was set in motion."""
        way = 1 if steps > 0 else -1
        motions = 0
        for _ in range(abs(steps)):
            # The mark reaches half a step to both sides of the boundary below quarter 0.
            around = (self.at - self.mark) % STEPS in ((STEPS - 1, 0)[way < 0],)
            if around:
                self.rotor.edge_z(1)
            motions += self.step(way, after_us)
            if around:
                self.rotor.edge_z(0)
        return motions


def wheel(at: int = 3) -> Disc:
    return Disc(RotorEncoder(cycles=36), at)


def test_a_leads_b_when_the_rotor_turns_ccw() -> None:
    disc = wheel()
    for _ in range(8):
        disc.step(+1)
    assert disc.rotor.direction == CCW
    for _ in range(8):
        disc.step(-1)
    assert disc.rotor.direction == CW


@given(st.integers(0, 3), st.lists(st.tuples(st.sampled_from((-1, 1)), st.integers(300, 400_000))))
def test_the_count_follows_any_motion_whatever_its_pace(
    start: int, steps: list[tuple[int, int]]
) -> None:
    disc = wheel(start)
    before = disc.rotor.count
    for way, after_us in steps:
        disc.step(way, after_us)
    assert disc.rotor.count - before == disc.at - start


@given(st.integers(0, 143), st.sampled_from((-1, 1)))
def test_the_zero_mark_gives_the_true_angle_wherever_the_rotor_stood(start: int, way: int) -> None:
    disc = wheel(start)
    disc.turn(way * 2 * STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - disc.at) % STEPS == 0
    assert disc.rotor.slips == 0


@given(st.integers(0, 2**32), st.floats(9, 32))
def test_the_angle_is_right_within_a_fifth_of_a_pocket_at_any_playing_speed(
    seed: int, rpm: float
) -> None:
    session = WheelSession(seed)
    plan = session.plan()
    plan.rpm = rpm
    plan.settled_s = 3.0
    session.play(plan)
    rotor = RotorEncoder(cycles=36)
    levels = session.levels()
    rotor.preset("a", levels[LINES.index("enc_a")])
    rotor.preset("b", levels[LINES.index("enc_b")])
    judged = 0
    motion, end = session.truths[0].motion_us, session.truths[0].end_us
    for at_us, line, level in session.edges():
        if motion + 8_000_000 < at_us < end - 2_000_000 and rotor.trusted:
            off = rotor.angle_uturn(at_us) / 1e6 - session.rotor.at(at_us / 1e6)
            assert abs((off + 0.5) % 1 - 0.5) < 0.2 / 37
            judged += 1
        if LINES[line] == "enc_a":
            rotor.edge_a(at_us, level)
        elif LINES[line] == "enc_b":
            rotor.edge_b(at_us, level)
        elif LINES[line] == "enc_z":
            rotor.edge_z(level)
    assert judged > 30


def test_a_lost_edge_is_no_angle_until_the_mark_agrees_again() -> None:
    disc = wheel()
    disc.turn(2 * STEPS)
    assert disc.rotor.trusted
    level = QUARTERS[disc.at % 4][0]
    disc.rotor.edge_a(disc.now_us + 5_000, level)  # as it already stands: one was lost
    assert not disc.rotor.trusted
    assert disc.rotor.slips == 1
    disc.turn(2 * STEPS)
    assert disc.rotor.trusted


def test_a_count_that_is_known_to_have_slipped_is_corrected_by_the_mark() -> None:
    disc = wheel()
    disc.turn(2 * STEPS)
    disc.at += 4  # a whole cycle went by unseen: the levels fit, the angle does not
    disc.rotor.lose()  # and the gap was noticed
    slips = disc.rotor.slips
    disc.turn(STEPS)
    assert disc.rotor.slips > slips
    disc.turn(STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - disc.at) % STEPS == 0


def moved(disc: "Disc", turns: int) -> None:
    """The mark sits a cycle elsewhere and no edge was lost: the same as a cycle lost in silence."""
    disc.at += 4
    disc.turn(turns * STEPS)


def test_a_mark_that_moves_without_a_lost_edge_is_never_believed() -> None:
    """It would give wrong numbers from then on; who knows whether mark or disc has moved?"""
    disc = wheel()
    disc.turn(2 * STEPS)
    checks = disc.rotor.checks
    moved(disc, 9)
    disc.rotor.lose()  # an edge that is lost later explains nothing
    disc.turn(2 * STEPS)
    assert not disc.rotor.trusted
    assert disc.rotor.checks == checks


def test_a_mark_that_comes_back_to_its_place_is_believed_again() -> None:
    disc = wheel()
    disc.turn(2 * STEPS)
    moved(disc, 5)
    disc.at -= 4
    disc.turn(2 * STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - disc.at) % STEPS == 0


@pytest.mark.parametrize("cycles", [5, 11])
@pytest.mark.parametrize("recoil_us", [60_000, 90_000])
def test_a_rest_after_a_recoil_explains_no_mark_that_moved_meanwhile(
    recoil_us: int, cycles: int
) -> None:
    """A step back without a rest is a lost edge; how long it then stood says nothing of more."""
    disc = wheel()
    disc.turn(3 * STEPS + 20)
    for after_us in (30_000, 40_000, 55_000, 75_000, 90_000):
        disc.step(+1, after_us)
    disc.step(-1, recoil_us)
    disc.step(+1, 10_000_000)
    disc.at += 4 * cycles
    for after_us in (400_000, 90_000, 60_000, 40_000, 30_000, 25_000):
        disc.turn(1, after_us)
    disc.turn(3 * STEPS)
    assert not disc.rotor.trusted
    assert disc.rotor.disputed


SETS_OUT = (400_000, 90_000, 60_000, 40_000, 30_000, 25_000)


@pytest.mark.parametrize("way", [+1, -1])
@pytest.mark.parametrize("rest_us", [1_000_000, 5_000_000])
@pytest.mark.parametrize("last", [(), (33_000,), (33_000, 45_000)])
def test_a_rotor_that_a_hand_stops_at_once_explains_no_mark_that_moved_meanwhile(
    last: tuple[int, ...], rest_us: int, way: int
) -> None:
    """At 15 rpm it takes a hand a step or two."""
    disc = wheel()
    disc.turn(5 * STEPS, 28_000)
    for after_us in last:
        disc.turn(1, after_us)
    disc.now_us += rest_us
    disc.at += 40
    for after_us in SETS_OUT:
        disc.turn(way, after_us)
    disc.turn(3 * STEPS * way)
    assert not disc.rotor.trusted
    assert disc.rotor.disputed


def test_losses_long_after_a_mark_lay_aside_do_not_explain_it() -> None:
    """By two cycles: so much may be lost as a rotor is braked, had more been lost near."""
    disc = wheel()
    disc.turn(3 * STEPS + 20)
    for after_us in (30_000, 39_000, 150_000):
        disc.turn(1, after_us)
    disc.now_us += 2_000_000
    disc.at += 8
    for after_us in SETS_OUT:
        disc.turn(-1, after_us)
    disc.turn(-4 * STEPS)
    assert disc.rotor.disputed
    for _ in range(4):  # a cycle of both channels is lost, four times within a turn
        disc.turn(-20)
        disc.at -= 4
        disc.turn(-1, 100_000)
    disc.turn(-3 * STEPS)
    assert not disc.rotor.trusted
    assert disc.rotor.disputed


def test_a_mark_that_somebody_has_looked_at_is_believed_where_it_is_now() -> None:
    disc = wheel()
    disc.turn(2 * STEPS)
    assert not disc.rotor.settle()
    moved(disc, 5)
    assert disc.rotor.settle()
    assert not disc.rotor.trusted
    disc.turn(2 * STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - disc.at) % STEPS == 0


@pytest.mark.parametrize("off", [1, 2, 3])
def test_a_mark_that_is_not_on_its_edge_of_channel_a_is_no_mark(off: int) -> None:
    """Not even after a lost edge: a loss is of whole cycles, or the levels would not fit."""
    disc = wheel()
    disc.turn(2 * STEPS)
    disc.rotor.lose()
    disc.mark = off
    disc.turn(4 * STEPS)
    assert not disc.rotor.trusted


@pytest.mark.parametrize("off", [0, 1, 2, 3])
@pytest.mark.parametrize("way", [1, -1])
def test_whoever_mounts_the_disc_may_set_the_mark_on_any_edge(off: int, way: int) -> None:
    disc = wheel()
    disc.mark = off
    disc.turn(3 * way * STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - (disc.at - off)) % STEPS == 0


def test_a_tremble_over_one_edge_is_no_speed() -> None:
    disc = wheel()
    disc.turn(STEPS)
    for n in range(40):
        disc.step(-1 if n % 2 else 1, 10_000)
    assert disc.rotor.speed_uturn_s(disc.now_us) == 0


def test_a_mark_without_an_edge_inside_is_noise() -> None:
    disc = wheel()
    disc.turn(STEPS + 40)
    count, checks = disc.rotor.count, disc.rotor.checks
    disc.rotor.edge_z(1)
    disc.rotor.edge_z(0)
    assert disc.rotor.count == count
    assert disc.rotor.checks == checks
    assert disc.rotor.trusted


def test_a_mark_that_stays_away_is_missed() -> None:
    disc = wheel()
    disc.turn(STEPS + 10)
    assert not disc.rotor.mark_missing()
    for _ in range(STEPS * 3 // 2):
        disc.step(+1)
    assert disc.rotor.mark_missing()


def test_a_rotor_from_rest_is_set_in_motion_once() -> None:
    disc = wheel()
    assert disc.turn(+400) == 1
    assert disc.rotor.motion_direction == CCW


def test_what_moves_after_an_order_is_no_push_that_goes_on() -> None:
    """A motor that stops at once and is told anew the same way begins a coup all the same."""
    disc = wheel()
    disc.turn(-300)
    push = (700_000, 90_000, 60_000, 45_000, 40_000)
    assert sum(disc.step(+1, after_us) for after_us in push) == 1
    disc.now_us += 5_000_000
    assert sum(disc.step(+1, after_us) for after_us in push) == 0, "somebody pushes once more"
    disc.now_us += 5_000_000
    disc.rotor.ordered()
    assert sum(disc.step(+1, after_us) for after_us in push) == 1


def test_the_last_slow_steps_of_a_run_are_no_new_motion() -> None:
    disc = wheel()
    disc.turn(+300)
    motions = sum(
        disc.step(+1, after_us) for after_us in (40_000, 60_000, 90_000, 150_000, 400_000)
    )
    assert motions == 0


def test_a_rest_of_an_instant_is_a_rest() -> None:
    """contracts/trace.md: rest between coups may last 100 ms without an encoder edge."""
    disc = wheel()
    disc.turn(+300)
    for after_us in (40_000, 60_000, 90_000):
        disc.step(+1, after_us)
    motions = disc.step(-1, 105_000)
    for after_us in (60_000, 45_000, 35_000, 30_000):
        motions += disc.step(-1, after_us)
    assert motions == 1
    assert disc.rotor.motion_direction == CW


def test_the_motion_is_the_way_the_rotor_runs_though_it_was_rocked_back_before() -> None:
    """contracts/trace.md: a rotor that comes to rest before its ball is lifted goes on later."""
    disc = wheel()
    disc.turn(+300)
    for after_us in (50_000, 90_000):
        disc.step(+1, after_us)
    for after_us in (300_000, 90_000, 90_000):  # a hand, a little back
        disc.step(-1, after_us)
    disc.step(+1, 900_000)
    disc.turn(+300)
    assert disc.rotor.motion_direction == CCW


def test_the_speed_is_signed_and_falls_with_silence() -> None:
    disc = wheel()
    disc.turn(-100, after_us=20_000)
    turn_us = 20_000 * STEPS
    expected = -1_000_000 * 1_000_000 // turn_us
    assert abs(disc.rotor.speed_uturn_s(disc.now_us) - expected) < 1_000
    slower = disc.rotor.speed_uturn_s(disc.now_us + 500_000)
    assert expected < slower < 0
    assert disc.rotor.speed_uturn_s(disc.now_us + 2_000_000) == 0


def test_a_rotor_that_never_moved_knows_nothing() -> None:
    rotor = RotorEncoder(cycles=36)
    assert not rotor.trusted
    assert rotor.motion_direction == UNKNOWN
    assert not rotor.is_turning(0)
    assert rotor.speed_uturn_s(5_000_000) == 0


def test_a_whole_cycle_lost_at_a_steady_pace_is_noticed_before_the_mark() -> None:
    """Four edges in a row: the levels fit again, but a step took five times as long as the last."""
    disc = wheel()
    disc.turn(2 * STEPS + 20)
    disc.at += 4
    disc.now_us += 70_000
    disc.turn(2)
    assert disc.rotor.slips == 1
    assert not disc.rotor.trusted
    disc.turn(2 * STEPS)
    assert disc.rotor.trusted
    assert (disc.rotor.count - disc.at) % STEPS == 0


def test_a_rotor_that_is_braked_has_lost_no_edge() -> None:
    disc = wheel()
    disc.turn(2 * STEPS + 20)
    for after_us in (20_000, 70_000, 80_000, 90_000):
        disc.step(1, after_us)
    assert disc.rotor.slips == 0
