"""Every state of a wheel that updates, power cuts, failed checks and people at a shell lead to."""

import pytest
from update.walk import Walk, Wheel

from tools.testing.sizes import size

# The states with the shortest ways, of some thousands that there are.
_NEAREST = size("states of an update")
_BOTH_PROVED = ("start", "early step", "install", "off", "start", "early step", "checked, well")


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


@pytest.mark.parametrize("before", [(), _BOTH_PROVED], ids=["as flashed", "both proved"])
def test_no_walk_loses_a_slot_that_has_proved_itself(walk, before):
    """One comes up by itself, whatever is cut. Each can be gone back to, and nothing else."""
    ways = everywhere(walk, walk.after(*before))
    lost = [way for wheel, way in ways.items() if not walk.proved_in_reach(wheel)]
    assert lost == []
    unproved = [way for wheel, way in ways.items() if walk.called_good(wheel) - wheel.checked]
    assert unproved == []
    found = {wheel: walk.in_reach(wheel) for wheel in ways}
    no_way = [way for wheel, way in ways.items() if wheel.good - found[wheel]]
    assert no_way == []
    wrong = [way for wheel, way in ways.items() if found[wheel] - (wheel.whole & wheel.checked)]
    assert wrong == []
    assert len(ways) >= _NEAREST and frozenset("AB") in {wheel.good for wheel in ways}
