import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import frame, messages
from firmware.bus.messages import History, Status
from firmware.bus.receiver import DARK, STALE_US, Receiver
from firmware.bus.sender import HEARTBEAT_US, Talker

OPEN = Status(1, 1, "roulette", "BETS_OPEN", 43, 41, 1, None, None, None, True)
CONFIRMED = Status(1, 2, "roulette", "CONFIRMED", 43, 42, 1, 17, "black", None, True)
B17 = (17, "black")
B4 = (4, "black")


def past(counter: int, first_seq: int, *outcomes: tuple[int, str] | None) -> History:
    return History(1, counter, "roulette", first_seq, outcomes)


def line(message: Status | History) -> bytes:
    if isinstance(message, Status):
        return frame.encode(messages.encode_status(message))
    return frame.encode(messages.encode_history(message))


def heard(*told: Status | History) -> Receiver:
    receiver = Receiver()
    for message in told:
        receiver.feed(line(message), 0)
    return receiver


def test_there_is_a_dash_before_anything_is_heard() -> None:
    receiver = Receiver()
    assert receiver.lit == DARK
    assert receiver.deadline_us is None


def test_a_confirmed_number_is_lit() -> None:
    lit = heard(OPEN, CONFIRMED).lit
    assert (lit.state, lit.number, lit.seq, lit.coup, lit.rotor) == ("CONFIRMED", 17, 42, 43, 1)
    assert (lit.game, lit.colour) == ("roulette", "black")


def test_a_number_of_two_colours_is_lit_in_the_colour_of_its_case() -> None:
    """Vingt-trois: each of 5-11 once red and once black (contracts/trace.md)."""
    told = CONFIRMED._replace(game="vingt_trois", number=7)
    assert [heard(told._replace(colour=colour)).lit.colour for colour in ("red", "black")] == [
        "red",
        "black",
    ]


def test_the_dash_comes_after_one_second_of_silence_and_not_before() -> None:
    receiver = Receiver()
    receiver.feed(line(CONFIRMED), 5_000_000)
    assert receiver.deadline_us == 5_000_000 + STALE_US
    receiver.tick(5_000_000 + STALE_US - 1)
    assert receiver.lit.number == 17
    receiver.tick(5_000_000 + STALE_US)
    assert receiver.lit == DARK
    assert receiver.deadline_us is None


def test_bytes_that_come_late_do_not_hide_that_there_was_silence() -> None:
    receiver = heard(CONFIRMED)
    receiver.feed(b"noise\0", STALE_US)
    assert receiver.lit == DARK


def test_noise_and_histories_keep_nothing_lit() -> None:
    receiver = heard(CONFIRMED)
    for at_us in range(0, STALE_US + 1, 100_000):
        receiver.feed(line(past(10 + at_us, 42, B17)) + b"\x01\x02\0", at_us)
    assert receiver.lit == DARK


def test_heartbeats_keep_it_lit() -> None:
    talker, receiver = Talker(1), Receiver()
    talker.show("CONFIRMED", 43, 42, 1, 17, "black", None)
    for at_us in range(0, 10 * STALE_US, HEARTBEAT_US):
        receiver.feed(b"".join(talker.poll(at_us)), at_us)
        assert receiver.lit.number == 17
    assert receiver.lit.history == (B17,)


def test_what_comes_again_changes_nothing() -> None:
    later = OPEN._replace(counter=3, coup=44, seq=42, rotor=-1)
    receiver = heard(CONFIRMED, later)
    receiver.feed(line(CONFIRMED) + line(OPEN), STALE_US - 1)
    assert receiver.lit.state == "BETS_OPEN"
    assert receiver.deadline_us == STALE_US  # nor does it count as hearing


def test_an_older_result_is_not_believed_whatever_its_counter() -> None:
    receiver = heard(CONFIRMED, CONFIRMED._replace(counter=3, seq=41, number=5))
    assert (receiver.lit.seq, receiver.lit.number) == (42, 17)


def test_another_session_is_believed_only_after_silence() -> None:
    other = Status(2, 1, "boule", "CONFIRMED", 1, 1, 1, 5, "yellow", None, True)
    receiver = heard(CONFIRMED)
    receiver.feed(line(other), STALE_US - 1)
    assert receiver.lit.number == 17
    receiver.feed(line(other), STALE_US)
    assert (receiver.lit.number, receiver.lit.seq, receiver.lit.game) == (5, 1, "boule")


def test_another_session_brings_its_own_history() -> None:
    receiver = heard(CONFIRMED, past(3, 42, B17))
    assert receiver.lit.history == (B17,)
    receiver.feed(line(OPEN._replace(session=2)), STALE_US)
    assert receiver.lit.history == ()


def test_a_history_alone_starts_no_session() -> None:
    receiver = heard(past(5, 42, B17), OPEN)
    assert (receiver.lit.state, receiver.lit.history) == ("BETS_OPEN", ())


def test_an_old_history_does_not_replace_a_newer_one() -> None:
    receiver = heard(OPEN, past(3, 41, B4, B17), past(2, 41, B4))
    assert receiver.lit.history == (B4, B17)


def test_everything_is_dark_while_stale_and_the_same_session_lights_it_again() -> None:
    receiver = heard(CONFIRMED, past(3, 42, B17))
    receiver.tick(STALE_US)
    assert receiver.lit.history == ()
    receiver.feed(line(CONFIRMED._replace(counter=4)), 2 * STALE_US)
    assert (receiver.lit.number, receiver.lit.history) == (17, (B17,))


def test_a_lost_port_is_a_dash_at_once() -> None:
    receiver = heard(CONFIRMED)
    receiver.feed(line(CONFIRMED._replace(counter=3))[:9], 1)
    receiver.drop()
    assert receiver.lit == DARK
    receiver.feed(line(CONFIRMED._replace(counter=4)), 2)
    assert receiver.lit.number == 17


@pytest.mark.parametrize(
    "message",
    [
        CONFIRMED._replace(number=37),
        past(9, 40, (1, "red"), (37, "red")),
        OPEN._replace(rotor=3),
        CONFIRMED._replace(game="boule", number=4),
        History(1, 9, "boule", 40, (B4,)),
    ],
)
def test_a_number_that_the_game_lacks_or_another_game_is_not_believed(
    message: Status | History,
) -> None:
    receiver = heard(OPEN, message)
    assert receiver.lit == heard(OPEN).lit


@given(
    shuffled=st.permutations(range(12)),
    torn=st.lists(st.integers(0, 11)),
    noise=st.binary(max_size=40),
)
def test_whatever_the_line_does_only_what_was_confirmed_is_ever_lit(
    shuffled: list[int], torn: list[int], noise: bytes
) -> None:
    """Frames in any order, repeated, torn, behind noise: each number with its own seq, upward."""
    sent = []
    for place in range(12):
        seq = place // 2
        if place % 2:
            status = CONFIRMED._replace(
                counter=place + 1, coup=seq, seq=seq, number=10 + seq, colour="red"
            )
        else:
            status = OPEN._replace(
                counter=place + 1, state="DETECTED", coup=seq, seq=seq - 1 if seq else 0
            )
        sent.append(line(status))
    receiver, seen = Receiver(), []
    for place in shuffled + shuffled[::-1]:
        receiver.feed(noise + (sent[place][:-4] if place in torn else sent[place]), 0)
        if receiver.lit.number is not None:
            seen.append((receiver.lit.seq, receiver.lit.number))
    assert all(number == 10 + seq for seq, number in seen)
    assert seen == sorted(seen)
