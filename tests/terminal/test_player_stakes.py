"""Seeds 003, s. 1.2: « Votre mise totale sera affichée dans la fenêtre « mise actuelle ». Vous
pouvez répéter votre dernière mise en cliquant sur le bouton « Dernière mise ». »"""

from typing import Any

import pytest
from players import on
from semi_automatic import SemiAutomatic

from firmware.bus.terminal import UNHEARD, WAITING_MAX, Decided, NotInPlay, Settled, Unseated
from firmware.bus.terminal_messages import Decide, SignOff, Stake, TakeBack
from firmware.services.terminal.commands import parse
from firmware.services.terminal.player_stakes import StakeSums
from firmware.services.terminal.program import Player
from firmware.stakes.answers import CardDue, CardPaid, CardSettled

HEARD = UNHEARD._replace(state="BETS_OPEN", coup=7, open=True, employee=True)
ROUGE, PLEIN = Stake(7, "rouge", 500, ()), Stake(7, "plein", 100, (17,))


class Line:
    """Stands for the terminal: what the controller says is set, what is asked is kept."""

    def __init__(self) -> None:
        self.standing, self.idle = UNHEARD, True
        self.asked: list[Any] = []
        self.happened: list[Any] = []

    def ask(self, ask: Any) -> None:
        self.asked.append(ask)

    def take_events(self) -> list[Any]:
        happened, self.happened = self.happened, []
        return happened


class Seat:
    """A player at a line in memory, and what he was told."""

    def __init__(self, *, script: str = "", name: str | None = None) -> None:
        self.line = Line()
        self.told: list[Any] = []
        line: Any = self.line
        orders = [order for text in script.splitlines() if (order := parse(text)) is not None]
        self.player = Player(line, orders, self.told.append, {}, name)
        self.hears()

    def hears(self, *events: Any, coup: int = 7, **standing: Any) -> None:
        self.line.happened = list(events)
        self.line.standing = HEARD._replace(coup=coup, **standing)
        self.player.after_step()

    def lays(self, *stakes: Stake, first: int = 2) -> None:
        self.hears(
            *(Decided(number, stake, True, "", "") for number, stake in enumerate(stakes, first))
        )

    def sums(self) -> list[StakeSums]:
        return [told for told in self.told if isinstance(told, StakeSums)]

    def refused_here(self) -> str:
        return str(self.told[-1])


def test_live_1_2_what_lies_is_shown_as_the_stakes_of_now() -> None:
    """« Votre mise totale sera affichée dans la fenêtre « mise actuelle ». »"""
    seat = Seat()
    seat.lays(ROUGE, PLEIN)
    assert seat.sums() == [StakeSums(600, 0, 0)]
    seat.hears(Decided(4, TakeBack(3), True, "", ""))
    assert seat.sums()[-1] == StakeSums(500, 0, 0)
    seat.hears(Decided(5, TakeBack(2), False, "", "no"), Decided(6, PLEIN, False, "", "no"))
    assert len(seat.sums()) == 2, "what was refused changes nothing"


def test_what_a_decision_lays_lies_too_until_the_round_has_ended() -> None:
    seat = Seat()
    seat.lays(Stake(7, "main", 1_000, (3,)), Stake(7, "main", 400, (4,)))
    for number, do, cents, sum_cents in (
        (4, "hit", 0, 1_400), (5, "insure", 0, 1_900), (6, "split", 0, 2_900),
        (7, "double", 0, 3_900), (8, "double", 300, 4_200), (9, "stand", 0, 4_200),
    ):  # fmt: skip
        kind, costs = ("insurance", 500) if do == "insure" else ("decision", 1_000)
        seat.hears(due=CardDue(kind, 3, 1, (do,), costs, 9, None, "11"))
        seat.hears(Decided(number, Decide(7, 3, 1, do, cents, 9), True, "", ""))
        assert seat.player._stakes.sums == StakeSums(sum_cents, 0, 0), do
    seat.hears(Decided(10, Decide(7, 3, 1, "double", 0, 9), False, "", "no"))
    paid = (CardPaid(2, "main", 3, 1, 1_000, 1_000), CardPaid(3, "main", 4, 1, 400, -400))
    seat.hears(CardSettled(7, {"dealer": 20}, paid), coup=8)
    assert seat.sums()[-1] == StakeSums(0, 7, 1_400), "only these are laid again"


@pytest.mark.req("LIVE-2.6.5.insurance")
def test_an_insurance_without_a_sum_lies_with_what_the_table_takes_for_it() -> None:
    """Chips of 5.00: half of 15.00 is 7.50, and 10.00 is laid."""
    seat = Seat()
    seat.lays(Stake(7, "main", 1_500, (3,)))
    seat.hears(due=CardDue("insurance", 3, 1, ("insure", "no_insurance"), 1_000, 9, None, "11"))
    seat.hears(due=CardDue("decision", 3, 1, ("hit", "stand"), 1_500, 9, None, "11"))
    seat.hears(Decided(4, Decide(7, 3, 1, "insure", 0, 9), True, "", ""))
    assert seat.sums()[-1] == StakeSums(2_500, 0, 0)


def test_live_1_2_the_stakes_of_the_last_coup_are_shown_and_laid_again() -> None:
    """« Vous pouvez répéter votre dernière mise en cliquant sur le bouton « Dernière mise ». »"""
    seat = Seat()
    seat.lays(ROUGE, PLEIN)
    seat.hears(Settled(7, 17, "black", ((3, 100, 3500), (2, 500, -500))), coup=8)
    assert seat.sums()[-1] == StakeSums(0, 7, 600)
    seat.player.typed("repeat")
    assert seat.line.asked == [Stake(0, "rouge", 500, ()), Stake(0, "plein", 100, (17,))]
    assert seat.sums()[-1] == StakeSums(0, 7, 600), "it lies once the controller says so"


def test_after_a_coup_that_he_sat_out_the_one_before_is_repeated() -> None:
    seat = Seat()
    seat.lays(ROUGE)
    seat.hears(Settled(7, None, None, ((2, 500, 0),)), coup=8)
    seat.hears(coup=9)
    seat.player.typed("repeat")
    assert seat.line.asked == [Stake(0, "rouge", 500, ())]


def test_what_took_no_part_is_not_repeated() -> None:
    seat = Seat()
    seat.lays(ROUGE, PLEIN)
    seat.hears(Settled(7, 17, "black", ((3, 100, 3500),)), NotInPlay(7, (2,)), coup=8)
    assert seat.sums()[-1] == StakeSums(0, 7, 100)


def test_what_is_paid_late_is_not_mixed_with_what_lies_for_the_next_coup() -> None:
    seat = Seat()
    seat.lays(ROUGE)
    seat.hears(Decided(3, PLEIN._replace(coup=8), True, "", ""), coup=8)
    assert seat.sums()[-1] == StakeSums(100, 0, 0)
    seat.hears(Settled(7, 0, "green", ((2, 500, -250),)), coup=8)
    assert seat.sums()[-1] == StakeSums(100, 7, 500)


@pytest.mark.parametrize(
    "leaves",
    [
        Unseated(8),
        Decided(9, SignOff(), True, "", ""),
        Decided(9, on("bert"), True, "", ""),
    ],
)
def test_nobody_repeats_or_sees_the_stakes_of_another_player(leaves: Any) -> None:
    seat = Seat(name="anna")
    seat.hears(Decided(1, on("anna"), True, "", ""), seated=True)
    seat.lays(ROUGE)
    seat.hears(Settled(7, 17, "black", ((2, 500, -500),)), coup=8)
    seat.hears(leaves, coup=8)
    assert seat.sums()[-1] == StakeSums(0, 0, 0)
    seat.player.typed("repeat")
    assert not [ask for ask in seat.line.asked if isinstance(ask, Stake)]


def test_who_signs_on_again_after_a_restart_of_the_controller_keeps_his_last_stakes() -> None:
    seat = Seat()
    seat.hears(Decided(1, on("anna"), True, "", ""))
    seat.lays(ROUGE)
    seat.hears(Settled(7, 17, "black", ((2, 500, -500),)), coup=8)
    seat.hears(Decided(3, on("anna"), True, "", ""), coup=8)
    assert seat.sums()[-1] == StakeSums(0, 7, 500)


def test_who_signs_on_as_he_sits_there_already_keeps_what_lies() -> None:
    """The controller says yes to his name written otherwise: nobody else can be meant."""
    seat = Seat()
    seat.hears(Decided(1, on("anna"), True, "", ""), seated=True)
    seat.hears(Decided(2, ROUGE, True, "", ""), seated=True)
    seat.hears(Decided(3, on("carla"), True, "", ""), seated=True)
    assert seat.sums() == [StakeSums(500, 0, 0)]


def test_a_terminal_that_starts_in_the_middle_of_a_coup_does_not_say_that_nothing_lies() -> None:
    seat = Seat()
    seat.player = Player(seat.line, None, seat.told.append, {}, None)  # type: ignore[arg-type]
    seat.hears(seated=True)
    assert seat.sums() == [StakeSums(None, 0, 0)]
    seat.hears(seated=True, coup=8)
    assert seat.sums()[-1] == StakeSums(0, 0, 0)


@pytest.mark.parametrize(
    ("order", "why"),
    [("repeat", "there is nothing to repeat"), ("clear", "there is nothing to take back")],
)
def test_nothing_to_repeat_or_take_back_is_said(order: str, why: str) -> None:
    seat = Seat()
    seat.player.typed(order)
    assert why in seat.refused_here()
    assert seat.line.asked == []


def test_clear_takes_back_what_lies_for_this_coup_the_last_laid_first() -> None:
    seat = Seat()
    seat.lays(ROUGE, PLEIN)
    seat.hears(Decided(4, PLEIN._replace(coup=8), True, "", ""), coup=8)
    seat.hears(Decided(5, ROUGE._replace(coup=8), True, "", ""), coup=8)
    seat.player.typed("clear")
    assert seat.line.asked == [TakeBack(5), TakeBack(4)]


def test_clear_waits_for_what_was_asked_before_and_what_is_typed_behind_waits_for_it() -> None:
    """Else a stake would lie that was asked before all was to be taken back."""
    seat = Seat()
    seat.player.typed("rouge 500")
    seat.line.idle = False
    seat.player.typed("clear")
    seat.player.typed("noir 100")
    assert seat.line.asked == [Stake(0, "rouge", 500, ())]
    seat.line.idle = True
    seat.lays(ROUGE)
    assert seat.line.asked[1:] == [TakeBack(2), Stake(0, "noir", 100, ())]


def test_what_waits_behind_a_clear_has_a_limit() -> None:
    seat = Seat()
    seat.line.idle = False
    for _ in range(WAITING_MAX):
        seat.player.typed("clear")
    assert "waiting" not in seat.refused_here()
    seat.player.typed("clear")
    assert "too much is waiting already" in seat.refused_here()


def test_a_script_repeats_once_it_was_paid() -> None:
    seat = Seat(script="at SETTLED: repeat\nat coup 8 BETS_OPEN: clear\n")
    seat.lays(ROUGE)
    assert seat.line.asked == []
    seat.line.idle = False  # as from the first ask on
    seat.hears(Settled(7, 17, "black", ((2, 500, -500),)), coup=8)
    seat.line.idle = True
    seat.hears(coup=8)
    assert seat.line.asked == [Stake(0, "rouge", 500, ())]


class AtTable:
    """A player at terminal 1 of a whole table; what happened there is told to him."""

    def __init__(self, board: str) -> None:
        self.table = SemiAutomatic(board)
        self.table.employee()
        self.told: list[Any] = []
        self._seen = 0
        terminal: Any = self
        self.player = Player(terminal, None, self.told.append, {}, None)

    @property
    def standing(self) -> Any:
        return self.table.terminals[0].standing

    @property
    def idle(self) -> bool:
        return self.table.terminals[0].idle

    def ask(self, ask: Any) -> None:
        self.table.terminals[0].ask(ask)

    def take_events(self) -> list[Any]:
        happened = self.table.happened[0]
        new, self._seen = happened[self._seen :], len(happened)
        return new

    def types(self, text: str) -> list[Decided]:
        """What became of all that a line asks."""
        before = len(self.told)
        self.player.typed(text)
        self.until(lambda: self.idle)
        return [told for told in self.told[before:] if isinstance(told, Decided)]

    def until(self, done: Any) -> None:
        self.table.play_until(done)
        self.player.after_step()


def test_what_is_repeated_is_judged_anew_sealed_and_paid() -> None:
    anna = AtTable("roulette_ref")
    anna.types("on 1 4711")
    assert [one.accepted for one in anna.types("rouge 20000")] == [True]
    assert [one.accepted for one in anna.types("plein 17 300")] == [True]
    anna.until(lambda: anna.table.of(0, Settled))
    again = anna.types("repeat")
    assert [(one.ask.bet, one.ask.cents, one.ask.coup) for one in again] == [
        ("rouge", 20_000, 2),
        ("plein", 300, 2),
    ]
    assert all(one.accepted for one in again)
    twice = anna.types("repeat")
    assert [(one.accepted, one.rule) for one in twice] == [(False, "art. 37-3"), (True, "")]
    anna.until(lambda: len(anna.table.recorded("stakes")) == 2)
    first, second = anna.table.recorded("stakes")
    assert (first["total_cents"], second["total_cents"]) == (20_300, 20_600)
    late = anna.types("repeat")
    assert {(one.accepted, one.rule) for one in late} == {(False, "art. 37-1")}


def test_clear_gives_all_back_until_the_call_and_nothing_after_it() -> None:
    """Art. 37-1: « les mises effectivement placées » at « rien ne va plus » have taken part."""
    anna = AtTable("roulette_ref")
    anna.types("on 1 4711")
    for order in ("rouge 200", "rouge 100", "plein 17 100"):
        assert anna.types(order)[0].accepted
    cleared = anna.types("clear")
    assert [one.ask for one in cleared] == [TakeBack(4), TakeBack(3), TakeBack(2)]
    assert all(one.accepted for one in cleared)
    assert anna.table.book.accepted_stakes(1) == []
    assert anna.types("noir 200")[0].accepted
    anna.until(anna.table.called)
    (refused,) = anna.types("clear")
    assert (refused.accepted, refused.rule) == (False, "art. 37-1")
    anna.until(lambda: anna.table.of(0, Settled))
    assert [entry[:2] for entry in anna.table.of(0, Settled)[0].entries] == [(8, 200)]
    assert anna.player._sums == StakeSums(0, 1, 200)
