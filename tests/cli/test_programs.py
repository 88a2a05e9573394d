"""Programs of Debian's: what is missing is named with its package, and what fails says why."""

from pathlib import Path

import pytest

from firmware.lib import programs
from firmware.lib.errors import FAILED, Failure

ABSENT = (("no-such-program", "its-package"), ("nor-this-one", "its-package"), ("sh", "dash"))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that a test writes, on the path that is searched."""
    monkeypatch.setattr(programs, "PATH", f"{tmp_path}:{programs.PATH}")
    path = tmp_path / "program"
    path.touch(mode=0o755)
    return path


def failed(program: Path, script: str) -> str:
    program.write_text(f"#!/bin/sh\n{script}\nexit 9\n")
    with pytest.raises(Failure) as found:
        programs.run("program")
    assert found.value.exit_code == FAILED
    return found.value.sentence


def test_all_that_is_missing_is_named_once_with_its_package() -> None:
    with pytest.raises(Failure) as found:
        programs.require(ABSENT)
    assert found.value.exit_code == FAILED
    assert found.value.sentence == (
        "Missing here: no-such-program, nor-this-one. Install: sudo apt install its-package."
    )


def test_what_is_here_is_not_missing_though_the_users_path_lacks_it(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    needed = (("program", "p"), ("sh", "dash"))
    assert programs.missing(needed) is None
    programs.require(needed)
    program.write_text("#!/bin/sh\necho found\n")
    assert programs.run("program") == b"found\n"


def test_a_program_reads_what_it_is_given_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"from a file\n")
    assert programs.run("cat", given=b"\0bytes") == b"\0bytes"
    assert programs.run("cat", given=tmp_path / "file") == b"from a file\n"
    assert programs.run("cat") == b""


def test_the_clock_of_what_must_come_out_the_same_twice_is_given(program: Path) -> None:
    program.write_text('#!/bin/sh\necho "$SOURCE_DATE_EPOCH $TZ"\n')
    assert programs.run("program", epoch=7) == b"7 UTC\n"


def test_a_program_that_fails_is_one_sentence_with_what_it_said_last(program: Path) -> None:
    assert failed(program, "echo first >&2; echo last >&2") == "program failed: first last"
    assert failed(program, "echo only printed") == "program failed: only printed"
    assert failed(program, ":") == "program failed: no reason given"
    said = failed(program, "head -c 5000 /dev/zero | tr '\\0' x >&2; echo ' the end' >&2")
    assert said.endswith("x the end") and len(said) < 400


def test_an_error_that_is_marked_as_one_is_told_before_what_comes_after_it(program: Path) -> None:
    script = "echo 'E: no such package' >&2; echo 'I: cleaning up' >&2"
    assert failed(program, script) == "program failed: E: no such package"


def test_a_program_that_is_not_here_is_one_sentence() -> None:
    with pytest.raises(Failure, match=r"^no-such-program is not on this machine\.$"):
        programs.run("no-such-program")
