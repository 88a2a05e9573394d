import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import frame, messages
from firmware.bus.messages import History, Status
from firmware.bus.receiver import DARK, STALE_US, Receiver
from firmware.bus.sender import HEARTBEAT_US, Talker

OPEN = Status(1, 1, "BETS_OPEN", 43, 41, 1, None, None)
CONFIRMED = Status(1, 2, "CONFIRMED", 43, 42, 1, 17, None)


def line(message: Status | History) -> bytes:
    if isinstance(message, Status):
        return frame.encode(messages.encode_status(message))
    return frame.encode(messages.encode_history(message))


def heard(*told: Status | History, number_max: int = 36) -> Receiver:
    receiver = Receiver(number_max=number_max)
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
        receiver.feed(line(History(1, 10 + at_us, 42, (17,))) + b"\x01\x02\0", at_us)
    assert receiver.lit == DARK


def test_heartbeats_keep_it_lit() -> None:
    talker, receiver = Talker(1), Receiver()
    talker.show("CONFIRMED", 43, 42, 1, 17, None)
    for at_us in range(0, 10 * STALE_US, HEARTBEAT_US):
        receiver.feed(b"".join(talker.poll(at_us)), at_us)
        assert receiver.lit.number == 17
    assert receiver.lit.history == (17,)


def test_what_comes_again_changes_nothing() -> None:
    later = Status(1, 3, "BETS_OPEN", 44, 42, -1, None, None)
    receiver = heard(CONFIRMED, later)
    receiver.feed(line(CONFIRMED) + line(OPEN), STALE_US - 1)
    assert receiver.lit.state == "BETS_OPEN"
    assert receiver.deadline_us == STALE_US  # nor does it count as hearing


def test_an_older_result_is_not_believed_whatever_its_counter() -> None:
    receiver = heard(CONFIRMED, CONFIRMED._replace(counter=3, seq=41, number=5))
    assert (receiver.lit.seq, receiver.lit.number) == (42, 17)


def test_another_session_is_believed_only_after_silence() -> None:
    other = Status(2, 1, "CONFIRMED", 1, 1, 1, 5, None)
    receiver = heard(CONFIRMED)
    receiver.feed(line(other), STALE_US - 1)
    assert receiver.lit.number == 17
    receiver.feed(line(other), STALE_US)
    assert (receiver.lit.number, receiver.lit.seq) == (5, 1)


def test_another_session_brings_its_own_history() -> None:
    receiver = heard(CONFIRMED, History(1, 3, 42, (17,)))
    assert receiver.lit.history == (17,)
    receiver.feed(line(OPEN._replace(session=2)), STALE_US)
    assert receiver.lit.history == ()


def test_a_history_alone_starts_no_session() -> None:
    receiver = heard(History(1, 5, 42, (17,)), OPEN)
    assert (receiver.lit.state, receiver.lit.history) == ("BETS_OPEN", ())


def test_an_old_history_does_not_replace_a_newer_one() -> None:
    receiver = heard(OPEN, History(1, 3, 41, (4, 17)), History(1, 2, 41, (4,)))
    assert receiver.lit.history == (4, 17)


def test_everything_is_dark_while_stale_and_the_same_session_lights_it_again() -> None:
    receiver = heard(CONFIRMED, History(1, 3, 42, (17,)))
    receiver.tick(STALE_US)
    assert receiver.lit.history == ()
    receiver.feed(line(CONFIRMED._replace(counter=4)), 2 * STALE_US)
    assert (receiver.lit.number, receiver.lit.history) == (17, (17,))


def test_a_lost_port_is_a_dash_at_once() -> None:
    receiver = heard(CONFIRMED)
    receiver.feed(line(CONFIRMED._replace(counter=3))[:9], 1)
    receiver.drop()
    assert receiver.lit == DARK
    receiver.feed(line(CONFIRMED._replace(counter=4)), 2)
    assert receiver.lit.number == 17


@pytest.mark.parametrize(
    "message", [CONFIRMED._replace(number=37), History(1, 9, 40, (1, 37)), OPEN._replace(rotor=3)]
)
def test_a_number_that_the_game_lacks_is_not_believed(message: Status | History) -> None:
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
            status = Status(1, place + 1, "CONFIRMED", seq, seq, 1, 10 + seq, None)
        else:
            status = Status(1, place + 1, "DETECTED", seq, seq - 1 if seq else 0, 1, None, None)
        sent.append(line(status))
    receiver, seen = Receiver(), []
    for place in shuffled + shuffled[::-1]:
        receiver.feed(noise + (sent[place][:-4] if place in torn else sent[place]), 0)
        if receiver.lit.number is not None:
            seen.append((receiver.lit.seq, receiver.lit.number))
    assert all(number == 10 + seq for seq, number in seen)
    assert seen == sorted(seen)
