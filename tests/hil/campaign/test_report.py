"""The reports say what the rows say, and need nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from feigned_place import PLAN, feign

from tools.hil import verdict
from tools.hil.campaign import junit, report, summary, work
from tools.hil.campaign.plan import count
from tools.hil.campaign.summary import Total
from tools.hil.cards import money, notices, oracle

HERE = Path("/here")


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    feign(monkeypatch)
    return [work.play(PLAN, index) for index in range(count(PLAN))]


def _page(rows: list[dict[str, Any]], jobs: int) -> str:
    return report.render(Total(rows), plan=PLAN, jobs=jobs, commit="<abc>", folder=HERE)


def test_rows_in_any_order_give_the_same_page(rows: list[dict[str, Any]]) -> None:
    assert _page(rows, len(rows)) == _page(rows[::-1], len(rows))
    assert junit.render(Total(rows), HERE) == junit.render(Total(rows[::-1]), HERE)


def test_the_page_needs_nothing_else_and_escapes_what_it_shows(rows: list[dict[str, Any]]) -> None:
    rows[0]["broken"] = [
        {"rule": "crashed", "coup": None, "fault": None, "text": "<script>x</script>\x00"}
    ]
    page = _page(rows, len(rows))
    assert not any(word in page for word in ("://", "src=", "@import", "<abc>", "<script>x"))
    assert page.count("<script") == 1 and "default-src 'none'" in page
    ElementTree.fromstring(junit.render(Total(rows), HERE))


def test_of_very_many_jobs_those_that_broke_a_rule_are_listed_and_the_rest_is_counted(
    rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "JOBS_MAX", 3)
    rows[9]["broken"] = [{"rule": "outcome", "coup": 1, "fault": None, "text": "x"}]
    page = _page(rows, len(rows))
    assert [f'<tr id="job-{job}"' in page for job in (9, 0, 1, 2)] == [True, True, True, False]
    assert page.index('<tr id="job-9"') < page.index('<tr id="job-0"')
    assert "10 more jobs are not listed: results.jsonl has all." in page
    assert "more jobs" not in _page(rows[:3], 3)


def test_an_unfinished_campaign_says_so(rows: list[dict[str, Any]]) -> None:
    assert "Not finished: 3 of 13 jobs" in _page(rows[:3], 13)
    assert "Not finished" not in _page(rows, 13)


def test_nothing_played_is_a_page_too() -> None:
    assert "Not finished: 0 of 13" in _page([], 13)


def test_a_broken_rule_or_too_many_clean_voids_are_no_success(rows: list[dict[str, Any]]) -> None:
    assert Total(rows).good
    clean = [row | {"clean": 1000, "clean_voids": {}} for row in rows]
    clean[0]["clean_voids"] = {"encoder": 6}  # 13 000 coups: 6 may be
    assert Total(clean).good
    clean[0]["clean_voids"] = {"encoder": 7}
    assert not Total(clean).good
    assert "7 of 13000 clean coups are void" in junit.render(Total(clean), HERE)


def test_a_fault_that_changed_nothing_is_counted_apart(rows: list[dict[str, Any]]) -> None:
    use = {"fault": "cup_misses", "code": None, "after_ms": None, "how": "no code"}
    rows[0] |= {"apparatus": "boule", "uses": [use | {"verdict": "right", "idle": True}]}
    assert "1 made, 1 idle" in _page(rows, len(rows))
    assert Total(rows).as_json()["idle"] == 1


def test_what_had_to_be_told_is_counted_beside_what_was_not(rows: list[dict[str, Any]]) -> None:
    use = {"fault": "beam_blind", "code": None, "after_ms": None, "verdict": "right", "idle": False}
    hows = ("told", "never", "masked", "not due", "idle", "no code")
    rows[0] |= {"uses": [use | {"how": how} for how in hows], "late_void": 3}
    total = Total(rows)
    assert "0 faults unnoticed (2 of 6 uses had to be told)" in total.sentence()
    assert "0 late calls (3 more in coups void for another reason)" in total.sentence()
    assert (total.as_json()["due"], total.as_json()["late_void"]) == (2, 3)
    page = _page(rows, len(rows))
    assert "<b>2</b>of 6 uses had to be told" in page and "<b>3</b>called late, and void" in page


def _rules_of_the_code(*known: Any, of_cards: bool) -> Iterator[tuple[str, str]]:
    """Each rule that some Broken(...) of tools/hil is made with, and the file.

    `known`: the modules that have their names; those of card tables stand apart.
    """
    root = Path(summary.__file__).parents[3]
    for path in sorted((root / "tools" / "hil").rglob("*.py")):
        if (path.parent.name == "cards") != of_cards:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Broken":
                name = node.args[0]
                assert isinstance(name, ast.Name), f"{path}: a rule without a name"
                (rule,) = {getattr(one, name.id) for one in known if hasattr(one, name.id)}
                yield rule, path.name


def test_every_rule_of_a_card_table_is_told() -> None:
    used = dict(_rules_of_the_code(oracle, money, notices, of_cards=True))
    assert used.keys() | {verdict.CRASHED} == {rule for rule, _ in oracle.RULES}, used


def test_every_rule_of_the_code_is_told(rows: list[dict[str, Any]]) -> None:
    names = {rule for rule, _ in summary.RULES}
    used = dict(_rules_of_the_code(verdict, of_cards=False))
    assert used.keys() | {verdict.CRASHED} == names, used
    for rule in sorted(names):
        rows[0]["broken"] = [{"rule": rule, "coup": None, "fault": None, "text": "x"}]
        total = Total(rows)
        assert 'failures="1"' in junit.render(total, HERE)
        assert ": 1 " in total.sentence() or ", 1 " in total.sentence()


def test_a_fault_that_no_place_can_make_is_named(rows: list[dict[str, Any]]) -> None:
    plan = PLAN._replace(faults=("beam_blind", "power_cut"))
    page = report.render(Total(rows), plan=plan, jobs=1, commit="", folder=HERE)
    assert "Made in no job of this campaign: power_cut." in page
    assert "Made in no job" not in _page(rows, len(rows))
