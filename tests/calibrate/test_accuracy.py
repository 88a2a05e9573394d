"""What docs/calibration.md says of errors and of the time it takes holds, on a few wheels."""

import pytest
from accuracy import measured


@pytest.mark.parametrize("seed", range(6))
def test_a_wheel_of_chance_is_found_as_it_was_built(seed):
    found = measured(seed)
    for name, most_deg in (("pocket", 0.02), ("rim", 0.25)):
        errors, sd_deg = found[name]
        assert max(map(abs, errors)) < min(most_deg, 4 * sd_deg)
    (error,), sd_deg = found["mark"]
    assert abs(error) < 3 * sd_deg
    assert sd_deg < 0.9
    assert (found["low"], found["high"], found["again"]) == (5, 26, 0)
    assert found["s"] < 200  # of the wheel's own time, with a hand that takes none
