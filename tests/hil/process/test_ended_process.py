"""The number of a process that has ended may be another's: nothing is done to it any more."""

import os
import resource
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.hil.faults.host import DiskFull
from tools.hil.stage import child_process


def _never(*_: Any) -> None:
    raise AssertionError("this may be another's process")


def test_no_signal_goes_to_a_process_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = child_process.ChildProcess(("/bin/true",), tmp_path, tmp_path / "errors")
    process.popen.wait()
    monkeypatch.setattr(os, "killpg", _never)
    process.send(signal.SIGKILL)
    process.close()


def test_a_full_disk_limits_no_process_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal.db"
    journal.write_bytes(b"")
    controller = SimpleNamespace(is_over=True, popen=SimpleNamespace(pid=os.getpid()))
    monkeypatch.setattr(resource, "prlimit", _never)
    host: Any = SimpleNamespace(controller=controller, journal=journal)
    fault = DiskFull(host, {"left_bytes": 0})
    fault.begin_fault()
    fault.end_fault()
