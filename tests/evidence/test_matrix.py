"""The matrix says what was found, no more, and a page of it can be read by anybody."""

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED, Failure
from tools.docs.evidence import matrix, results
from tools.docs.evidence.__main__ import command
from tools.docs.evidence.marks import Named
from tools.docs.evidence.requirements import LATER, Read, Requirement
from tools.docs.evidence.results import BROKEN, NOT_RUN, OTHER_BUILD, PASSED, SKIPPED, Build, Result
from tools.hil.campaign.plan import Plan, count

CALL = Requirement("LU-37-1.call", "Luxembourg", "« rien ne va plus »", "before the drop")
OTHER = Requirement("LU-8.sum", "Luxembourg", "=1+1 <script>", "& more")
NOT_YET = Requirement("IEC-CR-7.8", "IEC", "a list", "beside it", LATER, "issue 7")
BUILD = Build("b1", "c0ffee+")
JUNIT = """<testsuites><testsuite>
<testcase classname="tests.core.test_drop" name="test_a[W1]">
  <properties><property name="requirement" value="LU-37-1.call"/>
  <property name="build" value="b1"/></properties></testcase>
<testcase classname="tests.core.test_drop" name="test_a[W2]">
  <properties><property name="requirement" value="LU-37-1.call"/>
  <property name="build" value="b1"/></properties>{}</testcase>
<testcase classname="tests.core.test_drop" name="test_b"/>
</testsuite></testsuites>"""


@pytest.mark.parametrize(
    ("more", "result"),
    [("", PASSED), ("<failure/>", BROKEN), ("<error/>", BROKEN), ("<skipped/>", SKIPPED)],
)
def test_a_test_is_as_its_worst_case(tmp_path: Path, more: str, result: str) -> None:
    path = tmp_path / "junit.xml"
    path.write_text(JUNIT.format(more))
    (found,) = results.of_tests([path], BUILD)
    name = "tests/core/test_drop.py::test_a"
    assert found == Result("LU-37-1.call", "test", name, "test", result, 2, "b1 (c0ffee+)")


def test_a_test_in_a_guest_is_another_than_the_same_outside(tmp_path: Path) -> None:
    there = '<property name="build" value="b1"/><property name="place" value="kernel"/>'
    path = tmp_path / "junit.xml"
    path.write_text(JUNIT.format("").replace('<property name="build" value="b1"/>', there, 1))
    found = results.of_tests([path], BUILD)
    assert sorted(each.place for each in found) == ["kernel", "test"]
    text = matrix.as_page(matrix.rows([CALL], found), [], str(BUILD))
    assert text.count("core/test_drop.py, in kernel") == 1


@pytest.mark.parametrize("mark", ['<property name="build" value="b0"/>', ""])
def test_a_test_of_another_build_shows_nothing_of_this_one(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "junit.xml"
    text = JUNIT.format("").replace('<property name="build" value="b1"/>', mark, 1)
    path.write_text(text)
    (found,) = results.of_tests([path], BUILD)
    assert found.result == OTHER_BUILD and found.build in ("b0", "unknown")
    assert matrix.rows([CALL], [found])[0].state == matrix.OPEN


PLAN = Plan(1, 32, 0, ("wheel_tilted", "void_late"), ("virtual",))


def _campaign(folder: Path, *rows: dict[str, object], firmware: str = "b1") -> Path:
    told = {"plan": PLAN._asdict(), "firmware": firmware, "commit": "c0ffee"}
    (folder / "campaign.json").write_text(json.dumps(told))
    jobs = [{"job": job} | row for job, row in enumerate(rows)]
    (folder / "results.jsonl").write_text("\n".join(map(json.dumps, jobs)))
    return folder


def _row(place: str, *faults: str, **broken: str | None) -> dict[str, object]:
    told = [{"rule": rule, "fault": fault} for rule, fault in broken.items()]
    uses = [{"fault": fault, "verdict": "right", "idle": False, "how": "told"} for fault in faults]
    return {"place": place, "uses": uses, "broken": told}


def test_a_fault_counts_at_each_place_where_it_was_used(tmp_path: Path) -> None:
    folder = _campaign(
        tmp_path,
        _row("virtual", "wheel_tilted", "wheel_tilted"),
        _row("process", "wheel_tilted", unnoticed="wheel_tilted"),
    )
    found = [
        each for each in results.of_campaign(folder, BUILD) if each.requirement == "MD-23.level"
    ]
    assert [(each.place, each.result, each.cases) for each in found] == [
        ("process", BROKEN, 1),
        ("virtual", PASSED, 2),
    ]
    assert {each.build for each in found} == {"b1 (c0ffee)"}


def test_a_campaign_of_another_build_shows_nothing_of_this_one(tmp_path: Path) -> None:
    rows = [_row("virtual", "wheel_tilted"), _row("virtual", "void_late", late_call=None)]
    folder = _campaign(tmp_path, *rows, firmware="b0")
    assert {each.result for each in results.of_campaign(folder, BUILD)} == {OTHER_BUILD}


def test_half_a_campaign_is_no_evidence(tmp_path: Path) -> None:
    assert count(PLAN) == 2
    folder = _campaign(tmp_path, _row("virtual", "wheel_tilted"))
    with pytest.raises(Failure, match="only 1 of 2 jobs"):
        results.of_campaign(folder, BUILD)


def test_a_fault_that_never_began_shows_nothing(tmp_path: Path) -> None:
    row = _row("virtual")
    not_begun = row | {"uses": [{"fault": "wheel_tilted", "verdict": None, "idle": False}]}
    assert results.of_campaign(_campaign(tmp_path, not_begun, row), BUILD) == []
    died = not_begun | {"broken": [{"rule": "crashed", "fault": None}]}
    found = results.of_campaign(_campaign(tmp_path, died, row), BUILD)
    assert {(each.result, each.cases) for each in found} == {(BROKEN, 0)}


def test_a_fault_that_changed_nothing_shows_nothing(tmp_path: Path) -> None:
    idle = _row("virtual") | {"uses": [{"fault": "wheel_tilted", "verdict": "right", "idle": True}]}
    assert results.of_campaign(_campaign(tmp_path, idle, _row("virtual")), BUILD) == []


@pytest.mark.parametrize(
    ("how", "cases"), [("told", {1}), ("no code", {1}), ("masked", set()), ("not due", set())]
)
def test_a_fault_that_had_to_be_told_and_was_not_shows_nothing(
    tmp_path: Path, how: str, cases: set[int]
) -> None:
    use = {"fault": "wheel_tilted", "verdict": "right", "idle": False, "how": how}
    row = _row("virtual") | {"uses": [use]}
    found = results.of_campaign(_campaign(tmp_path, row, _row("virtual")), BUILD)
    assert {each.cases for each in found} == cases


def test_what_nobody_is_blamed_for_is_held_against_all_that_were_there(tmp_path: Path) -> None:
    folder = _campaign(
        tmp_path, _row("virtual", "wheel_tilted", "void_late", wrong_number=None), _row("virtual")
    )
    assert {each.result for each in results.of_campaign(folder, BUILD)} == {BROKEN}


@pytest.mark.parametrize("row", ["{", "[]", '{"place": "virtual"}'])
def test_a_folder_of_no_campaign_is_one_sentence(tmp_path: Path, row: str) -> None:
    _campaign(tmp_path)
    (tmp_path / "results.jsonl").write_text(row)
    with pytest.raises(Failure, match=r"no folder of a campaign .*: cylindre hil campaign DIR"):
        results.of_campaign(tmp_path, BUILD)


def test_what_was_not_run_is_said_and_shows_nothing() -> None:
    named = [Named("LU-37-1.call", "test", "a"), Named("LU-37-1.call", "test", "b")]
    done = [Result("LU-37-1.call", "test", "a", "test", PASSED)]
    (found,) = results.not_run(named, done)
    assert (found.name, found.result) == ("b", NOT_RUN)
    assert matrix.rows([CALL], [found])[0].state == matrix.OPEN
    assert matrix.rows([CALL], [*done, found])[0].state == matrix.SHOWN


def test_one_failure_is_a_failure_whatever_passed() -> None:
    found = [Result(CALL.id, "test", "a", "test", word) for word in (PASSED, BROKEN)]
    rows = matrix.rows([CALL], found)
    assert rows[0].state == matrix.FAILS
    assert not matrix.is_whole(rows)


def test_what_is_not_built_yet_is_said_and_keeps_nobody_from_being_whole() -> None:
    rows = matrix.rows([NOT_YET], [])
    assert rows[0].state == "not built yet"
    assert matrix.is_whole(rows)


def test_the_csv_has_a_line_a_result_and_no_formula() -> None:
    found = [Result(CALL.id, "test", name, "test", PASSED, 3, "b1") for name in ("a", "b")]
    text = matrix.as_csv(matrix.rows([CALL, OTHER, NOT_YET], found))
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["requirement"] for line in lines] == [CALL.id, CALL.id, OTHER.id, NOT_YET.id]
    assert (lines[0]["shown by"], lines[0]["cases"], lines[0]["build"]) == ("a", "3", "b1")
    assert lines[2]["text"] == "'=1+1 <script>"
    assert lines[3]["why"] == "issue 7"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_else_and_means_no_text_as_code() -> None:
    found = [Result(OTHER.id, "fault", "<b>x", "kernel", PASSED, 7, "another")]
    rows = matrix.rows([CALL, OTHER, NOT_YET], found)
    text = matrix.as_page(rows, [Read("5 & 62", "<money>")], "b1 (<dirty>)")
    told = _Page()
    told.feed(text)
    assert not {"script", "link", "img", "b>x", "money", "dirty"} & set(told.tags)
    for words in ("=1+1 <script>", "fault <b>x", "in kernel, 7 times, build another", "<money>"):
        assert words in told.text
    assert "issue 7" in told.text
    assert "http" not in text


def test_a_requirement_that_nothing_has_shown_ends_with_1_and_stands_in_both_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "junit.xml").write_text("<testsuites/>")
    options = ["--junit", f"{tmp_path}/junit.xml", "--no-scenarios", "--output", str(tmp_path)]
    assert command(options, standalone_mode=False) == FAILED
    assert "LU-37-1.reversed: not shown\n" in capsys.readouterr().err
    # With a mark a spreadsheet knows it for UTF-8.
    table = (tmp_path / "matrix.csv").read_bytes()
    assert table.startswith(b"\xef\xbb\xbf") and "règlement" in table.decode()
    assert "règlement" in (tmp_path / "matrix.html").read_text("utf-8")
