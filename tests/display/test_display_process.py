"""`cylindre display` as people start it: a process of its own on a real tty."""

import contextlib
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.bus.sender import Talker

ROOT = Path(__file__).parents[2]
# Generous: a machine under load starts a Python in seconds.
LIMIT_S = 30
OPEN = ("BETS_OPEN", 42, 41, -1, None, None, None)
DETECTED = ("DETECTED", 42, 41, -1, None, None, None)
CONFIRMED = ("CONFIRMED", 42, 42, -1, 17, "black", None)


class Wire:
    """A pty whose far end has a name of our own, so that it can vanish and come back."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        link.symlink_to(os.ttyname(self._slave))

    def write(self, data: bytes) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self.master, data)

    def cut(self) -> None:
        if self.master >= 0:
            self.link.unlink()
            os.close(self.master)
            os.close(self._slave)
            self.master = -1


class Shown:
    """A running display, and everything it has printed."""

    def __init__(self, wire: Wire, *options: str, out: int = -1, screen: int = -1) -> None:
        command = [sys.executable, "-m", "tools.cli", "display", "--port", str(wire.link)]
        environment = os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            [*command, *options],
            stdout=subprocess.PIPE if out < 0 else out,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
        )
        if screen < 0:
            assert self.process.stdout is not None
            screen = self.process.stdout.fileno()
        self._screen = screen
        self.printed = b""

    def until(
        self,
        enough: Callable[["Shown"], object],
        talker: Talker | None = None,
        wire: Wire | None = None,
    ) -> None:
        """Reads until `enough`, while `talker` talks on `wire`."""
        give_up = time.monotonic() + LIMIT_S
        while not enough(self):
            assert time.monotonic() < give_up, (self.printed, self.process.poll())
            if talker is not None and wire is not None:
                for frame in talker.poll(time.monotonic_ns() // 1000):
                    wire.write(frame)
            if select.select([self._screen], [], [], 0.01)[0]:
                got = os.read(self._screen, 65536)
                assert got, (self.printed, self.stop(signal.SIGKILL))
                self.printed += got

    @property
    def lines(self) -> list[dict]:
        whole = self.printed.rpartition(b"\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def stop(self, number: int) -> tuple[int, str]:
        """The exit code after a signal, and what was said on standard error."""
        self.process.send_signal(number)
        rest, said = self.process.communicate(timeout=LIMIT_S)
        self.printed += rest or b""
        return self.process.returncode, said.decode()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    made = Wire(tmp_path / "bus")
    yield made
    made.cut()


@pytest.fixture
def display() -> Iterator[Callable[..., Shown]]:
    running: list[Shown] = []

    def start(wire: Wire, *options: str, **streams: int) -> Shown:
        running.append(Shown(wire, *options, **streams))
        return running[-1]

    yield start
    for shown in running:
        if shown.process.poll() is None:
            shown.process.kill()
        shown.process.communicate()


def lit(state: str, number: int | None) -> Callable[[Shown], bool]:
    return lambda shown: any(
        (line["state"], line["shown"]) == (state, number) for line in shown.lines[-1:]
    )


def test_only_the_confirmed_number_is_shown_and_silence_is_a_dash(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    shown, talker = display(wire, "--json"), Talker(1)
    shown.until(lit("STALE", None))
    for view in (OPEN, DETECTED, CONFIRMED):
        talker.show(*view)
        wire.write(b"\x07noise\x00more noise")
        shown.until(lit(view[0], view[4]), talker, wire)
    shown.until(lit("STALE", None))  # nobody talks any more
    code, said = shown.stop(signal.SIGTERM)
    assert (code, said) == (0, "")
    assert [line["shown"] for line in shown.lines] == [None, None, None, 17, None]
    confirmed, stale = shown.lines[-2:]
    assert {"state": "CONFIRMED", "shown": 17, "seq": 42}.items() <= confirmed.items()
    assert confirmed["rotor"] == "cw"
    assert stale["t_us"] - confirmed["t_us"] > 950_000


def test_a_port_that_vanishes_is_a_dash_one_sentence_and_waited_for(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    shown, talker = display(wire, "--json"), Talker(1)
    shown.until(lit("STALE", None))
    talker.show(*CONFIRMED)
    shown.until(lit("CONFIRMED", 17), talker, wire)
    wire.cut()
    shown.until(lit("STALE", None))
    again = Wire(wire.link)
    try:
        shown.until(lit("CONFIRMED", 17), talker, again)
        code, said = shown.stop(signal.SIGINT)
    finally:
        again.cut()
    assert code == 130
    assert said.count("is gone") == 1
    assert len(said.splitlines()) == 1


def test_a_missing_port_is_one_sentence_and_exit_3(tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere")
    command = [sys.executable, "-m", "tools.cli", "display", "--port", missing, "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=LIMIT_S)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr == (
        f"There is no port {missing}: plug in the bus, or give another with --port.\n"
    )


def test_a_port_in_use_is_one_sentence_and_exit_3(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    first = display(wire, "--json")
    first.until(lit("STALE", None))
    second = display(wire, "--json")
    _, said = second.process.communicate(timeout=LIMIT_S)
    assert second.process.returncode == 3
    assert b"is in use" in said
    assert len(said.splitlines()) == 1


def terminal(columns: int, lines: int) -> tuple[int, int]:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    return master, slave


def test_a_terminal_is_drawn_on_and_given_back(wire: Wire, display: Callable[..., Shown]) -> None:
    master, slave = terminal(80, 24)
    shown, talker = display(wire, out=slave, screen=master), Talker(1)
    shown.until(lambda shown: b"PAS DE LIAISON" in shown.printed)
    talker.show("NO_MORE_BETS", 42, 41, -1, None, None, None)
    shown.until(lambda shown: b"RIEN NE VA PLUS" in shown.printed, talker, wire)
    talker.show(*CONFIRMED)
    shown.until(lambda shown: b"IMPAIR" in shown.printed, talker, wire)
    drawn = len(shown.printed)
    beats = []
    shown.until(lambda _: beats.append(1) or len(beats) > 60, talker, wire)
    assert b"\x1b[2J" not in shown.printed[drawn:]
    code, said = shown.stop(signal.SIGINT)
    shown.until(lambda shown: shown.printed.endswith(b"\x1b[?1049l"))
    os.close(master)
    os.close(slave)
    assert (code, said) == (130, "")
    assert shown.printed.startswith(b"\x1b[?1049h\x1b[?25l")
    assert b"\x1b[?25h" in shown.printed[-20:]


@pytest.mark.parametrize("size", [(79, 24), (80, 23)])
def test_a_terminal_that_is_too_small_gets_plain_lines(
    wire: Wire, display: Callable[..., Shown], size: tuple[int, int]
) -> None:
    master, slave = terminal(*size)
    shown, talker = display(wire, out=slave, screen=master), Talker(1)
    shown.until(lambda shown: b"STALE: -" in shown.printed)
    talker.show(*CONFIRMED)
    shown.until(lambda shown: b"manque/1 to 18" in shown.printed, talker, wire)
    assert b"\x1b" not in shown.printed
    assert shown.stop(signal.SIGTERM)[0] == 0
    os.close(master)
    os.close(slave)


def test_a_terminal_that_is_closed_ends_it_quietly(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    master, slave = terminal(80, 24)
    shown = display(wire, out=slave, screen=master)
    shown.until(lambda shown: b"PAS DE LIAISON" in shown.printed)
    os.close(slave)
    os.close(master)
    assert shown.stop(signal.SIGHUP) == (0, "")
