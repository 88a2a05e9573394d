"""What systemd hears of a running controller, on a real datagram socket."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from device_rig import COMMAND, Listener, Start
from patience import LAST_RESORT_S, until
from stopped import thread_stopped

from firmware.core.facts import View
from firmware.run import sd_notify

RUN = (*COMMAND, "run", "--board", "roulette_ref", "--seed", "3", "--json")
WATCHDOG_US = 400_000  # of which it sends a word every 100 ms
PAGES = 3 * 4096  # bytes; all that is printed before the first coup ends is less
STALL_S = 1.0  # two and a half times as long without a word: systemd would have killed it


def watched(listener: Listener, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(listener.path), "WATCHDOG_USEC": str(WATCHDOG_US), **more}


def is_word(told: bytes) -> bool:
    return told == b"WATCHDOG=1"


@pytest.mark.smoke
def test_a_controller_says_ready_lives_and_says_that_it_stops(
    listener: Callable[[str], Listener], start: Start
) -> None:
    systemd = listener("notify")
    process = start(*RUN, env=watched(systemd))
    said = [systemd.until(lambda _: True)]
    while said[-1] != b"READY=1":
        said.append(systemd.until(lambda _: True))
    assert b"STOPPING=1" not in said
    assert b"STATUS=coup 0: BETS_OPEN" in said
    words = 0
    while words < 5:
        words += is_word(systemd.until(lambda _: True))
    process.send_signal(signal.SIGTERM)
    assert systemd.until(lambda told: told.startswith(b"STOPPING")) == b"STOPPING=1"
    assert systemd.until(lambda told: b": SERVICE" in told).startswith(b"STATUS=coup ")
    process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == 0


def test_a_loop_that_stands_still_sends_no_word_though_its_other_threads_run(
    listener: Callable[[str], Listener], start: Start
) -> None:
    systemd = listener("notify")
    process = start(*RUN, env=watched(systemd))
    systemd.until(is_word)
    with thread_stopped(process.pid):  # the main thread, which is the loop; not the others
        until(lambda: systemd.next(STALL_S) is None, "silence", waits=True)
        others = [tid for tid in os.listdir(f"/proc/{process.pid}/task") if int(tid) != process.pid]
        assert others
        states = [Path(f"/proc/{process.pid}/task/{tid}/stat").read_text() for tid in others]
        assert all(state.rpartition(") ")[2][0] in "SR" for state in states), states
    assert is_word(systemd.until(is_word))  # and it goes on as soon as the loop does


def test_a_journal_that_does_not_come_round_is_no_life(
    listener: Callable[[str], Listener], start: Start
) -> None:
    systemd = listener("notify")
    process = start(*RUN, env=watched(systemd))
    systemd.until(is_word)
    with thread_stopped(_writer(process, systemd)):
        # It has nothing to do until the next record; then it does not come round.
        until(lambda: systemd.next(STALL_S) is None, "silence", waits=True)
        came_round = _switches(process.pid)
        until(lambda: _switches(process.pid) > came_round + 50, "the loop itself is well")
        assert systemd.next(STALL_S) is None
    assert is_word(systemd.until(is_word))


def _switches(tid: int) -> int:
    """How often a thread waited and was woken."""
    text = Path(f"/proc/{tid}/task/{tid}/status").read_text()
    return int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0])


def _writer(process: "subprocess.Popen[str]", systemd: Listener) -> int:
    """The thread that writes the journal: none but it writes whole pages of a database."""
    while True:
        for tid in os.listdir(f"/proc/{process.pid}/task"):
            counted = Path(f"/proc/{process.pid}/task/{tid}/io").read_text()
            written = int(counted.partition("wchar: ")[2].split()[0])
            if int(tid) != process.pid and written > PAGES:
                return int(tid)
        systemd.until(is_word)  # somewhat later


def test_who_is_not_watched_says_ready_and_no_word(
    listener: Callable[[str], Listener], start: Start
) -> None:
    systemd = listener("notify")
    other = {"WATCHDOG_PID": "1"}  # of another process
    process = start(*RUN, env=watched(systemd, **other))
    said = [systemd.until(lambda _: True)]
    while not any(b"BALL_IN_TRACK" in told for told in said):
        said.append(systemd.until(lambda _: True))
    assert b"READY=1" in said
    assert not any(map(is_word, said))
    process.send_signal(signal.SIGTERM)


def test_a_word_is_sent_often_enough_and_no_oftener(listener: Callable[[str], Listener]) -> None:
    systemd = listener("notify")
    now_s = 0.0
    manager = sd_notify.Manager(str(systemd.path), 4_000_000, lambda: now_s)
    for step in range(500):  # the loop comes round every 10 ms, for 5 s
        now_s = step / 100
        manager.feed()
    manager.notify("END=1")
    said = []
    while (told := systemd.next()) != b"END=1":
        said.append(told)
    assert said == [b"WATCHDOG=1"] * 5
    manager.close()


def test_a_manager_that_does_not_read_or_is_gone_is_never_waited_for(
    listener: Callable[[str], Listener],
) -> None:
    systemd = listener("notify")
    manager = sd_notify.Manager(str(systemd.path), 1)
    taken: list[bool] = []
    while not taken or taken[-1]:  # until its queue is full
        taken.append(manager.notify("STATUS=" + "x" * 1000))
    manager.feed()
    manager.show_view(View("BETS_OPEN", 1, 0, 0, None, None, None))
    systemd.close()
    os.unlink(systemd.path)
    assert manager.notify("READY=1") is False
    manager.close()


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, None),
        ({"NOTIFY_SOCKET": ""}, None),
        ({"NOTIFY_SOCKET": "relative"}, None),
        ({"NOTIFY_SOCKET": "vsock:2:1"}, None),
        ({"NOTIFY_SOCKET": "/x"}, False),
        ({"NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "3000000"}, True),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "0"}, False),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "soon"}, False),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}, False),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "9", "WATCHDOG_PID": str(os.getpid())}, True),
    ],
)
def test_the_environment_says_who_wants_to_know(environment: Any, found: bool | None) -> None:
    manager = sd_notify.manager(environment)
    assert (None if manager is None else manager.watches) is found
    if manager is not None:
        manager.close()
