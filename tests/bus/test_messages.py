"""Messages to and from the displays: the very bytes, and whatever else is no message."""

import hashlib
import hmac
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.bus import frame, mac, message_bytes, messages, record
from firmware.bus.frame import Deframer
from firmware.bus.message_bytes import open_answer, open_ask, open_heartbeat, open_table
from firmware.bus.messages import Answer, Call, Envelope, Heartbeat, Table
from firmware.core.call import predictor
from firmware.core.cards import reasons as card_reasons
from firmware.core.cards import states as card_states
from firmware.core.coup import states as coup_states
from firmware.core.faults import FAULTS
from rules import limits
from tools.docs.bus_vectors import ADDRESS, BOOT, KEY, SESSION, TABLE, vectors

GOLDEN = Path(__file__).parent / "golden" / "bus_v7.txt"
LINES = GOLDEN.read_text(encoding="ascii").splitlines()
VECTORS = {line.rsplit(": ", 1)[0]: bytes.fromhex(line.rsplit(": ", 1)[1]) for line in LINES}
ASK = VECTORS["ask, the 5th of this session"]
ANSWER = VECTORS["its answer"]
HEARTBEAT = VECTORS["heartbeat: coup 43 ended, confirmed"]
TOLD = VECTORS["table"]
CHALLENGE = next(data for name, data in VECTORS.items() if "first challenge" in name)
U8, U32, U64 = st.integers(0, 255), st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1)
EIGHT = st.binary(min_size=8, max_size=8)
HEARTBEATS = st.builds(
    Heartbeat,
    session=U64,
    counter=U32,
    game=st.sampled_from(sorted(messages.GAME_CODES)),
    state=st.sampled_from([row[1] for row in messages.STATES]),
    coup=U32,
    epoch=U32,
    seq=st.integers(20, 2**32 - 1),
    digest=EIGHT,
    past=st.integers(0, 20),
    kid=EIGHT,
    rotor=st.sampled_from((-1, 0, 1)),
    layout_verified=st.booleans(),
    table=EIGHT,
)
ANSWERS = st.builds(
    Answer,
    boot=U64,
    challenge=EIGHT,
    epoch=U32,
    seq=U32,
    lit=st.binary(min_size=4, max_size=4),
    want=U32,
    kid=EIGHT,
    table=st.binary(min_size=4, max_size=4),
)
CALLS = st.builds(
    Call,
    coups=st.integers(0, 2**32 - 1),
    lead_ms=st.none() | st.integers(0, messages.NO_LEAD - 1),
    why=st.sampled_from([row[1] for row in messages.CALLS[1:]]),
)
ENVELOPES = st.builds(Envelope, address=U8, session=U64, counter=U32)


def code(data: bytes) -> bytes:
    """As the standard library has it."""
    return hmac.new(KEY, data, hashlib.sha256).digest()[:8]


def test_the_messages_are_these_very_bytes() -> None:
    assert [f"{name}: {told}" for name, told in vectors()] == LINES


def test_a_newcomer_gets_the_vectors_from_the_page_alone() -> None:
    """Written from docs/bus.md with the standard library, without the project's code."""
    envelope = struct.pack("<BBBQI", 7, 6, ADDRESS, SESSION, 5)
    assert envelope + code(envelope) == ASK
    challenge = code(b"challenge" + struct.pack("<QI", BOOT, 1))
    assert challenge == CHALLENGE
    dark = hashlib.sha256(struct.pack("<BBII", 0, 255, 0, 0)).digest()[:4]
    kid = hashlib.sha256(VECTORS["public key of the wheel"]).digest()[:8]
    body = struct.pack("<BBBQI", 7, 7, ADDRESS, SESSION, 5)
    body += struct.pack("<Q8sII4sI8s4s", BOOT, challenge, 0, 0, dark, 0, kid, bytes(4))
    assert body + code(body) == ANSWER
    signed = VECTORS["record: result 42 of epoch 1, 17 black"][2:]
    told = struct.pack(
        "<BBQIBBIII8sB8sbB8s", 7, 1, SESSION, 9, 1, 6, 43, 1, 42,
        hashlib.sha256(signed).digest()[:8], 1, kid, -1, 1, hashlib.sha256(TOLD).digest()[:8],
    )  # fmt: skip
    assert HEARTBEAT == told + b"\x01" + bytes([ADDRESS]) + code(told + b"\x03" + challenge)
    lit = hashlib.sha256(struct.pack("<BBII", 6, 17, 1, 42)).digest()[:4]
    assert lit == VECTORS["lit digest of that number"]
    on_line = VECTORS["the ask as a frame on the line"]
    assert Deframer().feed(on_line) == [ASK]
    assert [Deframer().feed(bytes([byte])) for byte in on_line[:-1]] == [[]] * (len(on_line) - 1)


def test_a_newcomer_signs_on_from_the_page_alone() -> None:
    secret = hashlib.pbkdf2_hmac("sha256", b"4711", b"cylindre account", 200_000)
    assert secret == VECTORS["what the PIN 4711 makes"]
    own = hashlib.sha256(b"cylindre account 12\n" + secret).digest()
    assert own == VECTORS["key of account 12 with that PIN"]
    said = b"sign on" + struct.pack("<BBBQII", 7, 4, ADDRESS, SESSION, 9, 12) + own
    proof = hmac.new(VECTORS["key of terminal 3"], said, hashlib.sha256).digest()[:16]
    assert proof == VECTORS["proof of a sign-on of account 12 there"]
    assert proof in VECTORS["the reply with it"]
    said = b"sign on" + struct.pack("<BBBQII", 7, 4, 8, SESSION, 9, 12) + own  # kind 4 here, too
    host_key = VECTORS["key of the followers' host at address 8"]
    proof = hmac.new(host_key, said, hashlib.sha256).digest()[:16]
    assert proof in VECTORS["its reply: a sign-on with its proof, a stake behind seat 4"]


def test_the_vectors_are_read_back() -> None:
    assert open_ask(ASK, ADDRESS, KEY) == Envelope(ADDRESS, SESSION, 5)
    opened = open_answer(ANSWER, KEY)
    assert opened is not None
    assert (opened[1].boot, opened[1].challenge) == (BOOT, CHALLENGE)
    heard = open_heartbeat(HEARTBEAT, ADDRESS, KEY, [bytes(8), CHALLENGE])
    assert heard is not None
    assert (heard[0].state, heard[0].seq, heard[1]) == ("CONFIRMED", 42, 1)
    assert open_table(TOLD, heard[0].table) == TABLE
    data = VECTORS["record: result 42 of epoch 1, 17 black"][messages.RECORD_SIZE :]
    assert record.digest(data) == heard[0].digest


def test_every_kind_of_message_has_its_number() -> None:
    assert [message_bytes.kind(VECTORS[name]) for name in VECTORS if "table" == name] == [5]
    assert len({kind for kind, _, _ in messages.KINDS}) == len(messages.KINDS) == 11


def test_every_state_of_a_coup_has_a_code() -> None:
    transitions = [*coup_states.TRANSITIONS.items(), *card_states.TRANSITIONS.items()]
    states = {state for pair in transitions for state in (pair[0][0], pair[1])}
    assert states == {name for _, name in messages.STATES}


def test_every_reason_of_a_void_round_has_a_code() -> None:
    faults_give = {kind.reason for kind in FAULTS if kind.code.startswith("K")} - {None}
    assert {*card_reasons.REASONS, *faults_give} <= {name for _, name in messages.REASONS}


def test_every_family_of_card_rules_has_a_code() -> None:
    families = {rules.load(name)["family"] for name in rules.CARD_GAMES}
    assert families == {name for _, name in messages.CARD_GAMES}
    assert [name for name in messages.GAME_CODES if messages.is_card_game(name)] == [
        name for _, name in messages.CARD_GAMES
    ]


def test_a_code_once_given_stays() -> None:
    """A display of an older version may light nothing; it must never light something else."""
    assert dict(messages.STATES)[10] == "SERVICE"
    assert [name for code, name in messages.STATES if code > 10] == [
        "NO_SHOE", "DEALING", "INSURANCE", "PLAYING", "DEALER", "DONE", "HOLD",
    ]  # fmt: skip
    assert messages.GAME_CODES == {
        "roulette": 1, "vingt_trois": 2, "boule": 3, "blackjack": 4, "baccarat": 5,
    }  # fmt: skip
    assert [name for code, name in messages.REASONS if 12 <= code < 255] == [
        "croupier", "foreign_card", "hole_card_unreadable", "shoe_exhausted", "shoe_changed",
        "misdealt",
    ]  # fmt: skip


def test_no_code_stands_for_two_things() -> None:
    games = messages.GAMES + messages.CARD_GAMES
    for table in (messages.STATES, messages.REASONS, messages.COLOURS, games):
        assert len({row[0] for row in table}) == len({row[1] for row in table}) == len(table)


def test_every_apparatus_has_its_numbers_its_colours_and_its_bets() -> None:
    bets = {name for _, name in messages.BETS}
    for name in rules.WHEEL_GAMES:
        game = rules.load(name)
        (_, _, low, high) = next(row for row in messages.GAMES if row[1] == game["apparatus"])
        assert low <= min(game["layout"]) <= max(game["layout"]) <= high
        assert set(game["colours"]) <= {name for _, name in messages.COLOURS}
        assert set(limits.names(game)) <= bets


def test_every_way_the_call_may_stand_has_a_code() -> None:
    assert {row[1] for row in messages.CALLS} == {None, *predictor.WHYS}


@pytest.mark.parametrize("told", ["00 01000000 ffff", "00 00000000 0000", "06 00000000 ffff"])
def test_a_table_with_half_a_call_or_an_unknown_one_is_none(told: str) -> None:
    """Nothing is told in two ways, and a display shows no code that it does not know."""
    whole = message_bytes.table_bytes(TABLE._replace(call=None))
    assert whole[10:17] == bytes.fromhex("00 00000000 ffff")
    payload = whole[:10] + bytes.fromhex(told) + whole[17:]
    assert open_table(payload, message_bytes.table_digest(payload)) is None


def test_a_reason_without_a_code_is_called_other() -> None:
    assert messages.known_reason("a_new_one") == "other"
    assert messages.known_reason("encoder") == "encoder"


def test_the_messages_are_as_small_as_the_tables_say() -> None:
    sizes = (messages.HEARTBEAT_SIZE, messages.ASK_SIZE, messages.ANSWER_SIZE)
    assert sizes == (55, 23, 67)
    most = messages.HEARTBEAT_SIZE + 1 + messages.ADDRESS_MAX * messages.ANSWERED_SIZE
    assert max(most, record.RECORD_MAX + 2, messages.TABLE_MAX) <= frame.PAYLOAD_MAX


@given(HEARTBEATS, st.lists(EIGHT, min_size=1, max_size=4, unique=True), st.data())
def test_any_heartbeat_comes_back_to_whom_it_answers(
    told: Heartbeat, challenges: list[bytes], data: Any
) -> None:
    place = data.draw(st.integers(0, len(challenges) - 1))
    answers = [(2, bytes(32), bytes(8)), (ADDRESS, KEY, challenges[place])]
    payload = message_bytes.answered(message_bytes.heartbeat_bytes(told), answers)
    assert open_heartbeat(payload, ADDRESS, KEY, challenges) == (
        told,
        challenges.index(challenges[place]),
    )
    assert open_heartbeat(payload, ADDRESS, bytes(32), challenges) is None
    assert open_heartbeat(payload, 4, KEY, challenges) is None
    assert open_heartbeat(payload, ADDRESS, KEY, []) is None
    at = data.draw(st.integers(0, len(payload) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    flipped = payload[:at] + bytes([payload[at] ^ bit]) + payload[at + 1 :]
    found = open_heartbeat(flipped, ADDRESS, KEY, challenges)
    assert found is None or found[0] == told  # an answer to another display may be spoilt
    assert found is None or at >= messages.HEARTBEAT_SIZE


@given(ENVELOPES, ANSWERS, st.data())
def test_any_ask_and_answer_comes_back_and_no_other(
    envelope: Envelope, answer: Answer, data: Any
) -> None:
    asked = message_bytes.ask_bytes(envelope, KEY)
    assert open_ask(asked, envelope.address, KEY) == envelope
    assert open_ask(asked, (envelope.address + 1) % 256, KEY) is None
    told = message_bytes.answer_bytes(envelope, answer, KEY)
    assert open_answer(told, KEY) == (envelope, answer)
    assert open_ask(asked, envelope.address, bytes(32)) is None
    assert open_answer(told, bytes(32)) is None
    assert open_answer(asked, KEY) is None
    assert open_ask(told, envelope.address, KEY) is None
    for payload in (asked, told):
        at = data.draw(st.integers(0, len(payload) - 1))
        flipped = bytearray(payload)
        flipped[at] ^= 1 << data.draw(st.integers(0, 7))
        assert open_ask(bytes(flipped), flipped[2], KEY) is None
        assert open_answer(bytes(flipped), KEY) is None


@given(
    st.builds(
        Table,
        rules=st.text(max_size=8),
        wheel=st.text(max_size=8),
        minimum_cents=U32,
        table_minimum_cents=U32,
        maxima=st.lists(
            st.tuples(st.sampled_from([name for _, name in messages.BETS]), U32), max_size=15
        ).map(tuple),
        call=st.none() | CALLS,
    ).filter(lambda table: limits.printable(table.rules + table.wheel))
)
def test_any_table_comes_back_by_its_digest(table: Table) -> None:
    payload = message_bytes.table_bytes(table)
    assert open_table(payload, message_bytes.table_digest(payload)) in (
        table,
        table._replace(
            rules=message_bytes.cut(table.rules.encode(), 24).decode(),
            wheel=message_bytes.cut(table.wheel.encode(), 24).decode(),
        ),
    )
    assert open_table(payload, bytes(8)) is None
    assert open_table(payload[:-1], message_bytes.table_digest(payload)) is None


@pytest.mark.parametrize(
    "bad", [b"\x1b[2J36", b"a\nb", b"\x7f", b"\xc2\x9b", b"\xed\xa0\x80", b"\xc0\x8a"]
)
@pytest.mark.parametrize("field", ["rules", "wheel"])
def test_a_name_that_would_move_a_terminals_cursor_is_none(field: str, bad: bytes) -> None:
    """Who has one display's key may tell it a table: on its terminal it must paint no number."""
    told = message_bytes.table_bytes(TABLE._replace(**{field: "#" * len(bad)}))
    payload = told.replace(b"#" * len(bad), bad)
    assert open_table(told, message_bytes.table_digest(told)) is not None
    assert open_table(payload, message_bytes.table_digest(payload)) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body[:14] + b"\x06" + body[15:],  # game
        lambda body: body[:15] + b"\x00" + body[16:],  # state
        lambda body: body[:15] + b"\x12" + body[16:],  # state
        lambda body: body[:36] + b"\x15" + body[37:],  # past: 21
        lambda body: body[:24] + bytes(4) + body[28:],  # seq 0, yet one to be asked for
        lambda body: body[:45] + b"\x02" + body[46:],  # rotor
        lambda body: body[:46] + b"\x02" + body[47:],  # flags
    ],
)
def test_a_heartbeat_of_unknown_codes_is_none_though_its_code_is_right(change: Any) -> None:
    told = change(HEARTBEAT[: messages.HEARTBEAT_SIZE])
    assert len(told) == messages.HEARTBEAT_SIZE
    payload = message_bytes.answered(told, [(ADDRESS, KEY, CHALLENGE)])
    assert open_heartbeat(payload, ADDRESS, KEY, [CHALLENGE]) is None


@pytest.mark.req("IEC-CR-3.5")
@given(st.binary(max_size=80), st.sampled_from([0, 1, 2, 3, 5, 6, 7, 9]), st.integers(0, 8))
def test_whatever_comes_is_opened_or_refused(body: bytes, kind: int, version: int) -> None:
    payload = bytes([version, kind]) + body
    for tried in (payload, body, mac.signed(KEY, payload)):
        for address in (1, ADDRESS):
            asked = open_ask(tried, address, KEY)
            assert asked is None or tried[1] == messages.ASK
            assert open_heartbeat(tried, address, KEY, [CHALLENGE]) is None
        answered = open_answer(tried, KEY)
        assert answered is None or tried[1] == messages.ANSWER
        open_table(tried, message_bytes.table_digest(tried))
        assert record.parse(tried) is None


@given(st.binary(max_size=120))
def test_whatever_a_table_with_the_right_digest_holds_it_is_whole_or_none(body: bytes) -> None:
    payload = bytes([messages.VERSION, messages.TABLE]) + body
    found = open_table(payload, message_bytes.table_digest(payload))
    assert found is None or message_bytes.table_bytes(found) == payload


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("CONFIRMED", 17, 1, 42), ("CONFIRMED", 18, 1, 42)),
        (("CONFIRMED", 17, 1, 42), ("CONFIRMED", None, 1, 42)),
        (("CONFIRMED", 17, 1, 42), ("CONFIRMED", 17, 1, 43)),
        (("CONFIRMED", 17, 1, 42), ("CONFIRMED", 17, 2, 42)),
        (("BETS_OPEN", None, 0, 0), ("STALE", None, 0, 0)),
    ],
)
def test_what_differs_on_a_display_differs_in_its_digest(one: Any, other: Any) -> None:
    assert messages.lit_digest(*one) != messages.lit_digest(*other)
    assert messages.lit_digest(*one) == messages.lit_digest(*one)
