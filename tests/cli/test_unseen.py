"""A PIN that is typed before it is asked for is not shown, and is what the prompt takes."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from named_files.walking import walked
from patience import LAST_RESORT_S, Waiting

from firmware.lib.places import CONTROL
from tools import cli
from tools.commands import group

ROOT = Path(__file__).parents[2]
CYLINDRE = (sys.executable, "-P", "-m", "tools.cli")
PINS = ("246810", "135799")
MANUAL = ("manual", "17", "--croupier", "anna", "--management", "weber", "--why", "x")
STATUS = {"ok": True, "status": {"game": "roulette", "state": None, "coup": 0}}
# A shell, which outlives what it runs: what nobody has read is read, and shown, by cat.
SHELL = 'trap : INT; "$@"; echo ended $?; exec cat'
IN_BACKGROUND = 'set -m; "$@" & wait $!; echo ended $?; exec cat'


class Screen:
    """A terminal, with a shell that runs one command line in it."""

    def __init__(self, folder: Path, *command: str, shell: str = SHELL, typed: str = "") -> None:
        """`typed`: before anything runs, so it is shown."""
        self.shown = ""
        self._master, slave = pty.openpty()
        self.before = termios.tcgetattr(self._master)
        self.type(typed)
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", shell, "sh", *command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "CYLINDRE_LANG": "en"},
            preexec_fn=lambda: os.login_tty(slave),
            pass_fds=(slave,),
        )
        os.close(slave)

    def close(self) -> None:
        os.close(self._master)
        self._shell.wait(LAST_RESORT_S)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def wait_for(self, pattern: str) -> "re.Match[str]":
        """Reads what is shown until it has that."""
        with Waiting(pattern, told=lambda: self.shown) as waiting:
            while (found := re.search(pattern, self.shown)) is None:
                waiting.on()
                if select.select([self._master], [], [], 0.1)[0]:
                    self.shown += os.read(self._master, 4096).decode()
        return found

    def end(self) -> int:
        """How the command line ended, once the terminal is seen to be as it was before."""
        code = int(self.wait_for(r"ended (\d+)\r\n")[1])
        assert termios.tcgetattr(self._master) == self.before
        self.type("what comes next\n")  # shown as it is typed, then by cat
        self.wait_for(r"what comes next\r\nwhat comes next\r\n")
        return code


class Controller:
    """A controller that answers when it is told to."""

    def __init__(self, folder: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / CONTROL))
        self._listener.listen()
        self._listener.settimeout(LAST_RESORT_S)
        self._line: Any = None
        self.pid = 0  # who asks

    def close(self) -> None:
        self._listener.close()
        if self._line is not None:
            self._line.close()

    def hear(self) -> dict[str, Any]:
        self._line, _ = self._listener.accept()
        self._line.settimeout(LAST_RESORT_S)
        told = self._line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        self.pid = struct.unpack("3i", told)[0]
        found: dict[str, Any] = json.loads(self._line.makefile().readline())
        return found

    def answer(self, told: dict[str, Any]) -> None:
        self._line.sendall(json.dumps(told).encode() + b"\n")
        self._line.close()


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    with contextlib.closing(Controller(tmp_path)) as found:
        yield found


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Any]:
    """Runs a command line in a terminal."""
    with contextlib.ExitStack() as stack:

        def run(*command: str, **how: str) -> Screen:
            return stack.enter_context(contextlib.closing(Screen(tmp_path, *command, **how)))

        yield run


def asks(screen: Any, folder: Path, *more: str, **how: str) -> Screen:
    found: Screen = screen(*CYLINDRE, *MANUAL, "--socket", str(folder), *more, **how)
    return found


@pytest.mark.req("IEC-CR-1.10")
def test_what_is_typed_before_a_prompt_is_not_shown_and_is_its_answer(
    controller: Controller, screen: Any, tmp_path: Path
) -> None:
    shell = asks(screen, tmp_path)
    assert controller.hear() == {"do": "status"}
    shell.type(f"{PINS[0]}\n{PINS[1][:3]}")
    controller.answer(STATUS)
    shell.wait_for("PIN of anna: \r\nPIN of weber: ")
    shell.type(f"{PINS[1][3:]}\n")
    told = controller.hear()
    assert (told["croupier"]["pin"], told["management"]["pin"]) == PINS
    controller.answer({"ok": True, "do": "manual"})
    assert shell.end() == 0
    assert re.findall(r"\d\d\d+", shell.shown) == []


def test_what_is_typed_before_the_command_begins_is_not_lost(
    controller: Controller, screen: Any, tmp_path: Path
) -> None:
    asks(screen, tmp_path, typed=f"{PINS[0]}\n{PINS[1]}\n")
    controller.hear()
    controller.answer(STATUS)
    told = controller.hear()
    assert (told["croupier"]["pin"], told["management"]["pin"]) == PINS


def interrupt(shell: Screen, controller: Controller) -> None:
    shell.type("\x03")


def terminate(shell: Screen, controller: Controller) -> None:
    os.kill(controller.pid, signal.SIGTERM)


def refuse(shell: Screen, controller: Controller) -> None:
    controller.answer({"error": {"code": "busy", "text": "Too much.", "remedy": "Wait."}})


@pytest.mark.parametrize(
    ("ending", "code"), [(interrupt, 130), (terminate, 128 + signal.SIGTERM), (refuse, 1)]
)
@pytest.mark.parametrize("asked", [False, True])
def test_however_it_ends_the_terminal_shows_again_and_no_shell_gets_the_pin(
    controller: Controller, screen: Any, tmp_path: Path, ending: Any, code: int, asked: bool
) -> None:
    shell = asks(screen, tmp_path)
    controller.hear()
    assert not shell.echoes
    shell.type(f"{PINS[0]}\n")
    if asked:
        controller.answer(STATUS)
        shell.wait_for("PIN of weber: ")
        shell.type(PINS[1])
        if ending is refuse:
            shell.type(f"\n{PINS[0]}\n")
            controller.hear()
        else:
            assert not shell.echoes
    ending(shell, controller)
    assert shell.end() == code
    assert re.findall(r"\d\d\d\d+", shell.shown) == []


def test_it_is_hidden_before_what_takes_time_is_loaded(screen: Any, tmp_path: Path) -> None:
    code = (
        "import sys, termios\n"
        "from tools import cli\n"
        "class Watch:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n"
        "            print('echo', termios.tcgetattr(0)[3] & termios.ECHO, flush=True)\n"
        "sys.meta_path.insert(0, Watch())\n"
        "sys.exit(cli.main(sys.argv[1:]))\n"
    )
    shell = screen(sys.executable, "-c", code, "--lang", "en", "people", "add")
    assert shell.wait_for(r"echo (\d+)\r\n")[1] == "0"
    assert shell.end() == 2
    shell = screen(sys.executable, "-c", code, "people", "list", "--file", "none")
    assert shell.wait_for(r"echo (\d+)\r\n")[1] != "0"
    assert shell.end() == 0


def test_a_question_of_deed_is_shown_and_not_answered_by_what_was_typed_before(
    screen: Any, tmp_path: Path
) -> None:
    code = (
        "import select\n"
        "from firmware.lib.unseen import unseen\n"
        "from tools.technician.selftest.person import AtTerminal\n"
        "with unseen():\n"
        "    print('now', flush=True)\n"
        "    select.select([0], [], [])\n"
        "    print('answer', AtTerminal().ask('Lay the ball.'))\n"
    )
    shell = screen(sys.executable, "-c", code)
    shell.wait_for("now")
    shell.type("s\n")
    shell.wait_for("leave it out: ")
    assert shell.echoes
    shell.type("go on\n")
    shell.wait_for("leave it out: go on\r\nanswer True")
    assert shell.end() == 0


def test_what_runs_in_the_background_leaves_the_terminal_alone(
    controller: Controller, screen: Any, tmp_path: Path
) -> None:
    """Else it would be stopped, as whoever writes a terminal's modes from there is."""
    (tmp_path / "pin").write_text(f"{PINS[0]}\n")
    pins = ("--croupier-pin-file", "pin", "--management-pin-file", "pin")
    shell = asks(screen, tmp_path, *pins, shell=IN_BACKGROUND)
    controller.hear()
    assert shell.echoes
    controller.answer(STATUS)
    controller.hear()
    controller.answer({"ok": True, "do": "manual"})
    assert shell.end() == 0


def test_all_that_may_ask_for_a_pin_is_hidden_from_its_start() -> None:
    asking = [
        " ".join(words)
        for command, words in walked(group.cylindre)
        if any(name.endswith("pin-file") for each in command.params for name in each.opts)
    ]
    assert sorted(asking) == sorted(cli.ASKING)
