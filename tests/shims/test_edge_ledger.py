from hypothesis import given
from hypothesis import strategies as st

from firmware.core import facts
from firmware.shims import edge_ledger
from firmware.shims.edge_ledger import DOUBT, HOLD_US, LATE_US, EdgeLedger

START = 1_000_000


def ledger(levels=(0, 0)):
    return EdgeLedger(levels, START)


class Kernel:
    """Numbers edges as gpiolib-cdev does."""

    def __init__(self, into):
        self.into, self.seqno, self.line_seqno = into, 0, {}

    def edge(self, at_us, line, level, *, lost=False):
        self.seqno += 1
        self.line_seqno[line] = self.line_seqno.get(line, 0) + 1
        numbers = {"line_seqno": self.line_seqno[line], "seqno": self.seqno}
        if not lost:
            self.into.add_edge(at_us, line, level, **numbers)
        return numbers


def test_doubt_is_the_doubt_of_the_core():
    assert edge_ledger.DOUBT == facts.DOUBT


def test_edges_come_out_as_they_went_in():
    book = ledger()
    kernel = Kernel(book)
    kernel.edge(START + 10, 0, 1)
    kernel.edge(START + 20, 1, 1)
    kernel.edge(START + 30, 0, 0)
    expected = [(START + 10, 0, 1), (START + 20, 1, 1), (START + 30, 0, 0)]
    assert book.release(START + 40) == expected
    assert book.release(START + 50) == []


def test_an_edge_that_the_levels_at_the_start_contain_is_not_told_twice():
    book = ledger((1, 0))
    Kernel(book).edge(START - 5, 0, 1)
    assert book.release(START) == []


def test_a_line_that_is_high_at_the_start_falls_without_doubt():
    book = ledger((1, 0))
    Kernel(book).edge(START + 5, 0, 0)
    assert book.release(START + 9) == [(START + 5, 0, 0)]


def test_two_equal_levels_running_are_doubt():
    book = ledger()
    kernel = Kernel(book)
    kernel.edge(START + 10, 0, 1)
    kernel.edge(START + 20, 0, 1)
    assert book.release(START + 30)[1:] == [(START + 20, 0, DOUBT), (START + 20, 0, 1)]


def test_a_gap_in_a_lines_numbers_is_doubt_of_that_line_alone():
    book = ledger()
    book.add_edge(START + 10, 0, 1, line_seqno=2, seqno=1)
    book.add_edge(START + 11, 1, 1, line_seqno=1, seqno=2)
    expected = [(START + 10, 0, DOUBT), (START + 10, 0, 1), (START + 11, 1, 1)]
    assert book.release(START + 30) == expected


def test_edges_that_overtook_each_other_are_put_in_order():
    book = ledger()
    book.add_edge(START + 20, 1, 1, line_seqno=1, seqno=2)
    assert book.release(START + 30) == []
    assert book.deadline_us() == START + 30 + HOLD_US
    book.add_edge(START + 10, 0, 1, line_seqno=1, seqno=1)
    assert book.release(START + 40) == [(START + 10, 0, 1), (START + 20, 1, 1)]
    assert book.deadline_us() is None


def test_numbers_missing_for_good_put_every_line_in_doubt():
    book = ledger()
    kernel = Kernel(book)
    kernel.edge(START + 10, 0, 1, lost=True)
    kernel.edge(START + 20, 1, 1)
    assert book.release(START + 30) == []
    found = book.release(START + 30 + HOLD_US)
    assert {line for _, line, level in found if level == DOUBT} == {0, 1}
    assert found[-1] == (START + 20, 1, 1)


def test_after_a_loss_the_levels_are_told_again_without_new_doubt():
    book = ledger()
    kernel = Kernel(book)
    kernel.edge(START + 10, 0, 1, lost=True)
    kernel.edge(START + 20, 1, 1)
    book.release(START + 30)
    book.release(START + 30 + HOLD_US)
    book.check(START + 40_000, [1, 1])
    assert book.release(START + 40_000) == [(START + 40_000, 0, 1)]
    kernel.edge(START + 50_000, 0, 0)
    assert book.release(START + 50_000) == [(START + 50_000, 0, 0)]


def test_a_level_that_stays_not_the_lines_is_doubt_and_then_told():
    book = ledger()
    book.check(START + 1_000, [0, 1])
    assert book.release(START + 1_000) == []
    at_us = START + 1_000 + HOLD_US
    assert book.deadline_us() == at_us
    book.check(at_us, [0, 1])
    assert book.release(at_us) == [(at_us, 1, DOUBT), (at_us, 1, 1)]
    book.check(at_us + HOLD_US, [0, 1])
    assert book.release(at_us + HOLD_US) == []


def test_a_level_whose_edge_was_on_its_way_is_no_doubt():
    book = ledger()
    kernel = Kernel(book)
    book.check(START + 1_000, [0, 1])
    kernel.edge(START + 900, 1, 1)
    assert book.release(START + 1_100) == [(START + 900, 1, 1)]
    book.check(START + 1_000 + HOLD_US, [0, 1])
    assert book.release(START + 1_000 + HOLD_US) == []


def test_each_difference_has_its_own_time_to_be_explained():
    book = ledger()
    kernel = Kernel(book)
    book.check(START + 1_000, [1, 0])
    kernel.edge(START + 900, 0, 1)
    book.release(START + 1_100)
    book.check(START + 900 + HOLD_US, [0, 0])  # it fell just now
    book.check(START + 1_000 + HOLD_US, [0, 0])
    kernel.edge(START + 800 + HOLD_US, 0, 0)
    assert book.release(START + 1_100 + HOLD_US) == [(START + 800 + HOLD_US, 0, 0)]


def test_an_edge_before_what_was_promised_is_moved_to_it():
    book = ledger()
    book.promise(START + 1_000)
    Kernel(book).edge(START + 900, 0, 1)
    assert book.release(START + 1_100) == [(START + 1_000, 0, 1)]


def test_an_edge_long_before_what_was_promised_is_doubt():
    book = ledger()
    book.promise(START + 1_000 + LATE_US)
    Kernel(book).edge(START + 999, 0, 1)
    assert book.release(START + 9_000) == [
        (START + 1_000 + LATE_US, 0, DOUBT),
        (START + 1_000 + LATE_US, 0, 1),
    ]


EDGES = st.lists(
    st.tuples(st.integers(0, 2), st.integers(1, 30_000), st.booleans(), st.integers(0, 3)),
    max_size=60,
)


@given(EDGES, st.integers(1, 8))
def test_whatever_is_lost_or_shuffled_time_ascends_and_no_loss_is_silent(edges, batch):
    """Drives three lines; some edges are lost, the queue is shuffled within a few places."""
    book = ledger((0, 0, 0))
    kernel = Kernel(book)
    levels, now_us, queue, losers = [0, 0, 0], START, [], set()
    for line, step_us, lost, place in edges:
        now_us += step_us
        levels[line] ^= 1
        numbers = kernel.edge(now_us, line, levels[line], lost=True)
        if lost:
            losers.add(line)
        else:
            queue.insert(max(0, len(queue) - place), (now_us, line, levels[line], numbers))
    out = []
    for i, (at_us, line, level, numbers) in enumerate(queue):
        book.add_edge(at_us, line, level, **numbers)
        if i % batch == 0:
            out += book.release(now_us)
    for _ in range(3 * len(edges) + 3):
        now_us += HOLD_US
        out += book.release(now_us)
        book.check(now_us, levels)
    out += book.release(now_us)

    assert [at_us for at_us, _, _ in out] == sorted(at_us for at_us, _, _ in out)
    doubted = {line for _, line, level in out if level == DOUBT}
    assert losers <= doubted | _lost_only_at_the_end(edges, losers)
    last = {line: level for _, line, level in out if level != DOUBT}
    assert all(last.get(line, 0) == levels[line] for line in range(3))
    if not losers:
        assert DOUBT not in [level for _, _, level in out]


def _lost_only_at_the_end(edges, losers):
    """Lines that lost an even number of edges after the last number anybody saw: it cannot show."""
    kept = [i for i, edge in enumerate(edges) if not edge[2]]
    last = kept[-1] if kept else -1
    return {
        line
        for line in losers
        if all(i > last for i, edge in enumerate(edges) if edge[0] == line and edge[2])
        and sum(edge[0] == line and edge[2] for edge in edges) % 2 == 0
    }
