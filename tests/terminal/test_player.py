"""The player of `cylindre terminal`: who sits down by himself, and who does not any more."""

from typing import Any

from players import on

from firmware.bus.terminal import UNHEARD, Decided, Unseated
from firmware.bus.terminal_messages import PutIn, SignOff
from firmware.services.terminal.commands import sign_on
from firmware.services.terminal.program import Player
from firmware.services.terminal.text import GivenBack, NotEntered

HEARD = UNHEARD._replace(state="BETS_OPEN", coup=7, open=True, employee=True)


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


def player(line: Any) -> Player:
    return Player(line, None, lambda told: None, {}, on("anna"))


def after_a_restart(line: Line, who: Player) -> None:
    for standing in (UNHEARD, HEARD):
        line.standing = standing
        who.after_step()


def test_after_a_restart_of_the_controller_he_signs_on_again() -> None:
    line = Line()
    who = player(line)
    who._signing = False
    after_a_restart(line, who)
    assert line.asked == [on("anna"), on("anna")]


def test_whom_an_employee_signed_off_sits_down_only_when_a_person_says_so() -> None:
    line = Line()
    who = player(line)
    who._signing = False
    line.happened = [Unseated(7)]
    line.standing = HEARD
    who.after_step()
    after_a_restart(line, who)
    assert line.asked == [on("anna")]
    who.typed("on 1 4711")
    assert line.asked == [on("anna"), sign_on(1, "4711")]


SEATED = HEARD._replace(seated=True, funds_cents=5_000)


def carded(told: list[Any]) -> tuple[Line, Player]:
    """Somebody's card is in, and he is signed on."""
    line = Line()
    who = Player(line, None, told.append, {}, None)
    line.standing = HEARD
    who.after_step()
    who.typed("card 1 4711")
    line.standing = SEATED
    who.after_step()
    assert line.asked == [sign_on(1, "4711")]
    return line, who


def test_a_card_that_is_pulled_out_asks_to_leave_until_the_seat_is_free() -> None:
    """A stake lay: the controller refuses, and nothing may be asked for him meanwhile."""
    told: list[Any] = []
    line, who = carded(told)
    who.typed("pull")
    for text in ("rouge 500", "insert 500", "repeat"):
        who.typed(text)
    who.after_step()
    assert line.asked[1:] == [SignOff()]
    line.standing = SEATED._replace(coup=8)
    who.after_step()
    who.after_step()
    assert line.asked[1:] == [SignOff(), SignOff()]
    line.standing = HEARD._replace(coup=8)
    who.after_step()
    after_a_restart(line, who)
    assert line.asked[1:] == [SignOff(), SignOff()]  # nobody signs on again by himself
    who.typed("card 2 4712")
    assert line.asked[-1] == sign_on(2, "4712")


def test_money_is_stacked_as_it_is_asked_for_and_else_comes_back() -> None:
    told: list[Any] = []
    line, who = carded(told)
    who.typed("insert 5000")
    assert line.asked[-1] == PutIn(5_000)
    assert (who._acceptor.stacked_cents, who._acceptor.escrow_cents) == (5_000, 0)
    line.happened = [Decided(2, PutIn(5_000), False, "art. 62", "no")]
    who.after_step()
    assert NotEntered(5_000) in told
    line.standing = HEARD
    who.after_step()
    who.typed("insert 2000")
    assert GivenBack(2_000) in told
    assert (who._acceptor.stacked_cents, who._acceptor.escrow_cents) == (5_000, 0)


def test_money_that_cannot_be_asked_for_is_not_kept() -> None:
    told: list[Any] = []
    line, who = carded(told)

    def full(ask: Any) -> None:
        raise ValueError("too much is waiting already")

    line.ask = full  # type: ignore[method-assign]
    who.typed("insert 5000")
    assert GivenBack(5_000) in told
    assert (who._acceptor.stacked_cents, who._acceptor.escrow_cents) == (0, 0)
