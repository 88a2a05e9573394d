"""Lines of JSON of a card table come back as the facts they were."""

from __future__ import annotations

import json
from typing import Any

import pytest

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.lines import _FACTS
from firmware.text.event_text import json_line
from rules.cards.due import CardPayment
from tools.hil.cards.line_facts import decode

PAID = [CardPayment("p1", "main", 1, 1, 1000, 1500, 2500)]
FACTS: tuple[Any, ...] = (
    facts.RoundStarted(5, 1),
    facts.BetsClosed(6, 1, 2, 3_000),
    facts.CardDealt(7, 1, 1, "s1", 22),
    facts.CardDealt(7, 1, 4, "d*", None),
    facts.HoleTurned(8, 1, 4, 51),
    facts.HoleChecked(8, 1, True),
    facts.Engaged(9, 1, 1, 1, 1, "hit", facts.BY_KEYS, 4, None),
    facts.RoundResult(10, 1, 1, {"winner": "tie"}, "00", True, PAID, [0]),
    facts.HeldPaid(11, 1, "bruno", PAID),
    facts.RoundVoid(12, 2, 2, "croupier", [("p1", "main", 1, 1, 1000)]),
    facts.RoundCorrection(13, 1, 3, 1, None, "croupier", PAID, [], [22, 51], [(1, 1, "hit", None)]),
    facts.Guide(14, facts.DEAL, (("to", "s1"), ("then", None)), 3, 15),
    core_facts.Fault(15, "K13", "K13: silent."),
    core_facts.FaultEnded(16, "K13", "silent", "K13: it works again."),
)


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_comes_back_at_the_time_when_its_line_came(fact: Any) -> None:
    line = json_line(fact)
    assert line is not None
    back = decode(json.loads(line), 99)
    assert type(back) is type(fact)
    assert back == fact._replace(at_us=99)


def test_every_fact_of_a_round_is_known() -> None:
    assert {each[0] for each in _FACTS} <= {type(fact) for fact in FACTS}


def test_a_line_of_no_round_is_none() -> None:
    assert decode({"t_us": 5, "event": "employees", "names": []}, 99) is None
