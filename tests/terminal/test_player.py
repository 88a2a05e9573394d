"""The player of `cylindre terminal`: who sits down by himself, and who does not any more."""

from typing import Any

from players import on

from firmware.bus.terminal import UNHEARD, Unseated
from firmware.services.terminal.commands import sign_on
from firmware.services.terminal.program import Player

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
