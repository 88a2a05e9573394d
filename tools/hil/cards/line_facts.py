"""Lines of JSON of a card table, as the facts they were (firmware/core/cards/lines.py)."""

from __future__ import annotations

from typing import Any

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.lines import GUIDE
from rules.cards import deck
from rules.cards.due import CardPayment

_KINDS: dict[str, Any] = {
    "round_started": facts.RoundStarted,
    "bets_closed": facts.BetsClosed,
    "card_dealt": facts.CardDealt,
    "hole_turned": facts.HoleTurned,
    "hole_checked": facts.HoleChecked,
    "engaged": facts.Engaged,
    "round_result": facts.RoundResult,
    "held_paid": facts.HeldPaid,
    "round_void": facts.RoundVoid,
    "round_correction": facts.RoundCorrection,
    "fault": core_facts.Fault,
    "fault_ended": core_facts.FaultEnded,
}
_OF_GUIDE = ("t_us", "event", "code", "seen", "until_us")


def decode(told: dict[str, Any], at_us: int) -> Any:
    """The fact that a line tells; None for one that is none of a round, as who is at the table.

    `at_us`: when the line came, which is its time.
    """
    if told["event"] == GUIDE:
        args = tuple((key, told[key]) for key in told if key not in _OF_GUIDE)
        return facts.Guide(at_us, told["code"], args, told["seen"], told["until_us"])
    kind = _KINDS.get(told["event"])
    if kind is None:
        return None
    return kind(at_us, *(_value(name, told[name]) for name in kind._fields[1:]))


def _value(name: str, value: Any) -> Any:
    if name == "card":
        return None if value is None else deck.card_of(value)
    if name == "cards":
        return [deck.card_of(each) for each in value]
    if name == "payments":
        return [CardPayment(**each) for each in value]
    if name in ("returned", "decisions"):
        return [tuple(each.values()) for each in value]
    return value
