"""What controller and terminals say to each other: a poll, and the reply to it. Plain values.

Each has the kind that tells its direction, the address of the terminal, the session and the poll's
counter, and ends with a code of all of it under the key of that one terminal (mac.py). Here are the
tables and records; terminal_bytes.py writes and reads them.
"""

import struct

from firmware.bus import mac, messages
from firmware.shims.typed import Any, NamedTuple

POLL = 3
REPLY = 4
VERSION = messages.VERSION  # before 6 nobody's money was known
ADDRESS_MAX = messages.ADDRESS_MAX
PROOF_SIZE = 16  # bytes: of a sign-on
ON_MAX = 6  # numbers of a stake: a sixain's
SENTENCE_MAX = 240  # bytes: rule and sentence of a refusal
PAYMENTS_MAX = 12  # in one poll

# flags of a poll
OPEN = 1
EMPLOYEE = 2
SEATED = 4
CONFLICT = 8
UNSEATED = 16
CARRIED = 32
DUE = 64
WAITING = 128
# verdicts
ACCEPTED = 1
REFUSED = 2
# parts of a poll, asks of a reply
NOTHING = 0
SENTENCE = 1
PAYMENTS = 2
CARD_PAYMENTS = 3
SIGN_ON = 1
SIGN_OFF = 2
STAKE = 3
TAKE_BACK = 4
PUT_IN = 5
DECIDE = 6

# Announced bets (rules/announced_bets.py) besides: no maximum is told of them.
BETS = messages.BETS + (
    (32, "voisins"),
    (33, "tiers"),
    (34, "orphelins_jeu"),
    (35, "finale"),
)
# Of the card games; the insurances stand in payments alone.
CARD_BETS = (
    (64, "main"),
    (65, "perfect_pairs"),
    (66, "super_black"),
    (67, "super_silver"),
    (68, "super_gold"),
    (69, "behind"),
    (70, "player"),
    (71, "banker"),
    (72, "tie"),
    (73, "dragon_player"),
    (74, "dragon_banker"),
    (75, "insurance"),
    (76, "insurance_behind"),
)
# What a player may decide. Each is a bit: `choices` is their sum.
DECISIONS = (
    (1, "hit"),
    (2, "stand"),
    (4, "double"),
    (8, "split"),
    (16, "insure"),
    (32, "no_insurance"),
)
Envelope = messages.Envelope
ENVELOPE_SIZE = messages.ENVELOPE_SIZE

FUNDS_MAX = 0xFFFFFFFF
NO_TIME = 0xFFFF
# Codes of a round's outcome, beside the winners of card_record.py.
VOIDED = 0
DEALT = 4
DUE_KINDS = ((1, "decision"), (2, "insurance"))

# fmt: off
POLL_FIELDS = (
    ("boot", "I", "of the terminal, as its last reply said; 0: none was heard"),
    ("echo", "I", "number of that reply"),
    ("state", "B", "of the coup, see the states"),
    ("coup", "I", "whose stakes are taken, or which is played"),
    ("flags", "B", f"sum: {OPEN} stakes are taken, {EMPLOYEE} an employee is present,"
                   f" {SEATED} somebody is signed on here, {CONFLICT} two terminals reply here,"
                   f" {UNSEATED} an employee has signed off who sat here last,"
                   f" {CARRIED} the last throw was void, and its stakes lie for this coup,"
                   f" {DUE} what the player must decide now stands before the part,"
                   f" {WAITING} a payment of the coup that ended waits for the management"),
    ("answered", "I", "the terminal's last request that was decided; 0: none"),
    ("verdict", "B", f"of that request: 0 none, {ACCEPTED} accepted, {REFUSED} refused"),
    ("settled", "I", "a coup that ended: the oldest whose payments are not confirmed, or the last"),
    ("paid", "B", "how many stakes of who sits here were settled in it"),
    ("seat", "B", "another for each who sits down here; 0: nobody sits"),
    ("funds", "I", f"cents that he may stake; {FUNDS_MAX} for more"),
    ("part", "B", f"what follows: {NOTHING} nothing, {SENTENCE} the sentence of the refusal,"
                  f" {PAYMENTS} payments, {CARD_PAYMENTS} payments of a round of cards"),
)
DUE_FIELDS = (
    ("kind", "B", "1 a decision, 2 an insurance"),
    ("seat", "B", "whose hand it is"),
    ("hand", "B", "1 to the seat's last"),
    ("choices", "B", "sum of the decisions that rules and funds allow"),
    ("cents", "I", "that double, split or insurance costs at most"),
    ("seen", "B", "cards of the round so far"),
    ("left", "H", f"tenths of a second until it is decided for the player; {NO_TIME}: no limit"),
    ("points", "B", "of the hand, an ace as 1; 0: none are told"),
    ("soft", "B", "1: an ace may count 11; else 0"),
)
SENTENCE_MEANING = (
    f"{SENTENCE_MAX} bytes of UTF-8 at most: the rule that refuses, 00, why"
)
PAYMENTS_FIELDS = (
    ("number", "B", f"of the settled coup, 0x{messages.NO_NUMBER:02X} for a void"),
    ("colour", "B", "of the number; see the colours"),
    ("first", "B", "how many of its payments come before these"),
)
PAYMENT_FIELDS = (
    ("id", "I", "of the stake: the request that placed it; 0: it was laid at another terminal"),
    ("cents", "I", "the stake"),
    ("won_cents", "q", "the gain, negative for what is lost"),
)
CARD_PAYMENTS_FIELDS = (
    ("winner", "B", "of the round: 0 it is void, see the winners; 4 black jack, which has none"),
    ("points", "B", "of the dealer, or the player's"),
    ("banker", "B", "the banker's points; 0 at black jack"),
    ("first", "B", "how many of its payments come before these"),
)
CARD_PAYMENT_FIELDS = (
    ("id", "I", "of the stake: the request that placed it; 0: it was laid at another terminal"),
    ("bet", "B", "see the bets of cards"),
    ("seat", "B", "0 at baccarat"),
    ("hand", "B", "0 where it is no hand's"),
    ("cents", "I", "the stake"),
    ("won_cents", "q", "the gain, negative for what is lost"),
)
REPLY_FIELDS = (
    ("boot", "I", "random, new at each start of the terminal"),
    ("number", "I", "one more with each reply since then"),
    ("known", "I", "the last request whose verdict it has"),
    ("paid_coup", "I", "the coup whose payments it has, or is being told"),
    ("paid", "B", "how many of them it has"),
    ("seat", "B", "of the poll that told them"),
    ("request", "I", "number of what it asks: above `answered` of the poll; 0: nothing"),
    ("ask", "B", f"what follows: {NOTHING} nothing, {SIGN_ON} sign on, {SIGN_OFF} sign off,"
                 f" {STAKE} a stake, {TAKE_BACK} take back, {PUT_IN} money put in,"
                 f" {DECIDE} a decision"),
)
SIGN_ON_FIELDS = (
    ("account", "I", "of the player"),
)
SIGN_ON_MEANING = (
    f"the first {PROOF_SIZE} bytes of HMAC-SHA-256 under the terminal's key: of `sign on`, session"
    " and counter of the poll, account and the account's key"
)
STAKE_FIELDS = (
    ("coup", "I", "for which it is meant"),
    ("bet", "B", "see the bets"),
    ("cents", "I", "whole cents; of an announced bet those of one piece"),
)
STAKE_MEANING = f"one byte a number the stake lies on, {ON_MAX} at most"
TAKE_BACK_FIELDS = (("id", "I", "of the stake"),)
PUT_IN_FIELDS = (("cents", "I", "that lie in the acceptor until this is decided"),)
DECIDE_FIELDS = (
    ("coup", "I", "the round"),
    ("seat", "B", "whose hand it is"),
    ("hand", "B", "1 to the seat's last"),
    ("do", "B", "see the decisions"),
    ("cents", "I", "of a double or an insurance; 0: the whole"),
    ("seen", "B", "cards of the round that the player has seen: one more, and it comes too late"),
)
# fmt: on

# `part`: a Sentence, a Payments, a CardPayments or None. `due`: a CardDue of
# firmware/stakes/answers.py, whose `until_us` is on the clock of who has it; or None.
Poll = NamedTuple(
    "Poll",
    [
        ("boot", int),
        ("echo", int),
        ("state", str),
        ("coup", int),
        ("flags", int),
        ("answered", int),
        ("verdict", int),
        ("settled", int),
        ("paid", int),
        ("seat", int),
        ("funds", int),
        ("part", Any),
        ("due", Any),
    ],
)
Sentence = NamedTuple("Sentence", [("rule", str), ("why", str)])
# `entries`: (id, cents, won_cents).
Payments = NamedTuple(
    "Payments", [("number", Any), ("colour", Any), ("first", int), ("entries", Any)]
)
# `outcome`, and `entries`, CardPaid: as firmware/stakes/answers.py has them.
CardPayments = NamedTuple("CardPayments", [("outcome", Any), ("first", int), ("entries", Any)])
# `ask`: a SignOn (as heard: a SignOnProof), SignOff, Stake, TakeBack, PutIn, Decide or None.
Reply = NamedTuple(
    "Reply",
    [
        ("boot", int),
        ("number", int),
        ("known", int),
        ("paid_coup", int),
        ("paid", int),
        ("seat", int),
        ("request", int),
        ("ask", Any),
    ],
)
# `key`: of the account, which goes nowhere: it makes the proof that does.
SignOn = NamedTuple("SignOn", [("account", int), ("key", bytes)])
SignOnProof = NamedTuple("SignOnProof", [("account", int), ("proof", bytes)])
SignOff = NamedTuple("SignOff", [])
Stake = NamedTuple("Stake", [("coup", int), ("bet", str), ("cents", int), ("on", Any)])
TakeBack = NamedTuple("TakeBack", [("id", int)])
PutIn = NamedTuple("PutIn", [("cents", int)])
# `do`: one of DECISIONS.
Decide = NamedTuple(
    "Decide",
    [("coup", int), ("seat", int), ("hand", int), ("do", str), ("cents", int), ("seen", int)],
)


POLL_FORMAT = messages.codes(POLL_FIELDS)
PAYMENTS_FORMAT = messages.codes(PAYMENTS_FIELDS)
PAYMENT_FORMAT = messages.codes(PAYMENT_FIELDS)
DUE_FORMAT = messages.codes(DUE_FIELDS)
CARD_PAYMENTS_FORMAT = messages.codes(CARD_PAYMENTS_FIELDS)
CARD_PAYMENT_FORMAT = messages.codes(CARD_PAYMENT_FIELDS)
REPLY_FORMAT = messages.codes(REPLY_FIELDS)
STAKE_FORMAT = messages.codes(STAKE_FIELDS)
TAKE_BACK_FORMAT = messages.codes(TAKE_BACK_FIELDS)
SIGN_ON_FORMAT = messages.codes(SIGN_ON_FIELDS)
PUT_IN_FORMAT = messages.codes(PUT_IN_FIELDS)
DECIDE_FORMAT = messages.codes(DECIDE_FIELDS)
POLL_FIELDS_SIZE = struct.calcsize(POLL_FORMAT)
PAYMENTS_SIZE = struct.calcsize(PAYMENTS_FORMAT)
PAYMENT_SIZE = struct.calcsize(PAYMENT_FORMAT)
DUE_SIZE = struct.calcsize(DUE_FORMAT)
CARD_PAYMENTS_SIZE = struct.calcsize(CARD_PAYMENTS_FORMAT)
CARD_PAYMENT_SIZE = struct.calcsize(CARD_PAYMENT_FORMAT)
REPLY_FIELDS_SIZE = struct.calcsize(REPLY_FORMAT)
STAKE_SIZE = struct.calcsize(STAKE_FORMAT)
DECIDE_SIZE = struct.calcsize(DECIDE_FORMAT)
SIGN_ON_SIZE = struct.calcsize(SIGN_ON_FORMAT) + PROOF_SIZE

# The longest payloads: what a slot must have room for (terminal_host.py).
POLL_SIZE = ENVELOPE_SIZE + POLL_FIELDS_SIZE + mac.SIZE  # without a part
PART_SIZE = max(
    SENTENCE_MAX,
    PAYMENTS_SIZE + PAYMENTS_MAX * PAYMENT_SIZE,
    CARD_PAYMENTS_SIZE + PAYMENTS_MAX * CARD_PAYMENT_SIZE,
)
ASK_SIZE = max(SIGN_ON_SIZE, STAKE_SIZE + ON_MAX)
REPLY_SIZE = ENVELOPE_SIZE + REPLY_FIELDS_SIZE + ASK_SIZE + mac.SIZE
