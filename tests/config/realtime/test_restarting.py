"""What is restarted with a new configuration, by systemd."""

from pathlib import Path

import pytest

from firmware.services.configuring.restarting import restart, words_of


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a systemctl writes what it was asked; it does what the file `fails` beside it names."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "systemctl"
    program.write_text(
        f'#!/bin/sh\necho "$*" >> {tmp_path}/asked\n'
        f'if grep -qsx "$1" {tmp_path}/fails; then echo no >&2; exit 5; fi\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return tmp_path / "asked"


def test_the_page_begins_anew_too_where_it_runs(asked: Path) -> None:
    """It has read board and layout at its start."""
    assert restart(words_of(None), 10.0) is None
    assert asked.read_text().splitlines() == [
        "reset-failed cylindre.service",
        "restart cylindre.service",
        "try-restart cylindre-page.service",
    ]


def test_a_wheel_that_cannot_be_restarted_is_told_and_one_without_a_page_is_not(
    asked: Path,
) -> None:
    fails = asked.with_name("fails")
    fails.write_text("try-restart\nreset-failed\n")
    assert restart(words_of(None), 10.0) is None
    fails.write_text("restart\n")
    assert restart(words_of(None), 10.0) == "systemctl failed (5): no"


def test_a_supervisor_of_somebodys_own_restarts_what_it_likes(asked: Path) -> None:
    assert restart(("true",), 10.0) is None
    assert not asked.exists()
