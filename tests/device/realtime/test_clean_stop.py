"""A stop as systemd makes it: rotor off, the displays say so, all is flushed, in 2 s, pages open.

Controller, two displays and the pages' streams are processes and sockets of their own.
"""

import json
import os
import re
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from device_rig import COMMAND, STOPS_IN_S, TOLD_S, Carried, Lines, Start
from patience import LAST_RESORT_S, Meter, unless_stalled, within

from firmware.store import reader

BOULE = ("--board", "boule_ref", "--seed", "3")


class Display:
    """A `cylindre display` and what it lights, line by line."""

    def __init__(self, start: Start, port: str, keys: Path, address: int) -> None:
        words = ("display", "--port", port, "--keys", str(keys), "--address", str(address))
        self.process = start(*COMMAND, *words, "--json")
        assert self.process.stdout is not None
        self._lines = Lines(self.process.stdout)
        self.lit: list[dict[str, Any]] = []

    def until(self, *states: str) -> dict[str, Any]:
        """What it lights in the first of these states."""
        while not self.lit or self.lit[-1]["state"] not in states:
            self.lit.append(json.loads(self._lines.next()))
        return self.lit[-1]

    def number(self) -> Any:
        """The first that it lights: the state may come before the record that it believes."""
        while self.until("CONFIRMED")["shown"] is None:
            self.lit.append(json.loads(self._lines.next()))
        return self.lit[-1]["shown"]


def controller(start: Start, port: str, keys: Path, *more: str) -> "subprocess.Popen[str]":
    words = ("run", *BOULE, "--port", port, "--keys", str(keys), "--socket", "sockets")
    return start(*COMMAND, *words, "--journal", "coups.db", *more, "--json")


def opened_page(start: Start, port: str, keys: Path) -> tuple["subprocess.Popen[str]", Any]:
    """A display that serves its page, with a stream of it open."""
    words = ("display", "--port", port, "--keys", str(keys), "--address", "2", "--page-port", "0")
    process = start(*COMMAND, *words)
    assert process.stdout is not None
    lines, found = Lines(process.stdout), None
    while found is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", lines.next())
    stream = socket.create_connection(("127.0.0.1", int(found[1])), LAST_RESORT_S)
    stream.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{found[1]}\r\n\r\n".encode())
    told = b""
    while b"event:" not in told:
        told += received(stream)
    return process, stream


def received(stream: socket.socket) -> bytes:
    data = stream.recv(65536)
    assert data, "it hung up"
    return data


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_is_told_to_every_display_and_recorded_within_two_seconds(
    start: Start, table_line: Carried, key_folder: Path, tmp_path: Path, number: int
) -> None:
    displays = [Display(start, table_line.ends[address], key_folder, address) for address in (1, 2)]
    process = controller(start, table_line.ends[0], key_folder)
    for display in displays:
        display.until("NO_MORE_BETS")  # a coup is open
    with Meter() as meter, within(STOPS_IN_S, "a signal stops it"):
        process.send_signal(number)
        ends = [display.until("SERVICE", "STALE") for display in displays]
        process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == (130 if number == signal.SIGINT else 0)
    memory = reader.recall(tmp_path / "coups.db").restart_state
    assert (memory.coup, memory.open_coup) == (1, 0)
    with unless_stalled(TOLD_S, "a stop is told to every display", meter):
        # Told, not only silent.
        assert [(end["state"], end["shown"]) for end in ends] == [("SERVICE", None)] * 2


def test_with_pages_open_all_stops_within_two_seconds(
    start: Start, table_line: Carried, key_folder: Path
) -> None:
    page, stream = opened_page(start, table_line.ends[2], key_folder)
    shown = Display(start, table_line.ends[1], key_folder, 1)
    process = controller(start, table_line.ends[0], key_folder)
    shown.until("BETS_OPEN")
    told = b""
    while b"BETS_OPEN" not in told:
        told += received(stream)
    watchers = []
    for name in ("cylindre.sock", "status.sock", "status.sock"):  # pages, and whoever looks on
        watcher = socket.socket(socket.AF_UNIX)
        watcher.connect(os.path.relpath(process_folder(process) / "sockets" / name))
        watchers.append(watcher)
    with within(STOPS_IN_S, "all stops"):
        process.send_signal(signal.SIGTERM)
        page.send_signal(signal.SIGHUP)
        process.communicate(timeout=LAST_RESORT_S)
        page.communicate(timeout=LAST_RESORT_S)
    for watcher in watchers:
        watcher.settimeout(LAST_RESORT_S)
        while watcher.recv(65536):
            pass
        watcher.close()
    while stream.recv(65536):
        pass
    stream.close()


def process_folder(process: "subprocess.Popen[str]") -> Path:
    return Path(os.readlink(f"/proc/{process.pid}/cwd"))


def test_where_nobody_answers_a_stop_takes_no_longer(
    start: Start, table_line: Carried, key_folder: Path
) -> None:
    process = controller(start, table_line.ends[0], key_folder)
    assert process.stdout is not None
    Lines(process.stdout).next()
    with within(STOPS_IN_S, "a stop that nobody answers"):
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LAST_RESORT_S)


def test_after_so_many_coups_as_asked_the_last_number_stays(
    start: Start, table_line: Carried, key_folder: Path
) -> None:
    display = Display(start, table_line.ends[1], key_folder, 1)
    process = controller(start, table_line.ends[0], key_folder, "--coups", "1", "--pace", "5")
    out, _ = process.communicate(timeout=LAST_RESORT_S)
    result = json.loads(out.splitlines()[-1])
    assert display.number() == result["number"]
    display.until("STALE")
    assert "SERVICE" not in [lit["state"] for lit in display.lit]
