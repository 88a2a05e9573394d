"""An earlier commit is played beside this one, and nothing of it is left behind."""

import os
import signal
import subprocess

import pytest

from tools.bench import __main__ as bench
from tools.bench import before


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A repository of two commits in place of this one."""
    root = tmp_path / "checkout"
    root.mkdir()

    def git(*arguments):
        who = ("-c", "user.name=A", "-c", "user.email=a@localhost")
        line = ["git", *who, *arguments]
        done = subprocess.run(line, cwd=root, check=True, capture_output=True, text=True)
        return done.stdout

    git("init", "--quiet")
    for said in ("then", "now"):
        (root / "said").write_text(said)
        (root / "tools").mkdir(exist_ok=True)
        (root / "tools" / "__init__.py").touch()  # else ours would be found
        git("add", ".")
        git("commit", "--quiet", "-m", said)
    monkeypatch.setattr(before, "ROOT", root)
    monkeypatch.setattr(before.tempfile, "tempdir", str(tmp_path))
    return git


def left(checkout, tmp_path):
    """Worktrees besides the checkout, and folders."""
    return checkout("worktree", "list").splitlines()[1:], os.listdir(tmp_path)


def test_the_commit_before_lies_there_as_long_as_it_is_played(checkout, tmp_path):
    with before.worktree("HEAD~1") as root:
        assert (root / "said").read_text() == "then"
    assert left(checkout, tmp_path) == ([], ["checkout"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_the_bench_leaves_no_worktree(checkout, tmp_path, number):
    with pytest.raises(KeyboardInterrupt), before.worktree("HEAD~1"):
        signal.raise_signal(number)
    assert left(checkout, tmp_path) == ([], ["checkout"])


def test_a_commit_that_is_not_here_is_not_measured(checkout):
    (row,) = bench._before_rows("HEAD~7", seed=1)
    assert (row.name, row.value) == ("coups a second and core at HEAD~7", "not measured")


def test_a_commit_that_plays_nothing_is_not_measured(checkout, tmp_path):
    (row,) = bench._before_rows("HEAD~1", seed=1)
    assert row.value == "not measured"
    assert left(checkout, tmp_path) == ([], ["checkout"])


def test_a_long_name_does_not_run_into_its_figure():
    row = bench.Figure(
        "W1 coups/s at a-branch-of-a-long-name / here / compiled; times", "72", "", None
    )
    assert bench._line(row).endswith("; times " + "72".rjust(22))


def test_the_quickest_of_some_takes_counts_and_a_start_does_not(monkeypatch, tmp_path):
    took_s = iter([1.0, 7.0, 1.0, 4.0, 1.0, 6.0])
    monkeypatch.setattr(before, "_processor_s", lambda kind, *line: next(took_s))
    kinds = [before.Kind(tmp_path)]
    assert before.coups_s(kinds, preset="W1", board="any", coups=60, seed=1) == [20.0]
