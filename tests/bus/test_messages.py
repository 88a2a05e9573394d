import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.bus import messages
from firmware.bus.messages import COLOURS, GAMES, HISTORY_MAX, REASONS, STATES, History, Status
from firmware.core import coup

U32 = st.integers(0, 2**32 - 1)
COLOURED = st.sampled_from([name for code, name in COLOURS if code])
GAME_OUTCOMES = st.sampled_from(GAMES).flatmap(
    lambda game: st.tuples(
        st.just(game[1]),
        st.lists(
            st.none() | st.tuples(st.integers(game[2], game[3]), COLOURED),
            min_size=1,
            max_size=HISTORY_MAX,
        ),
    )
)
CONFIRMED = Status(
    0x11223344, 7, "roulette", "CONFIRMED", 43, 42, -1, number=17, colour="black", reason=None,
    layout_verified=True,
)  # fmt: skip
VOID = Status(1, 2, "boule", "VOID", 3, 4, 1, None, None, "two_balls", True)
FOUR = (4, "red")
OPEN = Status(1, 2, "vingt_trois", "BETS_OPEN", 3, 4, 0, None, None, None, False)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (CONFIRMED, "0301443322110700000001062b0000002a000000ff11020001"),
        (VOID, "0301010000000200000003080300000004000000" + "01ff000601"),
        (OPEN, "0301010000000200000002010300000004000000" + "00ff000000"),
    ],
)
def test_a_status_is_these_very_bytes(message: Status, payload: str) -> None:
    assert messages.encode_status(message).hex() == payload
    assert messages.decode(bytes.fromhex(payload)) == message


def test_a_history_is_these_very_bytes() -> None:
    history = History(1, 2, "roulette", 40, ((0, "green"), None, (36, "red")))
    payload = "0302010000000200000001" + "28000000" + "03" + "0003ff002401"
    assert messages.encode_history(history).hex() == payload
    assert messages.decode(bytes.fromhex(payload)) == history


def test_every_state_of_a_coup_has_a_code() -> None:
    states = {state for pair in coup.TRANSITIONS.items() for state in (pair[0][0], pair[1])}
    assert states == {name for _, name in STATES}


def test_no_code_stands_for_two_things() -> None:
    for table in (STATES, REASONS, COLOURS, GAMES):
        assert len({row[0] for row in table}) == len({row[1] for row in table}) == len(table)


def test_every_apparatus_has_its_numbers_and_every_compartment_its_colour() -> None:
    for name in rules.NAMES:
        game = rules.load(name)
        (_, _, low, high) = next(row for row in GAMES if row[1] == game["apparatus"])
        assert (low, high) == (min(game["layout"]), max(game["layout"]))
        assert set(game["colours"]) <= {name for _, name in COLOURS}


@given(
    U32, U32, st.sampled_from(STATES), U32, U32, st.sampled_from((-1, 0, 1)), GAME_OUTCOMES,
    st.booleans(),
)  # fmt: skip
def test_any_consistent_status_comes_back(
    session: int,
    counter: int,
    state: tuple[int, str],
    coup_number: int,
    seq: int,
    rotor: int,
    played: tuple[str, list[tuple[int, str] | None]],
    verified: bool,
) -> None:
    name, outcomes = played
    number, colour = outcomes[0] or (9, "red")
    confirmed = state[1] == "CONFIRMED"
    status = Status(
        session,
        counter,
        name,
        state[1],
        coup_number,
        seq,
        rotor,
        number if confirmed else None,
        colour if confirmed else None,
        "timeout" if state[1] == "VOID" else None,
        verified,
    )
    assert messages.decode(messages.encode_status(status)) == status


@given(U32, U32, U32, GAME_OUTCOMES)
def test_any_history_comes_back(
    session: int,
    counter: int,
    first_seq: int,
    played: tuple[str, list[tuple[int, str] | None]],
) -> None:
    history = History(session, counter, played[0], first_seq, tuple(played[1]))
    assert messages.decode(messages.encode_history(history)) == history


@pytest.mark.parametrize(
    "status",
    [
        CONFIRMED._replace(number=None),
        CONFIRMED._replace(number=None, colour=None),
        CONFIRMED._replace(colour=None),
        CONFIRMED._replace(number=37),
        CONFIRMED._replace(game="vingt_trois", number=15),
        CONFIRMED._replace(game="vingt_trois", number=0),
        CONFIRMED._replace(game="boule", number=10),
        CONFIRMED._replace(game="boule", number=0),
        OPEN._replace(colour="red"),
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


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 2), (1, 3), (1, 2), (10, 0), (10, 4), (11, 0), (11, 10), (22, 6), (23, 77), (24, 2)],
)
def test_an_unknown_version_kind_or_code_is_none(place: int, value: int) -> None:
    payload = bytearray(messages.encode_status(VOID))
    payload[place] = value
    assert messages.decode(bytes(payload)) is None


@pytest.mark.parametrize(
    "payload",
    [
        messages.encode_history(History(1, 2, "boule", 3, (FOUR,) * (HISTORY_MAX + 1))),
        messages.encode_history(History(1, 2, "boule", 3, (FOUR,))) + b"\x05\x04",
        messages.encode_history(History(1, 2, "boule", 3, (FOUR,)))[:-1],
        messages.encode_history(History(1, 2, "boule", 3, ()))[:-1],
        messages.encode_history(History(1, 2, "boule", 3, ((10, "red"),))),
        messages.encode_history(History(1, 2, "boule", 3, (FOUR,)))[:-1] + b"\x00",
        messages.encode_history(History(1, 2, "boule", 3, (None,)))[:-1] + b"\x01",
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
    assert struct.calcsize(messages.STATUS_FORMAT) == 25
    assert struct.calcsize(messages.HISTORY_FORMAT) == 16
