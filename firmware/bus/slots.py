"""Who may speak when on the one line, and so how many displays and terminals it has room for.

The controller asks one display or polls one terminal at a time and says nothing else until the
answer is here, or until the slot is over in which it may be on its way. Nobody else ever speaks
unasked.

A display stays lit if it is asked, and its challenge answered, each time within FRESH_US of the
last. So a whole round, in which all are asked, a heartbeat's interval and a heartbeat must fit into
that, with everybody silent, beside the heartbeats, a decision and the terminals' slots.
"""

from firmware.bus import card_messages, frame, messages, record, terminal_messages
from firmware.shims.typed import NamedTuple

BITS = 10  # of a byte on the line: start, eight, stop
LOOP_US = 5_000  # the controller looks at its port once in so long (firmware/loop.py)
LATE_US = 1_000  # and so much later, now and then
# A card table's looks twice as often: it has no rotor to read, and more who wait for each other.
CARD_LOOP_US = 2_500
FRAME_MORE = 2 + 4 + 2 + 2  # length, CRC, delimiters, COBS of up to 508 bytes

# A challenge is good for so long, and so a display is lit no longer after the one that was answered
# last: what it shows is never older.
FRESH_US = 1_000_000
HEARTBEAT_US = 200_000
# From an ask's last byte to the answer's first. A microcontroller answers within 1 ms; Linux takes
# longer, and an FTDI adapter holds what it received for 16 ms unless told otherwise (AN232B-04).
ANSWER_LEAST_US = 5_000
# And no longer even on a free line: with a heartbeat and a record behind it, 100 ms at 115200 baud.
ANSWER_MOST_US = 35_000
# Who was silent once is asked again at once, but so many a round: the others wait,
# and on a full line nobody is.
RETRIES_MAX = 2
# Between two copies of a record: a motor's interference lasts some 10 ms.
REPEAT_US = 20_000
_CARDS_STEP = 12  # bytes
_SPARE_RECORDS = 3  # a round, of refills and repeats: wished for, not promised

# From a poll's last byte to the reply's first; as with displays, which are more.
REPLY_US = 20_000
ROUND_US = 1_000_000  # each terminal is polled at least so often
# And on a free line no oftener than this: ten requests a second are more than fingers place.
LEAST_ROUND_US = 100_000

# What lies on a card table goes out at each change, and at the latest so long after the last time:
# as good as half a second before it is dark, unless all are silent.
CARDS_US = 400_000
# So many times in FRESH_US at the most, whichever the line has time for: cards come no faster from
# hands than the first. Of the last a change may have to wait, some .15 s behind what is repeated.
CARDS_TIMES = (8, 5, 4)
# Bytes of a poll to a host of followers and of its reply, together; and how many if time allows.
FOLLOWERS_SHORT = 192
FOLLOWERS_LONG = 640
# And it is polled again after so long, if time allows: an ask of a follower waits no longer.
FOLLOWERS_US = 100_000
# A seat that was not polled for so long may wait for an answer, and funds and payments wait for it.
CROWDED_US = 250_000
EXTRA_MORE_US = 40_000  # that a round has time for besides, so that seats do not wait for them

# What a line has time for. `slot_us`: from an ask's first byte until the answer must be here, whole
# periods; `answer_us`: the same from its last byte; `apart_us`: between two records, tables or
# refills; `retries`: asks repeated in a round; `cards`: bytes of what lies on a card table, at the
# most, 0 for nothing of it; `often`: how often in FRESH_US they are told.
Plan = NamedTuple(
    "Plan",
    [
        ("slot_us", int),
        ("answer_us", int),
        ("apart_us", int),
        ("retries", int),
        ("cards", int),
        ("often", int),
    ],
)


def wire_us(size: int, baud: int) -> int:
    """Tells how long so many bytes last on the line."""
    return -(-size * BITS * 1_000_000 // baud)


def frame_us(size: int, baud: int) -> int:
    """Tells how long the frame of a payload of so many bytes lasts on the line, at the most."""
    return wire_us(size + FRAME_MORE, baud)


def heartbeat_us(baud: int, displays: int) -> int:
    """Tells how long a heartbeat lasts that answers so many displays."""
    return frame_us(messages.HEARTBEAT_SIZE + 1 + displays * messages.ANSWERED_SIZE, baud)


def record_us(baud: int) -> int:
    """Tells how long the longest record lasts."""
    return frame_us(messages.RECORD_SIZE + record.RECORD_MAX, baud)


def cards_us(baud: int, displays: int, size: int) -> int:
    """Tells how long so many bytes of what lies on a card table last, with their answers."""
    return frame_us(size + 1 + min(displays, answers_max(size)) * messages.ANSWERED_SIZE, baud)


def answers_max(size: int) -> int:
    """Tells how many displays so many bytes may answer in one frame."""
    return (frame.PAYLOAD_MAX - size - 1) // messages.ANSWERED_SIZE


def card_plan(baud: int, displays: int, terminals: int, *, extra_us: int = 0) -> "Plan | None":
    """Tells how a line of a card table is shared: with as many bytes of cards as there is time
    for, or none; None if it has no time for so many.
    """
    for size in range(card_messages.CARDS_MAX, card_messages.CARDS_LEAST - 1, -_CARDS_STEP):
        for often in CARDS_TIMES:
            found = plan(baud, displays, terminals, cards=size, often=often, extra_us=extra_us)
            if found is not None:
                return found
    return plan(baud, displays, terminals, extra_us=extra_us)


def plan(
    baud: int,
    displays: int,
    terminals: int,
    *,
    cards: int = 0,
    often: int = 0,
    extra_us: int = 0,
) -> "Plan | None":
    """Tells how a line is shared among so many; None if it has no time for them.

    `cards`: bytes of what lies on a card table, told so `often` in FRESH_US; `extra_us`:
    time for polls out of turn in a round.
    """
    if not displays:
        is_room = terminals <= terminals_max(baud, 0, extra_us)
        return Plan(0, 0, 0, 0, cards, often) if is_room else None
    asked_us = frame_us(messages.ASK_SIZE, baud) + frame_us(messages.ANSWER_SIZE, baud)
    least_us = _periods(asked_us + ANSWER_LEAST_US, up=True)
    most_us = _periods(asked_us + ANSWER_MOST_US, up=True)
    # Whatever comes between two slots may begin late in its period, and its end is seen late.
    more_us = LATE_US + LOOP_US
    beat_us = heartbeat_us(baud, displays) + more_us
    round_us = FRESH_US - HEARTBEAT_US - beat_us
    shown_us = 0
    if cards:
        shown_us = cards_us(baud, displays, cards) + more_us
    # One each interval, one of a decision in between, one at the edge; and the decision's record.
    left_us = round_us - (round_us // HEARTBEAT_US + 2) * beat_us - terminals_us(baud, terminals)
    long_us = record_us(baud) + more_us
    left_us -= long_us + often * shown_us + extra_us
    # A full line repeats fewer asks.
    retries = max(0, min(RETRIES_MAX, left_us // least_us - displays))
    asks = displays + retries
    slot_us = 0
    for spare in range(_SPARE_RECORDS, -1, -1):
        slot_us = min(most_us, _periods((left_us - spare * long_us) // asks, up=False))
        if slot_us >= least_us:
            break
    if slot_us < least_us:
        return None
    records = (left_us - asks * slot_us) // long_us
    apart_us = max(REPEAT_US, long_us, round_us // max(1, records) + 1)
    answer_us = slot_us - frame_us(messages.ASK_SIZE, baud)
    return Plan(slot_us, answer_us, apart_us, retries, cards, often)


def displays_max(baud: int, terminals: int = 0, extra_us: int = 0) -> int:
    """Counts the displays a line carries beside so many terminals, each asked and answered within
    FRESH_US though all are silent."""
    found = 0
    while found < messages.ADDRESS_MAX:
        if plan(baud, found + 1, terminals, extra_us=extra_us) is None:
            break
        found += 1
    return found


def reply_us(baud: int) -> int:
    """Tells how long after a poll's last byte the longest reply may still be on its way."""
    return reply_within_us(baud, terminal_messages.REPLY_SIZE)


def terminal_slot_us(baud: int) -> int:
    """Tells how long a terminal's turn lasts that is silent."""
    # The end of a slot, too, is seen a period late.
    return frame_us(terminal_messages.POLL_SIZE, baud) + reply_us(baud) + LOOP_US


def terminals_us(baud: int, terminals: int) -> int:
    """Tells how long it takes to poll each of so many terminals once, all silent, one poll long."""
    if not terminals:
        return 0
    part_us = wire_us(terminal_messages.PART_SIZE, baud)
    return terminals * terminal_slot_us(baud) + part_us


def reply_within_us(baud: int, size: int) -> int:
    """Tells how long after a poll's last byte a reply of so many bytes may be on its way."""
    return REPLY_US + frame_us(size, baud) + LOOP_US


def exchange_us(baud: int, both: int) -> int:
    """Tells how long a turn of a host of followers lasts: so many bytes, of poll and reply."""
    return wire_us(both + FRAME_MORE, baud) + reply_within_us(baud, 0) + LOOP_US


def exchange_bytes(baud: int, us: int) -> int:
    """Tells how many bytes of poll and reply a turn of a host of followers has time for in so long,
    as many as it ever has at most."""
    left_us = us - reply_within_us(baud, 0) - LOOP_US
    return min(FOLLOWERS_LONG, left_us * baud // (BITS * 1_000_000) - FRAME_MORE)


def long_poll_us(baud: int) -> int:
    """Tells how long a terminal's turn lasts at a card table, with a part."""
    more = terminal_messages.DUE_SIZE + terminal_messages.PART_SIZE
    return terminal_slot_us(baud) + wire_us(more, baud)


def card_extra_us(baud: int, terminals: int, *, followers: bool) -> int:
    """Tells how much more a round has time for where cards are played: what is due to each
    terminal, and polls out of turn; the followers' host has longer turns than a terminal, too.
    """
    due_us = terminals * wire_us(terminal_messages.DUE_SIZE, baud)
    if not followers:
        return due_us + long_poll_us(baud)
    more_us = exchange_us(baud, FOLLOWERS_SHORT) - terminal_slot_us(baud)
    return due_us + more_us + exchange_us(baud, FOLLOWERS_LONG) + EXTRA_MORE_US


def terminals_max(baud: int, displays: int = 0, extra_us: int = 0) -> int:
    """Tells how many terminals each get their poll once in ROUND_US, all silent, beside so many
    displays."""
    found = 0
    while found < messages.ADDRESS_MAX and terminals_us(baud, found + 1) + extra_us <= ROUND_US:
        if displays and plan(baud, displays, found + 1, extra_us=extra_us) is None:
            break
        found += 1
    return found


def _periods(us: int, *, up: bool) -> int:
    """Whole periods of the loop."""
    return (us + LOOP_US - 1 if up else us) // LOOP_US * LOOP_US
