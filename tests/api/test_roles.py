"""What a technician may do over the socket, and what takes a supervisor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from service_bench import Caller, code, decide, log_in, signer

from firmware.api.requests import event, parse
from firmware.api.server import Service
from firmware.api.sessions import Person
from firmware.api.values import DETAILED_ACTS, Refused
from firmware.core.facts import CCW, CW, UNKNOWN, ActDone, ServiceAsked, TurnAsked
from firmware.keys.people import People
from firmware.lib.places import CONTROL
from firmware.store.acts import SERVICE_ACTS


def test_only_a_supervisor_takes_the_wheel_out_of_play_or_turns_it(
    wheel: Service, call: Any
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    for request in (
        {"do": "service", "on": True, "why": "check"},
        {"do": "turn", "way": "ccw"},
        {"do": "calibrate", "values": {}},
        {"do": "acknowledge", "code": "H12", "why": "x"},
        {"do": "shift", "croupier": 4},
    ):
        assert code(caller.ask(**request, session=session)) == "wrong_role"


def test_what_a_supervisor_asks_is_the_cores_to_decide_with_name_and_role(
    wheel: Service, call: Any
) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    caller.say(b'{"do":"service","session":"%s","on":true,"why":"check"}\n' % session.encode())
    asked = decide(wheel, ServiceAsked)
    assert asked == ServiceAsked(0, "sue", "supervisor", True, "check")
    assert caller.hear() == {"ok": True, "do": "service"}
    caller.say(b'{"do":"turn","session":"%s","way":"cw","rpm":20,"for_s":30}\n' % session.encode())
    turned = decide(wheel, TurnAsked, "P10: What was asked is not done: x. Look.")
    assert turned == TurnAsked(0, "sue", "supervisor", CW, 333_333, 30_000_000)
    assert code(caller.hear()) == "not_now"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"way": "ccw", "rpm": 5, "for_s": 1}, (CCW, 83_333, 1_000_000)),
        ({"way": "cw", "rpm": 28.0, "for_s": 120}, (CW, 466_667, 120_000_000)),
        ({"way": None}, (UNKNOWN, 0, 0)), ({"way": "ccw", "rpm": 20}, None),
        ({"way": "cw", "for_s": 20}, None),
        ({"way": "ccw", "rpm": 4.9}, None), ({"way": "ccw", "rpm": 29}, None),
        ({"way": "ccw", "rpm": True}, None), ({"way": "ccw", "rpm": "20"}, None),
        ({"way": "ccw", "for_s": 0}, None), ({"way": "ccw", "for_s": 121}, None),
        ({"way": "ccw", "for_s": float("nan")}, None), ({"way": "ccw", "rpm": float("inf")}, None),
        ({"way": "left"}, None), ({"way": 1}, None), ({"way": ["ccw"]}, None), ({}, None),
    ],
)  # fmt: skip
def test_a_turn_is_within_its_limits_or_refused(
    wheel: Service, call: Any, given: dict[str, Any], expected: Any
) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    if expected is None:
        answer = caller.ask(do="turn", session=session, **given)
        assert code(answer) in ("wrong_value", "wrong_keys", "not_json")
        return
    line = {"do": "turn", "session": session, **given}
    caller.say(json.dumps(line).encode() + b"\n")
    assert decide(wheel, TurnAsked)[3:] == expected


@pytest.mark.parametrize(
    "given",
    [
        {"what": "theft", "detail": "x"}, {"what": "note", "detail": ""},
        {"what": "note", "detail": "x" * 401}, {"what": "note", "detail": "a\nb"},
        {"what": "note", "detail": "x", "sha256": "AB" * 32},
        {"what": "note", "detail": "x", "sha256": "ab" * 31},
        {"what": "note", "detail": "x", "sha256": 7}, {"what": ["note"], "detail": "x"},
        {"what": "acknowledged", "detail": "H12: x"},
    ],
)  # fmt: skip
def test_an_act_is_of_a_known_kind_and_short(
    wheel: Service, call: Any, given: dict[str, Any]
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    assert code(caller.ask(do="act", session=session, **given)) == "wrong_value"


def test_work_on_the_wheel_needs_no_detail_and_other_acts_do(wheel: Service, call: Any) -> None:
    caller = call()
    session = log_in(caller, "tom")
    decide(wheel, ActDone)
    for act in SERVICE_ACTS:
        line = {"do": "act", "session": session, "what": act.what}
        caller.say(json.dumps(line).encode() + b"\n")
        assert decide(wheel, ActDone) == ActDone(0, "tom", "technician", act.what, "", None)
        assert caller.hear() == {"ok": True, "do": "act"}
    for what in DETAILED_ACTS:
        request = parse(json.dumps({"do": "act", "session": session, "what": what}).encode(), 36)
        with pytest.raises(Refused, match="comes with what was done"):
            event(request, Person("tom", "technician"))


def test_what_a_supervisor_acknowledges_is_an_act_of_his_with_code_and_reason(
    wheel: Service, call: Any
) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    for given in ("H00", "W21", "h12", 12, None, ["H12"]):
        answer = caller.ask(do="acknowledge", session=session, code=given, why="x")
        assert code(answer) == "wrong_value"
    assert code(caller.ask(do="acknowledge", session=session, code="H12")) == "wrong_keys"
    for known in ("H10", "H11", "H12", "H13", "H20", "H21", "H22", "H23", "H30", "L12", "W53"):
        line = {"do": "acknowledge", "session": session, "code": known, "why": "new frets come"}
        caller.say(json.dumps(line).encode() + b"\n")
        expected = ("sue", "supervisor", "acknowledged", f"{known}: new frets come", None)
        assert decide(wheel, ActDone) == ActDone(0, *expected)
        assert caller.hear() == {"ok": True, "do": "acknowledge"}


def test_who_throws_is_an_act_of_a_supervisor_and_a_number_alone(wheel: Service, call: Any) -> None:
    caller = call()
    session = log_in(caller, "sue")
    decide(wheel, ActDone)
    for given in (-1, 1_000, "4", 4.0, True, None, "anna"):
        answer = caller.ask(do="shift", session=session, croupier=given)
        assert code(answer) == "wrong_value"
    for croupier in (0, 4, 999):
        line = {"do": "shift", "session": session, "croupier": croupier}
        caller.say(json.dumps(line).encode() + b"\n")
        expected = ("sue", "supervisor", "shift", str(croupier), None)
        assert decide(wheel, ActDone) == ActDone(0, *expected)
        assert caller.hear() == {"ok": True, "do": "shift"}


def test_a_house_that_does_not_ask_who_throws_records_nobody(tmp_path: Path, people: Path) -> None:
    service = Service(tmp_path, number_max=36, people=People(people))
    caller = Caller(tmp_path, CONTROL)
    try:
        session = log_in(caller, "sue")
        assert code(caller.ask(do="shift", session=session, croupier=4)) == "not_here"
    finally:
        caller.close()
        service.close()


def test_a_technicians_act_reaches_the_core_with_its_hash(wheel: Service, call: Any) -> None:
    caller = call()
    session = log_in(caller, "tom")
    decide(wheel, ActDone)
    sha256 = "0123456789abcdef" * 4
    line = b'{"do":"act","session":"%s","what":"config","detail":"pace","sha256":"%s"}\n'
    caller.say(line % (session.encode(), sha256.encode()))
    assert decide(wheel, ActDone) == ActDone(0, "tom", "technician", "config", "pace", sha256)
    assert caller.hear() == {"ok": True, "do": "act"}


@pytest.mark.req("LU-37-3.director")
def test_what_a_director_signs_is_an_act_of_his(wheel: Service, call: Any) -> None:
    """Art. 37-3: « le directeur responsable a la possibilité d'augmenter en cours de saison, pour
    tout ou partie des tables, le minimum des mises »."""
    caller = call()
    sha256 = "0123456789abcdef" * 4
    limits = {"do": "limits", "sha256": sha256, "why": "table_minimum_cents 1000"}
    caller.say(json.dumps(limits | {"director": signer("thill")}).encode() + b"\n")
    asked = decide(wheel, ActDone)
    assert asked == ActDone(0, "thill", "director", "limits", "table_minimum_cents 1000", sha256)
    assert caller.hear() == {"ok": True, "do": "limits"}


@pytest.mark.req("LU-37-3.director")
def test_a_director_has_no_session_and_a_session_signs_no_limits(wheel: Service, call: Any) -> None:
    caller = call()
    assert code(caller.ask(do="login", person=signer("thill"))) == "wrong_role"
    session = log_in(caller, "sue")
    assert code(caller.ask(do="act", session=session, what="limits", detail="x")) == "wrong_value"


@pytest.mark.req("EN-5.5-5")
def test_what_wants_a_session_is_no_request_without(wheel: Service, call: Any) -> None:
    assert code(call().ask(do="service", on=True, why="x")) == "wrong_keys"
