"""The talk of a shoe and its table: what counts, what is told, and what changes nothing."""

import functools
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shoes import BOOT, KEY, SESSION, STEP_US, Wire, cards, kinds

from drivers import shoe_messages as messages
from drivers.shoe_end import WAITING_MAX, ShoeEnd
from drivers.shoe_messages import Message, written
from drivers.shoe_serial import BACK, DEAF, LOST, NOT_OURS, ShoeSerial
from firmware.bus import frame
from firmware.core.cards import facts

AGES_MS = 4_000  # longer than a card may be on its way
TEN_OF_HEARTS = 22


def dead(data: bytes) -> bytes:
    """A line that is cut."""
    return b""


@pytest.fixture
def wire() -> Wire:
    met = Wire()
    met.meet()
    return met


# --- what counts ----------------------------------------------------------------------------------


def test_a_card_is_told_when_it_is_out_and_not_before(wire: Wire) -> None:
    assert wire.pull(TEN_OF_HEARTS, "S17-0345", out=False) == []
    wire.shoe.edge(messages.OUT, wire.now_us)
    wire.go(10)
    at_us = wire.now_us
    assert wire.told == [facts.CardRead(at_us, 1, TEN_OF_HEARTS, "S17-0345", facts.SHOE)]


def test_it_is_told_within_100_ms_of_its_edge(wire: Wire) -> None:
    wire.pull(1, out=False)
    out_us = wire.now_us
    wire.shoe.edge(messages.OUT, out_us)
    wire.go(100)
    assert [fact.at_us - out_us <= 100_000 for fact in wire.told] == [True]


def test_cards_are_numbered_from_1_with_each_boot(wire: Wire) -> None:
    told = wire.pull(3) + wire.pull(3)
    wire.start_again(BOOT + 1)
    wire.go(500)
    told += wire.pull(4)
    assert [(fact.n, fact.card) for fact in told] == [(1, 3), (2, 3), (1, 4)]


@pytest.mark.req("TABLE-M1.whole")
@pytest.mark.parametrize(
    ("card", "read1", "read2"), [(1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 1, 255), (255, 255, 255)]
)
def test_readers_that_do_not_agree_make_no_card(
    wire: Wire, card: int, read1: int, read2: int
) -> None:
    wire.shoe.edge(messages.IN, wire.now_us)
    wire.shoe.card(card, "", read1, read2, wire.now_us)
    wire.shoe.edge(messages.OUT, wire.now_us)
    assert [(fact.n, fact.card) for fact in wire.go(100)] == [(1, None)]


def test_a_card_that_is_pulled_back_is_told_as_that_and_counts_when_it_is_out(wire: Wire) -> None:
    wire.pull(7, out=False)
    told = wire.go(AGES_MS)
    assert [(type(fact).__name__, fact.n) for fact in told] == [("CardPulledBack", 0)]
    assert [fact.card for fact in wire.pull(7)] == [7]


def push(wire: Wire, card: int | None) -> None:
    """Pushes a card into the shoe that was out; None: the readers read nothing of it."""
    wire.shoe.edge(messages.OUT, wire.now_us)
    if card is not None:
        wire.shoe.card(card, "", card, card, wire.now_us)
    wire.shoe.edge(messages.IN, wire.now_us)


def test_a_card_that_goes_back_is_told_by_its_number(wire: Wire) -> None:
    wire.pull(7)
    wire.pull(8)
    for card in (8, 7):
        push(wire, card)
    told = wire.go(100)
    assert told == [facts.CardPulledBack(wire.told[-1].at_us, n, facts.SHOE) for n in (2, 1)]
    assert [(fact.n, fact.card) for fact in wire.pull(7)] == [(3, 7)]
    push(wire, 7)
    assert [fact.n for fact in wire.go(100)] == [3]


@pytest.mark.parametrize("card", [7, None])
def test_a_card_that_goes_back_has_no_number_where_it_does_not_read_as_the_last_one(
    wire: Wire, card: int | None
) -> None:
    wire.pull(7)
    wire.pull(8)
    push(wire, card)
    assert [fact.n for fact in wire.go(100)] == [facts.UNKNOWN]
    push(wire, 7)  # nobody can say which ones are out now
    assert [fact.n for fact in wire.go(100)] == [facts.UNKNOWN]


@pytest.mark.parametrize(
    ("card", "n"),
    [
        (9, 2),  # it can be read now
        (7, facts.UNKNOWN),  # or another one that reads so
        (None, facts.UNKNOWN),
    ],
)
def test_an_unread_card_that_goes_back_is_the_one_that_reads_as_no_other(
    wire: Wire, card: int | None, n: int
) -> None:
    wire.pull(7)
    wire.pull(255)
    push(wire, card)
    assert [fact.n for fact in wire.go(100)][-1:] == [n]


def test_a_cut_card_that_goes_back_is_no_card(wire: Wire) -> None:
    wire.shoe.edge(messages.OUT, wire.now_us)
    wire.shoe.cut(wire.now_us)
    wire.shoe.edge(messages.IN, wire.now_us)
    assert kinds(wire.go(AGES_MS)) == ["CutCardSeen"]


def test_a_card_that_goes_back_has_no_number_where_none_is_known(wire: Wire) -> None:
    wire.pull(7)
    wire.start_again(BOOT + 1)
    wire.go(2_000)
    push(wire, 7)
    assert [fact.n for fact in wire.go(100)] == [facts.UNKNOWN]


def test_the_cut_card_is_told_and_is_no_card(wire: Wire) -> None:
    wire.shoe.edge(messages.IN, wire.now_us)
    wire.shoe.cut(wire.now_us)
    wire.shoe.edge(messages.OUT, wire.now_us)
    wire.shoe.empty(wire.now_us)
    assert kinds(wire.go(AGES_MS)) == ["CutCardSeen", "ShoeEmpty"]


def test_an_empty_shoe_says_so_again_to_a_table_that_began_anew(wire: Wire) -> None:
    wire.shoe.empty(wire.now_us)
    assert kinds(wire.go(100)) == ["ShoeEmpty"]
    wire.table = ShoeSerial(SESSION + 1, wire.now_us, KEY)
    assert kinds(wire.go(2_000)).count("ShoeEmpty") == 1
    wire.pull(3)  # it was filled
    wire.table = ShoeSerial(SESSION + 2, wire.now_us, KEY)
    assert "ShoeEmpty" not in kinds(wire.go(2_000))


def test_a_jam_is_told_once_and_ends_when_a_card_moves(wire: Wire) -> None:
    wire.shoe.edge(messages.IN, wire.now_us)
    wire.shoe.card(5, "", 5, 5, wire.now_us)
    for _ in range(2):
        wire.shoe.jam(wire.now_us)
    at_us = wire.now_us + STEP_US
    assert wire.go(100) == [facts.ShoeTrouble(at_us, facts.JAM, "")]
    wire.shoe.edge(messages.OUT, wire.now_us)
    assert kinds(wire.go(100)) == ["ShoeTroubleEnded", "CardRead"]
    assert cards(wire.told) == [None], "nobody believes what was read of a card that was stuck"


def test_a_shoe_that_is_counted_tells_one_count_and_no_cards(wire: Wire) -> None:
    wire.pull(9)
    wire.table.count()
    wire.go(100)
    assert wire.shoe.counting
    for card in (1, 1, 51):
        wire.pull(card)
    wire.pull(2, out=False)
    wire.shoe.empty(wire.now_us)
    told = wire.go(AGES_MS)
    counts = [0] * 52
    counts[1], counts[51] = 2, 1
    assert told[0] == facts.ShoeCounted(told[0].at_us, tuple(counts))
    assert kinds(wire.told)[:2] == ["CardRead", "ShoeCounted"]
    assert not wire.shoe.counting
    assert [(fact.n, fact.card) for fact in wire.pull(2)] == [(2, 2)]


def test_a_shoe_that_is_counted_no_more_deals_cards_again(wire: Wire) -> None:
    wire.table.count()
    wire.pull(1)
    assert wire.shoe.counting
    wire.table.count(False)
    wire.go(100)
    assert not wire.shoe.counting
    assert [(fact.n, fact.card) for fact in wire.pull(2)] == [(1, 2)]


def test_a_count_in_which_something_was_lost_is_none(wire: Wire) -> None:
    wire.table.count()
    wire.pull(1)
    wire.start_again(BOOT + 1)
    wire.go(500)
    wire.shoe.empty(wire.now_us)
    assert kinds(wire.go(100)) == ["ShoeEmpty"]


# --- what the shoe is told ------------------------------------------------------------------------


def test_cards_are_held_until_they_are_released_and_while_nobody_is_heard(wire: Wire) -> None:
    assert not wire.shoe.is_released(wire.now_us)
    wire.table.release(True)
    wire.go(50)
    assert wire.shoe.is_released(wire.now_us)
    wire.to_shoe = dead
    wire.go(1500)
    assert not wire.shoe.is_released(wire.now_us)
    wire.to_shoe = bytes
    wire.go(500)
    assert wire.shoe.is_released(wire.now_us)
    wire.table.release(False)
    wire.go(50)
    assert not wire.shoe.is_released(wire.now_us)


def test_a_release_that_is_lost_is_said_again(wire: Wire) -> None:
    wire.to_shoe = dead
    wire.table.release(True)
    wire.table.again()
    wire.go(100)
    wire.to_shoe = bytes
    wire.go(500)
    assert wire.shoe.is_released(wire.now_us)
    assert wire.shoe.again


def test_a_card_is_asked_for_again_until_one_comes_in(wire: Wire) -> None:
    wire.table.again()
    wire.go(1000)
    assert wire.shoe.again
    wire.pull(1)
    wire.go(1000)
    assert not wire.shoe.again


# --- who is believed ------------------------------------------------------------------------------


def test_without_a_key_it_says_so_and_plays_the_same() -> None:
    wire = Wire(key=None)
    wire.meet()
    assert not wire.table.is_authenticated
    assert cards(wire.pull(5)) == [5]


@pytest.mark.parametrize("other", [None, KEY[::-1]])
def test_a_shoe_with_another_key_is_silent_and_why_is_told(other: bytes | None) -> None:
    wire = Wire(key=other, table_key=KEY)
    wire.pull(5)
    told = wire.go(1000)
    assert told == [facts.ShoeTrouble(1_000_000, facts.SILENT, NOT_OURS)]


def test_a_shoe_that_does_not_hear_the_table_is_told_as_that() -> None:
    wire = Wire()
    wire.to_shoe = dead
    assert wire.go(1500) == [facts.ShoeTrouble(1_000_000, facts.SILENT, DEAF)]


def test_silence_is_told_once_and_so_is_its_end(wire: Wire) -> None:
    last_us = wire.now_us
    wire.to_table = dead
    told = wire.go(5000)
    assert kinds(told) == ["ShoeTrouble"]
    assert told[0].what == facts.SILENT
    assert 900_000 <= told[0].at_us - last_us <= 1_000_000 + 2 * STEP_US
    assert wire.table.due_us is None
    wire.to_table = bytes
    assert kinds(wire.go(5000)) == ["ShoeTroubleEnded"]


def test_silence_is_due_when_it_says(wire: Wire) -> None:
    due_us = wire.table.due_us
    assert due_us is not None
    assert wire.table.receive(b"", due_us - 1) == []
    assert kinds(wire.table.receive(b"", due_us)) == ["ShoeTrouble"]


def test_what_happened_in_a_silence_comes_late_and_counts_once(wire: Wire) -> None:
    wire.to_table = dead
    for card in range(WAITING_MAX // 3):
        wire.pull(card)
    wire.to_table = bytes
    wire.go(2000)
    assert cards(wire.told) == list(range(WAITING_MAX // 3))


def test_a_silence_ends_when_all_that_happened_in_it_is_told(wire: Wire) -> None:
    """Else people would confirm a cloth on which cards lie that nobody was told of yet."""
    wire.to_table = dead
    wire.go(1500)
    wire.pull(7)
    wire.told.clear()
    wire.to_table = bytes
    wire.go(500)
    assert kinds(wire.told) == ["CardRead", "ShoeTroubleEnded"]


def test_a_shoe_that_says_now_and_then_a_frame_stays_silent(wire: Wire) -> None:
    """Of its events the first is never said: what it has kept back is not known."""
    wire.to_table = dead
    wire.go(1500)
    wire.pull(7)
    assert kinds(wire.told) == ["ShoeTrouble"]
    last = Message(messages.EDGE, SESSION + 1, BOOT, 1_000, (3, 4_000, messages.OUT))
    assert wire.table.receive(frame.encode(written(last, KEY)), wire.now_us) == []
    beat = Message(messages.BEAT, SESSION + 1, BOOT, 1_001, (3, 4_000, 0))
    assert wire.table.receive(frame.encode(written(beat, KEY)), wire.now_us) == []


def test_what_the_shoe_could_not_keep_is_told_as_lost_and_leaves_a_gap(wire: Wire) -> None:
    wire.to_table = dead
    for card in range(30):
        wire.pull(card)
    wire.to_table = bytes
    told = wire.go(4000)
    troubles = [fact for fact in told if isinstance(fact, facts.ShoeTrouble)]
    assert [(fact.what, fact.detail) for fact in troubles][-1] == (facts.LYING, LOST)
    read = [fact for fact in told if isinstance(fact, facts.CardRead)]
    assert read[0].n == 2, "a number is missing"
    named = [fact.card for fact in read if fact.card is not None]
    assert named == list(range(30))[-len(named) :]
    assert kinds(told)[-1] != "ShoeTrouble"
    assert facts.ShoeTroubleEnded(told[-1].at_us, facts.LYING) in told


def test_a_shoe_whose_events_go_back_without_a_new_boot_is_lying(wire: Wire) -> None:
    wire.pull(1)
    wire.start_again(BOOT)
    told = wire.go(2000)
    assert [fact.detail for fact in told if isinstance(fact, facts.ShoeTrouble)] == [BACK]
    assert cards(wire.pull(2)) == [2]


def test_a_controller_that_starts_again_goes_on_with_the_numbers_of_the_shoe(wire: Wire) -> None:
    assert [fact.n for fact in wire.pull(1) + wire.pull(2)] == [1, 2]
    wire.table = ShoeSerial(SESSION + 1000, wire.now_us, KEY)
    wire.to_shoe = dead
    wire.pull(3)
    wire.to_shoe = bytes
    told = wire.go(1000) + wire.pull(4)
    assert kinds(told) == ["ShoeLoaded", "CardRead", "CardRead"]
    assert told[0].n == 2  # what the controller before was told
    assert [(fact.n, fact.card) for fact in told[1:]] == [(3, 3), (4, 4)]


def test_a_card_half_out_when_the_controller_starts_again_has_no_name(wire: Wire) -> None:
    wire.pull(1, out=False)
    wire.table = ShoeSerial(SESSION + 1000, wire.now_us, KEY)
    wire.go(500)
    wire.shoe.edge(messages.OUT, wire.now_us)
    assert cards(wire.go(100)) == [None]


def test_nothing_is_ever_more_than_some_frames_behind() -> None:
    """Whatever is said to it, what it says is short: no flood of frames makes a flood."""
    table = ShoeSerial(SESSION, 0, None)
    hello = (messages.name_bytes("a"), messages.name_bytes("b"), 6, 1, 0)
    flood = b"".join(
        frame.encode(written(Message(messages.HELLO, SESSION, boot, 1, hello), None))
        for boot in range(1000)
    )
    assert table.receive(flood, 1) == []
    assert len(table.take_bytes()) < 100
    assert table.take_bytes() == b""


# --- an enemy on the line -------------------------------------------------------------------------


def forged(kind: int, fields: tuple[Any, ...], key: bytes | None) -> bytes:
    """What somebody says who knows everything but the key."""
    message = Message(kind, SESSION + 1, BOOT, 0x7FFFFFFF, fields)
    return frame.encode(written(message, key))


NAMES = (messages.name_bytes("virtual"), messages.name_bytes("0001"))
# fmt: off
FORGERIES = (
    (messages.EDGE, (1, 100, messages.IN)),
    (messages.CARD, (2, 200, 5, bytes(16), 5, 5)),
    (messages.EDGE, (3, 300, messages.OUT)),
    (messages.CUT, (1, 100)),
    (messages.EMPTY, (1, 100)),
    (messages.JAM, (1, 100)),
    (messages.BEAT, (9, 10_000, 0)),
    (messages.HELLO, (*NAMES, 8, 1, 0)),
    (messages.ACK, (9, 9)),
    (messages.AGAIN, ()),
    (messages.RELEASE, (1,)),
    (messages.COUNT, (1,)),
    (messages.WHO, (1,)),
)
# fmt: on


@pytest.mark.parametrize(("kind", "fields"), FORGERIES)
@pytest.mark.parametrize("key", [None, KEY[::-1]], ids=["bare", "another key"])
def test_a_forged_message_changes_nothing_at_either_end(
    kind: int, fields: tuple[Any, ...], key: bytes | None
) -> None:
    plain, attacked = Wire(), Wire()
    for wire in (plain, attacked):
        wire.meet()
    said = forged(kind, fields, key)
    attacked.to_table = attacked.to_shoe = lambda data: said + data + said
    for wire in (plain, attacked):
        wire.pull(30)
        wire.go(AGES_MS)
    assert attacked.told == plain.told
    assert cards(plain.told) == [30]
    assert attacked.answered == plain.answered
    assert attacked.said == plain.said


def test_the_same_forgeries_are_heard_where_there_is_no_key() -> None:
    """Shows that the test above attacks at all."""
    wire = Wire(key=None)
    wire.meet()
    heard = []
    for kind, fields in FORGERIES[:3]:
        message = Message(kind, SESSION + 1, BOOT, 0x7FFFFFF0 + len(heard), fields)
        heard.append(wire.table.receive(frame.encode(written(message, None)), wire.now_us))
    assert cards(heard[2]) == [5]


def frames_of(data: bytes) -> list[bytes]:
    """The frames in a run of them."""
    return [frame.encode(payload) for payload in frame.Deframer().feed(data)]


@functools.cache
def recorded() -> list[bytes]:
    """All that was said, both ways, at a table whose controller and shoe were started twice."""
    wire = Wire(session=SESSION + 99, boot=BOOT + 99)
    wire.go(500)
    wire.table.release(True)
    wire.pull(40)
    wire.start_again(BOOT + 98)
    wire.go(400)
    wire.pull(41)
    wire.table = ShoeSerial(SESSION + 199, wire.now_us, KEY)
    wire.table.release(True)
    wire.go(400)
    wire.pull(42)
    assert cards(wire.told) == [40, 41, 42]
    return [each for out in wire.said + wire.answered for each in frames_of(out)]


# At which step, 0 to 59, which way, and which frame: of another life, or of this one.
REPLAYS = st.lists(
    st.tuples(st.integers(0, 59), st.booleans(), st.booleans(), st.integers(0, 10_000)),
    max_size=20,
)


@given(REPLAYS)
def test_what_was_said_before_changes_nothing_whoever_it_is_said_to(
    replays: list[tuple[int, bool, bool, int]],
) -> None:
    """Frames of this session and of others, of this boot and of others, both ways."""
    plain, attacked = Wire(), Wire()
    old = recorded()
    for wire in (plain, attacked):
        wire.meet()
    begin_us = attacked.now_us + STEP_US

    def replay(out: bytes, to_table: bool) -> bytes:
        for step, way, is_old, which in replays:
            if (step, way) == ((attacked.now_us - begin_us) // STEP_US, to_table):
                here = b"".join(attacked.said + attacked.answered)
                source = old if is_old else frames_of(here)
                out += source[which % len(source)]
        return out

    attacked.to_table = lambda out: replay(out, True)
    attacked.to_shoe = lambda out: replay(out, False)
    for wire in (plain, attacked):
        wire.pull(30)
        wire.pull(31)
    assert attacked.told == plain.told
    assert cards(plain.told) == [30, 31]
    assert attacked.shoe.is_released(attacked.now_us) is False
    assert attacked.shoe.again is False


def test_an_earlier_life_of_the_shoe_is_not_believed_again() -> None:
    """Even if all that it said is said again, to the same controller."""
    wire = Wire()
    wire.meet()
    wire.pull(40)
    first_life = b"".join(wire.said)
    wire.start_again(BOOT + 1)
    wire.go(500)
    wire.pull(41)
    wire.told.clear()
    assert wire.table.receive(first_life, wire.now_us) == []
    assert cards(wire.pull(42)) == [42]


def test_an_order_of_an_earlier_controller_is_not_heeded_again() -> None:
    wire = Wire()
    wire.meet()
    wire.table.release(True)
    wire.go(300)
    earlier = b"".join(wire.answered)
    wire.table = ShoeSerial(SESSION + 1000, wire.now_us, KEY)
    wire.go(1000)
    assert not wire.shoe.is_released(wire.now_us)
    wire.shoe.receive(earlier, wire.now_us)
    assert not wire.shoe.is_released(wire.now_us)
    wire.table.release(True)
    wire.go(300)
    assert wire.shoe.is_released(wire.now_us)


def test_who_was_held_back_for_two_seconds_is_no_new_controller() -> None:
    wire = Wire()
    held = []
    wire.to_shoe = lambda data: held.append(data) or b""  # type: ignore[func-returns-value]
    wire.go(2500)
    wire.shoe.receive(held[2], wire.now_us)
    assert wire.shoe.take_bytes(wire.now_us + 1) == b"", "it says no hello to it"


# --- a bad line -----------------------------------------------------------------------------------

HARM = st.sampled_from(("", "", "", "drop", "twice", "flip", "cut", "noise", "join"))


class BadLine:
    """Harms what is said as it is told to, as long as there is a harm left."""

    def __init__(self, draw: Any, harms: int) -> None:
        self._draw = draw
        self._left = harms

    def __call__(self, data: bytes) -> bytes:
        if not data or not self._left:
            return data
        self._left -= 1
        harm = self._draw(HARM)
        at = self._draw(st.integers(0, len(data) - 1))
        if harm == "drop":
            return b""
        if harm == "twice":
            return data * 2
        if harm == "flip":
            return data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]
        if harm == "cut":
            return data[:at]
        if harm == "noise":
            return self._draw(st.binary(max_size=20)) + data + self._draw(st.binary(max_size=20))
        return data.replace(b"\0\0", b"\0") if harm == "join" else data


@pytest.mark.parametrize("key", [KEY, None], ids=["with a key", "without"])
@given(data=st.data())
def test_on_a_bad_line_every_card_counts_once_in_its_order(
    key: bytes | None, data: st.DataObject
) -> None:
    wire = Wire(key)
    wire.meet()
    truth = data.draw(st.lists(st.integers(0, 51), max_size=5))
    wire.to_table = BadLine(data.draw, 20)
    wire.to_shoe = BadLine(data.draw, 20)
    for card in truth:
        wire.pull(card)
    wire.to_table = wire.to_shoe = bytes
    wire.go(AGES_MS)
    lost = [fact for fact in wire.told if getattr(fact, "what", "") == facts.LYING]
    if not lost:
        assert cards(wire.told) == truth
    named = [card for card in cards(wire.told) if card is not None]
    rest = iter(truth)
    assert all(card in rest for card in named), "one that was not pulled, or out of its order"
    assert cards(wire.pull(17))[-1] == 17, "and it goes on"


@given(
    truth=st.lists(st.integers(0, 51), min_size=1, max_size=5),
    lost=st.sets(st.integers(1, 15), max_size=4),
    step_us=st.sampled_from((20_000, 300_000, 340_000)),
)
# What is heard next is an edge out: of the third card, with the first one read and not out.
@example(truth=[1, 2, 3, 4, 5], lost={3, 4, 5}, step_us=340_000)
def test_what_is_never_said_again_is_told_and_names_no_card(
    truth: list[int], lost: set[int], step_us: int
) -> None:
    """A shoe that keeps nothing: of each pull its edge in, its card and its edge out."""
    table = ShoeSerial(SESSION, 0, None)
    now_us, counter, told = 0, 0, []

    def say(kind: int, fields: tuple[Any, ...], session: int = SESSION + 1) -> None:
        nonlocal counter
        counter += 1
        payload = written(Message(kind, session, BOOT, counter, fields), None)
        told.extend(table.receive(frame.encode(payload), now_us))

    say(messages.HELLO, (*NAMES, 6, 1, 0), session=0)
    say(messages.HELLO, (*NAMES, 6, 1, 0))
    n = 0
    for card in truth:
        for kind, rest in (
            (messages.EDGE, (messages.IN,)),
            (messages.CARD, (card, bytes(16), card, card)),
            (messages.EDGE, (messages.OUT,)),
        ):
            n += 1
            now_us += step_us
            if n not in lost:
                say(kind, (n, now_us // 1000, *rest))
    for _ in range(30):
        now_us += messages.BEAT_US
        say(messages.BEAT, (n, now_us // 1000, 0))
    whole = [
        card for at, card in enumerate(truth) if lost.isdisjoint(range(3 * at + 1, 3 * at + 4))
    ]
    named = [card for card in cards(told) if card is not None]
    rest = iter(whole)
    assert all(card in rest for card in named)
    was_lost = any(number <= n for number in lost)
    assert was_lost == any(getattr(fact, "what", "") == facts.LYING for fact in told)
    if not was_lost:
        assert named == truth


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_garbage_is_nothing_but_a_silence(parts: list[bytes]) -> None:
    for key in (KEY, None):
        table = ShoeSerial(SESSION, 0, key)
        told = [fact for part in parts for fact in table.receive(part + b"\0", 1000)]
        assert told == []
        assert table.take_bytes() == b""
        assert kinds(table.receive(b"", 2_000_000)) == ["ShoeTrouble"]


def test_byte_by_byte_is_the_same_as_whole() -> None:
    whole, slow = Wire(), Wire()
    told = []

    def trickle(data: bytes) -> bytes:
        for byte in data[:-1]:
            told.extend(slow.table.receive(bytes([byte]), slow.now_us))
        return data[-1:]

    slow.to_table = trickle
    for wire in (whole, slow):
        wire.go(500)
        wire.pull(1)
        wire.pull(2, out=False)
        wire.go(AGES_MS)
    assert told == []
    assert slow.told == whole.told
    assert slow.answered == whole.answered


# --- the shoe's end -------------------------------------------------------------------------------


def test_no_more_events_than_fit_are_under_way_at_once(wire: Wire) -> None:
    wire.to_shoe = dead
    for _ in range(20):
        wire.shoe.edge(messages.IN, wire.now_us)
    first = frames_of(wire.shoe.take_bytes(wire.now_us))
    assert len(first) == messages.WINDOW
    assert frames_of(wire.shoe.take_bytes(wire.now_us + STEP_US)) == []


def test_it_says_when_it_wants_to_be_called(wire: Wire) -> None:
    """Nothing is due before it, and something is at it."""
    shoe = wire.shoe
    wire.to_shoe = dead
    shoe.edge(messages.IN, wire.now_us)
    for _ in range(20):
        due_us = shoe.due_us
        if due_us > wire.now_us:
            assert shoe.take_bytes(due_us - 1) == b""
        wire.now_us = max(wire.now_us, due_us)
        assert shoe.take_bytes(wire.now_us) != b""


class Orders:
    """What a table says to a shoe, with any session and counter."""

    def __init__(self) -> None:
        self.shoe = ShoeEnd("virtual", "0001", 6, boot=BOOT, key=KEY)
        self.frames = 0  # that the shoe has said

    def say(
        self, kind: int, fields: tuple[int, ...], session: int, counter: int, boot: int = BOOT
    ) -> None:
        payload = written(Message(kind, session, boot, counter, fields), KEY)
        self.shoe.receive(frame.encode(payload), 0)

    def beat(self, times: int = 1) -> None:
        for _ in range(times):
            said = frames_of(self.shoe.take_bytes(self.shoe.due_us))
            self.frames += len(said)

    def sessions(self) -> int:
        """In which session the shoe speaks."""
        self.frames += 1
        payload = frame.Deframer().feed(self.shoe.take_bytes(self.shoe.due_us))[-1]
        message = messages.opened(payload, KEY, messages.FROM_SHOE)
        assert message is not None
        return message.session


def test_a_table_is_believed_that_echoes_what_was_said_just_now() -> None:
    for behind, is_believed in ((-1, False), (0, True), (7, True), (8, False), (19, False)):
        orders = Orders()
        orders.beat(20)
        orders.say(messages.WHO, (orders.frames - behind,), 77, 1)
        assert orders.sessions() == (77 if is_believed else 0), behind


def test_a_table_that_echoes_what_an_earlier_one_has_echoed_is_a_recording() -> None:
    orders = Orders()
    orders.beat(3)
    orders.say(messages.WHO, (orders.frames,), 77, 1)
    orders.say(messages.WHO, (orders.frames,), 78, 1)
    assert orders.sessions() == 77
    orders.say(messages.WHO, (orders.frames,), 78, 1)
    assert orders.sessions() == 78


def test_a_new_table_begins_with_who_and_with_cards_held() -> None:
    orders = Orders()
    orders.beat(3)
    orders.say(messages.RELEASE, (1,), 77, 1)
    assert not orders.shoe.is_released(0)
    orders.say(messages.WHO, (orders.frames,), 77, 1)
    for counter, (kind, fields) in enumerate(
        ((messages.RELEASE, (1,)), (messages.AGAIN, ()), (messages.COUNT, (1,))), 2
    ):
        orders.say(kind, fields, 77, counter)
    assert (orders.shoe.is_released(0), orders.shoe.again, orders.shoe.counting) == (True,) * 3
    orders.beat()
    orders.say(messages.WHO, (orders.frames,), 79, 1)
    assert (orders.shoe.is_released(0), orders.shoe.again, orders.shoe.counting) == (False,) * 3


def test_an_order_is_heeded_once_and_by_the_shoe_it_is_for() -> None:
    orders = Orders()
    orders.beat(3)
    orders.say(messages.WHO, (orders.frames,), 77, 1)
    orders.say(messages.RELEASE, (1,), 77, 2, boot=BOOT + 1)
    assert not orders.shoe.is_released(0)
    orders.say(messages.RELEASE, (1,), 77, 2)
    orders.say(messages.RELEASE, (0,), 77, 3)
    orders.say(messages.RELEASE, (1,), 77, 2)
    assert not orders.shoe.is_released(0)


def test_a_shoe_alone_says_who_it_is_and_nothing_of_its_cards() -> None:
    shoe = ShoeEnd("virtual", "0001", 6, boot=BOOT, key=KEY)
    shoe.edge(messages.IN, 0)
    said = [shoe.take_bytes(step * STEP_US) for step in range(100)]
    kinds_said = {payload[1] for out in said for payload in frame.Deframer().feed(out)}
    assert kinds_said == {messages.HELLO}
