"""Folders mark tests, `make test` plays what is pure and smoke, and what is wanting is named."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.testing import machine, marks
from tools.testing.marks import ROOT

PURE = "import pytest\n\ndef test_pure(): pass\n"
MARKED = """
import pytest

@pytest.mark.smoke
def test_one_of_its_kind(): pass

def test_all_the_others(): pass

@pytest.mark.soak("long")
def test_that_takes_hours(): pass
"""
UNREAD = "raise RuntimeError('nobody wanted to read this')\n"
WANTING = """
import pytest

@pytest.mark.needs("no such disk")
def test_marked(): pass

@pytest.fixture
def disk(needs):
    needs("no such disk")

def test_by_a_fixture(disk): pass
"""
# As a machine that lacks one thing.
LACKING = """
from tools.testing import machine
machine.WANTS["no such disk"] = machine.Want(("no-such-program",), ("its-package",))
pytest_plugins = ["tools.testing.plugin"]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(LACKING)
    for name, text in (
        ("test_pure.py", PURE),
        ("bus/statistical/test_many.py", MARKED),
        ("bus/realtime/deep/test_real.py", MARKED),
        ("bus/browser/test_page.py", PURE),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def played(tree: Path, *options: str) -> tuple[dict[str, str], str, int]:
    """Results by test, what was said, and pytest's status."""
    record = tree / "record.json"
    record.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--record={record}",
         *options],
        cwd=tree, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    tests = json.loads(record.read_text())["tests"] if record.exists() else {}
    found = {name.rpartition("/")[2]: result for name, (result, *_) in tests.items()}
    return found, done.stdout + done.stderr, done.returncode


def test_make_test_plays_what_is_pure_and_one_of_each_kind(tree: Path) -> None:
    (tree / "bus/browser/test_page.py").write_text(UNREAD)
    found, said, status = played(tree, "--part=test")
    assert status == 0, said
    assert sorted(found) == [
        "test_many.py::test_one_of_its_kind",
        "test_pure.py::test_pure",
        "test_real.py::test_one_of_its_kind",
    ]


def test_each_side_plays_its_own_and_all_is_both(tree: Path) -> None:
    waiting, _, _ = played(tree, "--side=waiting")
    computing, _, _ = played(tree, "--side=computing")
    assert {name.partition("::")[0] for name in waiting} == {"test_real.py", "test_page.py"}
    assert {name.partition("::")[0] for name in computing} == {"test_pure.py", "test_many.py"}
    assert len(waiting) + len(computing) == 6, "what only a soak plays is not there"


def test_files_that_alone_are_wanted_play_by_the_same_rule(tree: Path) -> None:
    within = tree / "within.txt"
    files = ("test_pure.py", "bus/realtime/deep/test_real.py")
    within.write_text("\n".join(str(tree / name) for name in files))
    computing, _, _ = played(tree, "--part=test", "--side=computing", f"--within={within}")
    waiting, _, _ = played(tree, "--part=test", "--side=waiting", f"--within={within}")
    assert sorted(computing) == ["test_pure.py::test_pure"]
    assert sorted(waiting) == ["test_real.py::test_one_of_its_kind"]


def test_a_file_that_is_named_plays_on_its_own_side_alone(tree: Path) -> None:
    file = "bus/realtime/deep/test_real.py"
    assert len(played(tree, "--side=waiting", file)[0]) == 2
    assert played(tree, "--side=computing", file)[0] == {}


def test_a_worker_that_dies_and_a_file_that_cannot_be_read_are_failures(tree: Path) -> None:
    (tree / "test_pure.py").write_text("import os\n\ndef test_it(): os._exit(3)\n")
    (tree / "test_unread.py").write_text(UNREAD)
    found, said, status = played(tree, "-n", "1", "test_pure.py")
    assert (status, found) == (1, {"test_pure.py::test_it": "failed"}), said
    found, _, status = played(tree, "test_unread.py")
    assert (status, found) == (2, {"test_unread.py": "failed"})


def test_a_folder_that_is_named_is_played_whatever_its_mark(tree: Path) -> None:
    found, _, _ = played(tree, "--part=test", "bus/statistical")
    assert len(found) == 2
    found, _, _ = played(tree, "--part=test", "bus")
    assert len(found) == 2, "smoke tests alone: bus has no mark"


def test_what_passed_is_not_played_again(tree: Path) -> None:
    played(tree, "--part=test")
    before = tree / "before.json"
    (tree / "record.json").rename(before)
    found, _, _ = played(tree, f"--but={before}")
    assert sorted(found) == [
        "test_many.py::test_all_the_others",
        "test_page.py::test_pure",
        "test_real.py::test_all_the_others",
    ]
    before.write_text("[]")
    _, said, status = played(tree, f"--but={before}")
    assert status == 4 and "is no record of a run" in said


def test_a_test_without_what_it_wants_is_skipped_with_its_name(tree: Path) -> None:
    (tree / "test_pure.py").write_text(WANTING)
    found, said, status = played(tree, "test_pure.py")
    assert (status, {*found.values()}) == (0, {"wanting"}), said
    record = json.loads((tree / "record.json").read_text())
    assert record["wanting"] == {"no such disk": 2}


def test_a_test_that_a_stalled_machine_cannot_show_is_told_from_others(tree: Path) -> None:
    (tree / "test_pure.py").write_text(
        f"from pytest import skip\n\n\ndef test_late():\n    skip('{marks.STALLED} for 4 of 5 s')\n"
    )
    found, said, status = played(tree, "test_pure.py")
    assert (status, found) == (0, {"test_pure.py::test_late": "stalled"}), said


def test_a_want_that_no_table_has_stops_the_run(tree: Path) -> None:
    (tree / "test_pure.py").write_text(WANTING.replace("no such disk", "a unicorn"))
    _, said, status = played(tree, "test_pure.py")
    assert status == 4
    assert "tools/testing/machine.py has no such name" in said


@pytest.mark.parametrize("expression", ["nosuchmark", "not (realtime or nosuchmark)"])
def test_a_mark_that_there_is_not_is_one_sentence(tree: Path, expression: str) -> None:
    _, said, status = played(tree, "-m", expression)
    assert status == 4
    told = [line for line in said.splitlines() if line]
    assert told == [
        "ERROR: no mark is named nosuchmark: there are realtime, browser, statistical, package,"
        " smoke, req."
    ]


def test_a_mark_that_there_is_chooses(tree: Path) -> None:
    found, _, _ = played(tree, "-m", "statistical and not smoke")
    assert sorted(found) == ["test_many.py::test_all_the_others"]


def test_what_was_wanting_is_told_with_the_one_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "WANTS", {
        "disk": machine.Want(("no-such-program",), ("b-package", "a-package")),
        "card": machine.Want(("nor-this-one",), ("c-package",)),
        "root": machine.Want(condition=lambda: False, remedy="root"),
        "here": machine.Want(("sh",), ("dash",)),
    })  # fmt: skip
    machine.is_here.cache_clear()
    assert machine.lacking(["here", "disk", "root"]) == ["disk", "root"]
    told = machine.told_wanting(3, {"root": 1, "disk": 2, "card": 1})
    machine.is_here.cache_clear()
    assert told == (
        "incomplete: 3 tests skipped for want of card (1), disk (2), root (1). What brings it:"
        " sudo apt install a-package b-package c-package; root: root"
    )


@pytest.mark.parametrize(("chosen", "is_here"), [("sh", True), ("/no/such/program", False)])
def test_a_micropython_that_is_chosen_is_the_one_that_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, chosen: str, is_here: bool
) -> None:
    monkeypatch.setenv("MICROPYTHON", chosen)
    machine.is_here.cache_clear()
    assert machine.is_here("micropython") == is_here
    machine.is_here.cache_clear()


def test_what_make_itself_runs_by_is_never_hidden_from_a_newcomer() -> None:
    """CI plays `make test` where no program of the table can be seen."""
    hidden = {program for want in machine.WANTS.values() for program in want.programs}
    assert hidden & {"bash", "env", "git", "make", "python3", "sh"} == set()


def test_nobody_asks_for_a_program_in_a_way_of_their_own() -> None:
    """A skip of pytest's own, where what is wanting would not be told."""
    own = ("skip" + "if(", "import" + "orskip", "pytest." + "skip(")
    found = [
        f"{path.relative_to(ROOT)}: {each}"
        for path in sorted(marks.TESTS.rglob("*.py"))
        for each in own
        if each in path.read_text(encoding="utf-8")
    ]
    # What a stalled machine cannot show, and the tests that only the kernel's guest plays.
    assert [each for each in found if not each.startswith("tests/patience.py")] == []


def test_every_test_file_of_a_marked_folder_can_be_told_by_its_path() -> None:
    assert marks.of(ROOT / "tests/bus/realtime/deep/test_it.py") == ("realtime",)
    assert marks.of(ROOT / "tests/bus/test_realtime.py") == ()
    assert marks.waits(ROOT / "tests/display_page/browser/test_it.py")
    assert not marks.waits(ROOT / "tests/core/statistical/test_it.py")
