"""The list of what is guarded is whole: whatever is told anywhere is in it by its name."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from firmware.api import guarded, scope, technicians
from firmware.api.server import Service
from firmware.api.status import TableStatus
from firmware.bus import card_messages, messages, record
from firmware.core import facts
from firmware.core.cards import lines
from firmware.core.faults import FAULTS, sentence
from firmware.core.health.codes import CODES

TOLD = {name: keys for _, name, keys in (*facts._FACTS, *facts._CROUPIER_FACTS, *lines._FACTS)}
# The croupier's screen: its keys hang on what is due.
TOLD |= {lines.GUIDE: (), lines.TYPED: (), lines.VIEW: ()}


def test_every_fact_and_every_key_of_one_is_classed() -> None:
    classed = {
        name: TOLD[name] if isinstance(keys, guarded.Guarded) else tuple(keys)
        for name, keys in guarded.FACTS.items()
    }
    assert classed == TOLD


def test_every_event_that_the_control_socket_tells_besides_is_classed() -> None:
    source = "".join(map(inspect.getsource, (scope, technicians, inspect.getmodule(Service))))
    told = {
        part.split('"')[0] for part in source.split('"event": "')[1:]
    }  # no event is named otherwise
    assert told == set(guarded.OTHER_EVENTS)


def test_every_key_of_a_status_is_classed(tmp_path: Any) -> None:
    service = Service(tmp_path, number_max=36)
    try:
        whole = service._status(control=True)
    finally:
        service.close()
    assert set(whole) == set(guarded.STATUS)
    assert set(TableStatus(None).status()) < set(whole)


def test_every_fault_with_a_detail_is_classed() -> None:
    detailed = {kind.code for kind in FAULTS if "{}" in kind.text}
    assert detailed | set(guarded.OF_ONE) == set(guarded.FAULT_DETAILS)


def test_every_message_and_field_that_a_display_is_told_is_classed() -> None:
    assert {name for _, name, _ in messages.KINDS} == set(guarded.MESSAGES)
    assert set(record.NAMES) == set(guarded.RECORD)
    for fields, classed in (
        (messages.HEARTBEAT_FIELDS, guarded.HEARTBEAT),
        (messages.TABLE_FIELDS, guarded.TABLE),
        (
            card_messages.CARDS_FIELDS + card_messages.HAND_FIELDS + card_messages.EVENT_FIELDS,
            guarded.CARDS,
        ),
    ):
        assert {field[0] for field in fields} == set(classed)


def test_every_class_is_one_that_the_list_names() -> None:
    known = {guarded.ANYBODY, guarded.TENTHS, guarded.BY_CODE, guarded.BUT_OF_ONE, guarded.CODE}
    known |= {*guarded.GUARDED}
    tables: list[Any] = [*guarded.FACTS.values(), *guarded.OTHER_EVENTS.values()]
    tables += [guarded.EVERY_FACT, guarded.FAULT_DETAILS, guarded.STATUS, guarded.SERVICE]
    tables += [guarded.RECORD, guarded.HEARTBEAT, guarded.TABLE, guarded.CARDS]
    classes = {
        kind for each in tables for kind in (each.values() if isinstance(each, dict) else [each])
    }
    assert classes <= known
    assert {thing.name for thing in guarded.GUARDED} == {
        "lead", "learned", "motion", "people", "counted", "money", "health", "screen",
    }  # fmt: skip


@pytest.mark.parametrize("told", [{"event": "lap", "t_us": 5}, {"event": "act", "who": "sue"}])
def test_what_nobody_has_classed_is_not_public(told: dict[str, Any]) -> None:
    assert guarded.public_fact(told) is None
    assert guarded.public_status({"state": "VOID", "lap_us": 5}) == {"state": "VOID"}


def test_who_signed_is_not_public_where_a_record_is_asked_for() -> None:
    told = guarded.public_record({"number": 17, "manual": ["claire", "denis"], "at_us": 5})
    assert told == {"number": 17}


def test_who_has_the_wheel_in_service_and_why_is_not_public() -> None:
    act = {"t_us": 1_234_567, "event": "act", "what": "service on", "who": "sue", "detail": "x"}
    told = guarded.public_service(act | {"role": "supervisor", "utc": "2026-01-12T13:46:40Z"})
    assert told == {
        "t_us": 1_200_000, "event": "act", "what": "service on", "role": "supervisor",
        "utc": "2026-01-12T13:46:40Z",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("at_us", "public_us"), [(0, 0), (99_999, 0), (100_000, 100_000), (20_400_345, 20_400_000)]
)
def test_a_public_time_is_the_tenth_in_which_it_was(at_us: int, public_us: int) -> None:
    told = guarded.public_fact({"t_us": at_us, "event": "ball_dropped", "coup": 3})
    assert told == {"t_us": public_us, "event": "ball_dropped", "coup": 3}
    assert guarded.public_status({"result_age_ms": at_us // 1000}) == {
        "result_age_ms": public_us // 1000
    }


@pytest.mark.parametrize("code", sorted(set(guarded.FAULT_DETAILS) - set(guarded.OF_ONE)))
def test_the_public_hears_of_every_fault_and_no_guarded_detail(code: str) -> None:
    text = sentence(code, "near 137 deg, sue")
    told = guarded.public_fact({"t_us": 1, "event": "fault", "code": code, "text": text})
    kept = guarded.public_told({"coup": 3, "code": code, "detail": "137 sue", "at_s": 7.2891})
    assert told is not None
    assert kept is not None
    is_public = guarded.FAULT_DETAILS[code] == guarded.ANYBODY
    assert ("137 deg, sue" in told["text"]) == is_public
    assert ("137 sue" in kept["detail"]) == is_public
    assert kept["at_s"] == 7.2


@pytest.mark.parametrize("code", sorted(set(CODES.values()) - set(guarded.OF_ONE)))
def test_of_a_wheels_health_the_public_hears_that_it_is_to_be_looked_at(code: str) -> None:
    text = sentence(code, "17")
    told = guarded.public_fact({"t_us": 1, "event": "fault", "code": code, "text": text})
    assert told is not None
    assert told == {
        "t_us": 0,
        "event": "fault",
        "code": "H00",
        "text": "H00: The watch over this wheel gives notice. Have the wheel looked at.",
    }
    assert guarded.public_sentence(code) == told["text"]
    kept = guarded.public_told({"coup": 3, "code": code, "detail": "17", "at_s": None})
    assert kept is not None and kept["code"] == "H00" and "17" not in kept["detail"]


def test_the_public_does_not_hear_that_somebody_of_the_house_is_in_doubt() -> None:
    fault = {"t_us": 1, "event": "fault", "code": "H13", "text": sentence("H13", "")}
    assert guarded.public_fact(fault) is None
    assert guarded.public_status({"faults": ["W21", "H13", "H10"]}) == {"faults": ["W21", "H00"]}
    kept = {"coup": 3, "code": "H13", "detail": "4", "at_s": None}
    assert guarded.public_told(kept) is None
    assert guarded.technicians_told(kept)["detail"] == guarded.UNTOLD
    of_all = {"coup": 3, "code": "H10", "detail": "17", "at_s": None}
    assert guarded.technicians_told(of_all) == of_all
