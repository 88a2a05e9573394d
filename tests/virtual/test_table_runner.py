"""`cylindre table` with processes that end as the test wants."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from firmware.lib.errors import FAILED, OK
from tools.virtual import table_runner


class Process:
    """Ends with `code` when it has been looked at so often."""

    def __init__(self, code: int, looks: int) -> None:
        self.returncode: int | None = None
        self._code, self._looks = code, looks

    def poll(self) -> int | None:
        self._looks -= 1
        if self._looks < 0:
            self.returncode = self._code
        return self.returncode

    def send_signal(self, _: int) -> None:
        self._looks = 0

    terminate = kill = lambda self: self.send_signal(0)


def test_a_guide_that_cannot_start_does_not_end_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[str] = []

    def start(options: list[str], output: int | None, **_: Any) -> Process:
        started.append(options[0])
        if options[0] != "guide":
            return Process(OK, 8)
        assert output is not None
        os.write(output, b"Port 8038 is in use.\n")
        return Process(FAILED, 0)

    monkeypatch.setattr(table_runner, "start", start)
    monkeypatch.setattr(table_runner, "is_answered", lambda _: True)
    monkeypatch.setattr(table_runner, "POLL_S", 0.0)
    folder = tmp_path / "blackjack_ref"
    given = {"key_folder": tmp_path / "keys", "page_port": 0, "has_guide": True}
    assert table_runner.play_table([], folder, **given) == OK
    assert started.count("guide") == 1
    told = capsys.readouterr().err
    assert told.count("The croupier's guide stopped with exit code 1") == 1
    assert f"see {folder / 'guide.log'}. Port 8038 is in use." in told
