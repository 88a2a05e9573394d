"""`cylindre hil compare`: two campaigns side by side, and what is no chance in it."""

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from math import comb, isclose
from pathlib import Path
from typing import Any

import pytest
from feigned_place import PLAN, by_job, feign
from hypothesis import given
from hypothesis import strategies as st

from firmware.lib.errors import FAILED, OK
from tools import cli
from tools.hil.campaign import exact_tests
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.run import Workers, play
from tools.testing.progress import Progress

Rows = list[dict[str, Any]]
LATE = {"rule": "late_call", "coup": 1, "fault": "beam_blind", "text": "late"}
OTHERWISE = {"rule": "outcome", "coup": 1, "fault": None, "text": "void"}


# R, ?fisher.test: the tea that Fisher's lady tasted; the twins of convicts (Fisher 1970, p. 96).
@pytest.mark.parametrize(("counts", "p"), [((3, 4, 1, 4), 0.4857), ((2, 17, 10, 13), 0.0005367)])
def test_fishers_test_gives_what_the_books_give(
    counts: tuple[int, int, int, int], p: float
) -> None:
    assert isclose(exact_tests.fisher(*counts), p, rel_tol=1e-4)


def exactly(first: int, of: int, second: int, of_second: int) -> Fraction:
    """The same by whole numbers."""
    seen = first + second
    ways = [
        comb(of, count) * comb(of_second, seen - count)
        for count in range(max(0, seen - of_second), min(seen, of) + 1)
    ]
    mine = comb(of, first) * comb(of_second, second)
    return Fraction(sum(way for way in ways if way <= mine), sum(ways))


@given(st.data())
def test_fishers_test_is_exact(data: st.DataObject) -> None:
    of, of_second = data.draw(st.integers(1, 80)), data.draw(st.integers(1, 80))
    first, second = data.draw(st.integers(0, of)), data.draw(st.integers(0, of_second))
    found = exact_tests.fisher(first, of, second, of_second)
    assert isclose(found, float(exactly(first, of, second, of_second)), rel_tol=1e-9)


@pytest.mark.parametrize("counts", [(0, 300_000, 5, 300_000), (900, 300_000, 1100, 290_000)])
def test_fishers_test_is_exact_of_many(counts: tuple[int, int, int, int]) -> None:
    assert isclose(exact_tests.fisher(*counts), float(exactly(*counts)), rel_tol=1e-6)


def test_a_difference_past_all_chance_has_no_p_left() -> None:
    assert exact_tests.fisher(0, 100_000, 100_000, 100_000) < 1e-300
    assert exact_tests.fisher(7, 7, 9, 9) == 1.0


@pytest.mark.parametrize(
    ("first", "second", "p"), [(0, 0, 1.0), (3, 3, 1.0), (0, 5, 0.0625), (1, 9, 22 / 1024)]
)
def test_jobs_that_change_one_way_alone_are_no_chance(first: int, second: int, p: float) -> None:
    assert exact_tests.sign(first, second) == exact_tests.sign(second, first) == p


def test_one_small_p_of_many_is_chance() -> None:
    assert exact_tests.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert exact_tests.holm([0.01] + [0.9] * 99)[0] == 1.0


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Plays one, in which nothing goes wrong, and changes its rows."""
    feign(monkeypatch)
    with Folder(tmp_path / "whole", PLAN) as folder:
        play(folder, Workers(1), Progress("campaign", 1))

    def made(name: str, change: Callable[[Rows], object] = lambda rows: None) -> Path:
        path = shutil.copytree(tmp_path / "whole", tmp_path / name)
        results = path / "results.jsonl"
        rows = by_job(json.loads(line) for line in results.read_text().splitlines())
        change(rows)
        results.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return made


def broken(*jobs: int, how: dict[str, Any] = LATE) -> Callable[[Rows], None]:
    def change(rows: Rows) -> None:
        for job in jobs:
            rows[job]["broken"] = [how]

    return change


def compared(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, Rows]:
    code = cli.main(["hil", "compare", *map(str, arguments), "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_same_campaign_twice_is_no_worse(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = compared(campaign("one"), campaign("two"), capsys=capsys)
    last = lines[-1]
    assert (code, last["worse"], last["paired"]) == (OK, False, 13)
    assert (last["newly_broken"], last["newly_mended"], last["new_rules"]) == ([], [], [])
    groups = {(line["kind"], line["name"], line["apparatus"]): line for line in lines[:-1]}
    everything = groups["all", "", ""]
    assert everything["first"] == everything["second"]
    assert (everything["first"]["coups"], everything["first"]["jobs"]) == (13, 13)
    tables = [line for line in lines[:-1] if line["kind"] == "table"]
    assert sum(line["first"]["jobs"] for line in tables) == 13
    assert {name for kind, name, _ in groups if kind == "fault"} == {"beam_blind", "beam_jitters"}
    assert not any(each["differs"] for line in lines[:-1] for each in line["chances"].values())


def test_jobs_that_are_newly_broken_and_newly_mended_are_named_with_their_command(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first = campaign("one", broken(2, 3, 5, how=OTHERWISE))
    second = campaign("two", broken(3, 7, how=OTHERWISE))
    code, lines = compared(first, second, capsys=capsys)
    assert (lines[-1]["newly_broken"], lines[-1]["newly_mended"]) == ([7], [2, 5])
    assert (code, lines[-1]["new_rules"]) == (OK, [])  # nor is the rule new
    assert cli.main(["hil", "compare", str(first), str(second)]) == OK
    said = capsys.readouterr().out
    command = f"cylindre hil run {second}/failures/job-000007.toml --place virtual"
    assert f"Newly broken: job 7, outcome: {command}\n" in said
    assert "Newly mended: job 2, outcome: " in said
    assert "1 break a rule now and did not, 2 did and do not (p 1)" in said


def test_jobs_of_another_seed_are_not_the_same_jobs(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    second = campaign("two", broken(7, how=OTHERWISE))
    told = json.loads((second / "campaign.json").read_text())
    told["plan"]["seed"] += 1
    (second / "campaign.json").write_text(json.dumps(told))
    code, lines = compared(campaign("one"), second, capsys=capsys)
    assert (lines[-1]["paired"], lines[-1]["newly_broken"]) == (0, [])
    assert (code, lines[-1]["new_rules"]) == (FAILED, ["outcome"])


def test_a_job_that_was_drawn_otherwise_is_another(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """As of a campaign of other sizes, where its number is that of a pair."""

    def change(rows: Rows) -> None:
        broken(7, 8, how=OTHERWISE)(rows)
        rows[7]["kind"] = "other"

    _, lines = compared(campaign("one"), campaign("two", change), capsys=capsys)
    assert (lines[-1]["paired"], lines[-1]["newly_broken"]) == (12, [8])


def wrong_number(rows: Rows) -> None:
    rows[1]["broken"] = [LATE | {"rule": "wrong_number"}]


def many_clean_voids(rows: Rows) -> None:
    rows[1] |= {"clean": 1, "clean_voids": {"encoder": 1}}


@pytest.mark.parametrize(
    ("before", "after", "code", "new"),
    [
        (broken(), broken(1), FAILED, ["late_call"]),
        (broken(1), broken(1), FAILED, []),  # what is wrong stays wrong
        (broken(1), broken(), OK, []),
        (broken(), broken(1, how=OTHERWISE), FAILED, ["outcome"]),
        (broken(1, how=OTHERWISE), broken(1, 2, how=OTHERWISE), OK, []),
        (wrong_number, wrong_number, FAILED, []),
        (broken(), many_clean_voids, FAILED, ["clean_voids"]),
        (many_clean_voids, many_clean_voids, OK, []),
    ],
)
def test_the_second_must_not_be_wrong_late_or_break_a_rule_anew(
    before: Any, after: Any, code: int, new: list[str],
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    ended, lines = compared(campaign("one", before), campaign("two", after), capsys=capsys)
    assert (ended, lines[-1]["new_rules"]) == (code, new)
    assert lines[-1]["worse"] is (code == FAILED)


def test_what_differs_by_more_than_chance_is_told_and_the_rest_is_not(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def clean(voids: int) -> Callable[[Rows], None]:
        def change(rows: Rows) -> None:
            for row in rows:
                row |= {"coups": 1000, "void": voids, "clean": 0, "clean_voids": {}}

        return change

    first, second = campaign("one", clean(10)), campaign("two", clean(20))
    code, lines = compared(first, second, capsys=capsys)
    everything = next(line for line in lines if line["kind"] == "all")
    assert everything["chances"]["void"]["differs"] is True
    assert everything["first"]["void"] == 130 and everything["second"]["void"] == 260
    p = exact_tests.fisher(130, 13_000, 260, 13_000)
    assert everything["chances"]["void"]["p"] == p < everything["chances"]["void"]["adjusted"]
    assert cli.main(["hil", "compare", str(first), str(second), "--quiet"]) == code == OK
    said = capsys.readouterr().out
    assert "void: that differs by more than chance (p " in said
    assert "130 of 13000 1 %" in said and "260 of 13000 2 %" in said
    assert "beam_blind" not in said
    assert cli.main(["hil", "compare", str(first), str(second)]) == OK
    assert "beam_blind [" in capsys.readouterr().out


def test_faults_have_what_they_did_and_are_blamed_for(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    use = {"fault": "beam_blind", "code": None, "after_ms": None, "idle": False}

    def change(rows: Rows) -> None:
        for row in rows:
            row["uses"] = []
        hows = (("told", "right"), ("late", "void"), ("never", "void"), ("masked", "right"))
        rows[0]["uses"] = [use | {"how": how, "verdict": said} for how, said in hows]
        rows[0]["uses"].append(use | {"how": None, "verdict": None})
        rows[0]["broken"] = [LATE, LATE, OTHERWISE]

    _, lines = compared(campaign("one"), campaign("two", change), capsys=capsys)
    counts = next(
        line["second"] for line in lines if line["kind"] == "fault" and line["second"]["coups"]
    )
    assert counts == {
        "coups": 4, "wrong": 0, "late": 2, "void": 2, "told_late": 2, "due": 3, "broken": 1,
        "jobs": 1,
    }  # fmt: skip


def test_a_fault_may_spoil_more_coups_than_it_began_in(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def change(rows: Rows) -> None:
        for row in rows:
            row["broken"] = [LATE] * 40

    code, lines = compared(campaign("one"), campaign("two", change), capsys=capsys)
    assert code == FAILED and lines[-1]["late"] == 13 * 40


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("campaign.json", None),
        ("campaign.json", "[]"),
        ("campaign.json", "[" * 9_999),
        ("campaign.json", "{}"),
        ("campaign.json", '{"version": 3, "commit": "a", "plan": {}}'),
        ("campaign.json", '{"version": 3, "commit": "a", "plan": {"seed": 1, "coups": 1, "pairs":'
                          ' 1, "faults": 3, "places": []}}'),
        ("campaign.json", '{"version": 3, "commit": "a", "plan": {"seed": "1", "coups": 1, "pairs":'
                          ' 1, "faults": [], "places": []}}'),
        ("results.jsonl", None),
    ],
)  # fmt: skip
def test_a_folder_that_is_no_campaign_is_refused_with_a_sentence(
    name: str, text: str | None, campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    other = campaign("two")
    (other / name).unlink() if text is None else (other / name).write_text(text)
    for pair in ((campaign("one"), other), (other, campaign("three"))):
        assert cli.main(["hil", "compare", *map(str, pair)]) == FAILED
        said = capsys.readouterr()
        assert f"{other} is the folder of no campaign" in said.err
        assert len(said.err.splitlines()) == 1 and said.out == ""


def test_both_that_are_none_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hil", "compare", str(tmp_path / "a"), str(tmp_path / "b")]) == FAILED
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize(
    "damage",
    [
        {"uses": [{}]}, {"broken": [{"rule": 3}]}, {"clean_voids": {"encoder": "x"}},
        {"lead_ms": [None]}, {"late_void": None},
    ],
)  # fmt: skip
def test_a_row_that_is_damaged_is_told_by_its_line(
    damage: dict[str, Any], campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def change(rows: Rows) -> None:
        rows[4] |= damage

    other = campaign("two", change)
    assert cli.main(["hil", "compare", str(campaign("one")), str(other)]) == FAILED
    assert f"{other}/results.jsonl:5: this line is damaged" in capsys.readouterr().err


def test_jobs_that_are_drawn_in_another_way_cannot_be_compared(
    campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    other = campaign("two")
    told = json.loads((other / "campaign.json").read_text())
    (other / "campaign.json").write_text(json.dumps(told | {"version": 1}))
    assert cli.main(["hil", "compare", str(campaign("one")), str(other)]) == FAILED
    assert "drawn in another way" in capsys.readouterr().err
