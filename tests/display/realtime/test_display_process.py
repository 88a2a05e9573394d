"""`cylindre display` as people start it: a process of its own on a real tty."""

import fcntl
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench_controller import Controller, Wire
from patience import LAST_RESORT_S, Meter, Waiting, judge

ROOT = Path(__file__).parents[3]
DARK_S = 2.0  # 1 s from the last answer on, and what a process takes to see it


class Shown:
    """A running display, and everything it has printed."""

    def __init__(self, wire: Wire, *options: str, out: int = -1, screen: int = -1) -> None:
        command = [sys.executable, "-P", "-m", "tools.cli", "display", "--port", str(wire.link)]
        command += ["--keys", str(wire.link.with_name("keys"))]
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
        controller: Controller | None = None,
        wire: Wire | None = None,
    ) -> None:
        """Reads until `enough`, while `controller` talks on `wire`."""
        told = lambda: (self.printed, self.process.poll())  # noqa: E731
        with Waiting("what it shows", told=told) as waiting:
            while not enough(self):
                waiting.on()
                if controller is not None and wire is not None:
                    controller.talk(wire)
                if select.select([self._screen], [], [], 0.002)[0]:
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
        rest, said = self.process.communicate(timeout=LAST_RESORT_S)
        self.printed += rest or b""
        return self.process.returncode, said.decode()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    made = Wire(tmp_path / "bus")
    yield made
    made.cut()


@pytest.fixture
def controller(tmp_path: Path) -> Controller:
    made = Controller()
    made.keys(tmp_path / "keys")
    return made


@pytest.fixture
def display(controller: Controller) -> Iterator[Callable[..., Shown]]:
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


@pytest.mark.smoke
@pytest.mark.req("LU-37-1.shown")
def test_only_the_confirmed_number_is_shown_and_silence_is_a_dash(
    wire: Wire, controller: Controller, display: Callable[..., Shown]
) -> None:
    shown = display(wire, "--json")
    shown.until(lit("STALE", None))
    for state in ("BETS_OPEN", "DETECTED"):
        controller.state(state)
        wire.write(b"\x07noise\x00more noise")
        shown.until(lit(state, None), controller, wire)
    controller.confirm(17)
    shown.until(lit("CONFIRMED", 17), controller, wire)
    with Meter() as meter:
        shown.until(lit("STALE", None))  # nobody talks any more
    code, said = shown.stop(signal.SIGTERM)
    assert (code, said) == (0, "")
    assert {line["shown"] for line in shown.lines if line["state"] != "CONFIRMED"} == {None}
    confirmed, stale = shown.lines[-2:]
    assert {"state": "CONFIRMED", "shown": 17, "seq": 1}.items() <= confirmed.items()
    assert {"epoch": 1, "manual": False, "rotor": "ccw"}.items() <= confirmed.items()
    dark_us = stale["t_us"] - confirmed["t_us"]
    assert dark_us > 0
    judge("a dash", dark_us / 1_000_000, DARK_S, meter.stalled_s)


def test_a_port_that_vanishes_is_a_dash_one_sentence_and_waited_for(
    wire: Wire, controller: Controller, display: Callable[..., Shown]
) -> None:
    shown = display(wire, "--json")
    shown.until(lit("STALE", None))
    controller.confirm(17)
    shown.until(lit("CONFIRMED", 17), controller, wire)
    wire.cut()
    shown.until(lit("STALE", None))
    again = Wire(wire.link)
    try:
        shown.until(lit("CONFIRMED", 17), controller, again)
        code, said = shown.stop(signal.SIGINT)
    finally:
        again.cut()
    assert code == 130
    assert said.count("is gone") == 1
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("options", [(), ("--page-port", "0")], ids=["lines alone", "with a page"])
def test_a_display_outlives_its_controller_and_its_port(
    wire: Wire, controller: Controller, display: Callable[..., Shown], options: tuple[str, ...]
) -> None:
    shown = display(wire, "--json", *options)
    controller.confirm(17)
    shown.until(lit("CONFIRMED", 17), controller, wire)
    for number in (36, 5):
        with Meter() as meter:
            shown.until(lit("STALE", None))  # the controller has ended
        number_, dash = shown.lines[-2:]
        judge("a dash", (dash["t_us"] - number_["t_us"]) / 1_000_000, DARK_S, meter.stalled_s)
        controller.house.start()  # again: another session, the same journal
        controller.confirm(number)
        shown.until(lit("CONFIRMED", number), controller, wire)
    wire.cut()  # and its port with it
    shown.until(lit("STALE", None))
    again = Wire(wire.link)
    try:
        controller.house.start()
        controller.confirm(20)
        shown.until(lit("CONFIRMED", 20), controller, again)
        assert shown.stop(signal.SIGTERM)[0] == 0
    finally:
        again.cut()
    assert {line["shown"] for line in shown.lines} == {None, 17, 36, 5, 20}


def test_a_display_whose_sentences_nobody_reads_any_more_waits_for_its_port_all_the_same(
    wire: Wire, controller: Controller, display: Callable[..., Shown]
) -> None:
    """As where the terminal was closed in which it was started, and its page goes on."""
    shown = display(wire, "--json")
    controller.confirm(17)
    shown.until(lit("CONFIRMED", 17), controller, wire)
    assert shown.process.stderr is not None
    shown.process.stderr.close()
    wire.cut()
    shown.until(lit("STALE", None))
    again = Wire(wire.link)
    try:
        shown.until(lit("CONFIRMED", 17), controller, again)
    finally:
        again.cut()


def ended(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "tools.cli", "display", *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=LAST_RESORT_S)


def test_a_missing_port_is_one_sentence_and_exit_3(controller: Controller, tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere")
    done = ended("--port", missing, "--keys", str(tmp_path / "keys"), "--json")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (f"There is no port {missing}: plug it in, or name another.\n")


def test_a_missing_key_is_one_sentence_and_exit_4(wire: Wire, tmp_path: Path) -> None:
    done = ended("--port", str(wire.link), "--keys", str(tmp_path), "--address", "2", "--json")
    assert (done.returncode, done.stdout) == (4, "")
    assert "display-02.key" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_display_with_the_key_of_another_house_shows_a_dash(
    wire: Wire, controller: Controller, display: Callable[..., Shown], tmp_path: Path
) -> None:
    key = tmp_path / "keys" / "display-01.key"
    key.write_text("ab" * 32 + "\n")
    shown, frames = display(wire, "--json"), []
    controller.confirm(17)
    shown.until(lit("STALE", None))
    shown.until(lambda _: frames.append(1) or len(frames) > 300, controller, wire)
    assert [line["shown"] for line in shown.lines] == [None]


def test_a_port_in_use_is_one_sentence_and_exit_3(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    first = display(wire, "--json")
    first.until(lit("STALE", None))
    second = display(wire, "--json")
    _, said = second.process.communicate(timeout=LAST_RESORT_S)
    assert second.process.returncode == 3
    assert b"is in use" in said
    assert len(said.splitlines()) == 1


def test_json_and_terminal_at_once_are_refused(wire: Wire, tmp_path: Path) -> None:
    keys = str(tmp_path / "keys")
    done = ended("--port", str(wire.link), "--keys", keys, "--json", "--terminal")
    assert done.returncode == 2
    assert "--json and --terminal" in done.stderr


def test_a_display_serves_its_page_and_says_where(
    wire: Wire, controller: Controller, display: Callable[..., Shown]
) -> None:
    shown = display(wire, "--page-port", "0")
    shown.until(lambda shown: shown.printed.endswith(b"/\n"))
    found = re.fullmatch(r"Table display: (http://127\.0\.0\.1:\d+/)\n", shown.printed.decode())
    assert found is not None
    with urllib.request.urlopen(found[1], timeout=LAST_RESORT_S) as page:
        assert b"page.mjs" in page.read()
    assert shown.stop(signal.SIGTERM) == (0, "")


def test_a_page_port_in_use_is_one_sentence_and_exit_1(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        shown = display(wire, "--page-port", str(port))
        _, said = shown.process.communicate(timeout=LAST_RESORT_S)
    assert shown.process.returncode == 1
    assert said.decode() == (
        f"The page cannot be served on port {port}, which is in use or not yours:"
        " give another with --page-port, or 0 for any.\n"
    )


def test_json_and_a_page_at_once_print_the_address_elsewhere(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    shown = display(wire, "--json", "--page-port", "0")
    shown.until(lit("STALE", None))
    code, said = shown.stop(signal.SIGINT)
    assert code == 130
    assert re.fullmatch(r"Table display: http://127\.0\.0\.1:\d+/\n", said)


def terminal(columns: int, lines: int) -> tuple[int, int]:
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    return master, slave


def test_a_terminal_is_drawn_on_and_given_back(
    wire: Wire, controller: Controller, display: Callable[..., Shown]
) -> None:
    master, slave = terminal(80, 24)
    shown = display(wire, "--terminal", out=slave, screen=master)
    shown.until(lambda shown: b"PAS DE LIAISON" in shown.printed)
    controller.state("NO_MORE_BETS")
    shown.until(lambda shown: b"RIEN NE VA PLUS" in shown.printed, controller, wire)
    controller.confirm(17)
    shown.until(lambda shown: b"IMPAIR" in shown.printed, controller, wire)
    drawn = len(shown.printed)
    beats: list[int] = []
    shown.until(lambda _: beats.append(1) or len(beats) > 60, controller, wire)
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
    wire: Wire, controller: Controller, display: Callable[..., Shown], size: tuple[int, int]
) -> None:
    master, slave = terminal(*size)
    shown = display(wire, "--terminal", out=slave, screen=master)
    shown.until(lambda shown: b"STALE: -" in shown.printed)
    controller.confirm(17)
    shown.until(lambda shown: b"manque/1 to 18" in shown.printed, controller, wire)
    assert b"\x1b" not in shown.printed
    assert shown.stop(signal.SIGTERM)[0] == 0
    os.close(master)
    os.close(slave)


def test_a_terminal_that_is_closed_ends_it_quietly(
    wire: Wire, display: Callable[..., Shown]
) -> None:
    master, slave = terminal(80, 24)
    shown = display(wire, "--terminal", out=slave, screen=master)
    shown.until(lambda shown: b"PAS DE LIAISON" in shown.printed)
    os.close(slave)
    os.close(master)
    assert shown.stop(signal.SIGHUP) == (0, "")
