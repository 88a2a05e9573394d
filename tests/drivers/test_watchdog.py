import pytest

from drivers.watchdog import PARTIES, ProgressWatchdog
from firmware.shims.virtual import VirtualMachine


@pytest.fixture
def dog():
    machine = VirtualMachine()
    watchdog = ProgressWatchdog(machine.WDT(timeout=1000))
    watchdog.feeds = lambda: len(machine.dog.fed_us)
    return watchdog


def test_it_is_fed_when_all_have_got_somewhere(dog):
    for party in PARTIES:
        assert dog.poll() is False
        dog.progress(party)
    assert dog.poll() is True
    assert dog.feeds() == 1


@pytest.mark.parametrize("stuck", PARTIES)
def test_one_party_that_stands_still_starves_it(dog, stuck):
    for _ in range(100):
        for party in PARTIES:
            if party != stuck:
                dog.progress(party)
        dog.poll()
    assert dog.feeds() == 0
    assert dog.missing() == (stuck,)


def test_progress_counts_for_one_feed_only(dog):
    for party in PARTIES:
        dog.progress(party)
    assert [dog.poll(), dog.poll()] == [True, False]
    assert dog.missing() == PARTIES


def test_a_stranger_cannot_report(dog):
    with pytest.raises(ValueError, match="not in tuple"):
        dog.progress("croupier")
