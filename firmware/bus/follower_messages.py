"""What controller and a host of followers say to each other: polls and replies. Plain values.

The host stands for many named players who bet behind a seat, at one address: its poll and its reply
carry what concerns all of them, each under its account. They begin and end as a terminal's
(terminal_messages.py). follower_bytes.py writes and reads them.
"""

import struct

from firmware.bus import mac, messages, terminal_messages
from firmware.bus.terminal_messages import CARD_PAYMENTS_FIELDS
from firmware.shims.typed import Any, NamedTuple
from firmware.stakes import answers

FOLLOWER_POLL = 9
FOLLOWER_REPLY = 10
FOLLOWERS_MAX = answers.FOLLOWERS_MAX
VERDICTS_MAX = 255  # in one poll
NUMBER_MAX = 0xFFFFFFFE  # of an ask: polls tell the one behind it, too

# asks
SIGN_ON = 1
SIGN_OFF = 2
FOLLOW = 3
FOLLOW_ALL = 4
TAKE_BACK = 5
SEATS = 16  # an ask's code and seat share a byte

# fmt: off
FOLLOWER_POLL_FIELDS = (
    ("boot", "I", "of the host, as its last reply said; 0: none was heard"),
    ("echo", "I", "number of that reply"),
    ("state", "B", "of the round, see the states"),
    ("coup", "I", "the round whose stakes are taken, or which is played"),
    ("flags", "B", f"sum: {terminal_messages.OPEN} stakes are taken, {terminal_messages.EMPLOYEE}"
                   f" an employee is present, {terminal_messages.CONFLICT} two hosts reply here"),
    ("room", "H", "bytes that the reply may have, all in all"),
    ("answered", "I", "the last ask that was decided; 0: none"),
    ("first", "I", "the first of those whose verdicts follow"),
    ("verdicts", "B", "how many"),
    ("sentences", "B", "how many"),
    ("funds", "B", "how many"),
    ("paid", "B", "how many players are paid, of one round"),
)
VERDICT_MEANING = "a byte each: 0 accepted, or refused with that one of the sentences"
SENTENCE_MEANING = (
    f"a byte with its length, and {terminal_messages.SENTENCE_MAX} bytes of UTF-8 at most: the rule"
    " that refuses, 00, why"
)
FUNDS_FIELDS = (
    ("account", "I", "of a player"),
    ("seated", "B", "1: he is signed on here; 0: he is not, or no more"),
    ("cents", "I", f"that he may stake; {terminal_messages.FUNDS_MAX} for more"),
)
SETTLED_FIELDS = (("coup", "I", "the round"),) + CARD_PAYMENTS_FIELDS[:3]
PLAYER_FIELDS = (
    ("account", "I", "of a player"),
    ("all", "B", "how many payments he has in it; 0: no stake of his took part"),
    ("first", "B", "how many of them come before these"),
    ("entries", "B", "how many follow, each as in part 3 of a terminal's poll"),
)
FOLLOWER_REPLY_FIELDS = (
    ("boot", "I", "random, new at each start of the host"),
    ("number", "I", "one more with each reply since then"),
    ("first", "I", "number of the first ask below, whose answer is awaited as those of all behind"
                   " it: the host has those of all before; 0: the poll is not believed yet"),
    ("coup", "I", "for which the stakes below are meant"),
    ("asks", "B", f"how many follow, numbered one by one: none above {NUMBER_MAX:#X}"),
    ("more", "B", f"how many wait behind these; {0xFF} for more"),
)
FOLLOWER_ASK_FIELDS = (
    ("act", "B", f"{SIGN_ON} sign on, {SIGN_OFF} sign off, {FOLLOW} a stake behind a seat,"
                 f" {FOLLOW_ALL} one that follows doubles and splits, {TAKE_BACK} take back; and"
                 f" {SEATS} times the seat"),
    ("account", "I", "of the player"),
)
FOLLOW_FIELDS = (("cents", "I", "the stake"),)
# fmt: on

# What is asked. `key`: of the account, which goes nowhere: it makes the proof that does.
FollowerSignOn = NamedTuple("FollowerSignOn", [("account", int), ("key", bytes)])
FollowerSignOff = NamedTuple("FollowerSignOff", [("account", int)])
# A stake behind a seat. `coup` 0: the one told last; `double`: it follows doubles and splits.
Follow = NamedTuple(
    "Follow", [("account", int), ("coup", int), ("seat", int), ("double", bool), ("cents", int)]
)
TakeBackBehind = NamedTuple("TakeBackBehind", [("account", int), ("seat", int)])

# `verdicts`: a Sentence for each that is refused, None for one that is accepted. `funds`:
# (account, is signed on, cents). `coup`, `outcome`: of the round of which players are paid;
# `settled`: (account, all, first, tuple of CardPaid).
FollowerPoll = NamedTuple(
    "FollowerPoll",
    [
        ("boot", int),
        ("echo", int),
        ("state", str),
        ("coup", int),
        ("flags", int),
        ("room", int),
        ("answered", int),
        ("first", int),
        ("verdicts", Any),
        ("funds", Any),
        ("paid_coup", int),
        ("outcome", Any),
        ("settled", Any),
    ],
)
# `asks`: of the kinds above; as heard, of a FollowerSignOn its SignOnProof.
FollowerReply = NamedTuple(
    "FollowerReply",
    [
        ("boot", int),
        ("number", int),
        ("first", int),
        ("coup", int),
        ("asks", Any),
        ("more", int),
    ],
)

FOLLOWER_POLL_FORMAT = messages.codes(FOLLOWER_POLL_FIELDS)
FUNDS_FORMAT = messages.codes(FUNDS_FIELDS)
SETTLED_FORMAT = messages.codes(SETTLED_FIELDS)
PLAYER_FORMAT = messages.codes(PLAYER_FIELDS)
FOLLOWER_REPLY_FORMAT = messages.codes(FOLLOWER_REPLY_FIELDS)
FOLLOWER_ASK_FORMAT = messages.codes(FOLLOWER_ASK_FIELDS)
FOLLOW_FORMAT = messages.codes(FOLLOW_FIELDS)
FOLLOWER_POLL_SIZE = struct.calcsize(FOLLOWER_POLL_FORMAT)
FUNDS_SIZE = struct.calcsize(FUNDS_FORMAT)
SETTLED_SIZE = struct.calcsize(SETTLED_FORMAT)
PLAYER_SIZE = struct.calcsize(PLAYER_FORMAT)
FOLLOWER_REPLY_SIZE = struct.calcsize(FOLLOWER_REPLY_FORMAT)
FOLLOWER_ASK_SIZE = struct.calcsize(FOLLOWER_ASK_FORMAT)
FOLLOW_SIZE = FOLLOWER_ASK_SIZE + struct.calcsize(FOLLOW_FORMAT)
SEAT_MAX = SEATS - 1
# Bytes that every such message has.
AROUND = messages.ENVELOPE_SIZE + mac.SIZE
# A reply with one ask, whatever it is: so much room each has.
REPLY_LEAST = AROUND + FOLLOWER_REPLY_SIZE + FOLLOWER_ASK_SIZE + terminal_messages.PROOF_SIZE
