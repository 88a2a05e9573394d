"""A wheel is played, and everything that it tells anybody is held against the one list."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from typing import Any

import pytest
from all_surfaces import COUPS, DETAIL, NAMES, SIGNED, THROWS, Told, played

from firmware.api import guarded
from firmware.api.guarded import Guarded
from firmware.bus import message_bytes, messages, record


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return asyncio.run(played(tmp_path_factory.mktemp("guarded")))


def events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """What a page was told: (name of the event, its data)."""
    found = []
    for block in text.split("\n\n"):
        said = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in said:
            found.append((said.get("event", ""), json.loads(said["data"])))
    return found


def check(keys: dict[str, guarded.Class], told: dict[str, Any]) -> None:
    """That a public surface may give all of this, and gives it in tenths."""
    for key, value in told.items():
        assert key in keys, f"nobody has classed {key}"
        assert not isinstance(keys[key], Guarded), f"{key} is guarded"
        if keys[key] == guarded.TENTHS and value is not None:
            assert value % (100_000 if key.endswith("_us") else 100) == 0, key


def check_fact(told: dict[str, Any]) -> None:
    keys = guarded.FACTS.get(told["event"])
    assert isinstance(keys, dict), f"{told['event']} is guarded"
    check(guarded.EVERY_FACT | keys, {key: told[key] for key in told if key != "translations"})


def test_the_play_was_one_whose_secrets_would_show(told: Told) -> None:
    """Else the tests below would see nothing."""
    text = json.dumps([told.whole, told.member]) + told.person
    assert len(told.leads_us) == COUPS
    assert all(at_us % 100_000 for at_us in told.exact_us)
    for secret in (DETAIL, "sue", "tom", '"call": {"coups"', *map(str, told.exact_us)):
        assert secret in text
    assert {"act", "fault", "correction"} <= {each.get("event") for each in told.member}
    assert any(each["coup"] == 1 for each in told.member if each.get("event") == "correction")


def public(told: Told) -> dict[str, str]:
    """All that anybody hears, by where."""
    return {
        "status.sock": json.dumps([told.status, told.looker]),
        "the page": told.stranger,
        **told.questions,
        **{mode: b"\n".join(lines).decode() for mode, lines in told.lines.items()},
        "a display's page": json.dumps(told.scenes),
    }


def heard(told: Told, secrets: Iterable[str]) -> list[tuple[str, str]]:
    """Which of these stands where anybody hears it."""
    return [
        (surface, secret)
        for surface, text in public(told).items()
        for secret in secrets
        if re.search(rf"(?<![\w.]){re.escape(secret)}(?!\w)", text)
    ]


def test_no_public_surface_tells_a_name_a_guarded_detail_or_a_time_of_call_or_drop(
    told: Told,
) -> None:
    secrets = [*NAMES, "907137", "519600", *map(str, told.exact_us)]
    secrets += [str(us) for us in told.leads_us] + [f"{us / 1e6:.3f}" for us in told.leads_us]
    assert heard(told, secrets) == []


HEALTH_KEYS = (
    "gap", "gaps_ppm", "rotor_uturn_s", "launch_place", "slowing_ppm", "settled_us", "spin_up_us",
    "duty_permille", "odds", "foretold", "epochs", "stream",
)  # fmt: skip


def test_no_public_surface_tells_what_the_watch_over_health_goes_by_or_has_found(
    told: Told,
) -> None:
    """No key, no value of four digits or more, no word of it in the frames of the line either."""
    assert [found["detail"] for found in told.found] == [DETAIL]
    keys = {key for each in told.evidence for key in each} & set(HEALTH_KEYS)
    assert {"gap", "gaps_ppm", "rotor_uturn_s", "launch_place", "slowing_ppm", "settled_us"} <= keys
    values = [each[key] for each in told.evidence for key in keys if key in each]
    whole = [value for each in values for value in (each if isinstance(each, list) else [each])]
    secrets = [str(value) for value in whole if abs(value) >= 1_000]
    assert len(secrets) >= 2 * COUPS
    assert heard(told, [*HEALTH_KEYS, *secrets]) == []
    assert heard(told, [THROWS, "shift", *NAMES]) == []
    for payload in told.frames:
        for word in (DETAIL, "gap", "H20", "loose"):
            assert word.encode() not in payload


def test_nobody_at_the_page_or_a_socket_hears_who_throws_though_the_journal_has_it(
    told: Told,
) -> None:
    acts = [each for each in told.member if each.get("event") == "act"]
    by_what = {each["what"]: each["detail"] for each in acts}
    assert by_what["shift"] == guarded.UNTOLD
    assert by_what["acknowledged"] == f"H13: {guarded.UNTOLD}"
    assert '"shift"' in told.log
    for text in (json.dumps([told.member, told.whole]), told.person, told.log):
        assert THROWS not in text
    kept = [act["detail"] for act in reversed(told.acts) if THROWS in act["detail"]]
    assert kept == [
        THROWS,
        f"H13: {THROWS}",
    ]


def test_the_status_socket_gives_what_is_public_and_in_tenths(told: Told) -> None:
    check(guarded.STATUS, told.status)
    assert set(guarded.STATUS) - set(told.status) == {"call", "employees"}
    heard = [each for each in told.looker if "event" in each]
    for each in heard:
        check_fact(each)
    assert sum(each["event"] == "ball_dropped" for each in heard) == COUPS


def test_the_page_gives_strangers_what_is_public_and_in_tenths(told: Told) -> None:
    names = set()
    for name, data in events(told.stranger):
        names.add(name)
        if name == "fact":
            check_fact(data)
        elif name == "status":
            check(guarded.STATUS, data["status"] or {})
            check(guarded.SERVICE, data["service"] or {})
    assert names == {"fact", "status"}
    dropped = [data for name, data in events(told.person) if data.get("event") == "ball_dropped"]
    assert {data["t_us"] for data in dropped} <= told.exact_us


def test_what_strangers_may_ask_the_page_is_these_and_says_no_more(told: Told) -> None:
    assert set(told.questions) == {
        "/api/me", "/api/wheel", "/api/coups", "/api/coup/<number>", "/api/faults", "/api/upkeep",
    }  # fmt: skip
    stands = json.loads(told.questions["/api/coup/<number>"])["stands"]
    check(guarded.RECORD, stands)
    assert stands["number"] in (0, 17)  # as it was corrected
    for fault in json.loads(told.questions["/api/faults"])["told"]:
        assert guarded.public_told(fault) == fault


STATUS_LINE = rb"\*X;[1-7];\d{3};[ \d]{2};[0-9A-F];(\d{3});[01]"
MORE = rb";[0-9A-F]{4};00;[01?];\?{5};[ \d?]{2}"


def test_the_gateway_says_no_more_than_its_lines_and_no_exact_speed_before_the_call(
    told: Told,
) -> None:
    assert all(told.lines.values())
    for mode, form in (("status", STATUS_LINE), ("extended", STATUS_LINE + MORE)):
        for line in told.lines[mode]:
            found = re.fullmatch(form, line)
            assert found or re.fullmatch(rb"[ \d]\d", line), line
            if found and line[3:4] != b"4":
                assert int(found[1]) % 50 == 0, line
    assert {line[:2] for line in told.lines["basic"]} == {b"*S", b"*N", b"*W"}


def test_the_line_to_the_displays_says_nothing_of_the_prediction(told: Told) -> None:
    kinds = {message_bytes.kind(payload) for payload in told.frames}
    assert kinds == {messages.HEARTBEAT, messages.RECORD, messages.TABLE, messages.ASK}
    for payload in told.frames:
        if message_bytes.kind(payload) == messages.TABLE:
            table = message_bytes.open_table(payload, message_bytes.table_digest(payload))
            assert table is not None
            assert table.call is None
        if message_bytes.kind(payload) == messages.RECORD:
            found = record.parse(payload[2:])
            assert found is not None
            assert found.manual in (None, SIGNED)  # guarded.EXCEPTIONS
    assert {scene["stage"] for scene in told.scenes} >= {"BALL_IN_TRACK", "CONFIRMED"}
    assert all("call" not in scene for scene in told.scenes)
