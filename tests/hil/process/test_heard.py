"""Lines of JSON come back as the facts they were."""

import json

import pytest

from firmware.core import facts
from firmware.text.event_text import json_line
from tools.hil.stage.transcript import decode_fact, decode_truth
from tools.sim.truth import CoupTruth

FACTS = (
    facts.CoupStarted(5, 1, facts.CW),
    facts.RotorMoving(6, 1, facts.CCW),
    facts.BallInTrack(7, 1, facts.UNKNOWN),
    facts.NoMoreBets(8, 1),
    facts.BallDropped(9, 1),
    facts.Result(10, 1, 1, 17, 8, "black", True, True),
    facts.Void(11, 2, 2, "croupier"),
    facts.Correction(12, 1, 3, 1, None, None, None, "disputed"),
    facts.Fault(13, "W21", "Clean it."),
    facts.FaultEnded(13, "B11", "1", "Display 1 answers again."),
    facts.OrphelinPaidIn(14, 1, 500, 500, "Paid in."),
)


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_comes_back(fact: tuple) -> None:
    line = json_line(fact)
    assert line is not None
    back = decode_fact(json.loads(line), shift_us=100, heard_us=0)
    assert type(back) is type(fact)
    assert back == fact._replace(at_us=fact.at_us + 100)


@pytest.mark.parametrize("fact", FACTS)
def test_a_call_and_a_fault_are_at_the_time_when_they_were_heard(fact: tuple) -> None:
    """Nobody can heed a call sooner, whatever time it says of itself."""
    line = json_line(fact)
    assert line is not None
    back = decode_fact(json.loads(line), shift_us=100, heard_us=20_000)
    late = type(fact) in (facts.NoMoreBets, facts.Fault)
    assert back.at_us == (20_000 if late else fact.at_us + 100)


def test_every_event_that_is_told_is_known() -> None:
    assert {type(fact) for fact in FACTS} | {facts.Detected} == {each[0] for each in facts._FACTS}


def test_a_detected_number_is_not_told() -> None:
    line = json_line(facts.Detected(5, 1, 17, 8))
    assert line is not None
    assert decode_fact(json.loads(line), shift_us=0, heard_us=0) == facts.Detected(5, 1, 0, 0)


def test_a_truth_comes_back() -> None:
    truth = CoupTruth(3, 1000, rotor=-1, number=17, compartment=8, lay=((5, 6, 7),))
    assert decode_truth(json.loads(json.dumps(truth.as_dict()))) == truth
