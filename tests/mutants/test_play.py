"""Mutants of a small made-up tree are played, and what comes of each is told."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from firmware.lib.errors import FAILED, OK, USAGE, Failure
from tools.mutants import __main__ as mutants_command
from tools.mutants import catalogue, play
from tools.mutants.catalogue import Mutant
from tools.mutants.results import (
    BROKEN,
    GREEN,
    HANGS,
    RED,
    TEST,
    TEST_ALL,
    Result,
    Results,
    key,
)

MODULE = """
def half(cents):
    return cents // 2


def whole(cents):
    return cents + cents


WHOLE = whole(1)


def waits(n):
    return n > 0
"""
TESTS = """
import sys
import threading

import pytest

import tills


def test_half():
    assert tills.half(4) == 2


def test_nothing():
    pass


def test_wrong_anyway():
    assert False


@pytest.mark.skip
def test_never():
    pass


def test_turns():
    if not tills.waits(1):
        threading.Event().wait()


def test_by_a_process():
    import subprocess
    code = "import tills; print(tills.half(6))"
    for options in ([], ["-P"]):
        told = subprocess.run([sys.executable, *options, "-c", code], capture_output=True)
        assert told.stdout == b"3\\n"


@pytest.mark.realtime
def test_half_in_real_time():
    assert tills.half(8) == 4
"""
SETTINGS = '[tool.pytest.ini_options]\nmarkers = ["realtime"]\naddopts = ["--strict-markers"]\n'


def mutant(name: str, *tests: str, function: str = "half", old: str = "// 2", new: str = "// 3"):
    named = tuple(f"tests/test_tills.py::test_{test}" for test in tests)
    return Mutant(name, "unit", "tills.py", function, old, new, named)


SEEN = mutant("seen", "nothing", "half")
NOT_SEEN = mutant("not-seen", "nothing", function="waits", old=">", new=">=")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("checkout")
    (root / "tests").mkdir()
    (root / "tills.py").write_text(MODULE)
    (root / "tests/test_tills.py").write_text(TESTS)
    (root / "pyproject.toml").write_text(SETTINGS)
    (root / ".gitignore").write_text("/var/\n__pycache__/\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What our own pytest loads besides takes longer than these tests."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def played(tree: Path, *mutants: Mutant) -> dict[str, tuple[str, str, str]]:
    found: list[Result] = []
    play.play_all(mutants, tree, workers=2, done=found.append)
    return {each.name: (each.word, each.by, each.detail) for each in found}


def test_what_a_test_sees_is_red_and_what_none_sees_is_green(tree: Path) -> None:
    found = played(
        tree,
        SEEN,
        mutant("by-a-process", "by_a_process"),
        NOT_SEEN,
        mutant("in-real-time", "nothing", "half_in_real_time"),
    )
    assert found.pop("not-seen")[:2] == (GREEN, "")
    assert found == {
        "seen": (RED, TEST, "tests/test_tills.py::test_half"),
        "by-a-process": (RED, TEST, "tests/test_tills.py::test_by_a_process"),
        "in-real-time": (RED, TEST_ALL, "tests/test_tills.py::test_half_in_real_time"),
    }


def test_what_shows_nothing_is_no_red(tree: Path) -> None:
    """An import that fails, a test that is red without it, or does not run, has seen nothing."""
    found = played(
        tree,
        mutant("import", "half", function="whole", old="cents + cents", new="cents + None"),
        mutant("red-anyway", "wrong_anyway"),
        mutant("skipped", "never"),
    )
    assert {name: told[0] for name, told in found.items()} == dict.fromkeys(found, BROKEN)
    assert found["import"][2].startswith("importing it fails: TypeError")
    assert found["red-anyway"][2].startswith("without it: 1 failed")
    assert found["skipped"][2].startswith("without it: 1 skipped")


def test_one_that_never_ends_is_seen_as_well(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_LEAST_S", 1.0)
    monkeypatch.setattr(play, "_TIMES", 1.0)
    found = played(tree, mutant("ends-not", "turns", function="waits", old=">", new="<"))
    assert found["ends-not"][:2] == (HANGS, TEST)


def test_the_checkout_stays_as_it_is_and_no_copy_is_left(tree: Path) -> None:
    before = {path: path.read_bytes() for path in (tree / "tills.py", *tree.glob("tests/*.py"))}
    played(tree, SEEN)
    assert {
        path: path.read_bytes() for path in (tree / "tills.py", *tree.glob("tests/*.py"))
    } == before
    assert list((tree / "var/mutants").iterdir()) == []


def test_two_of_one_length_in_one_module_are_told_apart(tree: Path) -> None:
    """Byte code is known by second and size; both copies play one after the other."""
    found: list[Result] = []
    play.play_all(
        [
            SEEN,
            mutant("none", "half", old="cents // 2", new="cents // 2 + 0"),
            mutant("other", "half", new="// 4"),
        ],
        tree,
        workers=1,
        done=found.append,
    )
    assert [each.word for each in found] == [RED, GREEN, RED]


def test_ctrl_c_ends_what_is_under_way_and_leaves_no_copy(tree: Path) -> None:
    found = []

    def done(result: Result) -> None:
        found.append(result)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play.play_all([SEEN, mutant("second", "half", new="// 5")], tree, workers=1, done=done)
    assert len(found) == 1
    assert list((tree / "var/mutants").iterdir()) == []


def test_what_was_played_is_known_until_mutant_module_test_or_harness_change(
    tmp_path: Path, tree: Path
) -> None:
    file = tmp_path / "results.jsonl"
    Results(file).add(Result("seen", key(SEEN, tree), RED, TEST, "a test", 1.0))
    Results(file).add(Result("other", "k", BROKEN, "", "why", 1.0))
    file.write_text(file.read_text() + '{"name": "cut o')
    found = Results(file).of(key(SEEN, tree))
    assert found is not None and found.word == RED
    assert Results(file).of("k") is None
    assert Results(file).of(key(SEEN._replace(new="// 7"), tree)) is None
    for name in ("tills.py", "tests/test_tills.py", "tests/conftest.py"):
        other = tmp_path / name.replace("/", "-")
        (other / "tests").mkdir(parents=True, exist_ok=True)
        (other / "tills.py").write_text(MODULE)
        (other / "tests/test_tills.py").write_text(TESTS)
        assert key(SEEN, other) == key(SEEN, tree)
        (other / name).write_text("")
        assert key(SEEN, other) != key(SEEN, tree)


@pytest.fixture
def command(tree: Path, monkeypatch: pytest.MonkeyPatch):
    """The command on that tree, and how it ends."""
    monkeypatch.setattr(mutants_command, "ROOT", tree)
    monkeypatch.setattr(catalogue, "read", lambda: [SEEN, NOT_SEEN])

    def run(*words: str) -> int:
        return mutants_command.command(list(words), standalone_mode=False)

    return run


def test_the_table_says_who_saw_what_and_a_second_run_goes_on(
    command, tree: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tree / mutants_command.RESULTS
    assert command("--only", "seen") == OK
    said = capsys.readouterr()
    assert "1 of 1 red, 1 of them under make test." in said.out
    lines = kept.read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["seen"]
    Results(kept).add(Result("not-seen", key(NOT_SEEN, tree), GREEN, "", "2 passed", 1.0))
    monkeypatch.setattr(mutants_command, "play_all", None)  # both are known: nothing is played
    assert command() == FAILED
    assert "1 of 2 red, 1 of them under make test." in capsys.readouterr().out
    Results(kept).add(Result("not-seen", key(NOT_SEEN, tree), RED, TEST_ALL, "a test", 1.0))
    monkeypatch.setattr(mutants_command, "UNDER_TEST", 2)
    assert command() == FAILED, "make test sees one alone"
    assert "make test sees 1 of them: 2 are asked for." in capsys.readouterr().err
    monkeypatch.setattr(mutants_command, "UNDER_TEST", 1)
    assert command() == OK
    kept.unlink()


def test_an_unknown_mutant_is_one_sentence_and_leaves_nothing(command, tree: Path) -> None:
    before = sorted(tree.rglob("*"))
    with pytest.raises(Failure) as failure:
        command("--only", "sen")
    assert failure.value.exit_code == USAGE
    assert failure.value.sentence == "There is no mutant sen. Did you mean seen?"
    assert sorted(tree.rglob("*")) == before


def test_a_commit_draws_the_same_ones_each_time() -> None:
    mutants = catalogue.read()
    drawn = [[each.name for each in catalogue.drawn(mutants, 6, "c0ffee")] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 6
    assert drawn[0] != [each.name for each in catalogue.drawn(mutants, 6, "c0ffef")]


def test_a_folder_that_is_no_checkout_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="is no checkout of git"):
        play.play_all([SEEN], tmp_path, workers=1, done=lambda _: None)
