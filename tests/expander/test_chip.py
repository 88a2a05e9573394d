from drivers.expander_mcp23017 import Reading
from firmware.core.facts import DOUBT
from firmware.expander.chip import PinLedger

LINE, OTHER = 3, 4  # at pins 0 and 9


def ledger(levels=0):
    found = PinLedger(((LINE, 0), (OTHER, 9)))
    assert len(found.edges_of(0, Reading(0, 0, levels), 0)) == 2
    return found


def test_levels_are_told_before_anything_is_known():
    pins = PinLedger(((LINE, 0), (OTHER, 9)))
    assert pins.edges_of(5, Reading(0x201, 0x001, 0x200), 4) == [(5, LINE, 0), (5, OTHER, 1)]


def test_a_capture_is_stamped_when_it_changed_and_what_followed_when_it_was_read():
    assert ledger().edges_of(90, Reading(1, 1, 0x200), 80) == [
        (80, LINE, 1),
        (90, LINE, 0),
        (90, OTHER, 1),
    ]


def test_what_is_not_flagged_was_not_captured():
    assert ledger().edges_of(90, Reading(0, 0x201, 0), 80) == []


def test_an_interrupt_without_a_change_is_a_pulse_that_nobody_saw():
    assert ledger().edges_of(90, Reading(1, 0, 0), 80) == [(90, LINE, DOUBT), (90, LINE, 0)]


def test_a_loss_is_a_doubt_once_and_ends_with_the_levels():
    pins = ledger(1)
    assert pins.lose(10) == [(10, LINE, DOUBT), (10, OTHER, DOUBT)]
    assert pins.lose(20) == []
    assert not pins.known
    assert pins.edges_of(30, Reading(1, 0, 1), 25) == [(30, LINE, 1), (30, OTHER, 0)]
    assert pins.lose(40) == [(40, LINE, DOUBT), (40, OTHER, DOUBT)]
