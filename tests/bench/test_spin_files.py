"""What `tools.bench.realspins` takes for a spin, and how it predicts spins made by a law."""

import math
import random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib.errors import USAGE, Failure
from tools.bench import realspins

LAPS_S = (0.8, 1.0, 1.3, 1.6, 1.8)
HEAD = "spin,kind,index,t_s\n"


def times(laps_s, begin_s=1.0):
    """The crossings between laps."""
    found = [begin_s]
    for lap_s in laps_s:
        found.append(found[-1] + lap_s)
    return tuple(found)


def rows(number, passed_s, hit_s):
    """A spin as lines of the file."""
    lines = [f"{number},ball_at_landmark,{at},{s:.6f}" for at, s in enumerate(passed_s)]
    return "\n".join([*lines, f"{number},ball_hits_deflector,0,{hit_s:.6f}", ""])


def slowed(number, first_turn_s, *, scatter_s=0.0, chance=None):
    """A ball that slows by .02 + .08 w^2 turn/s2 from so fast, and hits at .4 turn/s."""
    low, square = 0.02, 0.08
    root = math.sqrt(low / square)
    phase = math.atan(first_turn_s / root)
    rate = math.sqrt(low * square)
    speed = lambda at_s: root * math.tan(phase - rate * at_s)  # noqa: E731
    turned = lambda at_s: (  # noqa: E731
        math.log(math.cos(phase - rate * at_s) / math.cos(phase)) / square
    )
    hit_s = (phase - math.atan(0.4 / root)) / rate
    passed_s = []
    while True:
        low_s, high_s = 0.0, hit_s
        if turned(hit_s) < len(passed_s):
            break
        for _ in range(50):
            middle_s = (low_s + high_s) / 2
            low_s, high_s = (
                (middle_s, high_s) if turned(middle_s) < len(passed_s) else (low_s, middle_s)
            )
        passed_s.append(low_s)
    assert speed(hit_s) == pytest.approx(0.4)
    noisy = [at_s + (chance.gauss(0.0, scatter_s) if chance else 0.0) for at_s in passed_s]
    return realspins.Spin(number, tuple(noisy), hit_s)


def test_a_lap_far_shorter_than_the_one_before_is_a_defect():
    passed_s = times((0.8, 1.0, 0.8, 1.6, 1.8))
    assert realspins.usable(1, passed_s, [9.0]) == "a lap far shorter than the one before"


def test_a_lap_shorter_by_the_film_s_noise_is_none():
    passed_s = times((0.8, 1.0, 0.9, 1.3, 1.6))
    assert realspins.usable(1, passed_s, [9.0]) == realspins.Spin(1, passed_s, 9.0)


def test_laps_after_the_deflector_are_a_defect():
    assert realspins.usable(1, times(LAPS_S), [5.0]) == "laps after the deflector"


def test_one_crossing_after_the_deflector_is_no_lap():
    passed_s = times((*LAPS_S, 2.0))
    assert realspins.usable(1, passed_s, [9.0]).passed_s == passed_s[:-1]


@pytest.mark.parametrize("hits_s", [[], [8.0, 9.0]])
def test_a_spin_needs_one_time_of_the_deflector(hits_s):
    assert realspins.usable(1, times(LAPS_S), hits_s) == "no time of the deflector"


def test_a_spin_needs_laps():
    assert realspins.usable(1, times(LAPS_S[:3]), [9.0]) == "too few laps"


@given(st.lists(st.floats(0, 60), max_size=8), st.lists(st.floats(0, 60), max_size=2))
def test_any_times_are_a_spin_or_a_reason(passed_s, hits_s):
    found = realspins.usable(1, passed_s, hits_s)
    if isinstance(found, realspins.Spin):
        assert len(found.passed_s) > realspins.LAPS_MIN
        assert max(found.passed_s) < found.hit_s
    else:
        assert found


def test_a_ball_that_is_fast_to_the_end_tells_nothing_of_it():
    assert realspins.usable(1, times((0.5, 0.55, 0.6, 0.65)), [9.0]) == "too fast to the end"


def test_spins_that_follow_one_law_are_predicted_to_hundredths():
    spins = [slowed(number, 0.95 + 0.02 * number) for number in range(12)]
    for errors in realspins.ours(spins, stamp_s=0.001).values():
        assert errors.rms_s() < 0.06


def test_with_the_film_s_noise_the_predictor_beats_every_threshold_of_one_beam():
    chance = random.Random(4)
    spins = [
        slowed(number, chance.uniform(0.95, 1.3), scatter_s=realspins.STAMP_S, chance=chance)
        for number in range(20)
    ]
    best = realspins.threshold(spins, lambda mean_s: mean_s > 0)
    for ahead_s in (1, 2, 3, 4):
        assert realspins.ours(spins)[ahead_s].rms_s() < 0.8 * best.rms_s()


def test_a_spin_is_never_predicted_from_itself():
    spins = [slowed(number, 0.95 + 0.03 * number) for number in range(4)]
    for spin, others in realspins.left_out(spins):
        assert {spin, *others} == set(spins)
        assert spin not in others


@pytest.mark.parametrize(
    "passed_s", [times((1e-9, *LAPS_S)), times((*LAPS_S, 7.0)), (5, 4, 3, 2, 1)]
)
def test_laps_that_no_ball_runs_are_a_defect(passed_s):
    assert realspins.usable(1, passed_s, [30.0]) == "a lap that no ball runs"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "2", "", "x"]),
            st.sampled_from(["ball_at_landmark", "ball_hits_deflector", "", '"']),
            st.one_of(st.floats().map(str), st.text(max_size=4)),
        ),
        max_size=12,
    )
)
def test_any_file_is_spins_or_one_sentence(tmp_path_factory, lines):
    file = tmp_path_factory.mktemp("spins") / "spins.csv"
    text = "".join(f"{number},{kind},0,{at_s}\n" for number, kind, at_s in lines)
    file.write_bytes((HEAD + text).encode("utf-8", "surrogatepass"))
    with pytest.raises(Failure) as refused:  # four usable spins come by no chance
        realspins.read(file)
    assert refused.value.exit_code == USAGE
    assert "\n" not in refused.value.sentence


def test_late_is_counted_from_the_margin_on():
    errors = realspins.Errors(2.0, (-0.7, 0.2, 0.6, 1.1))
    assert [errors.late(margin_s) for margin_s in (0.0, 0.5, 1.0)] == [3, 2, 1]
    assert errors.median_s() == pytest.approx(0.65)
    assert errors.rms_s() == pytest.approx(math.sqrt((0.49 + 0.04 + 0.36 + 1.21) / 4))


def test_the_command_prints_the_table(tmp_path):
    file = tmp_path / "spins.csv"
    spins = [slowed(number, 0.95 + 0.03 * number) for number in range(5)]
    text = "".join(rows(*spin) for spin in spins) + rows(9, times(LAPS_S), 5.0)
    file.write_text(HEAD + text, encoding="utf-8")
    result = CliRunner().invoke(realspins.main, [str(file)])
    assert result.exit_code == 0
    assert "Spin 9 is left out: laps after the deflector." in result.output
    assert "5 spins, each predicted from the others:" in result.output
    assert "| 3 s or more | 5 / " in result.output


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read"),
        ("", "0 spins to learn from"),
        ("a,b\n1,2\n", "is not a file of spins"),
        (HEAD + "1,ball_at_landmark,0,nan\n", "is not a file of spins"),
        (HEAD + "1,ball_at_landmark\n", "is not a file of spins"),
        (HEAD + rows(1, times(LAPS_S), 9.0), "1 spins to learn from"),
        (
            HEAD + "".join(rows(n, times((0.5, 0.55, 0.6, 0.65)), 4.0) for n in range(6)),
            "0 spins to learn from",
        ),
    ],
)
def test_a_file_of_something_else_is_refused_in_one_sentence(tmp_path, text, sentence):
    file = tmp_path / "spins.csv"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(realspins.main, [str(file)])
    assert result.exit_code == USAGE
    assert sentence in result.output
    assert result.output.count("\n") == 1
    with pytest.raises(Failure):
        realspins.read(file)
