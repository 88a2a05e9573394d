"""Golden vectors of the bus: one of each message, byte for byte, as docs/bus.md shows them."""

from __future__ import annotations

import struct

from firmware.bus import (
    card_messages,
    follower_bytes,
    frame,
    mac,
    message_bytes,
    messages,
    receiver,
    record,
    terminal_bytes,
)
from firmware.bus.card_messages import BACK, Cards
from firmware.bus.follower_messages import Follow, FollowerPoll, FollowerReply, FollowerSignOn
from firmware.bus.messages import Answer, Call, Envelope, Heartbeat, Table
from firmware.bus.terminal_messages import Poll, Reply, Sentence, SignOn
from firmware.keys.players import secret_of
from firmware.stakes.answers import CardDue, CardPaid
from firmware.stakes.terminal_book import account_key
from firmware.store.signing import Signer

KEY = bytes(range(32))  # of the display at ADDRESS
ADDRESS = 3
BOOT = 0x1122334455667788
SESSION = 0x0102030405060708
PRIVATE = bytes(range(32, 64))  # of the wheel
TABLE = Table(
    "roulette_lu", "table 7", 500, 1_000, (("plein", 20), ("rouge", 360)), Call(212, 520, "learned")
)
# fmt: off
RESULT = {
    "kind": "result", "wheel": "table 7", "epoch": 1, "seq": 42, "coup": 43, "game": "roulette",
    "number": 17, "compartment": 8, "colour": "black", "rotor": -1, "ball": 1, "votes": 2311,
    "residual_uturn": -3650, "held_us": 1_500_123, "rules": "roulette_lu", "rules_hash": bytes(8),
    "layout_verified": True, "firmware": bytes(range(8)), "utc": 1_795_285_518, "quality": 3,
    "prev": bytes(range(16)), "sensors": 4, "after": bytes(range(8)),
}
# Player 5S 6D 8H, banker 2H TC 4S.
ROUND = {
    "kind": "result", "wheel": "table 9", "epoch": 1, "seq": 7, "coup": 8, "game": "baccarat",
    "seal": bytes(range(32)), "decks": 8, "authenticated": True, "verified": True,
    "cards": bytes([4, 14, 31, 48, 20, 3]), "winner": "player", "player_points": 9,
    "banker_points": 6, "rules": "baccarat_live", "rules_hash": bytes(8),
    "firmware": bytes(range(8)), "utc": 1_795_285_518, "quality": 3, "prev": bytes(range(16)),
    "after": bytes(range(8)),
}
# fmt: on
# Black jack while seat 2 decides on its second hand.
# fmt: off
CARDS = Cards(
    8, 3, True, False, False, "s2.2",
    (("s2", None, (20, 13)), ("s2.2", None, (7, 33)), ("s5", None, (9, 0)),
     ("d", None, (18, BACK))),
    (("pair_mixed", "s2"), ("insured", "s5")),
)
# fmt: on

# Terminal 3 and the followers' host at 8 have the keys below; account 12 has the PIN 4711.
TERMINAL_KEY, HOST_KEY = bytes(range(64, 96)), bytes(range(96, 128))
HOST, ACCOUNT, PIN = 8, 12, "4711"
# fmt: off
POLL = Poll(
    0xAABBCCDD, 5, "PLAYING", 7, 6, 4, 1, 6, 0, 3, 2_500, None,
    CardDue("decision", 3, 2, ("hit", "stand", "double"), 5_000, 9, 7_200_000, "7/17"),
)
FOLLOWER_POLL = FollowerPoll(
    0xAABBCCDD, 5, "BETS_OPEN", 7, 3, 480, 144, 142,
    (None, Sentence("2.9.2", "no"), Sentence("2.9.2", "no")), ((ACCOUNT, True, 2_500),),
    6, {"dealer": 19}, ((ACCOUNT, 1, 0, (CardPaid(141, "behind", 4, 1, 1_000, -1_000),)),),
)
# fmt: on


def vectors() -> list[tuple[str, str]]:
    """What it is and its bytes in hexadecimal, in the order of a talk."""
    signer = Signer(PRIVATE)
    signed = signer.sign(RESULT)
    table = message_bytes.table_bytes(TABLE)
    ask = message_bytes.ask_bytes(Envelope(ADDRESS, SESSION, 5), KEY)
    told = receiver.CHALLENGE + struct.pack(receiver.CHALLENGE_FORMAT, BOOT, 1)
    challenge = mac.hmac_sha256(KEY, told)[: messages.CODE_SIZE]
    dark = messages.lit_digest(messages.STALE, None, 0, 0)
    answer = Answer(BOOT, challenge, 0, 0, dark, 0, signer.kid, bytes(4))
    heartbeat = message_bytes.heartbeat_bytes(
        Heartbeat(
            SESSION, 9, "roulette", "CONFIRMED", 43, 1, 42, record.digest(signed), 1, signer.kid,
            -1, True, message_bytes.table_digest(table),
        )
    )  # fmt: skip
    heartbeat = message_bytes.answered(heartbeat, [(ADDRESS, KEY, challenge)])
    lit = messages.lit_digest("CONFIRMED", 17, 1, 42)
    found = (
        (f"key of the display at address {ADDRESS}", KEY),
        ("public key of the wheel", signer.public),
        ("its name (kid)", signer.kid),
        ("ask, the 5th of this session", ask),
        (f"the display's first challenge after boot {BOOT:#x}", challenge),
        ("lit digest of the dash", dark),
        ("its answer", message_bytes.answer_bytes(Envelope(ADDRESS, SESSION, 5), answer, KEY)),
        ("heartbeat: coup 43 ended, confirmed", heartbeat),
        ("record: result 42 of epoch 1, 17 black", message_bytes.record_bytes(signed)),
        ("lit digest of that number", lit),
        (
            "record: result 7 of epoch 1, baccarat, player 9, banker 6",
            message_bytes.record_bytes(signer.sign(ROUND)),
        ),
        ("table", table),
        (
            "cards: black jack, round 8, seat 2 decides on its second hand",
            message_bytes.answered(
                card_messages.cards_bytes(SESSION, 4, CARDS), [(ADDRESS, KEY, challenge)]
            ),
        ),
        (
            "notice: Anne asks to be the first supervisor",
            message_bytes.answered(
                message_bytes.notice_bytes(SESSION, 2, "Anne"), [(ADDRESS, KEY, challenge)]
            ),
        ),
        ("the ask as a frame on the line", frame.encode(ask)),
        *_of_terminals(),
    )
    return [(name, data.hex()) for name, data in found]


def _of_terminals() -> list[tuple[str, bytes]]:
    """What terminals and the followers' host hear and say, with proofs of a sign-on."""
    secret = secret_of(PIN)
    own = account_key(secret, ACCOUNT)
    seat, host = Envelope(ADDRESS, SESSION, 9), Envelope(HOST, SESSION, 9)
    reply = Reply(0xAABBCCDD, 6, 4, 6, 0, 3, 5, SignOn(ACCOUNT, own))
    asks = (FollowerSignOn(ACCOUNT, own), Follow(ACCOUNT, 7, 4, True, 1_000))
    asked = FollowerReply(0xAABBCCDD, 6, 142, 7, asks, 3)
    return [
        (f"key of terminal {ADDRESS}", TERMINAL_KEY),
        (f"key of the followers' host at address {HOST}", HOST_KEY),
        (f"what the PIN {PIN} makes", secret),
        (f"key of account {ACCOUNT} with that PIN", own),
        (
            "poll of a terminal: a decision is due",
            terminal_bytes.poll_bytes(seat, POLL, TERMINAL_KEY),
        ),
        (
            f"proof of a sign-on of account {ACCOUNT} there",
            terminal_bytes.proof(seat, TERMINAL_KEY, ACCOUNT, own),
        ),
        ("the reply with it", terminal_bytes.reply_bytes(seat, reply, TERMINAL_KEY)),
        (
            "poll of the followers' host: verdicts, funds, payments",
            follower_bytes.follower_poll_bytes(host, FOLLOWER_POLL, HOST_KEY),
        ),
        (
            "its reply: a sign-on with its proof, a stake behind seat 4",
            follower_bytes.follower_reply_bytes(host, asked, HOST_KEY),
        ),
    ]


def render() -> str:
    """The vectors as they stand in the page."""
    lines = ["```text"]
    for name, told in vectors():
        lines.append(f"{name}:")
        lines += [f"  {told[at : at + 88]}" for at in range(0, len(told), 88)]
    return "\n".join([*lines, "```"])
