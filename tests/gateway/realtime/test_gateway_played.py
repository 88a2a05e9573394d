"""A real coup of each game, from the virtual wheel to what its ASCII displays hear."""

import contextlib
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Callable
from pathlib import Path

from gateway_bench import silence
from patience import Waiting, unless_stalled, until

from firmware.lib.places import STATUS_ONLY

ROOT = Path(__file__).parents[3]
PATIENCE_S = 90.0  # a coup takes 30 s
BEAT = b"*X"
# Board, mode, and the states of a coup in their order; what a display hears of 1 depends on chance.
GAMES = (
    ("roulette_ref", "status", [2, 3, 4, 5]),
    ("vingt_trois_ref", "extended", [4, 5]),  # called as it opens (article 47)
    ("boule_ref", "status", [2, 4, 5]),  # called at the throw
)


class Played:
    """One controller and one gateway, and everything the gateway says."""

    def __init__(self, folder: Path, board: str, mode: str, stack: contextlib.ExitStack) -> None:
        folder.mkdir()
        self.folder = folder
        self._board = board
        self._stack = stack
        self.heard = b""
        self.play()
        self.master, slave = os.openpty()
        tty.setraw(slave)
        stack.callback(os.close, self.master)
        stack.callback(os.close, slave)
        until((folder / STATUS_ONLY).exists, "a controller", told=self.controller.poll)
        self.gateway = self._start(
            "gateway", "--port", os.ttyname(slave), "--mode", mode, stderr=subprocess.PIPE
        )

    def play(self) -> None:
        """Starts the controller, with the journal of before if there is one."""
        self.controller = self._start("run", "--board", self._board, "--seed", "3", "--json")

    def _start(self, *options: str, stderr: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tools.cli", *options, "--socket", str(self.folder)],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
        self._stack.callback(process.communicate)
        self._stack.callback(process.kill)
        return process

    def lines(self) -> list[bytes]:
        return self.heard.split(b"\r\n")[:-1]

    def states(self) -> list[int]:
        """The states that were told, without their repetition."""
        told = [int(line[3:4]) for line in self.lines() if line.startswith(BEAT)]
        return [state for state, _ in itertools.groupby(told)]

    def hushes(self) -> None:
        """Waits until the gateway says that its line is silent; what it said before is past."""
        assert self.gateway.stderr is not None
        assert "is gone: the line is silent." in self.gateway.stderr.readline()
        while select.select([self.master], [], [], 0)[0]:
            os.read(self.master, 4096)
        self.heard = b""

    def won(self) -> bool:
        return self.states()[-1:] == [5]

    def result(self) -> tuple[int, int]:
        """Coup and number of the first result that the controller printed."""
        assert self.controller.stdout is not None
        while True:
            fact = json.loads(self.controller.stdout.readline())
            if fact["event"] == "result":
                return fact["coup"], fact["number"]


def listen(tables: list[Played], seconds: float) -> None:
    """Takes what the gateways say within that time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        masters = [table.master for table in tables]
        ready, _, _ = select.select(masters, [], [], left)
        for table in tables:
            if table.master in ready:
                table.heard += os.read(table.master, 4096)


def until_all(enough: Callable[[Played], bool], tables: list[Played]) -> None:
    """Listens to all until each has said enough."""
    told = lambda: [table.lines()[-3:] for table in tables]  # noqa: E731
    with Waiting("a coup", PATIENCE_S, told) as waiting:
        while waited := [table for table in tables if not enough(table)]:
            waiting.on()
            listen(waited, 0.25)


# Of a second: then a controller is old news, and a coup may be void.
@unless_stalled(0.5, "a coup that is told without a gap")
def test_each_game_is_told_state_by_state_and_a_killed_controller_leaves_silence(
    tmp_path: Path,
) -> None:
    with contextlib.ExitStack() as stack:
        tables = [Played(tmp_path / board, board, mode, stack) for board, mode, _ in GAMES]
        until_all(Played.won, tables)
        for table, (_, mode, states) in zip(tables, GAMES, strict=True):
            table.controller.send_signal(signal.SIGKILL)
            check_coup(table, 38 if mode == "extended" else 19, states)
        for table in tables:
            table.hushes()
        assert silence([table.master for table in tables])
        for table in tables:
            table.play()
        until_all(lambda table: len(table.lines()) >= 3, tables)
        for table in tables:  # no number is news, nor anything but a status line
            assert all(line.startswith(BEAT) for line in table.lines())
            assert 5 not in table.states()


def check_coup(table: Played, length: int, states: list[int]) -> None:
    """What was heard of the first coup that has a number, up to its state 5."""
    coup, value = table.result()
    number = b"%2d" % value
    said = table.lines()
    beats = [line for line in said if line.startswith(BEAT)]
    assert {len(line) for line in beats} == {length}
    assert [line for line in said if not line.startswith(BEAT)] == [number]
    first = next(at for at, line in enumerate(said) if line.startswith(b"*X;5"))
    assert said[first - 1] == number
    assert said[first].startswith(b"*X;5;%03d;%s;" % (coup, number))
    assert {line[9:11] for line in said[: first - 1]} == {b"  "}  # no number until then
    of_it = [int(line[3:4]) for line in beats if line[5:8] == b"%03d" % coup]
    told = [state for state, _ in itertools.groupby(of_it)]
    assert (told[1:] if told[0] == 1 else told) == states
