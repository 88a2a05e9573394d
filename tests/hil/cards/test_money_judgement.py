"""A book broken on purpose is seen: each mistake with the players' money by the rule it breaks."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.core.cards import correction, terminals
from firmware.core.cards.table import CardTable
from firmware.stakes import accounts, bets_behind, card_book, card_money
from firmware.stakes.answers import YES
from firmware.stakes.bets_behind import BetsBehind
from firmware.stakes.card_book import CardBook
from firmware.stakes.card_money import CardMoney, credits_of
from firmware.stakes.terminal_book import TerminalBook
from tools.hil.cards import money, notices, oracle, work
from tools.hil.cards.scenario import Plan
from tools.hil.verdict import CRASHED, OUTCOME

Patch = pytest.MonkeyPatch
LIVE = ("blackjack_live",)


def broken(rounds: int, *names: str, seed: int = 1, games: tuple[str, ...] = LIVE) -> set[str]:
    """The rules that a campaign of those faults sees broken; of clean rounds if none is named."""
    plan = Plan(seed, rounds, 0, names, games, accounts=True)
    return {each["rule"] for row in work.rows(plan, 1) for each in row["broken"]}


def test_nothing_is_broken_as_it_is() -> None:
    assert broken(36) == set()


def test_followers_that_follow_without_money(monkeypatch: Patch) -> None:
    """Where the funds are nobody's, each of them follows (art. 62)."""
    monkeypatch.setattr(BetsBehind, "funds", lambda self, seat: {})
    assert {money.BALANCE, oracle.WRONG_PAY} <= broken(48, "follower_without_funds")


def test_followers_whose_money_is_looked_at_once(monkeypatch: Patch) -> None:
    """At the call, and not as it is decided: what is put in meanwhile counts for nothing."""
    right = BetsBehind.funds
    first: dict[Any, Any] = {}

    def funds(self: BetsBehind, seat: int) -> Any:
        return first.setdefault((id(self), self._book.coup, seat), right(self, seat))

    monkeypatch.setattr(BetsBehind, "funds", funds)
    found = broken(96, "follower_without_funds", "put_in_in_round", seed=4)
    assert found >= {money.BALANCE, oracle.WRONG_PAY}


def test_an_addition_that_is_not_paid(monkeypatch: Patch) -> None:
    monkeypatch.setattr(card_money, "_laid", lambda record, row: [])
    assert {money.BALANCE, money.SUMS, CRASHED} & broken(24)


def test_a_cent_that_is_lost(monkeypatch: Patch) -> None:
    right = CardMoney._settle

    def settle(self: CardMoney, settled: Any, *given: Any) -> None:
        right(self, settled, *given)
        self._credit(settled.stakes["stakes"][0].get("account") or 1, -1)

    monkeypatch.setattr(CardMoney, "_settle", settle)
    assert {money.BALANCE, money.SUMS} <= broken(12)


def test_a_void_that_keeps_what_lay(monkeypatch: Patch) -> None:
    right = CardMoney._settle

    def settle(self: CardMoney, settled: Any, *given: Any) -> None:
        if settled.end.get("reason") is None:
            right(self, settled, *given)

    monkeypatch.setattr(CardMoney, "_settle", settle)
    assert {money.BALANCE, money.SUMS} <= broken(24, "void_asked")


def test_a_round_that_is_settled_again(monkeypatch: Patch) -> None:
    right = CardMoney._ended

    def ended(self: CardMoney, end: Any) -> None:
        stakes = self._stakes
        right(self, end)
        if stakes is not None and self.day and self.day[-1].stakes is stakes:
            again = self.day[-1]
            self._settle(again, credits_of(again))

    monkeypatch.setattr(CardMoney, "_ended", ended)
    assert {money.BALANCE, money.SUMS} <= broken(12)


def test_a_restart_that_folds_no_decision(monkeypatch: Patch) -> None:
    kinds = tuple(kind for kind in accounts.FOLDED if kind != "card_engagement")
    monkeypatch.setattr(accounts, "FOLDED", kinds)
    assert broken(48, "killed", "killed_recording")


def test_a_player_who_is_told_another_sum(monkeypatch: Patch) -> None:
    right = card_book.credits_of

    def credits_of(settled: Any) -> Any:
        return [
            each._replace(payment=each.payment._replace(won_cents=each.payment.won_cents + 1))
            for each in right(settled)
        ]

    monkeypatch.setattr(card_book, "credits_of", credits_of)
    assert broken(12) == {notices.HEARD}


def test_a_player_who_is_not_told(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardBook, "_tell_paid", lambda self, settled: None)
    assert broken(24) == {notices.HEARD}


def test_a_player_who_is_told_twice(monkeypatch: Patch) -> None:
    right = CardBook._tell_all

    def tell_all(self: CardBook, *given: Any) -> None:
        right(self, *given)
        right(self, *given)

    monkeypatch.setattr(CardBook, "_tell_all", tell_all)
    assert broken(12) == {notices.HEARD}


def test_who_decides_for_another(monkeypatch: Patch) -> None:
    """Any seat is his who asks."""
    right = CardBook.decide

    def decide(self: CardBook, terminal: int, *given: Any) -> Any:
        self._holder = lambda seat: self._seats.get(terminal)  # type: ignore[method-assign]
        answer = right(self, terminal, *given)
        del self._holder  # type: ignore[method-assign]
        return answer

    monkeypatch.setattr(CardBook, "decide", decide)
    assert money.ANSWER in broken(36, "seat_of_another")


def test_a_decision_that_came_after_the_next_card(monkeypatch: Patch) -> None:
    from firmware.core.cards.table import CardTable

    right = CardTable._decided

    def decided(self: CardTable, event: Any) -> None:
        right(self, event._replace(seen=None))

    monkeypatch.setattr(CardTable, "_decided", decided)
    assert money.ANSWER in broken(60, "seat_too_late")


def test_who_sits_and_bets_behind(monkeypatch: Patch) -> None:
    def sign_on(self: BetsBehind, n: int) -> Any:
        self._signed_on.append(n)
        return YES

    monkeypatch.setattr(BetsBehind, "sign_on", sign_on)
    assert money.ANSWER in broken(24, "follower_sits_too")


def test_who_bets_behind_nobody(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardBook, "is_played", lambda self, seat: True)
    assert broken(36, "follower_of_nobody") == {money.ANSWER}


def test_money_that_is_taken_in_again_after_a_restart(monkeypatch: Patch) -> None:
    monkeypatch.setattr(accounts.Accounts, "was_deposited", lambda self, *request: False)
    right = accounts.Accounts._moved

    def moved(self: accounts.Accounts, body: Any) -> None:
        self._requests.clear()
        right(self, body)

    monkeypatch.setattr(accounts.Accounts, "_moved", moved)
    assert money.SUMS in broken(96, "killed_with_money", games=("baccarat_live",))


def test_a_payout_of_what_lies(monkeypatch: Patch) -> None:
    right = accounts.Accounts.pay_out

    def pay_out(self: Any, n: int, cents: int, *, reserved_cents: int, who: str) -> Any:
        return right(self, n, cents, reserved_cents=0, who=who)

    monkeypatch.setattr(accounts.Accounts, "pay_out", pay_out)
    assert broken(96, "paid_out_in_round", games=("baccarat_live",))


def test_who_is_signed_off_and_keeps_his_stakes(monkeypatch: Patch) -> None:
    monkeypatch.setattr(TerminalBook, "_unsealed", lambda self: [])
    assert broken(36, "unseated") - {OUTCOME}


@pytest.mark.parametrize("times", [0.1, 10])
def test_a_desk_that_books_another_sum(monkeypatch: Patch, times: float) -> None:
    right = accounts.Accounts.deposit

    def deposit(self: Any, n: int, cents: int, *, terminal: int, who: str) -> Any:
        return right(self, n, int(cents * times), terminal=terminal, who=who)

    monkeypatch.setattr(accounts.Accounts, "deposit", deposit)
    assert money.ENTRY in broken(12)


def test_a_payout_of_a_cent_less(monkeypatch: Patch) -> None:
    right = accounts.Accounts.pay_out

    def pay_out(self: Any, n: int, cents: int, *, reserved_cents: int, who: str) -> Any:
        return right(self, n, cents, reserved_cents=reserved_cents + 1, who=who)

    monkeypatch.setattr(accounts.Accounts, "pay_out", pay_out)
    assert money.ENTRY in broken(24, "paid_out_in_round")


def test_a_deposit_that_is_forgotten(monkeypatch: Patch) -> None:
    """The employee at the desk is told nothing."""
    right = TerminalBook.entry

    def entry(self: Any, what: str, given: Any) -> Any:
        if what == accounts.DEPOSIT and given["cents"] % 300 == 0:
            return "the desk is closed."
        return right(self, what, given)

    monkeypatch.setattr(TerminalBook, "entry", entry)
    assert money.ENTRY in broken(24)


LU = ("blackjack_lu",)
GOLD, GOLD_SEED = 12, 147  # a Gold Jack of two players with accounts, in round 2


def test_a_gold_jack_that_is_told_before_it_is_paid(monkeypatch: Patch) -> None:
    """As though the management knew of it at once; the accounts are right."""
    right = card_book.credits_of

    def credits_of(settled: Any) -> Any:
        return [each._replace(waits=False) for each in right(settled)]

    monkeypatch.setattr(card_book, "credits_of", credits_of)
    assert broken(GOLD, games=LU, seed=GOLD_SEED) == {notices.HEARD}


def test_a_gold_jack_that_is_never_told(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardBook, "_tell_round", lambda self, number, accounts: None)
    assert broken(GOLD, games=LU, seed=GOLD_SEED) == {notices.HEARD}


def test_a_gold_jack_that_is_told_again(monkeypatch: Patch) -> None:
    right = CardBook._tell_round

    def tell_round(self: CardBook, number: int, accounts: Any) -> None:
        right(self, number, accounts)
        for each in list(self._settled.values()):
            each += [one for one in each if one[0].coup == number]

    monkeypatch.setattr(CardBook, "_tell_round", tell_round)
    assert broken(GOLD, games=LU, seed=GOLD_SEED) == {notices.HEARD}


def test_a_void_of_which_another_sum_is_told(monkeypatch: Patch) -> None:
    """Of the table's own list too: what was laid counts."""
    right = card_book.credits_of

    def credits_of(settled: Any) -> Any:
        found = right(settled)
        if settled.end.get("reason") is None:
            return found
        return [
            each._replace(payment=each.payment._replace(stake_cents=each.payment.stake_cents - 1))
            for each in found
        ]

    monkeypatch.setattr(card_book, "credits_of", credits_of)
    assert broken(36, "void_asked") == {notices.HEARD}


def test_a_correction_that_leaves_the_accounts_as_they_were(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardMoney, "_corrected", lambda self, body: None)
    assert {money.BALANCE, money.SUMS} <= broken(24, "corrected")


def test_a_correction_that_pays_twice(monkeypatch: Patch) -> None:
    right = CardMoney._take

    def take(self: CardMoney, settled: Any, found: Any, times: int) -> None:
        if times > 0:
            right(self, settled, found, times)

    monkeypatch.setattr(CardMoney, "_take", take)
    assert {money.BALANCE, money.SUMS} <= broken(24, "corrected")


def test_a_correction_that_no_player_hears_of(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardBook, "_tell_round", lambda self, number, accounts: None)
    assert broken(36, "corrected") == {notices.HEARD}


def test_a_void_by_correction_that_gives_nothing_back(monkeypatch: Patch) -> None:
    """What lost stays lost, though the round does not count."""
    right = CardMoney._take

    def take(self: CardMoney, settled: Any, found: Any, times: int) -> None:
        kept = [each for each in found if times > 0 or each.payment.won_cents > 0]
        right(self, settled, kept, times)

    monkeypatch.setattr(CardMoney, "_take", take)
    assert {money.BALANCE, money.SUMS} <= broken(24, "corrected")


# --- what seats decide, and followers lay ---------------------------------------------------------
MONEY = {money.BALANCE, money.SUMS}


def test_a_decision_that_lays_and_is_not_taken_from_the_account(monkeypatch: Patch) -> None:
    """Its row says what it lays, and the end settles it."""
    monkeypatch.setattr(CardMoney, "_engaged", lambda self, row: self._engagements.append(row))
    assert broken(24) >= MONEY


def test_a_followers_win_that_is_paid_again_after_a_loss_of_power(monkeypatch: Patch) -> None:
    right = CardBook.restore

    def restore(self: CardBook, stakes: Any, end: Any) -> None:
        right(self, stakes, end)
        settled = None if self.money is None else self.money.cards().of_round(end["round"])
        for stake, payment, _ in () if settled is None else credits_of(settled):
            if payment.bet == "behind" and payment.won_cents > 0:
                self.money.cards()._credit(stake["account"], payment.returned_cents)

    monkeypatch.setattr(CardBook, "restore", restore)
    assert money.BALANCE in broken(96, "killed_recording", "killed")


def test_a_follower_with_nothing_left_who_is_taken_into_a_double(monkeypatch: Patch) -> None:
    right = BetsBehind.funds

    def funds(self: BetsBehind, seat: int) -> dict[str, int]:
        return dict.fromkeys(right(self, seat), 10_000_000)

    monkeypatch.setattr(BetsBehind, "funds", funds)
    assert broken(60, "follower_without_funds") & {money.BALANCE, oracle.WRONG_PAY}


def test_a_key_that_decides_for_who_decides_at_a_terminal(monkeypatch: Patch) -> None:
    """The two cross, and both count: of one hand, or of the next one."""
    monkeypatch.setattr(CardTable, "is_held", lambda self, seat: False)
    assert oracle.WRONG_DECISION in broken(48, "seat_and_key")


def test_a_second_decision_of_a_hand_to_which_its_terminal_hears_yes(monkeypatch: Patch) -> None:
    right = terminals.answer
    monkeypatch.setattr(terminals, "answer", lambda table, by, why_not: right(table, by, None))
    assert money.ANSWER in broken(48, "seat_twice")


def test_a_void_that_keeps_what_followers_laid(monkeypatch: Patch) -> None:
    right = CardMoney._settle

    def settle(self: CardMoney, settled: Any, found: Any) -> None:
        kept = [each for each in found if settled.end.get("reason") is None or _sits(each)]
        right(self, settled, kept)

    monkeypatch.setattr(CardMoney, "_settle", settle)
    assert broken(24, "void_asked") >= MONEY


def _sits(credit: Any) -> bool:
    return bool(credit.payment.bet == "main")


# --- corrections ----------------------------------------------------------------------------------
def test_a_correction_that_counts_money_twice_that_the_round_paid(monkeypatch: Patch) -> None:
    """As though what a round gave back were there as it was decided."""
    monkeypatch.setattr(bets_behind, "credits_of", lambda settled: [])
    assert broken(96, "corrected_anew", "paid_out_in_round", seed=3) >= MONEY


def test_a_void_that_becomes_a_result_and_takes_nothing_back(monkeypatch: Patch) -> None:
    right = CardMoney._take

    def take(self: CardMoney, settled: Any, found: Any, times: int) -> None:
        if times < 0 or settled.end.get("reason") is not None:
            right(self, settled, found, times)

    monkeypatch.setattr(CardMoney, "_take", take)
    assert broken(36, "corrected_from_void") >= MONEY


def test_a_correction_of_a_correction_that_is_refused(monkeypatch: Patch) -> None:
    right = correction.ask

    def ask(table: CardTable, asked: Any) -> str | None:
        if table.last is not None and "corrects" in table.last.end:
            return "it is corrected already."
        return right(table, asked)

    monkeypatch.setattr(correction, "ask", ask)
    assert broken(48, "corrected_twice") == {money.ENTRY}


def test_a_corrected_void_that_no_player_hears_of(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardBook, "_tell_round", lambda self, number, accounts: None)
    assert broken(36, "corrected_from_void") == {notices.HEARD}
