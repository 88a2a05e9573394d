"""Each clause is shown by somebody, and nobody names a clause that is none."""

import functools
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.store.source_hash import firmware_hash
from tools.docs.evidence.marks import Named, in_hil, in_tests
from tools.docs.evidence.requirements import HERE, WHERE, Requirement, read, requirements, source_of


@functools.cache
def everybody() -> tuple[Named, ...]:
    return (*in_tests(), *in_hil())


@functools.cache
def all_named() -> frozenset[str]:
    return frozenset(named.requirement for named in everybody())


@pytest.mark.parametrize("requirement", requirements().values(), ids=lambda each: each.id)
def test_a_requirement_met_here_is_shown_by_a_test_or_a_scenario(requirement: Requirement) -> None:
    assert (requirement.id in all_named()) == (requirement.status == HERE)


def test_whoever_names_a_requirement_names_one_that_is() -> None:
    assert [named for named in everybody() if named.requirement not in requirements()] == []


def test_what_is_not_met_here_is_little_and_says_why() -> None:
    elsewhere = [each for each in requirements().values() if each.status != HERE]
    assert all(each.why for each in elsewhere)
    assert len(elsewhere) < len(requirements()) / 10


def test_what_was_read_besides_says_why_it_is_no_matter_of_ours() -> None:
    assert all(each.articles and each.why for each in read())


def test_an_id_belongs_to_the_text_with_the_longest_name() -> None:
    sources = {"FR": "the arrêté", "FR-47": "article 47"}
    assert source_of("FR-47.reversed", sources) == "FR-47"
    assert source_of("FR-46.reversed", sources) == "FR"
    with pytest.raises(KeyError):
        source_of("XX-1.nothing", sources)


def _pytest(folder: Path, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(f"import pytest\n{test}\n    def test_it(self): pass\n")
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tools.docs.evidence.plugin",
        "-q",
        *options,
        ".",
    )
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_test_that_names_an_unknown_requirement_stops_the_run(tmp_path: Path) -> None:
    ran = _pytest(tmp_path, "class TestIt:\n    @pytest.mark.req('LU-99.no')")
    assert ran.returncode != 0
    assert "there is no requirement LU-99.no" in ran.stderr


def test_a_mark_that_is_not_on_the_test_itself_is_refused(tmp_path: Path) -> None:
    ran = _pytest(tmp_path, "@pytest.mark.req('LU-37-1.call')\nclass TestIt:")
    assert ran.returncode != 0
    assert "each test names its requirements itself" in ran.stderr


def test_the_requirements_of_a_test_stand_in_its_junit_file(tmp_path: Path) -> None:
    test = "class TestIt:\n    @pytest.mark.req('LU-37-1.call', 'SD-34.call')"
    assert _pytest(tmp_path, test, "--junitxml=it.xml").returncode == 0
    text = (tmp_path / "it.xml").read_text()
    assert '<property name="requirement" value="LU-37-1.call" />' in text
    assert '<property name="requirement" value="SD-34.call" />' in text
    assert f'<property name="build" value="{firmware_hash().hex()}" />' in text
    assert "place" not in text


def test_where_a_test_ran_stands_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WHERE, "kernel")
    test = "class TestIt:\n    @pytest.mark.req('LU-37-1.call')"
    assert _pytest(tmp_path, test, "--junitxml=it.xml").returncode == 0
    assert '<property name="place" value="kernel" />' in (tmp_path / "it.xml").read_text()
