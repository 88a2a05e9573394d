"""A machine broken on purpose is seen: each mistake by the rule that it breaks."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.core.cards import ending, facts, hold, shoe_count, shown
from firmware.core.cards.fold import Fold
from firmware.core.cards.play import Play
from firmware.core.cards.shoe import Shoe
from firmware.core.cards.shoe_count import ShoeCount
from firmware.core.cards.table import CardTable
from firmware.stakes import card_kinds
from tools.hil.cards import oracle, work
from tools.hil.cards.scenario import Plan
from tools.hil.verdict import CRASHED, FALSE_ALARM, NO_ENDING, OUTCOME, UNNOTICED

Patch = pytest.MonkeyPatch


def broken(rounds: int, *names: str, pairs: int = 0, seed: int = 1) -> set[str]:
    """The rules that a campaign of those faults sees broken; of clean rounds if none is named."""
    plan = Plan(seed, rounds, pairs, names)
    return {each["rule"] for row in work.rows(plan, 1) for each in row["broken"]}


def foreign_without(patch: Patch, why: str) -> None:
    """A count that takes a card which is foreign for that."""
    right = ShoeCount.why_foreign

    def why_foreign(self: ShoeCount, card: int, ident: str) -> str | None:
        found = right(self, card, ident)
        return None if found == why else found

    patch.setattr(ShoeCount, "why_foreign", why_foreign)


def test_a_repeated_identity_that_is_accepted(monkeypatch: Patch) -> None:
    foreign_without(monkeypatch, shoe_count.SEEN_BEFORE)
    assert broken(36, "foreign_copy") == {oracle.FOREIGN, OUTCOME, UNNOTICED}


def test_a_card_of_another_set_that_is_accepted(monkeypatch: Patch) -> None:
    foreign_without(monkeypatch, shoe_count.OTHER_SET)
    assert oracle.FOREIGN in broken(36, "foreign_set")


def test_a_count_that_is_skipped(monkeypatch: Patch) -> None:
    foreign_without(monkeypatch, shoe_count.TOO_OFTEN)
    assert {oracle.FOREIGN, CRASHED} & broken(48, "foreign_kind")


def test_a_void_that_is_paid_as_a_loss(monkeypatch: Patch) -> None:
    monkeypatch.setattr(ending.card_round, "laid", lambda round_: [])
    assert oracle.VOID_SHORT in broken(24, "void_asked")


def test_a_void_that_is_a_cent_short(monkeypatch: Patch) -> None:
    right = ending.card_round.laid

    def laid(round_: Any) -> Any:
        *rest, (player, bet, seat, hand, cents) = right(round_)
        return [*rest, (player, bet, seat, hand, cents - 1)]

    monkeypatch.setattr(ending.card_round, "laid", laid)
    assert oracle.VOID_SHORT in broken(24, "void_asked")


def test_a_payment_that_is_another(monkeypatch: Patch) -> None:
    def confirm(table: CardTable, who: str) -> None:
        payments = table.play.round.payments()
        table.play.round.payments = lambda: [
            payment._replace(won_cents=payment.won_cents + 1) for payment in payments
        ]
        confirmed(table, who)

    confirmed = ending.confirm
    monkeypatch.setattr(ending, "confirm", confirm)
    assert oracle.WRONG_PAY in broken(12)


def test_a_result_told_before_it_is_durable(monkeypatch: Patch) -> None:
    right = CardTable.pop_durable

    def pop_durable(self: CardTable, ticket: int) -> Any:
        """Any record will do."""
        return right(self, self._waiting[0][0] if self._waiting else ticket)

    monkeypatch.setattr(CardTable, "pop_durable", pop_durable)
    assert oracle.NOT_DURABLE in broken(144)  # some confirm by themselves


def test_a_hole_card_that_is_shown(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Play, "is_hole_down", property(lambda self: False))
    assert oracle.HOLE_TOLD in broken(48)


def test_a_hold_that_says_no_way_out(monkeypatch: Patch) -> None:
    monkeypatch.setattr(hold, "ways", lambda table: ())
    assert oracle.NO_SENTENCE in broken(24, "card_unread")


def test_an_entered_card_that_counts_again(monkeypatch: Patch) -> None:
    """And nobody is asked whether what was told late lies there."""
    monkeypatch.setattr(Shoe, "_was_entered", lambda self, card, lost: False)
    sure = property(lambda self: None, lambda self, value: None)
    monkeypatch.setattr(Shoe, "unsure", sure, raising=False)
    assert oracle.WRONG_CARDS in broken(96, "line_silent_long")


def test_a_card_that_no_reader_names_and_the_machine_guesses(monkeypatch: Patch) -> None:
    right = hold.card

    def card(table: CardTable, read: facts.CardRead, lost: int) -> None:
        right(table, read if read.card is not None else read._replace(card=7), lost)

    monkeypatch.setattr(hold, "card", card)
    assert oracle.WRONG_CARDS in broken(24, "card_unread")


def test_a_restart_that_forgets_the_stakes(monkeypatch: Patch) -> None:
    right = Fold.add

    def add(self: Fold, kind: str, body: Any) -> None:
        if kind != card_kinds.STAKES:
            right(self, kind, body)

    monkeypatch.setattr(Fold, "add", add)
    assert oracle.VOID_SHORT in broken(48, "killed")


def test_a_table_that_stops(monkeypatch: Patch) -> None:
    monkeypatch.setattr(CardTable, "turn", lambda self: None)
    assert NO_ENDING in broken(48)


def test_a_table_that_begins_no_other_round(monkeypatch: Patch) -> None:
    from firmware.core.cards import keys

    right = keys.start
    monkeypatch.setattr(keys, "start", lambda table: "no." if table.round else right(table))
    assert broken(12) == {NO_ENDING}


def test_a_key_at_the_bell_that_decides_for_the_next_hand(monkeypatch: Patch) -> None:
    from firmware.core.cards import keys

    monkeypatch.setattr(keys, "MEANT_US", 0)
    assert oracle.WRONG_DECISION in broken(96, "decision_at_the_bell")


def test_a_guide_that_sends_a_card_elsewhere_is_no_other_round(monkeypatch: Patch) -> None:
    """Cards count in the order they are drawn: what the screen says of places changes nothing."""
    right = shown.guide

    def guide(table: CardTable) -> Any:
        code, args, until_us = right(table)
        if code == facts.DEAL:
            args = (("to", "s7"), *args[1:])
        return code, args, until_us

    monkeypatch.setattr(shown, "guide", guide)
    assert broken(24) == set()


def test_a_count_that_forgets_what_came_out_as_the_power_went(monkeypatch: Patch) -> None:
    right = ShoeCount.greet

    def greet(self: ShoeCount, hello: facts.ShoeLoaded) -> int:
        right(self, hello)
        return 0

    monkeypatch.setattr(ShoeCount, "greet", greet)
    assert broken(120, "killed_recording", "cut_pressed", seed=5) == {FALSE_ALARM}
