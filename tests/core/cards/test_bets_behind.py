"""Bets behind a hand that another plays: who may, how they follow, what they are told (Live 2.9;
CARDS section 1, BB1 to BB5)."""

from __future__ import annotations

import pytest
from harness.card_terminals import FOLLOWERS, adds_up, ended, fact_payments, opened

from firmware.bus.follower_desk import FollowerDesk
from firmware.bus.follower_messages import Follow, FollowerReply, TakeBackBehind
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from rules.cards.deck import card_of


@pytest.mark.req("LIVE-2.9.1.paid", "LIVE-2.9.2.follows")
def test_a_follower_is_paid_exactly_as_the_hand_he_follows() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    assert place.follow("bert", 3, 600).accepted
    place.call()
    place.cards("5S 9D 6H KC")
    assert place.decide(3, "double").accepted  # type: ignore[union-attr]
    assert place.cents("bert") == 98_800  # he follows with his own stake
    place.card("TD")
    place.key(facts.KEY_TURNED)
    assert place.cents("bert") == 101_200
    told = place.terminals.behind.settled(place.number("bert"))
    assert [(one.bet, one.seat, one.cents, one.won_cents) for one in told.paid] == [
        ("behind", 3, 1200, 1200)
    ]


@pytest.mark.req("LIVE-2.9.2.right-hand")
def test_who_does_not_follow_has_the_right_hand_alone() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("bert", 3, 600, double=False)
    place.call()
    place.cards("8S 9D 8H KC")
    assert place.decide(3, "split").accepted  # type: ignore[union-attr]
    assert place.cents("bert") == 99_400
    place.card("TS")
    assert place.decide(3, "stand").accepted  # type: ignore[union-attr]
    place.card("TH")
    assert place.decide(3, "stand").accepted  # type: ignore[union-attr]
    place.key(facts.KEY_TURNED)
    behind = [one for one in fact_payments(place) if one.bet == "behind"]
    assert [(one.hand, one.stake_cents) for one in behind] == [(1, 600)]


def test_funds_are_those_of_the_moment_of_each_decision() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("bert", 3, 600)
    place.pay_out("bert", 99_000)  # 400 are left
    place.call()
    place.cards("8S 9D 8H KC")
    assert place.decide(3, "split").accepted  # type: ignore[union-attr]
    assert place.cents("bert") == 400  # not followed
    place.deposit("bert", 300)
    place.card("3S")  # the right hand: 11
    assert place.decide(3, "double").accepted  # type: ignore[union-attr]
    assert place.cents("bert") == 100  # looked at anew
    row = place.table.play.engagements[-1]
    assert row["lays"] == [["anna", "main", 1000], ["bert", "behind", 600]]


@pytest.mark.req("LIVE-2.9.2.insured")
def test_an_insurance_is_followed_in_proportion_rounded_down() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("bert", 3, 602)
    place.call()
    place.cards("5S AD 6H KC")
    assert place.decide(3, "insure", cents=300).accepted  # type: ignore[union-attr]
    assert place.cents("bert") == 100_000 - 602 - 180  # 602 * 300 / 1000
    # The hole card is a ten: the round ends.
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    assert place.cents("bert") == 100_000 - 602 + 360
    assert adds_up(place.terminals.money)


@pytest.mark.req("LIVE-2.9.2.who", "LIVE-2.9.2.any-hand")
def test_bad_followers_are_refused_in_one_sentence() -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    own = place.follow("anna", 3, 500)
    assert own.rule == "2.9.2"
    assert own.why.endswith("you sit at seat 3")
    assert place.follow("carla", 5, 500).why.endswith("nobody plays at seat 5")
    assert place.follow("carla", 3, 500).accepted
    twice = place.follow("carla", 3, 500)
    assert twice.why == "this player has a stake on behind there already"
    assert place.sit(5, "carla").rule == "Luxembourg, art. 20-3 a"
    assert place.terminals.stake(4, 99, coup=1, bet="behind", on=(3,), cents=500).rule == "2.9.2"
    assert (
        place.terminals.stake(FOLLOWERS, 99, coup=1, bet="main", on=(8,), cents=500).accepted
        is False
    )


def test_a_bet_behind_a_seat_that_is_empty_at_the_call_goes_back() -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    assert place.follow("carla", 4, 500).accepted  # bert sits there, and stakes nothing
    place.call()
    place.cards("TS 9D 9H KC")
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    assert place.cents("carla") == 100_000
    told = place.terminals.behind.settled(place.number("carla"))
    assert [(one.cents, one.won_cents) for one in told.paid] == [(500, 0)]


@pytest.mark.req("LIVE-2.9.2.session")
def test_a_follower_who_left_hears_his_result_in_his_next_session() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    n = place.number("carla")
    assert place.terminals.behind.sign_off(n).accepted
    place.call()
    place.cards("TS 9D 9H KC")
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    assert place.terminals.behind.sign_on(n).accepted
    assert place.terminals.behind.settled(n).paid[0].bet == "behind"
    place.terminals.acknowledge(n, 1)
    assert place.terminals.behind.settled(n).paid == ()


def test_a_seat_that_is_cut_off_stands_and_the_bet_behind_it_stays() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("5S 9D 6H KC")
    place.tell(core_facts.UnseatAsked, "claire", 3, "not who she says")
    assert place.terminals.due(3) is None
    place.wait()
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    assert place.cents("carla") == 99_500
    assert place.cents("anna") == 99_000


def test_chips_that_would_push_a_terminals_stake_off_are_refused() -> None:
    place = opened((3, "anna"), names=("anna", "p5"))
    place.lay(3, 1000)
    assert place.follow("p5", 3, 500).accepted
    place.stake(5, 1000)  # of a person named p5, who would sit then
    assert "who sits at the table does not bet behind" in place.refusals()[-1]
    ended(place)
    assert place.state == states.CONFIRMED
    assert [one.player for one in fact_payments(place)] == ["anna", "p5"]


def test_a_correction_is_told_anew_and_a_payment_that_was_heard_is_another_telling() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    ended(place)
    n, book = place.number("carla"), place.terminals
    first = book.telling(n)
    book.acknowledge(n, 1)
    assert book.telling(n) == 0
    cards = [card_of(text) for text in ("TS", "9D", "TH", "KC")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    assert book.telling(n) > first
    assert [one.won_cents for one in book.behind.settled(n).paid] == [500]
    assert book.last_settled().outcome == {"dealer": 19}


def test_a_host_hears_a_corrected_round_again_and_one_who_waits_keeps_nobody_from_his() -> None:
    place = opened((3, "anna"))
    desk = FollowerDesk(place.terminals)
    place.lay(3, 1000)
    for name in ("carla", "dora"):
        assert place.follow(name, 3, 500).accepted
        desk._signed_on[place.number(name)] = 7
    ended(place)

    def heard() -> list[tuple[int, tuple[int, ...]]]:
        told = []
        for _ in range(4):
            given = {
                "state": "CONFIRMED",
                "flags": 0,
                "both": 900,
                "alone": True,
                "is_free": True,
                "is_long": True,
            }
            poll = desk.compose(7, 1, **given)  # type: ignore[arg-type]
            told += [(n, tuple(one.won_cents for one in paid)) for n, _, _, paid in poll.settled]
            desk.receive(FollowerReply(7, 2, 1, 0, (), 0), lambda ask: "")
        return told

    carla, dora = place.number("carla"), place.number("dora")
    desk._boot = 7
    assert heard() == [(carla, (0,)), (dora, (0,))]
    cards = [card_of(text) for text in ("TS", "9D", "TH", "KC")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    assert heard() == [(carla, (500,)), (dora, (500,))]


def test_a_reply_to_what_was_told_before_a_correction_confirms_nothing_of_it() -> None:
    place = opened((3, "anna"))
    desk = FollowerDesk(place.terminals)
    place.lay(3, 1000)
    assert place.follow("carla", 3, 500).accepted
    n = place.number("carla")
    desk._signed_on[n], desk._boot = 7, 7
    ended(place)
    given = {
        "state": "CONFIRMED",
        "flags": 0,
        "both": 900,
        "alone": True,
        "is_free": True,
        "is_long": True,
    }
    assert desk.compose(7, 1, **given).settled  # type: ignore[arg-type]
    cards = [card_of(text) for text in ("TS", "9D", "TH", "KC")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    desk.receive(FollowerReply(7, 2, 1, 0, (), 0), lambda ask: "")
    assert [one.won_cents for one in place.terminals.behind.settled(n).paid] == [500]


@pytest.mark.parametrize("is_host_anew", [True, False])
def test_a_bet_that_went_back_is_told_though_another_was_taken_back(is_host_anew: bool) -> None:
    place = opened((3, "anna"), (4, "bert"))
    book, n = place.terminals, place.number("carla")
    desk = FollowerDesk(book)

    def say(boot: int, first: int, *asks: Follow | TakeBackBehind) -> None:
        assert book.behind.sign_on(n).accepted
        desk._signed_on[n] = boot
        desk.receive(FollowerReply(boot, 1, first, 0, asks, 0), lambda ask: "")
        assert [answer.why for _, answer in desk._decisions if not answer.accepted] == []

    def void() -> None:
        (left,) = book.stakes()
        book._give_back(left)  # as after a correction that leaves him less
        place.turn()
        place.key(facts.KEY_VOID)
        place.key(facts.KEY_START)

    if is_host_anew:  # what is taken back is of the host before
        say(7, 1, Follow(n, book.coup, 3, True, 500))
        desk.receive(FollowerReply(8, 1, 2, 0, (), 0), lambda ask: "")
        say(8, 2, Follow(n, book.coup, 4, True, 500))
        say(8, 3, TakeBackBehind(n, 3))
        void()
    else:  # or of the next round
        say(8, 1, Follow(n, book.coup, 4, True, 500))
        void()
        say(8, 2, Follow(n, book.coup, 3, True, 500), TakeBackBehind(n, 3))
    poll = desk.compose(8, 1, state="BETS_OPEN", flags=3, both=900, alone=True,
                        is_free=True, is_long=True)  # fmt: skip
    assert (poll.paid_coup, poll.settled) == (1, ((n, 0, 0, ()),))


def test_a_round_restated_as_it_was_decided_takes_no_follower_below_nothing() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 600)
    place.pay_out("carla")
    place.call()
    place.cards("5S 9D 6H KC")
    place.decide(3, "double")
    place.card("5D")  # 16
    place.key(facts.KEY_TURNED)
    assert place.cents("carla") == 0
    cards = [card_of(text) for text in ("5S", "9D", "6H", "KC", "6D")]
    decisions = [{"seat": 3, "hand": 1, "do": "double"}]
    place.tell(facts.RoundCorrectionAsked, 1, cards, decisions, "anna k", "weber", "film")
    assert place.last(facts.RoundCorrection).seq == 2
    assert place.cents("carla") == 0
    assert adds_up(place.terminals.money)


def test_who_bets_behind_and_signs_off_does_not_sit_down_before_its_end() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.terminals.behind.sign_off(place.number("carla"))
    assert place.sit(5, "carla").rule == "Luxembourg, art. 20-3 a"
    ended(place)
    assert place.sit(5, "carla").accepted


def test_a_barred_follower_is_signed_off_and_his_bet_goes_back() -> None:
    place = opened((3, "anna"))
    desk = FollowerDesk(place.terminals)
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    n = place.number("carla")
    desk._signed_on[n], desk._boot = 7, 7
    given = {"account": n, "who": "weber", "why": "marked cards"}
    place.tell(core_facts.EntryAsked, "barred", given)
    assert place.terminals.free_cents(n) == 100_000
    given = {
        "state": "BETS_OPEN",
        "flags": 0,
        "both": 900,
        "alone": True,
        "is_free": True,
        "is_long": True,
    }
    assert desk.compose(7, 1, **given).funds == ((n, False, 0),)  # type: ignore[arg-type]
    assert not desk.is_used


def test_a_second_split_of_a_hand_is_restated_with_the_money_of_its_own_moment() -> None:
    place = opened((4, "jean"), game="blackjack_lu", side_bets=("behind",))
    place.lay(4, 400)
    assert place.follow("anna", 4, 1000).accepted
    place.pay_out("anna", 97_500)  # 1500 are left: for one split
    place.call()
    place.cards("TS 5S TH")
    place.decide(4, "split")
    place.card("KH")
    place.decide(4, "split")
    assert place.cents("anna") == 500
    place.card("9D")
    place.decide(4, "stand")
    place.card("6D")
    place.decide(4, "stand")
    place.card("7D")
    place.decide(4, "stand")
    place.cards("AS TC TD")  # 5, ace, ten, ten: he busts
    assert place.state == states.CONFIRMED
    behind = [one.hand for one in fact_payments(place) if one.bet == "behind"]
    assert (behind, place.cents("anna")) == ([3, 1], 4_500)
    cards = [card_of(text) for text in "TS 5S TH KH 9D 6D 8D AS TC TD".split()]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    behind = [one.hand for one in place.last(facts.RoundCorrection).payments if one.bet == "behind"]
    assert (behind, place.cents("anna")) == ([3, 1], 4_500)
    assert adds_up(place.terminals.money)
