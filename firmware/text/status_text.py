"""How a table stands, in sentences: what `status` answers, for whoever stands there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boards import card_tables
from firmware.api import guarded
from firmware.core import faults
from firmware.core.cards import states as card_states
from firmware.core.coup import states
from firmware.lib.language import N_, Message, current
from firmware.text import call_status, card_words
from firmware.text.call_text import number
from firmware.text.event_text import names_of, rotation

_STANDS_MS = 1_000  # the loop comes round every 10 ms
# fmt: off
_STATES = {
    states.BETS_OPEN: N_("the bets are open"),
    states.BALL_IN_TRACK: N_("the ball runs in the track, and the bets are open"),
    states.NO_MORE_BETS: N_("rien ne va plus"),
    states.BALL_DROPPED: N_("rien ne va plus, and the ball has left the track"),
    states.DETECTED: N_("a number is detected, and not official yet"),
    states.CONFIRMED: N_("the number is {number}"),
    states.MANUAL: N_("a croupier and the management enter the number"),
    states.VOID: N_("the coup is void: {reason}"),
    states.FAULT: N_("out of play until a fault is cleared"),
    states.SERVICE: N_("out of play, for somebody looks after the wheel"),
}
_CARD_STATES = {
    card_states.NO_SHOE: N_("no shoe is ready"),
    card_states.BETS_OPEN: N_("the bets are open"),
    card_states.DEALING: N_("the cards are dealt"),
    card_states.INSURANCE: N_("the hands are asked for insurance"),
    card_states.PLAYING: N_("the hands are played"),
    card_states.DEALER: N_("the dealer draws"),
    card_states.DONE: N_("the end is being recorded"),
    card_states.CONFIRMED: N_("the result stands"),
    card_states.VOID: N_("the round is void: {reason}"),
    card_states.HOLD: N_("held: the croupier's screen says what to do"),
    card_states.FAULT: N_("out of play until a fault is cleared"),
}
# fmt: on


def sentences(name: str, status: dict[str, Any]) -> Iterator[Message]:
    """Gives how the table of that name stands, a sentence a line. The first begins with it."""
    state = status["state"]
    if state is None:
        yield Message("{name}: the controller has not begun to play yet.", name=name)
    else:
        yield Message("{name}: {what}.", name=name, what=_of_coup(status))
    if (age_ms := status.get("loop_age_ms")) is not None and age_ms > _STANDS_MS:
        yield Message("The controller has stood still for {ms} ms: restart it.", ms=age_ms)
    if status["rotor"] is not None and status.get("rotor_rpm"):
        rpm = number(status["rotor_rpm"], 1, current())
        way = rotation(status["rotor"])
        yield Message("The rotor turns {way}, {rpm} times a minute.", way=way, rpm=rpm)
    if status["last_number"] is not None and status["number"] is None:
        last, coup = status["last_number"], status["last_coup"]
        yield Message("The last number was {number}, of coup {coup}.", number=last, coup=coup)
    if status.get("employees") is not None:
        yield Message("At the table: {names}.", names=names_of(status["employees"]))
    if status.get("displays"):
        heard, displays = status["displays_heard"], status["displays"]
        yield Message("{heard} of {displays} displays answer.", heard=heard, displays=displays)
    for code in status["faults"]:
        yield Message("Fault {sentence}", sentence=Message(_fault(code)))
    if status.get("call") is not None:
        said = call_status.brief(**status["call"], language=current())
        yield Message("The call of rien ne va plus: {said}.", said=said)


def _of_coup(status: dict[str, Any]) -> Message:
    if status["game"] in card_tables.NAMES:
        return _of_round(status)
    reason = Message((status["reason"] or "").replace("_", " "))
    known = _STATES.get(status["state"], status["state"])
    what = Message(known, number=status["number"], reason=reason)
    if not status["coup"]:
        return Message("no coup yet, {what}", what=what)
    return Message("coup {coup}, {what}", coup=status["coup"], what=what)


def _of_round(status: dict[str, Any]) -> Message:
    known = _CARD_STATES.get(status["state"], status["state"])
    what = Message(known, reason=card_words.reason(status["reason"] or ""))
    if not status["coup"]:
        return Message("no round yet, {what}", what=what)
    return Message("round {n}, {what}", n=status["coup"], what=what)


def _fault(code: str) -> str:
    known = any(kind.code == code for kind in faults.FAULTS)  # not of a newer controller
    return guarded.public_sentence(code) if known else f"{code}."
