"""Every state of a wheel that updates, power cuts, failed checks and people at a shell lead to."""

import pytest
from update.walk import Walk, Wheel

# The states with the shortest ways. All there are, some two thousand, take a quiet minute.
_NEAREST = 150


@pytest.fixture
def walk(flashed, bundle):
    return Walk(flashed, bundle("1.0.0"))


def everywhere(walk: Walk, begin: Wheel) -> dict[Wheel, tuple[str, ...]]:
    """Each state that can be reached, and the shortest way there."""
    ways: dict[Wheel, tuple[str, ...]] = {begin: ()}
    waiting = [begin]
    for wheel in waiting:
        if len(ways) >= _NEAREST:
            break
        for step, came in walk.follow(wheel):
            if came not in ways:
                ways[came] = (*ways[wheel], step)
                waiting.append(came)
    return ways


def test_no_walk_ends_without_a_slot_that_has_proved_itself(walk):
    ways = everywhere(walk, walk.flashed)
    lost = [way for wheel, way in ways.items() if not walk.proved_in_reach(wheel)]
    assert lost == []
    unproved = [way for wheel, way in ways.items() if walk.called_good(wheel) - wheel.checked]
    assert unproved == []
    assert len(ways) >= _NEAREST and frozenset("AB") in {wheel.checked for wheel in ways}
