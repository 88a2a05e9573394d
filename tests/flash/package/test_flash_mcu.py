"""`cylindre flash --mcu` on a real MicroPython with its REPL on a pseudo-terminal."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flashing import ROOT

from tools.image import mcu
from tools.micropython import portable
from tools.virtual.joined_line import JoinedLine

Flash = Callable[..., subprocess.CompletedProcess[str]]
MODULE = (
    ROOT / "tools/micropython/node_modules/@micropython/micropython-webassembly-pyscript"
    "/micropython.mjs"
)
needs_board = pytest.mark.needs("micropython in node")


@contextmanager
def line() -> Iterator[tuple[str, ...]]:
    """Two joined ttys."""
    joined, ended = JoinedLine(), threading.Event()

    def carry() -> None:
        while not ended.is_set():
            joined.forward(0.05)

    carrier = threading.Thread(target=carry)
    carrier.start()
    try:
        yield joined.ends
    finally:
        ended.set()
        carrier.join()
        joined.close()


@pytest.fixture
def board() -> Iterator[Callable[..., str]]:
    """Plugs a board in; returns its port."""
    plugged: list[subprocess.Popen[str]] = []
    lines = []

    def plug(*options: str) -> str:
        joined = line()
        lines.append(joined)
        ours, theirs = joined.__enter__()
        command = ["node", str(Path(__file__).with_name("board.mjs")), str(MODULE), theirs]
        process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        plugged.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return ours

    yield plug
    for process in plugged:
        process.kill()
        process.communicate()
    for joined in lines:
        joined.__exit__(None, None, None)


@needs_board
def test_the_portable_part_is_installed_and_runs(flash: Flash, board: Callable[..., str]) -> None:
    port, count = board(), len(portable.files())
    told = json.loads(flash("--mcu", port, "--dry-run", "--json").stdout)
    assert (told["would_send"], told["would_remove"]) == (count, 0)
    assert told["board"].endswith(", MicroPython 1.27.0")
    with mcu.connected(port) as transport:
        transport.exec(
            "import os\nos.mkdir('/lib')\nos.mkdir('/lib/drivers')\n"
            "open('/lib/drivers/old.py', 'w').close()"
        )
    told = json.loads(flash("--mcu", port, "--dry-run", "--json").stdout)
    assert told["remove"] == ["/lib/drivers/old.py"]  # whose it was cannot be known: it is named
    done = flash("--mcu", port)
    assert (done.returncode, done.stdout) != (1, "")
    assert f"{count} files sent" in done.stdout
    assert "0 were there, 1 old ones removed; all hashed there." in done.stdout
    assert "installing: 100 %" in done.stderr
    with mcu.connected(port) as transport:
        said = transport.exec(
            "import boards, rules\nfrom firmware.core.controller import Controller\n"
            "board = boards.load('roulette_ref')\n"
            "Controller(board, rules.load(board['rules']))\nprint('it plays')"
        )
        assert said == b"it plays\r\n" or said == b"it plays\n"
        # What is changed there, by a worn flash or a person, is found and sent again.
        transport.exec("with open('/lib/rules/__init__.mpy', 'ab') as f: f.write(b'x')")
    done = flash("--mcu", port, "--json")
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["files"], told["same"], told["removed"]) == (1, count - 1, 0)


@needs_board
def test_a_board_that_stops_answering_ends_in_one_sentence(
    flash: Flash, board: Callable[..., str]
) -> None:
    port = board("--dies-after", "4000")
    done = flash("--mcu", port)
    assert done.returncode == 3
    said = [each for each in done.stderr.splitlines() if not each.endswith(" %")]
    assert len(said) == 1
    assert said[0].startswith(f"No MicroPython answers at {port}, or it stopped answering: ")


def test_a_port_where_nobody_answers(flash: Flash) -> None:
    with line() as (port, _):
        done = flash("--mcu", port)
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.startswith(f"No MicroPython answers at {port}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("port", ["/dev/nothing-there", "/dev/null", "not a port", ""])
def test_a_port_that_is_none(flash: Flash, port: str) -> None:
    done = flash("--mcu", port)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"{port} cannot be opened: plug the board in")
    assert done.stderr.count("\n") == 1


def test_a_board_takes_no_image(flash: Flash) -> None:
    done = flash("wheel.img", "/dev/null", "--mcu", "/dev/ttyACM0")
    assert done.returncode == 2
    assert done.stderr == "--mcu takes no image and no configuration.\n"
