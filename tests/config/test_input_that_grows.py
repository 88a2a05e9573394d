"""No file makes a program grow: what is too deep, too long or too much is not parsed."""

import time
import tomllib
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from growing_input import SHAPES, SIZE, texts
from hypothesis import given, settings

from firmware.config import Mistake, Source, layout_file, parse, survey
from firmware.config.judged_toml import NAMES_MAX, TooMuch, judge
from firmware.config.layout_file import LayoutError
from firmware.lib.errors import Failure
from firmware.lib.mistakes import MISTAKES_MAX
from firmware.services.configuring import cross_checks
from tools.hil import scenario_file
from tools.hil.rig import wiring
from tools.technician import page_providers

GROWN_MAX = 16_000_000  # bytes; a file has 65 536, and the program may have 50 MB more


@contextmanager
def bounded() -> Iterator[None]:
    """What is done within takes less than GROWN_MAX."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < GROWN_MAX, f"{peak} bytes"


def checked(text: str, name: str = "wheel.toml") -> list[Mistake]:
    found = survey(Path(name), Source(name, text))
    return cross_checks.check(found, "roulette_ref").mistakes


def as_a_layout(folder: Path) -> Callable[[str], object]:
    def read(text: str) -> object:
        (folder / "cases.toml").write_bytes(text.encode())
        return layout_file.load(folder / "cases.toml")

    return read


def as_a_wiring(folder: Path) -> Callable[[str], object]:
    def read(text: str) -> object:
        (folder / "rig.toml").write_bytes(text.encode())
        return wiring.load(folder / "rig.toml")

    return read


@pytest.mark.parametrize("shape", SHAPES)
def test_no_configuration_grows(shape: str) -> None:
    with bounded():
        mistakes = page_providers.mistakes(Path("wheel.toml"), SHAPES[shape], "roulette_ref")
    assert shape == "comments" or mistakes
    assert len(mistakes) <= MISTAKES_MAX + 1


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "comments"])
def test_no_layout_scenario_or_wiring_grows(shape: str, tmp_path: Path) -> None:
    readers = (
        as_a_layout(tmp_path),
        lambda text: scenario_file.parse(text, name="x", where="x.toml"),
        as_a_wiring(tmp_path),
    )
    for read in readers:
        with bounded(), pytest.raises((LayoutError, Failure)) as caught:
            read(SHAPES[shape])
        assert str(caught.value).count("\n") <= MISTAKES_MAX


@settings(max_examples=120, deadline=None)
@given(texts())
def test_nothing_drawn_at_random_grows(text: str) -> None:
    with bounded():
        mistakes = checked(text)
    assert len(mistakes) <= MISTAKES_MAX + 1


@settings(max_examples=60, deadline=None)
@given(texts())
def test_nothing_drawn_at_random_takes_long(text: str) -> None:
    began_s = time.process_time()
    checked(text)
    assert time.process_time() - began_s < 1


def test_the_page_takes_no_more_than_a_file_has() -> None:
    (mistake,) = page_providers.mistakes(Path("wheel.toml"), "#" * (SIZE + 1), None)
    assert mistake.text == "longer than 65536 bytes, so not a configuration."


def test_half_a_character_on_the_page_is_no_text() -> None:
    (mistake,) = page_providers.mistakes(Path("wheel.toml"), "\ud800", None)
    assert mistake.text == "this is not UTF-8 text. Save it as UTF-8."


def test_twenty_mistakes_are_told_and_how_many_more_there_are() -> None:
    text = "[call]\n" + "\n".join(f"late_{number} = 1" for number in range(57))
    mistakes = checked(text)
    assert [mistake.line for mistake in mistakes[:-1]] == list(range(2, 22))
    assert mistakes[-1] == Mistake("", 0, "And 37 more: correct these first.")
    assert str(mistakes[-1]) == "And 37 more: correct these first."


def test_exactly_twenty_mistakes_are_told_without_more() -> None:
    mistakes = checked("[call]\n" + "\n".join(f"late_{number} = 1" for number in range(20)))
    assert len(mistakes) == 20
    assert {mistake.file for mistake in mistakes} == {"wheel.toml"}


def test_mistakes_of_many_files_are_counted_together(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "wheel.toml").write_text("[call]\n" + "a = 1\nb = 1\n")
    for number in range(15):
        (tmp_path / "conf.d" / f"{number:02}.toml").write_text("[call]\nc = 1\nd = 1\n")
    mistakes = survey(tmp_path / "wheel.toml").mistakes
    assert len(mistakes) == 21
    assert mistakes[-1].text == "And 12 more: correct these first."


def test_files_together_have_a_size(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "wheel.toml").write_text("")
    for number in range(6):
        (tmp_path / "conf.d" / f"{number}.toml").write_text(("#" * 7_999 + "\n") * 8)
    (mistake,) = survey(tmp_path / "wheel.toml").mistakes
    assert mistake.file.endswith("conf.d/4.toml")
    assert mistake.text == (
        "with the files before it longer than 262144 bytes, so not a configuration."
    )


def test_many_files_with_broken_lines_are_not_all_read_ten_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed, real = [], tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text: parsed.append(len(text)) or real(text))
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "wheel.toml").write_text("")
    text = "".join(f"a{number}.b.c.d.e=1\n" for number in range(250)) + "no line\n" * 9
    for number in range(64):
        (tmp_path / "conf.d" / f"{number:02}.toml").write_text(text)
    assert len(survey(tmp_path / "wheel.toml").mistakes) == MISTAKES_MAX + 1
    assert sum(parsed) < 4 * 64 * len(text)


@pytest.mark.parametrize(("text", "line", "why"), [
    ("\n" + ".".join("a" * 9) + " = 1", 2, "a key has more than 8 parts"),
    ("\n[" + ".".join("a" * 9) + "]", 2, "a key has more than 8 parts"),
    ("\na = " + "[" * 9, 2, "brackets lie more than 8 deep"),
    ("\na = " + "{b=" * 9, 2, "brackets lie more than 8 deep"),
    ("\n" + "a = 1\n" * (NAMES_MAX + 1), 2 + NAMES_MAX, "it has more than 2000 keys and values"),
    ("\n" + "x" * 8_193, 2, "a line has more than 8192 characters"),
    ("\na = '" + "x" * 8_193, 2, "a value is too long"),
    ("\na = " + "9" * 41, 2, "a value is too long"),
    ("\na = [1,\n 0x" + "f" * 41 + ",\n]", 3, "a value is too long"),
])  # fmt: skip
def test_what_is_too_much_is_told_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(TooMuch) as caught:
        judge(text)
    assert (caught.value.line, caught.value.why) == (line, why)


@pytest.mark.parametrize("quoted", [
    '"{}"', "'{}'", '"""{}"""', "'''{}'''", '"""\n{}\n"""', '"\\"{}"', '"""\\"""{}"""',
    '"""{}""\n"""""', "1 # {}",
])  # fmt: skip
def test_what_stands_in_a_text_or_a_comment_is_no_key(quoted: str) -> None:
    judge("a = " + quoted.format("a.b.c.d.e.f.g.h.i.j[[[[[[[[[[" + "9" * 50) + "\nb = 1.5\n")


def test_a_whole_configuration_is_far_from_any_limit() -> None:
    parse("[maxima]\n" + "# said at length\n" * 300 + "plein = 20\n")
