import pytest

from firmware.bus import messages
from firmware.bus.frame import Deframer
from firmware.bus.messages import HISTORY_MAX, History, Status
from firmware.bus.receiver import Receiver
from firmware.bus.sender import HEARTBEAT_US, HISTORY_US, REPEAT_US, REPEATS, Talker

OPEN = ("BETS_OPEN", 1, 0, 1, None, None, None)
B17 = (17, "black")


def said(talker: Talker, now_us: int) -> list[Status | History]:
    payloads = Deframer().feed(b"".join(talker.poll(now_us)))
    return [message for payload in payloads if (message := messages.decode(payload))]


def statuses(talker: Talker, now_us: int) -> list[Status]:
    return [message for message in said(talker, now_us) if isinstance(message, Status)]


def histories(talker: Talker, now_us: int) -> list[History]:
    return [message for message in said(talker, now_us) if isinstance(message, History)]


def test_nothing_is_said_before_there_is_a_view() -> None:
    assert Talker(1).poll(0) == []


def test_a_change_is_said_at_once_and_then_four_times_a_second() -> None:
    talker = Talker(1)
    talker.show(*OPEN)
    times = [at_us for at_us in range(0, 1_000_001, 10_000) if statuses(talker, at_us)]
    assert times == [0, HEARTBEAT_US, 2 * HEARTBEAT_US, 3 * HEARTBEAT_US, 4 * HEARTBEAT_US]
    talker.show("NO_MORE_BETS", 1, 0, 1, None, None, None)
    assert [status.state for status in statuses(talker, 1_000_001)] == ["NO_MORE_BETS"]


@pytest.mark.parametrize(
    "outcome",
    [("CONFIRMED", 1, 1, 1, 17, "black", None), ("VOID", 1, 1, 1, None, None, "two_balls")],
)
def test_an_outcome_is_said_at_once_and_repeated(outcome: tuple) -> None:
    talker = Talker(1)
    talker.show(*OPEN)
    statuses(talker, 0)
    talker.show(*outcome)
    times = [at_us for at_us in range(1_000, 200_000, 1_000) if statuses(talker, at_us)]
    assert times == [1_000 + REPEAT_US * repeat for repeat in range(REPEATS + 1)]


def test_the_same_view_again_is_no_news() -> None:
    talker = Talker(1)
    talker.show(*OPEN)
    assert talker.poll(0) != []
    talker.show(*OPEN)
    assert talker.poll(1) == []


def test_the_history_comes_with_every_outcome_and_every_second() -> None:
    talker = Talker(1)
    talker.show("CONFIRMED", 1, 1, 1, 17, "black", None)
    first = histories(talker, 0)
    assert [history.outcomes for history in first] == [(B17,)]
    assert histories(talker, HISTORY_US - 1) == []
    assert [history.outcomes for history in histories(talker, HISTORY_US)] == [(B17,)]
    talker.show("VOID", 2, 2, 1, None, None, "timeout")
    assert [history.outcomes for history in histories(talker, HISTORY_US + 1)] == [(B17, None)]


def test_the_history_holds_the_last_twenty_those_before_the_start_too() -> None:
    talker = Talker(1, past=[(seq, seq % 37, "red") for seq in range(1, 31)])
    talker.show("CONFIRMED", 31, 31, 1, 5, "red", None)
    (history,) = histories(talker, 0)
    assert history.first_seq == 12
    assert history.outcomes == (*[(seq % 37, "red") for seq in range(12, 31)], (5, "red"))
    assert len(history.outcomes) == HISTORY_MAX


def test_a_gap_in_the_sequence_is_never_papered_over() -> None:
    talker = Talker(1, past=[(1, 10, "black"), (2, 20, "black"), (7, 30, "red")])
    talker.show("CONFIRMED", 9, 9, 1, 5, "red", None)
    (history,) = histories(talker, 0)
    assert (history.first_seq, history.outcomes) == (9, ((5, "red"),))


def test_a_past_number_whose_colour_is_not_known_is_a_gap() -> None:
    talker = Talker(1, past=[(7, 10, "black"), (8, 20, None), (9, None, None)])
    talker.show(*OPEN)
    (history,) = histories(talker, 0)
    assert (history.first_seq, history.outcomes) == (9, (None,))


def test_the_game_is_told_with_every_message() -> None:
    talker = Talker(1, "boule")
    talker.show(*OPEN)
    assert [message.game for message in said(talker, 0)] == ["boule", "boule"]


@pytest.mark.parametrize("verified", [True, False])
def test_every_status_says_whether_the_layout_is_verified(verified: bool) -> None:
    talker, receiver = Talker(1, "vingt_trois", layout_verified=verified), Receiver()
    assert receiver.lit.layout_verified is None
    talker.show(*OPEN)
    receiver.feed(b"".join(talker.poll(0)), 0)
    assert receiver.lit.layout_verified is verified


def test_the_counter_rises_with_every_message() -> None:
    talker = Talker(1)
    counters = []
    for at_us in range(0, 5_000_000, 100_000):
        talker.show("CONFIRMED", at_us, 1 + at_us // 1_000_000, 1, 17, "black", None)
        counters += [message.counter for message in said(talker, at_us)]
    assert counters == list(range(1, len(counters) + 1))


def test_a_number_leaves_only_with_confirmed_and_a_reason_only_with_void() -> None:
    talker = Talker(1)
    talker.show("DETECTED", 1, 1, 1, 17, "black", "timeout")
    (status,) = statuses(talker, 0)
    assert (status.number, status.colour, status.reason) == (None, None, None)
    assert histories(talker, HISTORY_US)[0].outcomes == ()


def test_confirmed_without_a_number_is_impossible() -> None:
    with pytest.raises(AssertionError, match="without a number"):
        Talker(1).show("CONFIRMED", 1, 1, 1, None, None, None)


def test_a_void_for_a_reason_without_a_code_is_still_said() -> None:
    talker = Talker(1)
    talker.show("VOID", 1, 1, 1, None, None, "a_new_one")
    assert statuses(talker, 0)[0].reason == "other"


def test_a_late_poll_says_it_once_only() -> None:
    talker = Talker(1)
    talker.show(*OPEN)
    talker.poll(0)
    assert len(statuses(talker, 10_000_000)) == 1
    assert talker.poll(10_000_001) == []


def test_a_session_is_cut_to_its_field() -> None:
    talker = Talker(2**64 + 5)
    talker.show(*OPEN)
    assert statuses(talker, 0)[0].session == 5
