"""Players at terminals of a card table: stakes, decisions (CARDS section 2). Bets behind
a hand are in test_bets_behind.py."""

from __future__ import annotations

import pytest
from harness.card_terminals import TerminalPlace, adds_up, ended, fact_payments, opened

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.table import CHIPS
from firmware.stakes.answers import CardSettled
from rules.cards.deck import card_of


def test_a_round_is_staked_decided_and_paid_at_a_terminal() -> None:
    place = opened((3, "anna"))
    assert place.lay(3, 1000).accepted
    assert place.guide == (facts.BETS, {"seats": (3,)})
    assert place.terminals.funds_cents(3) == 99_000
    place.call()
    place.cards("5S 9D 6H KC")  # 11 against 9, and the hole card
    due = place.terminals.due(3)
    assert due is not None
    assert (due.kind, due.hand, due.choices) == ("decision", 1, ("hit", "stand", "double"))
    assert (due.cents, due.points, due.seen) == (1000, "11", 4)
    assert due.until_us == place.table.timers.due_us
    said = place.decide(3, "double")
    assert said is not None and said.accepted
    assert place.cents("anna") == 98_000
    place.card("TD")
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    assert place.cents("anna") == 102_000
    assert place.terminals.settled(3).outcome == {"dealer": 19}
    (paid,) = place.terminals.settled(3).paid
    assert (paid.bet, paid.seat, paid.hand, paid.cents, paid.won_cents) == (
        "main",
        3,
        1,
        2000,
        2000,
    )
    place.terminals.acknowledge_payments(3, place.table.round)
    assert place.terminals.settled(3).paid == ()
    assert adds_up(place.terminals.money)


@pytest.mark.parametrize(
    ("do", "words"),
    [
        ("split", "2.6.7"),
        ("insure", "2.6.5"),
    ],
)
def test_what_is_illegal_is_not_offered_and_is_refused_with_its_article(
    do: str, words: str
) -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S 9D 6H KC")
    due = place.terminals.due(3)
    assert due is not None and do not in due.choices
    said = place.decide(3, do)
    assert said is not None and not said.accepted and said.rule == words
    assert place.table.play.engagements == []
    assert place.refusals() == []  # the terminal is told, and nobody else


def test_no_answer_in_time_is_a_stand() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S 9D 6H KC")
    place.wait()
    engaged = place.last(facts.Engaged)
    assert (engaged.do, engaged.by) == ("stand", facts.BY_TIME)


def test_no_answer_of_insurance_in_time_is_none() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("5S AD 6H 9C")
    due = place.terminals.due(3)
    assert due is not None
    assert (due.kind, due.choices, due.cents) == ("insurance", ("insure", "no_insurance"), 500)
    place.wait()
    assert place.last(facts.Engaged).do == "no_insurance"


def test_a_decision_for_anothers_hand_is_refused() -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    place.lay(4, 1000)
    place.call()
    place.cards("5S 6S 9D 6H 7H KC")
    said = place.decide(4, "stand", seat=3)
    assert said is not None and not said.accepted
    assert said.why == "the hand of seat 3 is not yours"
    said = place.decide(4, "stand", seat=4)  # his own, and not his turn
    assert said is not None and not said.accepted
    assert said.why.startswith("seat 3, hand 1 decides now")
    assert place.table.play.engagements == []


def test_a_decision_that_comes_after_the_next_card_does_not_exist() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("2S 9D 3H KC")
    assert place.decide(3, "hit").accepted  # type: ignore[union-attr]
    place.card("4H")
    said = place.decide(3, "hit", seen=4)
    assert said is not None and not said.accepted
    assert said.why == "that decision came after the next card: it does not exist."


def test_the_same_decision_asked_twice_counts_once() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    place.cards("2S 9D 3H KC")
    assert place.decide(3, "hit").accepted  # type: ignore[union-attr]
    place.requests -= 1  # the answer was lost, and it asks again
    assert place.decide(3, "hit").accepted  # type: ignore[union-attr]
    assert len(place.table.play.engagements) == 1


def test_the_key_of_a_seat_at_a_terminal_leaves_no_other_chosen_for_its_insurance() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.stake(5, 1000)  # chips
    place.call()
    place.cards("5S 6S AD 6H 7H KC")
    assert place.state == states.INSURANCE
    place.key(facts.SEAT_KEYS[4], facts.SEAT_KEYS[2])
    assert "seat 3 decides at its terminal." in place.refusals()[-1]
    place.key(facts.KEY_INSURANCE)
    assert "press the seat's key first." in place.refusals()[-1]
    assert place.table.play.engagements == []


def test_the_croupiers_keys_decide_for_chips_and_not_for_who_sits_at_a_terminal() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.stake(5, 1000)  # chips
    place.call()
    place.cards("5S 6S 9D 6H 7H KC")
    place.key(facts.KEY_STAND)
    assert "seat 3 decides at its terminal." in place.refusals()[-1]
    assert place.decide(3, "stand").accepted  # type: ignore[union-attr]
    place.key(facts.KEY_STAND)
    assert place.last(facts.Engaged).seat == 5
    place.key(facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    assert {payment.player for payment in fact_payments(place)} == {"anna", "p5"}
    assert adds_up(place.terminals.money)


def test_the_croupiers_seat_keys_say_where_chips_lie() -> None:
    place = opened((3, "anna"))
    place.key("seat_5")
    assert place.guide == (facts.BETS, {"seats": (5,)})
    place.key("seat_5")
    assert place.guide == (facts.BETS, {"seats": ()})
    place.key("seat_5", "seat_3")
    assert "who sits at seat 3 stakes at the terminal." in place.refusals()[-1]
    assert place.follow("carla", 5, 500).accepted
    place.call()
    place.cards("TS 9D 9H KC")
    place.key(facts.KEY_STAND, facts.KEY_TURNED)
    assert place.state == states.CONFIRMED
    main = next(one for one in fact_payments(place) if one.bet == "main")
    assert (main.player, main.stake_cents) == ("chips·5", 200)  # as the table's minimum
    assert place.cents("carla") == 100_000
    assert adds_up(place.terminals.money)


def test_at_baccarat_the_croupier_deals_for_chips_that_nobody_told_of() -> None:
    place = opened(game="baccarat_live")
    place.wait()  # the time for stakes: nobody deals by itself to nobody
    assert place.state == states.BETS_OPEN
    place.key("seat_5")
    assert "chips have no seat at baccarat." in place.refusals()[-1]
    place.call()
    place.cards("TS 9D 9H KC")
    assert place.state == states.CONFIRMED
    assert fact_payments(place) == []


def test_who_lacks_the_money_is_not_offered_a_double() -> None:
    place = opened((3, "anna"), cents=1500)
    assert place.lay(3, 1000).accepted
    place.call()
    place.cards("5S 9D 6H KC")
    due = place.terminals.due(3)
    assert due is not None and due.choices == ("hit", "stand", "double")  # for less: 2.6.6
    said = place.decide(3, "double")
    assert said is not None and not said.accepted
    assert said.rule == "Luxembourg, art. 62"
    assert "500 cents are left" in said.why
    assert place.decide(3, "double", cents=500).accepted  # type: ignore[union-attr]
    assert place.cents("anna") == 0


def test_a_stake_without_money_an_employee_or_a_seat_is_refused() -> None:
    place = opened((3, "anna"), cents=500)
    assert place.lay(3, 1000).rule == "Luxembourg, art. 62"
    assert place.lay(3, 300, seat=4).why == "a player has one hand alone"
    assert place.sit(4, "bert").accepted
    assert place.lay(3, 300, seat=4).why == "another player sits at seat 4"
    assert place.lay(5, 300).rule == "Luxembourg, art. 20-3 b"
    place.tell(core_facts.EmployeePresent, "claire", False)
    assert place.lay(3, 300).rule == "Luxembourg, art. 20-1"


def test_no_stake_is_taken_after_the_call_in_the_words_of_the_game() -> None:
    place = opened((3, "anna"), (4, "bert"))
    place.lay(3, 1000)
    place.call()
    said = place.lay(4, 1000)
    assert (said.accepted, said.rule) == (False, "2.6.1")
    assert said.why == "« aucun pari ne pourra plus être placé » after « plus de paris »"
    assert place.terminals.take_back(3, 1).rule == "2.6.1"


def test_a_side_bet_goes_back_before_the_stake_it_goes_with() -> None:
    place = opened((3, "anna"), game="blackjack_lu", side_bets=("perfect_pairs",))
    assert not place.lay(3, 1000, bet="perfect_pairs").accepted
    first = place.requests
    assert place.lay(3, 1000).accepted
    main = place.requests
    assert place.lay(3, 1000, bet="perfect_pairs").accepted
    said = place.terminals.take_back(3, main)
    assert not said.accepted and said.why.startswith("take back first what goes with it")
    assert place.terminals.take_back(3, place.requests).accepted
    assert place.terminals.take_back(3, main).accepted
    assert not place.terminals.take_back(3, first).accepted
    assert place.terminals.funds_cents(3) == 100_000


# --- ends -----------------------------------------------------------------------------------------


def test_a_void_gives_everything_back_what_decisions_laid_too() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("5S 9D 6H KC")
    place.decide(3, "double")
    place.key(facts.KEY_VOID)
    assert place.state == states.VOID
    assert (place.cents("anna"), place.cents("carla")) == (100_000, 100_000)
    told = place.terminals.settled(3)
    assert told.outcome is None
    assert [(one.cents, one.won_cents) for one in told.paid] == [(2000, 0)]
    assert adds_up(place.terminals.money)


def test_what_lies_as_the_stakes_are_void_before_the_call_is_told_as_returned() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.key(facts.KEY_VOID)
    assert place.last(facts.RoundVoid).returned == [("anna", "main", 3, 1, 1000)]
    assert place.terminals.funds_cents(3) == 100_000
    told = place.terminals.settled(3)
    assert isinstance(told, CardSettled) and told.outcome is None
    assert [(one.cents, one.won_cents) for one in told.paid] == [(1000, 0)]


def test_a_restart_in_a_round_gives_all_back_and_tells_it() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("5S 9D 6H KC")
    place.decide(3, "double")
    again = place.kill()
    assert again.state == states.VOID
    assert (again.cents("anna"), again.cents("carla")) == (100_000, 100_000)
    assert again.sit(3, "anna").accepted
    assert [one.cents for one in again.terminals.settled(3).paid] == [2000]
    assert adds_up(again.terminals.money)


def test_a_gold_jack_is_paid_into_the_account_once_the_management_knows() -> None:
    place = opened((3, "anna"), game="blackjack_lu", side_bets=("super_gold",))
    place.lay(3, 1000)
    assert place.lay(3, 1000, bet="super_gold").accepted
    place.call()
    place.cards("TS AH 9S")
    place.decide(3, "no_insurance")
    place.decide(3, "stand")
    place.card("KH")
    assert place.table.waits()
    assert place.cents("anna") == 98_000
    assert adds_up(place.terminals.money)
    assert [one.bet for one in place.terminals.settled(3).paid] == ["main"]
    coup = place.terminals.settled(3).coup
    assert place.terminals.is_waiting(3, coup)
    assert not place.terminals.is_waiting(5, coup)
    assert place.kill().terminals._held == place.terminals._held != []
    place.terminals.acknowledge_payments(3, place.table.round)
    place.tell(facts.Acknowledged, "weber")
    assert not place.terminals.is_waiting(3, coup)
    assert place.cents("anna") == 98_000 + 301_000
    assert adds_up(place.terminals.money)
    assert {one.bet for one in place.terminals.settled(3).paid} == {"main", "super_gold"}


def test_a_correction_puts_the_accounts_right() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.follow("carla", 3, 500)
    place.call()
    place.cards("TS 9D 9H KC")  # 19 against 19
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    assert place.cents("anna") == 100_000
    cards = [card_of(text) for text in ("TS", "9D", "TH", "KC")]  # it was a ten: 20
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    assert (place.cents("anna"), place.cents("carla")) == (101_000, 100_500)
    assert [one.won_cents for one in place.terminals.settled(3).paid] == [1000]
    assert adds_up(place.terminals.money)
    place.tell(facts.RoundCorrectionAsked, 1, None, None, "anna k", "weber", "film")
    assert (place.cents("anna"), place.cents("carla")) == (100_000, 100_000)
    assert place.terminals.settled(3).outcome is None
    assert adds_up(place.terminals.money)


# --- found in review ------------------------------------------------------------------------------


@pytest.mark.req("LU-20-1.employee")
def test_the_seal_names_the_employees_who_were_there() -> None:
    place = opened((3, "anna"))
    place.lay(3, 1000)
    place.call()
    assert place.table.play.stakes["employees"] == ["claire"]


def test_no_account_is_named_as_chips_are_and_chips_never_lie_where_they_cannot() -> None:
    place = opened((3, "anna"), names=("anna", "bert", "chips 5"))
    place.tell(core_facts.EntryAsked, "account", {"player": CHIPS + "5", "key": b"k", "who": "c"})
    assert "Latin" in place.refusals()[-1]
    place.lay(3, 1000)
    assert place.follow("chips 5", 3, 500).accepted
    place.key("seat_5")
    assert ended(place, "TS 5D 9D 9H 6D KC").state == states.PLAYING  # chips decide by key
    place.key(facts.KEY_VOID)
    assert place.state == states.VOID
    assert place.cents("chips 5") == 100_000


def test_a_gold_jack_that_is_paid_waits_no_more_after_a_correction() -> None:
    place = opened((3, "anna"), (5, "bert"), game="blackjack_lu", side_bets=("super_gold",))
    place.lay(3, 1000)
    place.lay(5, 1000)
    place.lay(3, 1000, bet="super_gold")
    place.call()
    place.cards("TS 9S AH 9D 7S")
    for terminal in (3, 5):
        place.decide(terminal, "no_insurance")
    place.decide(3, "stand")
    place.decide(5, "stand")
    place.card("KH")
    place.tell(facts.Acknowledged, "weber")
    paid = place.cents("anna")
    cards = [card_of(text) for text in ("TS", "9S", "AH", "9D", "8S", "KH")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    assert place.last(facts.RoundCorrection).held == []
    assert not place.table.waits()
    assert place.cents("anna") == paid
    assert adds_up(place.terminals.money)


def test_no_stake_is_taken_before_the_void_of_an_interrupted_round_is_durable() -> None:
    place = opened((3, "anna"), is_slow=True)
    place.write()
    place.lay(3, 1000)
    place.call()
    place.write()
    again = place.kill()
    again.sit(3, "anna")
    again.requests = 50
    assert not again.terminals.is_open
    assert again.lay(3, 700).rule == "2.6.1"
    again.write()
    assert again.state == states.VOID
    assert again.lay(3, 700).accepted
    assert again.terminals.stakes()[0]["cents"] == 700


def gold_jack(*, is_slow: bool) -> TerminalPlace:
    """A round of anna's with a Gold Jack, whose payment waits for the management."""
    place = opened((3, "anna"), game="blackjack_lu", side_bets=("super_gold",))
    place.lay(3, 1000)
    place.lay(3, 1000, bet="super_gold")
    place.call()
    place.cards("TS AH 9S")
    place.decide(3, "no_insurance")
    place.decide(3, "stand")
    place.card("KH")
    assert place.table.waits()
    place.is_slow = is_slow
    return place


def test_a_round_is_not_corrected_while_its_payment_is_being_recorded() -> None:
    place = gold_jack(is_slow=True)
    place.tell(facts.Acknowledged, "weber")
    cards = [card_of(text) for text in ("TS", "AH", "8S", "KH")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    assert "a payment is being recorded" in place.refusals()[-1]
    place.write()
    (paid,) = place.all(facts.HeldPaid)
    assert [one.bet for one in paid.payments] == ["super_gold"]
    assert not place.table.waits()
    place.tell(facts.RoundCorrectionAsked, 1, cards, None, "anna k", "weber", "film")
    place.write()
    assert place.last(facts.RoundCorrection).held == []  # it is paid once
    assert adds_up(place.terminals.money)


def test_nobody_acknowledges_a_payment_while_its_round_is_being_corrected() -> None:
    place = gold_jack(is_slow=True)
    cards = [card_of(text) for text in ("TS", "9H", "8S", "KH")]
    place.tell(facts.RoundCorrectionAsked, 1, cards, [{"seat": 3, "hand": 1, "do": "stand"}],
               "anna k", "weber", "film")  # fmt: skip
    place.tell(facts.Acknowledged, "weber")
    assert "a correction is being recorded" in place.refusals()[-1]
    place.write()
    assert place.all(facts.HeldPaid) == []
    assert not place.table.waits()
    assert adds_up(place.terminals.money)


def test_a_payment_is_acknowledged_once() -> None:
    place = gold_jack(is_slow=True)
    place.tell(facts.Acknowledged, "weber")
    place.tell(facts.Acknowledged, "weber")
    assert "a payment is being recorded" in place.refusals()[-1]
    place.write()
    assert [kind for kind, _ in place.rows].count("card_paid") == 1
