import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import messages
from firmware.bus.messages import HISTORY_MAX, NUMBER_MAX, REASONS, STATES, History, Status
from firmware.core import coup

U32 = st.integers(0, 2**32 - 1)
NUMBERS = st.integers(0, NUMBER_MAX)
CONFIRMED = Status(0x11223344, 7, "CONFIRMED", 43, 42, -1, 17, None)
VOID = Status(1, 2, "VOID", 3, 4, 1, None, "two_balls")
OPEN = Status(1, 2, "BETS_OPEN", 3, 4, 0, None, None)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (CONFIRMED, "01014433221107000000062b0000002a000000ff1100"),
        (VOID, "01010100000002000000080300000004000000" + "01ff06"),
        (OPEN, "01010100000002000000010300000004000000" + "00ff00"),
    ],
)
def test_a_status_is_these_very_bytes(message: Status, payload: str) -> None:
    assert messages.encode_status(message).hex() == payload
    assert messages.decode(bytes.fromhex(payload)) == message


def test_a_history_is_these_very_bytes() -> None:
    history = History(1, 2, 40, (0, None, 36))
    payload = "01020100000002000000" + "28000000" + "03" + "00ff24"
    assert messages.encode_history(history).hex() == payload
    assert messages.decode(bytes.fromhex(payload)) == history


def test_every_state_of_a_coup_has_a_code() -> None:
    states = {state for pair in coup.TRANSITIONS.items() for state in (pair[0][0], pair[1])}
    assert states == {name for _, name in STATES}


def test_no_code_stands_for_two_things() -> None:
    for table in (STATES, REASONS):
        assert len({code for code, _ in table}) == len({name for _, name in table}) == len(table)


@given(U32, U32, st.sampled_from(STATES), U32, U32, st.sampled_from((-1, 0, 1)), NUMBERS)
def test_any_consistent_status_comes_back(
    session: int,
    counter: int,
    state: tuple[int, str],
    coup_number: int,
    seq: int,
    rotor: int,
    number: int,
) -> None:
    status = Status(
        session,
        counter,
        state[1],
        coup_number,
        seq,
        rotor,
        number if state[1] == "CONFIRMED" else None,
        "timeout" if state[1] == "VOID" else None,
    )
    assert messages.decode(messages.encode_status(status)) == status


@given(U32, U32, U32, st.lists(st.none() | NUMBERS, max_size=HISTORY_MAX))
def test_any_history_comes_back(
    session: int, counter: int, first_seq: int, outcomes: list[int | None]
) -> None:
    history = History(session, counter, first_seq, tuple(outcomes))
    assert messages.decode(messages.encode_history(history)) == history


@pytest.mark.parametrize(
    "status",
    [
        CONFIRMED._replace(number=None),
        CONFIRMED._replace(number=100),
        CONFIRMED._replace(reason="timeout"),
        CONFIRMED._replace(rotor=2),
        OPEN._replace(number=17),
        OPEN._replace(state="DETECTED", number=17),
        OPEN._replace(reason="timeout"),
        VOID._replace(reason=None),
        VOID._replace(number=17),
    ],
)
def test_a_status_that_contradicts_itself_is_none(status: Status) -> None:
    assert messages.decode(messages.encode_status(status)) is None


@pytest.mark.parametrize(("place", "value"), [(0, 2), (1, 3), (1, 2), (10, 0), (10, 10), (21, 77)])
def test_an_unknown_version_kind_or_code_is_none(place: int, value: int) -> None:
    payload = bytearray(messages.encode_status(VOID))
    payload[place] = value
    assert messages.decode(bytes(payload)) is None


@pytest.mark.parametrize(
    "payload",
    [
        messages.encode_history(History(1, 2, 3, (4,) * (HISTORY_MAX + 1))),
        messages.encode_history(History(1, 2, 3, (4,))) + b"\x05",
        messages.encode_history(History(1, 2, 3, (4,)))[:-1],
        messages.encode_history(History(1, 2, 3, ()))[:-1],
        messages.encode_history(History(1, 2, 3, (NUMBER_MAX + 1,))),
        messages.encode_status(OPEN)[:-1],
        messages.encode_status(OPEN) + b"\0",
    ],
)
def test_a_message_of_the_wrong_size_or_content_is_none(payload: bytes) -> None:
    assert messages.decode(payload) is None


@given(st.binary(max_size=64))
def test_whatever_comes_decode_answers(payload: bytes) -> None:
    message = messages.decode(payload)
    assert message is None or payload[0] == messages.VERSION


def test_a_reason_without_a_code_is_called_other() -> None:
    assert messages.known_reason("a_new_one") == messages.known_reason(None) == "other"
    assert messages.known_reason("encoder") == "encoder"


def test_the_messages_are_as_small_as_the_tables_say() -> None:
    assert struct.calcsize(messages.STATUS_FORMAT) == 22
    assert struct.calcsize(messages.HISTORY_FORMAT) == 15
