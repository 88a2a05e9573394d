"""Who may speak when on the one line, and so how many terminals it has room for.

The controller polls one terminal at a time and says nothing else until the reply is here, or until
the slot is over in which it may be on its way. Terminals never speak unasked.
"""

import struct

from firmware.bus import exchange, messages, sender

BITS = 10  # of a byte on the line: start, eight, stop
# From the poll's last byte to the reply's first. A USB adapter holds what it received for up to
# 16 ms (FTDI AN232B-04); a terminal answers at once.
REPLY_US = 20_000
LOOP_US = 10_000  # the controller looks at its port once a period (firmware/loop.py)
ROUND_US = 1_000_000  # each terminal is polled at least so often
# And on a free line no oftener than this: ten requests a second are more than fingers place.
LEAST_ROUND_US = 100_000
_FRAME_MORE = 2 + 4 + 2 + 2  # length, CRC, delimiters, COBS of up to 508 bytes
# What displays are told in one second, at the most: the heartbeats, a result with its repeats, two
# changes of state; and two histories.
_STATUSES = 1_000_000 // sender.HEARTBEAT_US + 1 + sender.REPEATS + 2
_HISTORIES = 2
_HISTORY_SIZE = struct.calcsize(messages.HISTORY_FORMAT) + 2 * messages.HISTORY_MAX
_STATUS_SIZE = struct.calcsize(messages.STATUS_FORMAT)


def wire_us(size: int, baud: int) -> int:
    """How long so many bytes last on the line."""
    return -(-size * BITS * 1_000_000 // baud)


def reply_us(baud: int) -> int:
    """How long after a poll's last byte the longest reply may still be on its way."""
    return REPLY_US + wire_us(exchange.REPLY_SIZE + _FRAME_MORE, baud) + LOOP_US


def terminals_max(baud: int) -> int:
    """How many terminals each get their poll once in ROUND_US, if all are silent, beside the talk
    to the displays and one long poll a round."""
    # Its end, too, is seen a period late.
    slot_us = wire_us(exchange.POLL_SIZE + _FRAME_MORE, baud) + reply_us(baud) + LOOP_US
    displays_us = _STATUSES * wire_us(_STATUS_SIZE + _FRAME_MORE, baud)
    displays_us += _HISTORIES * wire_us(_HISTORY_SIZE + _FRAME_MORE, baud)
    left_us = ROUND_US - displays_us - wire_us(exchange.PART_SIZE, baud)
    return max(0, min(exchange.ADDRESS_MAX, left_us // slot_us))
