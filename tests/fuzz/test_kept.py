"""Every input that is kept, seeds and findings, is played again with no fuzzer."""

from pathlib import Path

import pytest

from tools.fuzz import campaign, corpus, targets
from tools.fuzz.choices import Choices
from tools.fuzz.targets import Target


@pytest.mark.req("IEC-CR-3.5")
@pytest.mark.parametrize("name", targets.NAMES)
def test_no_kept_input_breaks_what_it_is_given_to(name: str) -> None:
    play = targets.load(targets.find(name).play)
    kept = corpus.load(name)
    assert len(kept) > 10
    for data in kept:
        play(data)


def test_what_is_kept_is_short_and_is_kept_once() -> None:
    for name in targets.NAMES:
        kept = corpus.load(name)
        assert len(set(kept)) == len(kept)
        assert max(map(len, kept)) <= corpus.SIZE_MAX
        assert (corpus.FOLDER / f"{name}.txt").stat().st_size < 200_000


def test_what_is_kept_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    corpus.keep("some", [b"longer", b"\0", b"\0", b""])
    assert corpus.load("some") == [b"\0", b"longer"]
    for _ in range(2):
        corpus.keep_finding("some", b"broke it")
    corpus.keep_finding("other", b"elsewhere")
    corpus.keep("some", [b"broke it", b"new"])
    assert corpus.load("some") == [b"new", b"broke it"], "findings stay, once"
    corpus.write(tmp_path / "files", corpus.load("some"))
    assert corpus.read(tmp_path / "files") == [b"new", b"broke it"]


def test_choices_past_the_end_are_the_least() -> None:
    choose = Choices(b"\x05\x01")
    assert (choose.below(4), choose.number(2), choose.one("abc"), choose.run(2)) == (
        1, 1, "a", b"\0\0",
    )  # fmt: skip
    assert not choose.more
    assert Choices(b"rest").rest() == b"rest"


BREAKS = """
def play(data):
    if data[:1] == b"b" and data[1:2] == b"u" and data[2:3] == b"g":
        raise KeyError("broken")
"""

GROWS = """
def play(data):
    kept = b"x" * 2**28
    while True:  # until somebody ends it
        pass
"""


@pytest.fixture
def breaking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Target:
    """A target that something breaks."""
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "breaking.py").write_text(BREAKS)
    corpus.keep("breaking", [b"seeds"])
    return Target("breaking", "", "breaking:play", ("breaking",))


@pytest.mark.needs("atheris")
def test_a_fuzzer_that_follows_coverage_finds_what_breaks(breaking: Target, tmp_path: Path) -> None:
    """By chance it would take sixteen million tries."""
    found = campaign.fuzz(breaking, 60, learned=tmp_path)
    assert found.broken is not None
    assert found.broken[:3] == b"bug"
    assert "KeyError: 'broken'" in found.said
    assert found.new > 0
    fewest = campaign.minimised(breaking, learned=tmp_path)
    assert any(each[:1] == b"b" for each in fewest), "the way there is kept"
    assert len(fewest) <= 4, "one a path"


@pytest.mark.needs("atheris")
def test_what_takes_all_memory_is_a_finding(
    breaking: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "_RSS_MAX_MB", 200)
    (tmp_path / "breaking.py").write_text(GROWS)
    found = campaign.fuzz(breaking, 60, learned=tmp_path)
    assert found.broken is not None
    assert "out-of-memory" in found.said
