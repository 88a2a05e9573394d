"""What the controller says to the displays, read off without a line."""

from itertools import pairwise
from typing import Any

import pytest

from firmware.bus import message_bytes, messages, record, slots
from firmware.bus.display_host import COPIES, HEARTBEAT_US, TABLE_US, DisplayHost
from firmware.bus.frame import Deframer
from firmware.bus.messages import Answer, Heartbeat
from tools.bench.busbench import TABLE, Ledger, display_key

OPEN = ("BETS_OPEN", 1, 0, 1, None, None, None)
CHALLENGE = b"8 bytes."


class Said:
    """A display_host, and what it says when it is polled every 5 ms."""

    def __init__(self, displays: int = 1, **more: Any) -> None:
        self.ledger = Ledger()
        self.keys = {address: display_key(address) for address in range(1, displays + 1)}
        self.more = more
        self.now_us = 0
        self.boot = 5
        self.start()

    def start(self) -> None:
        self.display_host = DisplayHost(
            99, self.keys, self.ledger.record_of, kid=self.ledger.signer.kid,
            rotations=tuple(self.ledger.rotations), **self.more,
        )  # fmt: skip

    def answered(self, address: int = 1, **said: Any) -> None:
        """The next ask to that display is answered at once."""
        for _ in range(40):
            framed = self.display_host.ask(self.now_us)
            assert framed is not None
            (payload,) = Deframer().feed(framed)
            if payload[2] == address:
                break
            self.now_us += 50_000
        envelope = message_bytes.open_ask(payload, address, self.keys[address])
        assert envelope is not None
        lit = messages.lit_digest("BETS_OPEN", None, 1, 0)
        told = Answer(self.boot, CHALLENGE, 0, 0, lit, 0, self.ledger.signer.kid, bytes(4))
        data = message_bytes.answer_bytes(envelope, told._replace(**said), self.keys[address])
        self.now_us += 10_000
        self.display_host.feed(data, self.now_us)

    def poll(self, us: int = 5_000) -> list[tuple[int, bytes]]:
        """(when, payload) of what is said in that time."""
        found = []
        for _ in range(us // 5_000):
            for framed in self.display_host.poll(self.now_us):
                found += [(self.now_us, payload) for payload in Deframer().feed(framed)]
            self.now_us += 5_000
        return found

    def kinds(self, us: int) -> list[tuple[int, int]]:
        return [(at_us, message_bytes.kind(payload)) for at_us, payload in self.poll(us)]

    def beat(self, payload: bytes, address: int = 1) -> Heartbeat | None:
        opened = message_bytes.open_heartbeat(payload, address, self.keys[address], [CHALLENGE])
        return None if opened is None else opened[0]


def test_nothing_is_said_before_there_is_a_view_or_where_nobody_is() -> None:
    said = Said()
    assert said.poll() == []
    assert said.display_host.ask(0) is None
    said = Said(0)
    said.display_host.set_view(*OPEN)
    assert said.poll() == []
    assert said.display_host.ask(0) is None


def test_a_change_is_said_at_once_and_then_five_times_a_second() -> None:
    said = Said()
    said.display_host.set_view(*OPEN)
    assert said.kinds(1_000_000) == [(turn * HEARTBEAT_US, 1) for turn in range(5)]
    said.display_host.set_view("NO_MORE_BETS", *OPEN[1:])
    assert said.kinds(5_000) == [(1_000_000, 1)]
    said.display_host.set_view("NO_MORE_BETS", *OPEN[1:])
    assert said.kinds(100_000) == []


def test_the_heartbeat_of_a_decision_goes_first_then_its_record_and_two_copies() -> None:
    said = Said()
    said.display_host.set_view(*OPEN)
    said.poll(300_000)
    start_us = said.now_us
    said.display_host.set_view(*said.ledger.result(17))
    told = said.poll(600_000)
    assert [message_bytes.kind(payload) for _, payload in told[:2]] == [1, 2]
    assert [at_us for at_us, _ in told[:2]] == [start_us] * 2
    records = [(at_us, payload) for at_us, payload in told if message_bytes.kind(payload) == 2]
    assert len(records) == COPIES
    assert {payload[2:] for _, payload in records} == {said.ledger.records[0]}
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(records)]
    assert all(20_000 <= gap <= 100_000 for gap in gaps)


def test_a_heartbeat_names_the_record_the_key_and_who_may_ask() -> None:
    said = Said(3)
    for _ in range(25):
        view = said.ledger.result(17)
    said.display_host.set_view(*view)
    said.answered(2)
    told = [said.beat(payload, 2) for _, payload in said.poll()]
    beat = told[0]
    assert beat is not None
    assert (beat.session, beat.counter, beat.game, beat.state) == (99, 1, "roulette", "CONFIRMED")
    assert (beat.coup, beat.epoch, beat.seq, beat.past) == (25, 1, 25, 20)
    assert beat.digest == record.digest(said.ledger.records[24])
    assert (beat.kid, beat.layout_verified) == (said.ledger.signer.kid, True)
    assert beat.table == messages.NO_DIGEST


def test_nothing_but_news_is_said_behind_what_the_line_still_sends() -> None:
    said = Said(1, baud=19_200)
    said.display_host.set_view(*said.ledger.result(17))
    told = said.poll(3_000_000)
    free_us = 0
    for number, (at_us, payload) in enumerate(told):
        assert number == 1 or at_us >= free_us  # the record behind its own heartbeat
        free_us = max(at_us, free_us) + slots.wire_us(len(payload), 19_200)


def test_only_a_fresh_challenge_is_answered() -> None:
    said = Said(2)
    said.display_host.set_view(*OPEN)
    said.poll()
    said.answered(1)
    heard_us = said.now_us
    beats = said.poll(1_500_000)
    answered = [at_us for at_us, payload in beats if said.beat(payload) is not None]
    assert max(answered) - heard_us < 1_000_000
    assert len(answered) >= 4
    assert all(said.beat(payload, 2) is None for _, payload in beats)


def test_a_late_reply_or_one_to_another_ask_is_no_answer() -> None:
    said = Said(1)
    said.display_host.set_view(*OPEN)
    said.poll()
    slot_us = said.display_host._plan.answer_us
    ask = said.display_host.ask

    def slow(now_us: int) -> bytes | None:
        framed = ask(now_us)
        said.now_us += slot_us + 10_000
        return framed

    said.display_host.ask = slow  # type: ignore[method-assign]
    said.answered()
    assert said.display_host._displays.answers(said.now_us) == []


def test_what_one_lacks_is_sent_to_all_once_newest_first() -> None:
    said = Said(3)
    for _ in range(3):
        view = said.ledger.result(17)
    said.display_host.set_view(*view)
    said.poll(1_000_000)
    lit = messages.lit_digest("CONFIRMED", None, 1, 3)
    for address in (1, 2, 3):
        said.answered(address, want=3 if address != 2 else 1, lit=lit)
    told = [payload[2:] for _, payload in said.poll(1_000_000) if payload[1] == 2]
    # In turns, from the one served last; the two that lack the same are served together.
    assert sorted(told) == sorted([said.ledger.records[2], said.ledger.records[0]])
    said.answered(1, want=77, lit=lit)
    assert [payload for _, payload in said.poll(1_000_000) if payload[1] != 1] == []


def test_who_lacks_the_number_gets_the_corrections_after_it_and_then_the_number() -> None:
    """Without another answer between them: on a full line that comes .8 s later."""
    said = Said(2)
    said.display_host.set_view(*said.ledger.result(17))
    view = said.ledger.result(18)
    said.ledger.correct(1, 20)
    said.display_host.set_view(*view[:2], said.ledger.seq, *view[3:])
    said.poll(1_000_000)
    lit = messages.lit_digest("CONFIRMED", None, 1, 3)
    said.answered(1, want=3, lit=lit)
    told = [payload[2:] for _, payload in said.poll(1_000_000) if payload[1] == 2]
    assert told == [said.ledger.records[2], said.ledger.records[1]]


def test_who_lacks_the_number_is_served_before_further_copies() -> None:
    said = Said(1)
    view = said.ledger.result(18)
    said.ledger.correct(1, 20)
    said.display_host.set_view(*view[:2], said.ledger.seq, *view[3:])
    lit = messages.lit_digest("CONFIRMED", None, 1, 2)
    said.answered(1, want=1, lit=lit)
    told = [payload[2:] for _, payload in said.poll(1_000_000) if payload[1] == 2]
    newest, number = said.ledger.records[1], said.ledger.records[0]
    assert told == [newest, number, newest, newest]


def test_one_that_is_dark_gets_the_newest_record_behind_a_heartbeat() -> None:
    said = Said(1)
    said.display_host.set_view(*said.ledger.result(17))
    said.poll(1_050_000)
    said.answered(1, lit=messages.lit_digest("STALE", None, 0, 0))
    kinds = [kind for _, kind in said.kinds(500_000)]
    assert kinds[:2] == [1, 2]
    assert kinds.count(2) == 1


def test_the_table_goes_to_who_lacks_it_every_two_seconds_at_most() -> None:
    said = Said(1, table=TABLE)
    said.display_host.set_view(*OPEN)
    times = []
    for _ in range(60):
        said.answered(1)
        times += [at_us for at_us, payload in said.poll(50_000) if payload[1] == messages.TABLE]
    assert len(times) == 2
    assert times[1] - times[0] >= TABLE_US
    table = message_bytes.table_digest(message_bytes.table_bytes(TABLE))
    for _ in range(60):
        said.answered(1, table=table[:4])
        assert messages.TABLE not in [kind for _, kind in said.kinds(50_000)]


def test_the_rotations_that_one_lacks_are_those_from_its_key_on() -> None:
    said = Said(1)
    first = said.ledger.signer.kid
    for turn in range(2):
        said.ledger.rotate(b"key number %d...................." % turn)
    said.start()
    said.display_host.set_view(*OPEN)
    said.poll()
    second = record.key_id(_next_key(said.ledger.rotations[0]))
    for kid, place in ((first, 0), (second, 1), (bytes(8), 0)):
        said.answered(1, kid=kid)
        told = [payload[2:] for _, payload in said.poll(300_000) if payload[1] == 2]
        assert told == said.ledger.rotations[place:]
    said.answered(1)
    assert [payload for _, payload in said.poll(300_000) if payload[1] == 2] == []


def _next_key(rotation: bytes) -> bytes:
    parsed = record.parse(rotation)
    assert parsed is not None
    key: bytes = parsed.next_key
    return key


def test_refills_and_copies_keep_their_distance() -> None:
    said = Said(32)
    for _ in range(20):
        view = said.ledger.result(17)
    said.display_host.set_view(*view)
    lit = messages.lit_digest("CONFIRMED", None, 1, 20)
    times = []
    for turn in range(60):
        said.answered(turn % 32 + 1, want=20 - turn % 20, lit=lit)
        times += [at_us for at_us, payload in said.poll(50_000) if payload[1] != 1]
    gaps = [later - earlier for earlier, later in pairwise(times[1:])]
    assert min(gaps) >= said.display_host._plan.apart_us


def test_a_record_that_the_journal_lacks_is_no_number() -> None:
    said = Said(1)
    said.display_host.set_view("CONFIRMED", 1, 1, 1, 17, "black", None)
    said.answered(1)
    told = said.poll(300_000)
    beat = said.beat(told[0][1])
    assert beat is not None
    assert (beat.digest, beat.past) == (messages.NO_DIGEST, 0)
    assert {payload[1] for _, payload in told} == {1}
    view = said.ledger.result(17)
    assert view[2] == 1  # it comes late: the next heartbeat names it
    assert 2 in {payload[1] for _, payload in said.poll(300_000)}


def test_where_there_is_no_record_a_dash_is_right() -> None:
    said = Said(1)
    said.display_host.set_view("CONFIRMED", 1, 1, 1, 17, "black", None)
    for _ in range(100):
        said.answered(1, lit=messages.lit_digest("CONFIRMED", None, 1, 1))
        said.poll(50_000)
    assert said.display_host.troubles() == []


def test_records_of_the_epoch_before_can_be_asked_for() -> None:
    said = Said(1)
    said.ledger.result(17)
    said.ledger.epoch = 2
    said.display_host.set_view(*said.ledger.result(18))
    said.answered(1, want=1)
    told = said.poll(1_000_000)
    beat = said.beat(told[0][1])
    assert beat is not None
    assert (beat.epoch, beat.seq, beat.past) == (2, 2, 2)
    assert {payload[2:] for _, payload in told if payload[1] == 2} == set(said.ledger.records)


def test_an_answer_to_another_ask_or_session_is_none() -> None:
    said = Said(1)
    said.display_host.set_view(*OPEN)
    said.poll()
    for session, further in ((99, -1), (99, 1), (98, 0), (99, 1000)):
        framed = said.display_host.ask(said.now_us)
        assert framed is not None
        envelope = message_bytes.open_ask(Deframer().feed(framed)[0], 1, said.keys[1])
        assert envelope is not None
        envelope = envelope._replace(session=session, counter=envelope.counter + further)
        answer = Answer(5, CHALLENGE, 0, 0, bytes(4), 0, said.ledger.signer.kid, bytes(4))
        data = message_bytes.answer_bytes(envelope, answer, said.keys[1])
        said.display_host.feed(data, said.now_us + 4_000)
        assert said.display_host._displays.answers(said.now_us) == []
        said.now_us += 100_000
    assert said.display_host.troubles() == []


def test_who_missed_one_ask_is_asked_again_at_once_and_twice_a_round_at_most() -> None:
    said = Said(6)
    said.display_host.set_view(*OPEN)
    said.poll()
    for address in range(1, 7):
        said.answered(address)
    asked = []
    for _ in range(8):
        framed = said.display_host.ask(said.now_us)
        assert framed is not None
        asked.append(Deframer().feed(framed)[0][2])
        said.now_us += 50_000
    assert asked == [1, 1, 2, 2, 3, 4, 5, 6]


def test_confirmed_without_a_number_is_impossible() -> None:
    with pytest.raises(AssertionError, match="without a number"):
        Said().display_host.set_view("CONFIRMED", 1, 1, 1, None, None, None)


def test_a_late_poll_says_it_once_only() -> None:
    said = Said()
    said.display_host.set_view(*OPEN)
    said.poll()
    said.now_us = 10_000_000
    assert len(said.poll()) == 1
    assert said.poll() == []


def test_more_displays_than_the_line_has_time_for_are_refused() -> None:
    with pytest.raises(ValueError, match="19200 baud has time for 4 displays, not 5"):
        Said(5, baud=19_200)
    with pytest.raises(ValueError, match=r"9600 baud has time for 0 displays beside 1 terminals"):
        Said(1, baud=9_600, terminals=1)
    assert Said(4, baud=19_200).display_host.count == 4
