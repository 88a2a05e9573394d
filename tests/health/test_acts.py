"""The kinds of work that a technician records are those that begin the health watch anew."""

import pytest

from firmware.core.health import facts
from firmware.core.health.facts import Wheel
from firmware.core.health.watch import HealthWatch
from firmware.store.acts import SERVICE_ACTS, ServiceAct

KNOWN = (
    facts.LEVELLED, facts.NEW_BALL, facts.FRETS, facts.CLEANED, facts.ROTOR, facts.RING_SENSOR,
    facts.NEW_MOTOR, facts.MOVED,
)  # fmt: skip
# What the sentence of an act says begins anew, and streams that then do; of a ball that was played.
ANEW = {
    "where the balls leave the track": {"drops"},
    "how it slows, and its numbers": {"slowing0", "ball0"},
    "numbers and pockets": {"numbers", "gain", "serial", "loose", "ball0"},
    "what sensors see": {"sensor0", "sensor1", "sensor2"},
    "how hard the motor works": {"spin_up", "duty"},
}


def test_each_kind_is_one_that_the_watch_knows() -> None:
    assert sorted(act.what for act in SERVICE_ACTS) == sorted(KNOWN)


@pytest.mark.parametrize("act", SERVICE_ACTS, ids=lambda act: act.what)
def test_what_its_sentence_says_begins_anew_and_nothing_of_others(act: ServiceAct) -> None:
    watch = HealthWatch(Wheel(37, (0.0, 120.0, 240.0), 3, 150_000, False))
    watch.add(facts.Coup(3, 1, None, None, None, None, None, None, None, None, 0, None, None, 7))
    ended = {epoch.stream for epoch in watch.act(act.what)}
    (said,) = [words for words in ANEW if f": {words}" in act.meaning]
    assert ANEW[said] <= ended
    others = set().union(*(streams for words, streams in ANEW.items() if words != said))
    assert not (others - ANEW[said]) & ended
