"""The guest from outside, with a script in the place of the kernel."""

import os
import signal
import subprocess
import sys

import pytest
from patience import LAST_RESORT_S, until

from firmware.lib.errors import Failure
from tools.hil.kernel import guest

# Whether we may go before others: not everybody may.
AHEAD = (
    sys.executable, "-c", "import os; os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))"
)  # fmt: skip


@pytest.fixture
def kernel(monkeypatch, tmp_path):
    """Makes a program of a shell script and takes it for the kernel."""
    folder = tmp_path / "kernel"
    (folder / "site").mkdir(parents=True)
    (folder / "pi4.dtb").touch()
    monkeypatch.setenv("CYLINDRE_KERNEL", str(folder))

    def make(script):
        path = folder / "linux"
        out = 'for word; do case "$word" in HIL_OUT=*) out=${word#HIL_OUT=};; esac; done\n'
        path.write_text("#!/bin/sh\n" + out + script)
        path.chmod(0o755)

    return make


def is_there(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_guests_exit_status_is_the_commands(kernel, tmp_path):
    kernel('sh "$out/job.sh"; echo $? > "$out/status"\n')
    out = tmp_path / "out"
    assert guest.run(["sh", "-c", "echo it is 'I'; exit 7"], out, virtual=True, limit_s=60) == 7
    assert (out / guest.CONSOLE).read_text() == "it is I\n"


def test_virtual_time_is_asked_for_and_real_time_is_not(kernel, tmp_path):
    kernel('echo "$@"; echo 0 > "$out/status"\n')
    for virtual in (True, False):
        guest.run(["true"], tmp_path / "out", virtual=virtual, limit_s=60)
        console = (tmp_path / "out" / guest.CONSOLE).read_text()
        assert ("time-travel=inf-cpu" in console) == virtual


def test_a_guest_that_does_not_end_is_ended_with_all_of_its_children(kernel, tmp_path):
    kernel(f'{"sleep 1000 & " * 100} echo $! > "$out/child"; wait\n')
    out = tmp_path / "out"
    with guest.started(["true"], out, virtual=True) as process:
        until(lambda: (out / "child").exists() and (out / "child").read_text().strip())
        assert is_there(int((out / "child").read_text()))
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_guest_that_takes_too_long_is_told_with_what_it_said(kernel, tmp_path):
    kernel("echo stuck; sleep 1000\n")
    with pytest.raises(Failure, match=r"not done in 4 s\. It said:\nstuck"):
        guest.run(["true"], tmp_path / "out", virtual=True, limit_s=4.0)


def test_a_guest_that_ends_without_a_word_is_told(kernel, tmp_path):
    kernel("exit 0\n")
    with pytest.raises(Failure, match=r"without a word\. It said nothing"):
        guest.run(["true"], tmp_path / "out", virtual=True, limit_s=60)


def test_an_old_status_is_not_taken_for_a_new_one(kernel, tmp_path):
    kernel('echo 0 > "$out/status"\n')
    guest.run(["true"], tmp_path / "out", virtual=True, limit_s=60)
    kernel("exit 0\n")
    with pytest.raises(Failure, match="without a word"):
        guest.run(["true"], tmp_path / "out", virtual=True, limit_s=60)


def test_whoever_is_interrupted_leaves_no_guest(kernel, tmp_path):
    kernel('echo $$ > "$out/pid"; sleep 1000\n')
    out = tmp_path / "out"

    def interrupt():
        with guest.started(["true"], out, virtual=True):
            until(lambda: (out / "pid").exists() and (out / "pid").read_text().strip())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert not is_there(int((out / "pid").read_text()))


def test_all_guests_are_ended_at_once_whoever_waits_for_them(kernel, tmp_path):
    kernel("sleep 1000\n")
    with guest.started(["true"], tmp_path / "out", virtual=True) as process:
        guest.end_all()
        assert process.wait(LAST_RESORT_S) == -signal.SIGKILL


def test_a_guest_in_real_time_has_one_processor_and_its_priority_if_it_may(kernel, tmp_path):
    kernel("sleep 1000\n")
    with guest.started(["true"], tmp_path / "out", virtual=False) as process:
        assert len(os.sched_getaffinity(process.pid)) == 1
        is_ahead = os.sched_getscheduler(process.pid) == os.SCHED_RR
        assert is_ahead == (subprocess.run(AHEAD, check=False, capture_output=True).returncode == 0)
