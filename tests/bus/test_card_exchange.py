"""Controller, seats, the host of followers and displays on one line of a card table."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exchange_soup import Hurt
from wire import one_behind_the_other

from firmware.bus import (
    follower_bytes,
    follower_messages,
    followers,
    frame,
    slots,
    terminal_host,
)
from firmware.bus.card_terminal_host import FAILURE_US, FAILURES_MAX
from firmware.bus.follower_desk import FollowerDesk
from firmware.bus.follower_messages import (
    FOLLOWERS_MAX,
    Follow,
    FollowerReply,
    FollowerSignOff,
    FollowerSignOn,
    TakeBackBehind,
)
from firmware.bus.followers import (
    NO_NUMBER,
    NOT_KNOWN,
    FollowerFunds,
    FollowerNotInPlay,
    FollowerNotTold,
    FollowerSettled,
    FollowersHost,
)
from firmware.bus.frame import Deframer
from firmware.bus.round_time import RoundTime
from firmware.bus.terminal import TWO_HERE, Decided, NotInPlay, Terminal
from firmware.bus.terminal_host import TRIES, WRONG_KEY
from firmware.bus.terminal_messages import Decide, Envelope, SignOn, SignOnProof, Stake
from firmware.stakes.answers import CardPaid, CardSettled
from tools.bench import card_line
from tools.bench.card_line import FIRST_FOLLOWER, FOLLOWERS, CardBench, station_key

ANNA, BERT = FIRST_FOLLOWER, FIRST_FOLLOWER + 1


def seated(followers: int = 2, seats: int = 2, **more: Any) -> CardBench:
    """All players are signed on."""
    bench = CardBench(seats=seats, followers=followers, displays=1, **more)
    for address, terminal in enumerate(bench.terminals, 1):
        terminal.ask(bench.seat_on(address))
    for n in bench.followers:
        bench.hosts[0].ask(bench.follower_on(n))
    bench.settle()
    bench.run(1_000_000)
    return bench


def decided(bench: CardBench, station: Any, ask: Any) -> Decided:
    """Asks, and waits for the answer."""
    before = len(bench.of(station, Decided))
    station.ask(ask)
    assert bench.run(10_000_000, lambda: len(bench.of(station, Decided)) > before)
    found: Decided = bench.of(station, Decided)[-1]
    return found


def accepted(bench: CardBench, station: Any) -> list[Any]:
    """What was asked there and accepted."""
    return [one.ask for one in bench.of(station, Decided) if one.accepted]


# --- seats ----------------------------------------------------------------------------------------
def test_a_seat_is_told_what_is_due_with_every_poll_and_keeps_the_limit() -> None:
    bench = seated(0, seats=7)  # whose rounds do not end with a tenth of a second
    anna = bench.terminals[0]
    assert decided(bench, anna, Stake(0, "main", 1_000, (1,))).accepted
    bench.seal()
    bench.ask_seats("decision", ("hit", "stand"))
    until_us = bench.now_us + 15_000_000
    bench.run(1_000_000)
    due = anna.standing.due
    assert (due.kind, due.seat, due.hand, due.choices) == ("decision", 1, 1, ("hit", "stand"))
    assert (due.seen, due.points) == (14, "14")
    assert abs(due.until_us - until_us) < 200_000
    told = set()
    bench.run(5_000_000, lambda: bool(told.add(anna.standing.due)))  # type: ignore[func-returns-value]
    assert told == {due}  # one event for its player, though told with each poll
    assert bench.terminals[1].standing.due is None  # nothing of his lies
    bench.book.show_asked([])
    bench.run(1_000_000)
    assert anna.standing.due is None


def test_a_limit_that_is_put_off_is_told() -> None:
    bench = seated(0)
    (anna, _) = bench.terminals
    decided(bench, anna, Stake(0, "main", 1_000, (1,)))
    bench.seal()
    bench.ask_seats("decision", ("hit",), us=5_000_000)
    bench.run(1_000_000)
    first_us = anna.standing.due.until_us
    bench.ask_seats("decision", ("hit",), us=5_000_000)
    bench.run(1_000_000)
    assert 800_000 < anna.standing.due.until_us - first_us < 1_200_000


def test_a_decision_waits_for_the_core_and_is_answered_at_once_then() -> None:
    bench = seated(0)
    (anna, _) = bench.terminals
    decided(bench, anna, Stake(0, "main", 1_000, (1,)))
    bench.seal()
    bench.decides_us = 700_000
    asked_us = bench.now_us
    assert decided(bench, anna, Decide(0, 1, 1, "hit", 0, 14)).accepted
    assert 700_000 < bench.now_us - asked_us < 1_000_000
    assert bench.book.take_decisions() == []  # once, though the terminal said it again and again


def test_a_decision_for_another_hand_is_refused_with_its_article() -> None:
    bench = seated(0)
    anna, bert = bench.terminals
    decided(bench, anna, Stake(0, "main", 1_000, (1,)))
    bench.seal()
    found = decided(bench, bert, Decide(0, 1, 1, "hit", 0, 14))
    assert (found.accepted, found.rule) == (False, bench.limits.rules["articles"]["play"])
    assert found.why == "the hand of seat 1 is not yours"


def test_a_seat_is_paid_what_its_round_came_to() -> None:
    bench = seated(0)
    (anna, _) = bench.terminals
    number = decided(bench, anna, Stake(0, "main", 1_000, (1,))).request
    bench.seal()
    bench.void()
    assert bench.run(3_000_000, lambda: bench.of(anna, CardSettled) != [])
    paid = CardPaid(number, "main", 1, 1, 1_000, 0)
    assert bench.of(anna, CardSettled) == [CardSettled(1, None, (paid,))]
    bench.run(3_000_000)
    assert len(bench.of(anna, CardSettled)) == 1


@pytest.mark.parametrize("waits", [True, False])
def test_a_stake_that_waits_for_the_management_is_not_told_as_lost(waits: bool) -> None:
    bench = seated(0, game="blackjack_lu")
    (anna, _) = bench.terminals
    main = decided(bench, anna, Stake(0, "main", 1_000, (1,))).request
    other = decided(bench, anna, Stake(0, "perfect_pairs", 1_000, (1,)))
    assert other.accepted
    bench.seal()
    bench.void()
    book: Any = bench.book
    paid = CardPaid(main, "main", 1, 1, 1_000, -1_000)
    book.settled = lambda terminal: CardSettled(1, {"dealer": 21}, (paid,))
    book.is_waiting = lambda terminal, coup: waits and (terminal, coup) == (1, 1)
    bench.run(2_000_000)
    assert bench.of(anna, CardSettled) == [CardSettled(1, {"dealer": 21}, (paid,))]
    assert bench.of(anna, NotInPlay) == ([] if waits else [NotInPlay(1, (other.request,))])


def test_nobody_asks_the_followers_host_for_a_seats_bet_behind() -> None:
    bench = seated(0)
    found = decided(bench, bench.terminals[0], Stake(0, "behind", 1_000, (2,)))
    assert (found.accepted, found.rule) == (False, "2.9.2")


# --- followers ------------------------------------------------------------------------------------
def test_followers_lay_take_back_and_hear_their_funds() -> None:
    bench = seated()
    (host,) = bench.hosts
    assert host.funds == {ANNA: card_line.FUNDS_CENTS, BERT: card_line.FUNDS_CENTS}
    assert decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).accepted
    assert decided(bench, host, Follow(BERT, 0, 1, False, 500)).accepted
    bench.run(500_000)
    assert host.funds[ANNA] == card_line.FUNDS_CENTS - 1_000
    laid = [(one["player"], one["follow"], one["cents"]) for one in bench.book.stakes()]
    assert laid == [(f"p{ANNA}", "double", 1_000), (f"p{BERT}", "not", 500)]
    assert decided(bench, host, TakeBackBehind(ANNA, 1)).accepted
    bench.run(500_000)
    assert bench.of(host, FollowerFunds)[-1] == (ANNA, True, card_line.FUNDS_CENTS)
    found = decided(bench, host, Follow(ANNA, 0, 5, True, 1_000))
    assert (found.accepted, found.rule) == (False, "2.9.2")
    assert decided(bench, host, FollowerSignOff(ANNA)).accepted
    assert not decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).accepted
    bench.run(500_000)
    assert ANNA not in host.funds


def test_an_answer_that_the_line_lost_is_told_again() -> None:
    bench = seated()
    (host,) = bench.hosts
    host.ask(Follow(ANNA, 0, 1, True, 1_000))
    assert bench.run(1_000_000, lambda: bench.book.stakes() != [])
    broken: list[bytes] = []

    def breaks_first(who: Any, data: bytes) -> list[bytes]:
        """The poll with the answer comes broken: it is replied to by nobody."""
        if who is bench.line and len(broken) < 4 and data[4:6] == b"\x07\x09":
            broken.append(data)
            return [data[:-4]]
        return [data]

    bench.wire.hurt = breaks_first
    bench.settle()
    assert broken
    assert bench.of(host, Decided)[-1].accepted


def test_many_are_refused_at_once_and_share_the_sentence() -> None:
    bench = seated(40)
    (host,) = bench.hosts
    before = len(bench.wire.log)
    for n in bench.followers:
        host.ask(Follow(n, 0, 7, False, 1_000))
    bench.settle()
    found = bench.of(host, Decided)[-40:]
    assert {(one.accepted, one.rule) for one in found} == {(False, "2.9.2")}
    assert [one.ask.account for one in found] == bench.followers
    sentence = sum(data.count(b"main d\xc3\xa9j\xc3\xa0") for _, _, data in bench.wire.log[before:])
    assert 0 < sentence < 6


def test_more_sentences_than_one_poll_has_room_for_come_in_several() -> None:
    bench = seated(8)
    (host,) = bench.hosts
    for at, n in enumerate(bench.followers):
        host.ask(Follow(n, 0, 8 + at % 8, False, 1_000) if at else Follow(n, 0, 1, False, 1_000))
    for seat in range(3, 8):
        host.ask(Follow(ANNA, 0, seat, False, 1_000))
    bench.settle()
    found = bench.of(host, Decided)[-13:]
    assert [one.accepted for one in found] == [True] + [False] * 12
    assert len({one.why for one in found}) > 6
    assert NOT_KNOWN[1] not in {one.why for one in found}


def test_each_signs_on_with_his_own_key_and_wrong_ones_let_the_account_alone_wait() -> None:
    bench = CardBench(seats=1, followers=2, displays=0)
    (host,) = bench.hosts
    wrong = bench.follower_on(ANNA)._replace(key=bytes(32))
    for _ in range(3):
        assert (
            decided(bench, host, wrong).why
            == "there is no such account, or its PIN or card is another"
        )
    assert "wait" in decided(bench, host, bench.follower_on(ANNA)).why
    assert decided(bench, host, bench.follower_on(BERT)).accepted
    assert not decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).accepted


def test_keys_tried_over_the_followers_host_wait_whatever_comes_between() -> None:
    """Of many accounts and of none: so many failures a minute, and the seats know nothing of it."""
    bench = CardBench(seats=1, followers=2, displays=0)
    (host,) = bench.hosts
    wrong = bench.follower_on(ANNA)._replace(key=bytes(32))
    for at in range(900):
        host.ask(wrong._replace(account=ANNA if at % 3 else 5_000 + at))
    bench.settle()
    assert bench.now_us < FAILURE_US
    tried = [one.ask.account for one in bench.of(host, Decided) if one.why == WRONG_KEY]
    assert (len(tried), tried.count(ANNA)) == (FAILURES_MAX, TRIES)
    assert "wait" in decided(bench, host, bench.follower_on(BERT)).why
    assert decided(bench, bench.terminals[0], SignOn(ANNA, bench.account_keys[ANNA])).accepted
    bench.run(FAILURE_US)
    assert decided(bench, host, wrong._replace(account=7_000)).why == WRONG_KEY
    assert "wait" in decided(bench, host, bench.follower_on(BERT)).why
    bench.run(FAILURE_US)
    assert decided(bench, host, bench.follower_on(BERT)).accepted


def test_whoever_signed_on_over_the_followers_host_is_kept_out_by_nobody_elses_wrong_keys() -> None:
    """Not as the host is started again, nor after a sign-off; his own wrong ones let him wait."""
    bench = CardBench(seats=1, followers=3, displays=0)
    (host,) = bench.hosts
    for n in (ANNA, BERT):
        assert decided(bench, host, bench.follower_on(n)).accepted
    assert decided(bench, host, FollowerSignOff(BERT)).accepted
    bench.hosts.remove(host)
    bench.run(4_000_000)
    host = bench.plug_host()
    wrong = FollowerSignOn(1, bytes(32))
    for at in range(300):
        host.ask(wrong._replace(account=5_000 + at))
    bench.settle()
    assert "wait" in decided(bench, host, bench.follower_on(ANNA + 2)).why
    for n in (ANNA, BERT):
        assert decided(bench, host, bench.follower_on(n)).accepted
    for _ in range(TRIES):
        assert decided(bench, host, wrong._replace(account=ANNA)).why == WRONG_KEY
    assert "wait" in decided(bench, host, bench.follower_on(ANNA)).why
    assert "wait" in decided(bench, host, wrong._replace(account=ANNA)).why


def test_guesses_over_the_followers_host_have_a_bound_whatever_is_guessed_when() -> None:
    """As many as ten and one each 6 s, of accounts that never signed on there; of one that did, its
    own three and then ever fewer."""
    bench = CardBench(seats=1, followers=40, displays=0)
    host: Any = bench.host
    place = host._followers
    known = bench.followers[0]
    host._known = [known]
    envelope = Envelope(FOLLOWERS, 5, 1)
    guesses: dict[bool, int] = {True: 0, False: 0}
    for second in range(3_600):
        for n in (*bench.followers, 9_000 + second):
            ask = SignOnProof(n, bytes(16))
            if host._wrong_follower(place, envelope, ask, second * 1_000_000) == WRONG_KEY:
                guesses[n == known] += 1
    assert guesses[False] <= FAILURES_MAX + 3_600_000_000 // FAILURE_US
    assert guesses[True] <= TRIES + 10


def test_what_still_waits_is_remembered_however_many_fail() -> None:
    bench = CardBench(seats=1, followers=3, displays=0)
    host: Any = bench.host
    for n in range(terminal_host.TRIED_MAX + 9):
        for _ in range(TRIES if n < 9 else 1):
            host._note_failure(("account", n), 1_000 + n)
    assert len(host._failed) == terminal_host.TRIED_MAX
    assert all(("account", n) in host._failed for n in range(9))
    assert ("account", 9) not in host._failed
    assert ("account", terminal_host.TRIED_MAX + 8) in host._failed


def test_who_is_let_go_before_his_funds_were_heard_is_signed_on_again() -> None:
    bench = CardBench(seats=1, followers=2, displays=1)
    (host,) = bench.hosts
    host.ask(bench.follower_on(ANNA))
    bench.settle()
    bench.run(500_000)
    host.ask(bench.follower_on(BERT))
    bench.settle()
    bench.wire.hurt = lambda who, data: []
    bench.run(4_000_000)
    bench.wire.hurt = lambda who, data: [data]
    bench.run(5_000_000)
    assert bench.book.behind.is_signed_on(ANNA) and bench.book.behind.is_signed_on(BERT)
    assert set(host.funds) == {ANNA, BERT}


def test_who_signs_off_is_off_though_the_answer_waits_for_another_poll() -> None:
    bench = CardBench(seats=1, followers=2, displays=0)
    desk, host = FollowerDesk(bench.book), FollowersHost(FOLLOWERS, station_key(FOLLOWERS), 77)
    heard = FollowerReply(0, 0, 0, 0, (), 0)
    happened: list[Any] = []

    def poll(both: int) -> None:
        nonlocal heard
        envelope = Envelope(FOLLOWERS, 5, len(polled))
        told = desk.compose(heard.boot, heard.number, state="BETS_OPEN", flags=3, both=both,
                            alone=True, is_free=True, is_long=True)  # fmt: skip
        polled.append(told)
        payload = follower_bytes.follower_poll_bytes(envelope, told, station_key(FOLLOWERS))
        (said,) = Deframer().feed(host.feed(frame.encode(payload), len(polled)))
        happened.extend(host.take_events())
        opened = follower_bytes.open_follower_reply(said, station_key(FOLLOWERS))
        assert opened is not None
        heard = opened[1]
        desk.receive(heard, lambda ask: "")

    polled: list[Any] = [None]
    poll(640)
    poll(640)
    for n in bench.followers:
        host.ask(bench.follower_on(n))
    for _ in range(4):
        poll(640)
    assert set(host.funds) == {ANNA, BERT}
    host.ask(Follow(ANNA, 0, 7, True, 1_000))  # refused in so many words that it fills a poll
    host.ask(FollowerSignOff(BERT))
    for both in (192, 192, 640, 640, 640, 640):
        poll(both)
    asked = [one.ask for one in happened if isinstance(one, Decided)]
    assert [type(ask) for ask in asked] == [FollowerSignOn] * 2 + [Follow, FollowerSignOff]
    assert [len(one.verdicts) for one in polled[7:10]] == [0, 0, 2]
    assert bench.book.behind.is_signed_on(ANNA) and not bench.book.behind.is_signed_on(BERT)
    assert set(host.funds) == {ANNA}


def test_followers_are_paid_each_what_is_his() -> None:
    bench = seated(30)
    (host,) = bench.hosts
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    numbers = {}
    for n in bench.followers:
        for seat in (1, 2):
            numbers[n, seat] = decided(bench, host, Follow(n, 0, seat, False, 500 + 2 * n)).request
    bench.seal()
    bench.void()
    bench.run(6_000_000)
    told = bench.of(host, FollowerSettled)
    assert sorted(told) == [
        (
            n,
            1,
            None,
            tuple(
                CardPaid(numbers[n, seat], "behind", seat, 1, 500 + 2 * n, 0) for seat in paid_seats
            ),
        )
        for n, paid_seats in [(n, _seats(told, n)) for n in bench.followers]
    ]
    assert all(bench.book.behind.settled(n).paid == () for n in bench.followers)


def _seats(told: list[Any], n: int) -> list[int]:
    """The seats behind which a follower was paid; each is there once."""
    (mine,) = [one for one in told if one.account == n]
    seats = [paid.seat for paid in mine.paid]
    assert sorted(seats) == sorted(set(seats))
    assert 1 in seats
    return seats


def test_a_bet_behind_that_a_kill_before_the_call_lost_is_told_at_once() -> None:
    bench = seated()
    (host,) = bench.hosts
    lost = [decided(bench, host, Follow(n, 0, 1, True, 1_000)).request for n in (ANNA, BERT)]
    bench.book = bench.new_book(1)
    bench.start()
    bench.run(1_500_000)
    told = [
        FollowerNotInPlay(ANNA, 1, ((lost[0], 1, 1_000),)),
        FollowerNotInPlay(BERT, 1, ((lost[1], 1, 1_000),)),
    ]
    assert bench.of(host, FollowerNotInPlay) == told
    bench.run(1_500_000)
    assert bench.of(host, FollowerNotInPlay) == told  # once


def test_a_bet_behind_whose_end_two_restarts_kept_back_is_told_no_more() -> None:
    """A restarted controller knows the last round alone: no bet of one before it took no part."""
    bench = seated(1)
    (host,) = bench.hosts
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    paid = decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).request
    bench.wire.hurt = lambda who, data: [] if who is bench.line else [data]
    bench.seal()
    bench.void()
    bench.book = bench.new_book(2)
    bench.start()
    bench.wire.hurt = lambda who, data: [data]
    for address, terminal in enumerate(bench.terminals, 1):
        terminal.ask(bench.seat_on(address))
    bench.settle()
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    decided(bench, host, Follow(ANNA, 0, 1, True, 2_000))
    assert bench.of(host, FollowerNotTold) == []
    bench.seal()
    bench.void()
    bench.run(2_000_000)
    assert [one.coup for one in bench.of(host, FollowerSettled)] == [2]
    assert bench.of(host, FollowerNotTold) == [FollowerNotTold(ANNA, 1, ((paid, 1, 1_000),))]
    assert bench.of(host, FollowerNotInPlay) == []


def test_bets_behind_that_were_given_back_are_told_with_the_end_of_the_round() -> None:
    bench = seated(4)
    (host,) = bench.hosts
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    clara, dora = ANNA + 2, ANNA + 3
    laid = {
        (n, seat): decided(bench, host, Follow(n, 0, seat, True, 1_000)).request
        for n, seat in ((ANNA, 1), (ANNA, 2), (BERT, 1), (clara, 1), (dora, 1))
    }
    decided(bench, host, TakeBackBehind(clara, 1))
    body = {"account": BERT, "who": "weber", "why": "marked cards"}
    assert not isinstance(bench.book.entry("barred", body), str)
    for stake in bench.book.stakes():
        if (stake["account"], stake["seat"]) in ((ANNA, 2), (dora, 1)):
            bench.book._give_back(stake)  # as after a correction that leaves them less
    bench.seal()
    bench.void()
    bench.run(4_000_000)
    assert sorted(bench.of(host, FollowerNotInPlay)) == [
        FollowerNotInPlay(ANNA, 1, ((laid[ANNA, 2], 2, 1_000),)),
        FollowerNotInPlay(BERT, 1, ((laid[BERT, 1], 1, 1_000),)),
        FollowerNotInPlay(dora, 1, ((laid[dora, 1], 1, 1_000),)),
    ]
    assert [(one.account, len(one.paid)) for one in bench.of(host, FollowerSettled)] == [(ANNA, 1)]
    assert bench.host._desk._laid == {}


@pytest.mark.req("LIVE-2.9.2.session")
def test_who_signs_off_is_told_which_of_his_bets_took_no_part_and_later_what_the_others_won() -> (
    None
):
    bench = seated(3)
    (host,) = bench.hosts
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    laid = {
        (n, seat): decided(bench, host, Follow(n, 0, seat, True, 1_000)).request
        for n, seat in ((ANNA, 1), (BERT, 1), (BERT, 2))
    }
    for n in (ANNA, BERT):
        assert decided(bench, host, FollowerSignOff(n)).accepted
    for stake in bench.book.stakes():
        if (stake["account"], stake.get("seat")) == (ANNA, 1):
            bench.book._give_back(stake)  # as after a correction that leaves him less
    bench.seal()
    bench.void()
    bench.run(3_000_000)
    assert bench.of(host, FollowerNotInPlay) == [
        FollowerNotInPlay(ANNA, 1, ((laid[ANNA, 1], 1, 1_000),))
    ]
    assert bench.of(host, FollowerSettled) == []
    assert bench.host._desk._laid == {}
    decided(bench, host, bench.follower_on(BERT))
    bench.run(2_000_000)
    (told,) = bench.of(host, FollowerSettled)
    assert (told.account, told.coup) == (BERT, 1)
    assert sorted(paid.id for paid in told.paid) == [laid[BERT, 1], laid[BERT, 2]]
    assert len(bench.of(host, FollowerNotInPlay)) == 1
    assert host._placed == {}


@pytest.mark.req("LIVE-2.9.2.session")
def test_who_signed_off_is_told_that_a_kill_before_the_call_lost_his_bet() -> None:
    bench = seated()
    (host,) = bench.hosts
    lost = decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).request
    decided(bench, host, FollowerSignOff(ANNA))
    bench.book = bench.new_book(1)
    bench.start()
    bench.run(2_000_000)
    assert bench.of(host, FollowerNotInPlay) == [FollowerNotInPlay(ANNA, 1, ((lost, 1, 1_000),))]


def test_a_host_keeps_no_more_bets_than_all_may_have() -> None:
    bench = seated()
    (host,) = bench.hosts
    for number in range(-followers.PLACED_MAX, 0):
        host._placed[number] = (Follow(ANNA - number, 1, 1, True, 500), host._polls.session)
    laid = decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).request
    assert len(host._placed) == followers.PLACED_MAX
    assert laid in host._placed and -followers.PLACED_MAX not in host._placed


def test_payments_too_many_for_one_poll_come_in_several() -> None:
    paid = tuple(CardPaid(at, "behind", at % 7 + 1, 1, 500, -500) for at in range(1, 36))
    bench = seated(1)
    bench.book.behind.settled = lambda n: CardSettled(9, {"dealer": 20}, paid)  # type: ignore[method-assign]
    heard: list[Any] = []
    bench.book.acknowledge = lambda n, coup: heard.append((n, coup))  # type: ignore[method-assign]
    bench.run(3_000_000)
    (told,) = bench.of(bench.hosts[0], FollowerSettled)
    assert told == (ANNA, 9, {"dealer": 20}, paid)
    assert heard == [(ANNA, 9)]


def test_an_unheard_controller_takes_nothing_and_what_waits_is_asked_when_it_is_back() -> None:
    bench = seated()
    (host,) = bench.hosts
    bench.wire.hurt = lambda who, data: []
    bench.run(3_500_000)
    assert host.standing.state is None
    host.ask(Follow(ANNA, 0, 1, True, 1_000))
    bench.run(2_000_000)
    assert ("T13", str(FOLLOWERS)) in bench.troubles
    bench.wire.hurt = lambda who, data: [data]
    bench.terminals[0].ask(bench.seat_on(1))
    bench.settle()
    bench.run(1_000_000)
    assert set(host.funds) == {ANNA, BERT}  # signed on again, though it was silent for long
    assert decided(bench, host, Follow(BERT, 0, 1, True, 1_000)).accepted


def test_a_controller_that_was_started_anew_has_everybody_signed_on_again() -> None:
    bench = seated()
    (host,) = bench.hosts
    decided(bench, host, Follow(ANNA, 0, 1, True, 1_000))
    bench.book = bench.new_book(1)
    bench.start()
    bench.run(2_000_000)
    assert bench.book.behind.is_signed_on(ANNA) and bench.book.behind.is_signed_on(BERT)
    assert bench.book.stakes() == []  # the call seals them, not before
    assert decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).accepted is False  # nobody there
    bench.terminals[0].ask(bench.seat_on(1))
    bench.settle()
    assert decided(bench, host, Follow(ANNA, 0, 1, True, 1_000)).accepted


def test_an_answer_that_a_restart_lost_is_asked_for_again_and_is_the_truth() -> None:
    """The stake was accepted and sealed, the answer lost with the controller."""
    bench = seated()
    (host,) = bench.hosts
    bench.terminals[0].ask(Stake(0, "main", 1_000, (1,)))
    bench.settle()
    host.ask(Follow(ANNA, 0, 1, True, 1_000))
    assert bench.run(1_000_000, lambda: len(bench.book.stakes()) == 2)
    record = bench.seal()
    bench.book = bench.new_book(2)
    bench.book.restore_open(record["round"], record)
    bench.start()
    bench.settle()
    (last,) = [one for one in bench.of(host, Decided) if isinstance(one.ask, Follow)]
    assert last.accepted
    assert [one["id"] for one in record["stakes"] if one["bet"] == "behind"] == [last.request]


def test_a_host_that_was_started_anew_has_them_sign_on_and_asks_under_new_numbers() -> None:
    bench = seated()
    first = decided(bench, bench.hosts[0], Follow(ANNA, 0, 1, True, 1_000)).request
    bench.hosts = []
    host = bench.plug_host()
    bench.run(4_000_000)  # longer than the old one is remembered
    assert not bench.book.behind.is_signed_on(ANNA)
    assert not decided(bench, host, Follow(ANNA, 0, 2, True, 1_000)).accepted
    assert decided(bench, host, bench.follower_on(ANNA)).accepted
    found = decided(bench, host, TakeBackBehind(ANNA, 1))
    assert found.accepted and found.request > first  # the bet stayed, and is his


def test_two_hosts_at_the_address_are_both_refused_until_one_is_off() -> None:
    bench = seated()
    one_behind_the_other(bench)
    one = bench.hosts[0]
    bench.plug_host()
    bench.run(5_000_000)
    assert ("T12", str(FOLLOWERS)) in bench.troubles
    assert one.standing.conflict
    one.ask(Follow(ANNA, 0, 1, True, 1_000))
    bench.run(2_000_000)
    last = bench.of(one, Decided)[-1]
    assert (last.accepted, last.rule, last.why) == (False, *TWO_HERE)
    bench.hosts = [one]
    bench.run(5_000_000)
    assert not one.standing.conflict
    assert decided(bench, one, Follow(ANNA, 0, 1, True, 1_000)).accepted


def test_what_another_host_stood_between_is_not_known_and_said_so() -> None:
    """It was said, nobody answered, and another host has spoken here since."""
    bench = seated()
    one = bench.hosts[0]
    one.ask(Follow(ANNA, 0, 1, True, 1_000))
    bench.wire.hurt = lambda who, data: [] if who is one else [data]
    bench.run(4_000_000)
    bench.hosts = []
    other = bench.plug_host()
    bench.run(2_000_000)
    for _ in range(5):
        decided(bench, other, bench.follower_on(BERT))
    bench.wire.hurt = lambda who, data: [data]
    bench.hosts = [one]
    bench.run(6_000_000)
    last = [each for each in bench.of(one, Decided) if isinstance(each.ask, Follow)][-1]
    assert (last.accepted, last.rule, last.why) == (False, *NOT_KNOWN)
    assert bench.book.stakes() == []


def test_no_ask_is_made_that_has_no_number() -> None:
    bench = seated()
    (host,) = bench.hosts
    desk = bench.host._desk
    desk.answered = follower_messages.NUMBER_MAX - 1
    desk._decisions = []
    bench.run(1_000_000)
    host.ask(Follow(ANNA, 0, 1, True, 1_000))
    host.ask(Follow(BERT, 0, 1, True, 1_000))
    bench.settle()
    taken, refused = bench.of(host, Decided)[-2:]
    assert (taken.accepted, taken.request) == (True, follower_messages.NUMBER_MAX)
    assert (refused.accepted, refused.rule, refused.why) == (False, *NO_NUMBER)
    bench.run(1_000_000)
    assert host.standing.open  # nothing stands still


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (Follow(0, 0, 1, True, 500), "there is no account 0"),
        (Follow(7, 0, 16, True, 500), "there is no seat 16"),
        (Follow(7, 2**32, 1, True, 500), "there is no round 4294967296"),
        (Follow(7, 0, 1, True, 0), "a stake is whole cents from 1 to 4294967295"),
        (TakeBackBehind(7, 0), "there is no seat 0"),
    ],
)
def test_what_no_frame_carries_is_not_asked(ask: Any, why: str) -> None:
    host = FollowersHost(FOLLOWERS, bytes(32), 1)
    with pytest.raises(ValueError, match=why):
        host.ask(ask)


def test_a_host_of_followers_has_room_for_so_many_players() -> None:
    bench = CardBench(seats=1, followers=FOLLOWERS_MAX + 1, displays=0)
    (host,) = bench.hosts
    for n in bench.followers:
        host.ask(bench.follower_on(n))
    bench.settle()
    *before, last = bench.of(host, Decided)
    assert all(one.accepted for one in before)
    assert (last.accepted, last.why) == (False, "a host of followers has room for 140 players")


# --- time -----------------------------------------------------------------------------------------
def test_a_seat_has_its_answer_out_of_turn_though_the_followers_have_no_time() -> None:
    bench = seated()
    host = bench.host
    host._answers = [host._places[0]]  # its sign-on was accepted
    host._wants_followers = lambda now_us: True  # type: ignore[method-assign]
    spare_us = max(host.slots_us)
    assert spare_us < host._long_us
    assert host.poll_extra(bench.now_us, spare_us) != b""
    assert host._was_seat and host._answers == []


def test_seats_and_140_followers_who_ask_at_once_have_their_answers_within_half_a_second() -> None:
    """Of modelled time, with a margin; four displays are asked all the while."""
    seats, followers = card_line.all_at_once(4)
    assert (seats.answers, followers.answers) == (8 * 7, 8 * FOLLOWERS_MAX)
    assert seats.most < 475
    assert followers.most < 450


def test_funds_and_payments_make_no_answer_wait_for_a_long_poll() -> None:
    """What a short poll has room for beside its answers is told with them; the rest comes in turn,
    once no seat waits longer than usual."""
    bench = card_line.seated_bench(FOLLOWERS_MAX)
    (host,) = bench.hosts
    polls = []

    def heard(who: Any, data: bytes) -> list[bytes]:
        for payload in Deframer().feed(data):
            opened = follower_bytes.open_follower_poll(payload, station_key(FOLLOWERS))
            if who is bench.line and opened is not None:
                seats = [one for one in bench.host._places if one.address != FOLLOWERS]
                late_us = bench.now_us - min(one.polled_us for one in seats)
                polls.append((len(payload), opened[1], late_us))
        return [data]

    bench.wire.hurt = heard
    for n in bench.followers:
        host.ask(Follow(n, 0, n % 7 + 1, True, 1_000))
    for terminal, seat in zip(bench.terminals, range(1, 8), strict=True):
        terminal.ask(Stake(0, "main", 1_000, (seat,)))
    bench.run(3_000_000)
    told = [poll for _, poll, _ in polls if poll.funds]
    assert len({n for poll in told for n, _, _ in poll.funds}) == FOLLOWERS_MAX
    assert max(size for size, _, _ in polls) > slots.FOLLOWERS_SHORT
    for size, poll, late_us in polls:
        if poll.verdicts or late_us > slots.CROWDED_US + 50_000:
            assert size <= slots.FOLLOWERS_SHORT


@given(st.sampled_from([38_400, 57_600, 115_200, 230_400]), st.integers(0, slots.FOLLOWERS_LONG))
def test_a_turn_of_the_followers_host_has_as_many_bytes_as_its_time(baud: int, both: int) -> None:
    assert slots.exchange_bytes(baud, slots.exchange_us(baud, both)) == both
    assert slots.exchange_bytes(baud, 10_000_000) == slots.FOLLOWERS_LONG


def test_displays_stay_lit_while_all_ask_and_while_all_are_silent() -> None:
    bench = card_line.seated_bench()

    def is_dark() -> bool:
        return any(one.lit.state == "STALE" for one in bench.displays)

    for turn in range(3):
        for n in bench.followers:
            bench.hosts[0].ask(Follow(n, 0, n % 7 + 1, turn % 2 == 0, 1_000))
        assert not bench.run(1_500_000, is_dark)
    bench.wire.hurt = lambda who, data: [] if isinstance(who, (Terminal, FollowersHost)) else [data]
    assert not bench.run(3_000_000, is_dark)


def test_a_line_that_has_no_time_for_them_says_so() -> None:
    with pytest.raises(ValueError, match="has time for"):
        CardBench(followers=1, displays=10)
    assert slots.displays_max(115_200, 8, slots.card_extra_us(115_200, 8, followers=True)) == 9


@given(st.lists(st.integers(1_000, 50_000), min_size=1, max_size=6), st.integers(0, 200_000),
       st.randoms(use_true_random=False))  # fmt: skip
def test_who_speaks_out_of_turn_keeps_nobody_waiting(
    slots_us: list[int], extra_us: int, chance: random.Random
) -> None:
    """Each may then be silent: still nobody waits longer than a round and what it has besides."""
    time = RoundTime(slots_us, extra_us)
    began_us: dict[int, int] = {}
    now_us = turn = 0
    for _ in range(60):
        spare_us = time.spare_us(now_us)
        if spare_us > 0 and chance.random() < 0.5:
            now_us += chance.randrange(spare_us + 1)
            continue
        place = turn % len(slots_us)
        waited_us = now_us - began_us.get(place, now_us)
        assert waited_us <= sum(slots_us) + extra_us
        began_us[place] = now_us
        time.begin_turn(now_us)
        now_us += slots_us[place] if chance.random() < 0.7 else chance.randrange(slots_us[place])
        turn += 1


# --- whatever the line does -----------------------------------------------------------------------
@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_every_ask_is_decided_once_over_a_bad_line_and_kills_of_either_side(seed: int) -> None:
    """Frames cut, changed, repeated, of another session; the controller killed, the book with it
    before the call and after it. What followers believe to lie is what is sealed and is paid."""
    chance = random.Random(seed)
    bench = seated(6)
    (host,) = bench.hosts
    hurt = bench.wire.hurt = Hurt(chance)
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    asked: list[Any] = []
    for _ in range(chance.randrange(1, 25)):
        n = chance.choice(bench.followers)
        ask: Any = Follow(n, 0, chance.choice((1, 1, 2, 6)), chance.random() < 0.5, 500 + 2 * n)
        if chance.random() < 0.3:
            ask = TakeBackBehind(n, 1)
        host.ask(ask)
        asked.append(ask)
        bench.run(chance.randrange(150_000))
    is_killed = chance.random() < 0.5
    record = bench.seal()
    if is_killed:
        bench.book = bench.new_book(2)
        bench.book.restore_open(record["round"], record)
        bench.start()
    bench.run(chance.randrange(500_000))
    hurt.on = False
    bench.settle()
    bench.void()
    bench.run(4_000_000)
    found = [
        one for one in bench.of(host, Decided) if isinstance(one.ask, (Follow, TakeBackBehind))
    ]
    assert [type(one.ask) for one in found] == [type(ask) for ask in asked]  # each once, in order
    assert [one.ask.account for one in found] == [ask.account for ask in asked]
    believed: dict[Any, int] = {}
    for one in found:
        if one.accepted and isinstance(one.ask, Follow):
            believed[one.ask.account, one.ask.seat] = one.request
        elif one.accepted:
            del believed[one.ask.account, one.ask.seat]
    sealed = {
        (one["account"], one["seat"]): one["id"]
        for one in record["stakes"]
        if one["bet"] == "behind"
    }
    if not is_killed:
        assert believed == sealed
    # A take-back whose answer a kill lost is refused when asked again: what it took is not sealed.
    assert set(sealed.items()) <= set(believed.items())
    told = bench.of(host, FollowerSettled)
    assert sorted(one.account for one in told) == sorted({account for account, _ in sealed})
    lost = [number for one in bench.of(host, FollowerNotInPlay) for number, _, _ in one.bets]
    assert not set(lost) & set(sealed.values())
    paid = {(one.account, each.seat): each.id for one in told for each in one.paid}
    assert paid == {place: number for place, number in sealed.items() if place in paid}
    free = [bench.book.free_cents(n) for n in bench.followers]
    assert free == [card_line.FUNDS_CENTS] * 6


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_a_host_that_is_killed_doubles_nothing_and_its_players_are_paid_at_the_next(
    seed: int,
) -> None:
    """What it asked and did not hear of is laid once or not at all; what lies is paid once."""
    chance = random.Random(seed)
    bench = seated(6)
    hurt = bench.wire.hurt = Hurt(chance)
    decided(bench, bench.terminals[0], Stake(0, "main", 1_000, (1,)))
    asked: list[Follow] = []

    def asks(host: FollowersHost) -> None:
        for _ in range(chance.randrange(1, 12)):
            n = chance.choice(bench.followers)
            follow = Follow(n, 0, chance.choice((1, 2)), chance.random() < 0.5, 500 + 2 * n)
            host.ask(follow)
            asked.append(follow)
            bench.run(chance.randrange(100_000))

    asks(bench.hosts[0])
    lay = {(one["account"], one["seat"]): one["id"] for one in bench.book.stakes()}
    bench.hosts = []
    bench.run(chance.randrange(200_000))
    host = bench.plug_host()
    hurt.on = False
    bench.run(3_500_000)
    hurt.on = True
    for n in bench.followers:
        host.ask(bench.follower_on(n))
    asks(host)
    hurt.on = False
    bench.settle()
    record = bench.seal()
    behind = [one for one in record["stakes"] if one["bet"] == "behind"]
    places = [(one["account"], one["seat"]) for one in behind]
    assert len(places) == len(set(places))
    assert set(places) <= {(one.account, one.seat) for one in asked}
    sealed = {place: one["id"] for place, one in zip(places, behind, strict=True)}
    assert all(sealed[place] == number for place, number in lay.items() if place in sealed)
    heard = [one for one in bench.of(host, Decided) if isinstance(one.ask, Follow) and one.accepted]
    assert {sealed[one.ask.account, one.ask.seat] for one in heard} == {
        one.request for one in heard
    }
    bench.void()
    bench.run(4_000_000)
    paid = [each.id for one in bench.of(host, FollowerSettled) for each in one.paid]
    assert sorted(paid) == sorted(sealed.values())
    free = [bench.book.free_cents(n) for n in bench.followers]
    assert free == [card_line.FUNDS_CENTS] * 6


def test_frames_of_an_old_session_are_not_believed() -> None:
    bench = seated()
    (host,) = bench.hosts
    old = [data for _, who, data in bench.wire.log if who is bench.line]
    bench.book = bench.new_book(1)
    bench.start()
    bench.run(2_000_000)
    standing, counter = host.standing, len(bench.of(host, Decided))
    for data in old:
        host.feed(data, bench.now_us)
    assert host.standing == standing
    assert len([*bench.of(host, Decided), *host.take_events()]) == counter
