"""A soak plays large tests one by one, goes on where it stopped, and writes down what is green."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.lib.errors import FAILED, INTERRUPTED, OK, USAGE, Failure
from tools.testing import sizes, soak
from tools.testing.sizes import Size, Soak

LARGE = """
import os

def test_one(): assert os.environ["CYLINDRE_SOAK"]

def test_two():
    with open("played", "a") as file: file.write("two ")
    assert not os.path.exists("broken")
"""
SOAKS = (
    Soak("large", "Nothing breaks.", ("test_large.py",), (Size("grains", 1, 100),)),
    Soak("other", "Nor that.", ("test_large.py::test_one",)),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "test_large.py").write_text(LARGE)
    for name, value in (
        ("ROOT", tmp_path),
        ("FOLDER", tmp_path / "var"),
        ("GREEN", tmp_path / "soak.json"),
        ("SOAKS", SOAKS),
        ("sources", lambda: "these"),
        ("commit", lambda: "abc"),
    ):
        monkeypatch.setattr(soak, name, value)
    return tmp_path


def ran(*words: str) -> int:
    status: int = soak.command(list(words), standalone_mode=False)
    return status


def test_what_is_green_is_written_down_with_its_figures(folder: Path) -> None:
    assert ran("--jobs", "2") == OK
    green = json.loads((folder / "soak.json").read_text())
    assert (green["large"]["tests"], green["large"]["sizes"]) == (2, {"grains": 100})
    assert (green["other"]["tests"], green["other"]["commit"]) == (1, "abc")


def test_what_passed_is_not_played_again_and_what_failed_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "broken").touch()
    assert ran("--only", "large") == FAILED
    assert not (folder / "soak.json").exists()
    (folder / "broken").unlink()
    assert ran("--only", "large") == OK
    assert ran("--only", "large") == OK
    assert (folder / "played").read_text() == "two two "
    tests = [each.piece.test for each in soak.results()]
    assert tests.count("test_large.py::test_one") == 1
    monkeypatch.setattr(soak, "sources", lambda: "others")
    assert ran("--only", "large") == OK
    assert (folder / "played").read_text() == "two two two ", "of other sources nothing is known"


ENDLESS = """
import threading
from pathlib import Path

def test_one():
    Path("begun").touch()
    try:
        threading.Event().wait()
    finally:
        Path("put back").touch()

def test_two():
    while not Path("begun").exists(): pass
"""


def test_what_is_interrupted_puts_back_what_it_has_begun(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(result: soak.Result) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(soak, "_keep", interrupted)
    (folder / "test_large.py").write_text(ENDLESS)
    assert ran("--only", "large", "--jobs", "2") == INTERRUPTED
    assert (folder / "put back").exists()


def test_one_that_fails_does_not_hide_what_is_green(folder: Path) -> None:
    (folder / "broken").touch()
    assert ran() == FAILED
    written = (folder / "soak.json").read_text()
    assert [*json.loads(written)] == ["other"]
    day = json.loads(written)["other"]["day"]
    results = folder / "var/results.jsonl"
    results.write_text(results.read_text().replace(day, "2020-02-02"))
    assert ran("--only", "other") == OK
    assert json.loads((folder / "soak.json").read_text())["other"]["day"] == "2020-02-02", "played"


def test_a_disk_that_fills_up_meanwhile_is_one_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak, "results", list)
    (folder / "var").mkdir()
    (folder / "var/results.jsonl").symlink_to("/dev/full")
    with pytest.raises(Failure, match=r"results\.jsonl: no space left on device\."):
        ran("--only", "other")


def test_when_the_hours_are_over_it_stops_and_says_what_is_left(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ran("--hours", "1e-9") == OK
    said = capsys.readouterr()
    assert "The hours are over, 3 tests are left." in said.err
    assert not (folder / "soak.json").exists()


def test_what_was_skipped_is_not_green(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "test_large.py").write_text(
        "import unittest\n\ndef test_one(): raise unittest.SkipTest()\n"
    )
    assert ran("--only", "other") == FAILED
    assert "SKIPPED test_large.py::test_one" in capsys.readouterr().out
    assert not (folder / "soak.json").exists()


def test_an_unknown_soak_is_one_sentence_and_leaves_nothing(folder: Path) -> None:
    with pytest.raises(Failure) as found:
        ran("--only", "big")
    assert found.value.exit_code == USAGE
    assert found.value.sentence == "There is no soak big: there are large, other."
    assert not (folder / "var").exists()


def test_without_room_on_the_disk_nothing_begins(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak.shutil, "disk_usage", lambda _: SimpleNamespace(free=5 << 20))
    with pytest.raises(Failure) as found:
        ran()
    assert found.value.exit_code == FAILED
    assert found.value.sentence == f"The disk of {folder} has 5 MiB left: a soak wants 2048."
    assert not (folder / "var").exists()


def test_a_line_that_was_cut_is_no_result(folder: Path) -> None:
    assert ran("--only", "other") == OK
    path = folder / "var/results.jsonl"
    path.write_text(path.read_text() + '{"piece": ["other", "te')
    assert len(soak.results()) == 1


def test_a_number_is_whole_in_a_soak_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "SOAKS", SOAKS)
    monkeypatch.delenv(sizes.SOAKING, raising=False)
    assert sizes.size("grains") == 1
    monkeypatch.setenv(sizes.SOAKING, "1")
    assert sizes.size("grains") == 100
    with pytest.raises(ValueError, match="unpack"):
        sizes.size("grain")


def test_every_soak_that_there_is_points_at_tests() -> None:
    for each in sizes.SOAKS:
        for test in each.tests:
            file, _, name = test.partition("::")
            text = (soak.ROOT / file).read_text(encoding="utf-8")
            assert f"def {name}(" in text if name else "size(" in text


COUNTS = """
import pytest

@pytest.mark.parametrize("paths", [3, 4])
def test_counts(paths, request): request.node.user_properties.append(("new paths", paths))
"""


def test_what_tests_have_counted_is_told_and_written_down(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "test_large.py").write_text(COUNTS)
    assert ran("--only", "large") == OK
    assert json.loads((folder / "soak.json").read_text())["large"]["found"] == {"new paths": 7}
    (line,) = [each for each in capsys.readouterr().out.splitlines() if each.startswith("large")]
    assert line.endswith("  7 new paths")
