"""What was left out, what was wanting and what it took is said; a change finds its tests."""

import json
from collections import Counter
from pathlib import Path

import pytest

from firmware.lib.errors import Failure
from tools.testing import __main__ as testing
from tools.testing import changed, durations, marks, runs, times
from tools.testing.runs import Asked, Played

ROOT = marks.ROOT


def played(**counts: int) -> Played:
    return Played(0, Counter(counts), Counter(rauc=counts.get("wanting", 0)), 312.0, 486.0)


def test_the_last_lines_say_what_was_played_and_what_was_left_out() -> None:
    lines = runs.summary("test", Asked("test", ("tests/crash",)), played(passed=12))
    assert lines[0].startswith("make test: 5 min 12 s, 8.1 CPU-minutes on ")
    assert lines[1].startswith("left out: ") and "realtime" in lines[1]
    assert lines[1].endswith('; make test-all ARGS="tests/crash" plays them')
    assert lines[-1] == "tests: 12 passed, 0 failed, 0 skipped"


def test_nothing_is_left_out_of_a_folder_that_is_named_nor_of_everything() -> None:
    named = Asked("test", ("tests/crash/realtime",))
    assert not runs.left_out(named)
    assert not runs.left_out(Asked("all"))
    assert not runs.left_out(Asked("test", ("tests/rules",)))
    assert set(runs.left_out(Asked("test"))) == set(marks.FOLDERS)


def test_what_is_incomplete_says_so() -> None:
    lines = runs.summary("test-all", Asked("all"), played(passed=3, wanting=2, skipped=1))
    assert lines[1].startswith("incomplete: 2 tests skipped for want of rauc (2).")
    assert lines[-1] == "tests: 3 passed, 0 failed, 3 skipped"


def test_what_a_machine_that_stood_still_could_not_show_is_told() -> None:
    found = played(passed=3, stalled=1, skipped=1)._replace(stalled=("tests/test_x.py::test_y",))
    lines = runs.summary("test-all", Asked("all"), found)
    assert lines[1].startswith("not shown, for this machine stood still when")
    assert lines[1].endswith(": tests/test_x.py::test_y")
    assert lines[-1] == "tests: 3 passed, 0 failed, 2 skipped"


def test_what_was_stalled_is_played_once_more_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(runs, "RECORDS", tmp_path)
    (tmp_path / "all-alone.xml").write_text("of the last time")

    def one(asked: Asked, side: str, record: Path) -> Played:
        begun.append((side, [*asked.arguments]))
        assert record == tmp_path / f"all-{side}.json"
        if side == runs.WAITING:
            return played(passed=2, stalled=1)._replace(stalled=("tests/a.py::b",))
        return played(passed=1)

    monkeypatch.setattr(runs, "_one", one)
    found = runs.play(Asked("all"))
    assert begun == [("computing", []), ("waiting", []), ("alone", ["tests/a.py::b"])]
    assert (found.counts, found.stalled) == ({"passed": 4}, ())
    assert not (tmp_path / "all-alone.xml").exists()
    assert "not shown" not in " ".join(runs.summary("test-all", Asked("all"), found))


def test_where_all_is_left_out_that_is_said_and_no_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        testing._end("test", Asked("test", ("tests/crash",)))
    assert ended.value.code == 0
    assert "left out" in capsys.readouterr().out


def test_the_rest_is_of_the_same_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "RECORDS", tmp_path)
    monkeypatch.setattr(runs, "sources", lambda: "these")
    record = tmp_path / "test-computing.json"
    record.write_text(json.dumps({"tests": {}, "sources": "others"}))
    with pytest.raises(Failure, match="make test has not been played with these sources"):
        runs.just_passed()
    record.write_text(json.dumps({"tests": {}, "sources": "these"}))
    assert runs.just_passed() == [record]


@pytest.mark.parametrize(
    ("file", "reached", "not_reached"),
    [
        ("firmware/bus/frame.py", "tests/bus/test_frame.py", "tests/boards/test_boards.py"),
        ("tools/pinout/__init__.py", "tests/pinout/test_pinout.py", "tests/bus/test_frame.py"),
        ("rules/boule_fr.py", "tests/rules/test_settle.py", "tests/bus/test_ed25519.py"),
        ("tests/bus/wire.py", "tests/bus/test_displays_wrong.py", "tests/bus/test_frame.py"),
        ("tests/cli/journal_bench.py", "tests/cli/test_journal_show.py", "tests/bus/test_mac.py"),
        ("docs/call.md", "tests/docs/test_call_page.py", "tests/bus/test_frame.py"),
        (
            "firmware/services/page/static/app.js",
            "tests/page/test_words.py",
            "tests/bus/test_frame.py",
        ),
    ],
)
def test_a_change_finds_the_tests_that_reach_it(file: str, reached: str, not_reached: str) -> None:
    found = {path.relative_to(ROOT).as_posix() for path in changed.tests_of([file])}
    assert reached in found
    assert not_reached not in found


@pytest.mark.parametrize("file", ["tests/conftest.py", "requirements.lock", "Makefile"])
def test_what_all_tests_share_reaches_all_but_those_of_the_kernels_guest(file: str) -> None:
    found = changed.tests_of([file])
    left = [path for path in marks.files() if path not in found]
    assert {path.parent.name for path in left} == {"inside"}


def test_a_word_that_is_no_path_of_tests_is_none() -> None:
    everything = runs.left_out(Asked("test"))
    assert runs.left_out(Asked("test", ("-k", "boards"))) == everything
    assert runs.left_out(Asked("test", ("-k", "firmware"))) == everything


def test_a_commit_that_there_is_not_is_one_sentence() -> None:
    with pytest.raises(Failure, match="no-such is no commit of this checkout"):
        changed.changed_files("no-such")


def test_costs_are_summed_by_the_folder_of_a_mark() -> None:
    tests = {
        "tests/bus/test_a.py::test_it[realtime]": ["passed", 1.0, 0.5],
        "tests/bus/realtime/test_b.py::test_it": ["passed", 20.0, 2.0],
        "tests/bus/realtime/deep/test_c.py::test_it": ["passed", 4.0, 1.0],
    }
    found = durations.costs(tests)
    assert found["pure"] == (1, 1.0, 0.5)
    assert found["realtime"] == (2, 24.0, 3.0)
    assert found["browser"] == (0, 0.0, 0.0)
    assert [file for file, _ in durations.dearest(tests, 2)] == [
        "tests/bus/realtime/test_b.py",
        "tests/bus/realtime/deep/test_c.py",
    ]


def test_what_is_kept_is_what_the_last_runs_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {
        "tests/a.py::test_long": ["passed", 7.25, 1],
        "tests/a.py::test_short": ["passed", 0.2, 0],
    }
    told = [{"tests": rows | {"tests/a.py::test_gone": ["failed", 99.0, 0]}}]
    monkeypatch.setattr(durations, "records", lambda: told)
    path = tmp_path / "durations.json"
    durations.keep("abc", {"make test": 300.0}, path)
    kept = durations.kept(path)
    assert kept["longest"] == {"tests/a.py::test_long": 7.2}
    assert (kept["commit"], kept["times"]) == ("abc", {"make test": 300.0})
    assert kept["marks"]["pure"] == [2, 7, 1]


def test_a_step_that_takes_longer_than_its_limit_is_said() -> None:
    lines = times.table({"make check": 59.0, "make test": 361.0}, {"make test": 300.0})
    assert lines[1].split() == ["make", "check", "59", "s"]
    assert lines[2].endswith("LONGER") and "5 min 00 s" in lines[2]
