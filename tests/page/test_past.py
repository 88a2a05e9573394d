"""What the page reads in a journal: one that a simulated wheel has written."""

import asyncio
from pathlib import Path
from typing import Any

import own_journal
import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.lib.errors import Failure
from firmware.services.page import history, upkeep
from firmware.services.page.logins import Logins
from firmware.services.page.wheel import Wheel
from tools.virtual.score import Judged
from tools.virtual.simulate import Simulation

COUPS = 24
LEADS_S: dict[int, float] = {}  # by coup: from its call until the ball left the track, in truth


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("past") / "journal.db"
    store: Any = own_journal.Waiting(own_journal.opened(path))
    simulation = Simulation(choose("roulette_ref", Config()), seed=3, store=store)
    for told in simulation.play(COUPS):
        if isinstance(told, Judged) and told.lead_us is not None:
            LEADS_S[told.decision.coup] = told.lead_us / 1e6
    store.close()
    return path


def test_coups_come_newest_first_and_page_by_page(journal: Path) -> None:
    every = history.coups(journal, None, 200)
    numbers = [each["coup"] for each in every]
    assert numbers == sorted(numbers, reverse=True)
    assert len(every) >= COUPS
    first = history.coups(journal, None, 10)
    then = history.coups(journal, first[-1]["coup"], 10)
    assert [*first, *then] == every[:20]
    assert history.coups(journal, 1, 10) == []
    assert all((each["number"] is None) == (each["reason"] is not None) for each in every)


def test_a_coup_tells_why_its_call_came_to_whom_it_may(journal: Path) -> None:
    told = history.coup(journal, 2, explains=True)
    assert any("rien ne va plus" in line for line in told["lines"]["en"])
    assert any("après le début du coup" in line for line in told["lines"]["fr"])
    assert told["evidence"]["votes"]
    told = history.coup(journal, 2, explains=False)
    assert set(told) == {"coup", "stands", "utc"}
    assert not {"call", "evidence"} & set(told["stands"])
    with pytest.raises(Failure, match="has not ended"):
        history.coup(journal, 9999, explains=True)


def test_history_has_lead_and_rest_of_every_number(journal: Path) -> None:
    found = history.history(journal, 100)
    numbers = [each for each in found if each["reason"] is None]
    assert len(numbers) >= COUPS - 3
    for each in numbers:
        assert each["lead_s"] > LEADS_S[each["coup"]] > each["track_s"] > 0
        assert 0.5 < each["rest_s"] < 20
        assert abs(sum(each["sensors"].values())) < 0.01
    assert [each["coup"] for each in found] == sorted(each["coup"] for each in found)


def test_the_log_goes_back_row_by_row(journal: Path) -> None:
    every = history.log(journal, None, 300)
    assert [row["n"] for row in every] == sorted((row["n"] for row in every), reverse=True)
    first = history.log(journal, None, 10)
    assert [*first, *history.log(journal, first[-1]["n"], 10)] == every[:20]


def test_a_journal_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="There is no journal"):
        history.coups(tmp_path / "journal.db", None, 10)


def coup(at: int, **more: Any) -> dict[str, Any]:
    kept = {"coup": at, "utc": "", "lead_s": 3.0, "rest_s": 4.0, "reason": None, "sensors": {}}
    return kept | {"slips": 0} | more


WELL = [coup(at) for at in range(100)]


def kinds(*arguments: Any) -> list[str]:
    return [notice["kind"] for notice in upkeep.notices(*arguments)]


def test_a_wheel_that_is_well_has_no_notice() -> None:
    assert kinds(WELL, [], {"call": {"why": "learned"}}) == []
    assert kinds([], [], None) == []
    (notice,) = upkeep.notices([], [], None, expired=True)
    assert (notice["kind"], notice["severity"]) == ("certificate", upkeep.NOW)


@pytest.mark.parametrize("content", [None, b"no journal at all"])
def test_who_took_the_wheel_is_unknown_where_the_journal_cannot_be_read(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "journal.db"
    if content is not None:
        path.write_bytes(content)
    wheel = Wheel(tmp_path, Logins(), lambda: history.last_service(path))
    assert asyncio.run(wheel._who_has_it()) is None


def test_a_fault_that_recurs_is_a_notice_and_one_that_came_twice_is_none() -> None:
    fault = {"coup": 1, "code": "W22", "detail": "1", "at_s": None}
    assert kinds(WELL, [fault] * 2, None) == []
    (found,) = upkeep.notices(WELL, [fault] * 3, None)
    assert (found["kind"], found["code"], found["times"]) == ("recurs", "W22", 3)
    assert upkeep.notices(WELL, [fault] * 10, None)[0]["severity"] == upkeep.NOW
    assert kinds(WELL, [fault | {"code": "P10"}] * 9, None) == []  # people, no part
    assert kinds(WELL, [fault | {"code": "M11"}] * 9, None) == []  # a lock is told by itself


def test_a_sensor_that_sees_beside_the_others_is_named() -> None:
    aside = [coup(at, sensors={"0": -0.6, "1": -0.6, "2": 1.2}) for at in range(30)]
    (found,) = upkeep.notices(aside, [], None)
    assert (found["kind"], found["sensor"], found["degrees"]) == ("aside", "2", 1.2)
    assert kinds(aside[:10], [], None) == []


def test_what_became_slower_or_rarer_is_told() -> None:
    slower = [*WELL, *(coup(at, rest_s=6.0) for at in range(100, 130))]
    assert kinds(slower, [], None) == ["slower"]
    voids = [*WELL, *(coup(at, reason="timeout", rest_s=None) for at in range(100, 105))]
    assert kinds(voids, [], None) == ["voids"]
    slips = [*WELL, *(coup(at, slips=1) for at in range(100, 110))]
    assert kinds(slips, [], None) == ["slips"]
    assert kinds(WELL, [], {"call": {"why": "relearning"}}) == ["call_relearning"]
