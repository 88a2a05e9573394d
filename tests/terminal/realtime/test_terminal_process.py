"""Controller and terminals as processes on joined ttys, in real time: one coup, some 30 s."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, unless_stalled, until

from firmware.keys.folder import provision
from firmware.lib.errors import CONFIGURATION, FAILED, INTERRUPTED, NO_DEVICE, OK, USAGE
from tools.virtual.joined_line import JoinedLine

ROOT = Path(__file__).parents[3]
COMMAND = (sys.executable, "-P", "-m", "tools.cli")
PATIENCE_S = 100.0  # a coup takes 30 s
STILL = (0.5, "a coup with stakes in time")  # of a second: then the line counts as silent
PIN = "a long pin"

Cylindre = Callable[..., "subprocess.CompletedProcess[str]"]
Start = Callable[..., "Running"]


class Running:
    """A command whose lines are read as they come."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *options],
            cwd=folder,
            env={"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PATH": "/usr/bin:/bin"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in list(self.lines) if line["event"] == event]

    def end(self, *, stop: bool = False) -> tuple[int, str]:
        """Exit code and what it said on standard error."""
        if stop:
            self.process.terminate()
        assert self.process.stdin is not None and self.process.stderr is not None
        code = self.process.wait(LAST_RESORT_S)
        self._reader.join(LAST_RESORT_S)
        return code, self.process.stderr.read()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    running: list[Running] = []

    def begin(*options: str) -> Running:
        running.append(Running(tmp_path, *options))
        return running[-1]

    yield begin
    for one in running:
        one.kill()


@pytest.fixture
def cylindre(tmp_path: Path) -> Cylindre:
    def run(*options: str, said: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*COMMAND, *options],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PATH": "/usr/bin:/bin"},
            input=said,
            capture_output=True,
            text=True,
            timeout=LAST_RESORT_S,
            check=False,
        )

    return run


@pytest.fixture
def line() -> Iterator[JoinedLine]:
    joined = JoinedLine(6)
    over = threading.Event()

    def carry() -> None:
        while not over.is_set():
            joined.forward(0.05)

    carrier = threading.Thread(target=carry)
    carrier.start()
    yield joined
    over.set()
    carrier.join()
    joined.close()


def wait(condition: Callable[[], Any], told: Callable[[], Any]) -> None:
    until(condition, "what the table does", PATIENCE_S, told=told)


def terminal(start: Start, port: str, address: int, *more: str) -> Running:
    where = ("--port", port, "--keys", "keys", "--address", str(address))
    return start("terminal", *where, "--json", *more)


@unless_stalled(*STILL)
def test_a_coup_with_terminals_from_the_first_stake_to_the_last_payment(
    start: Start, cylindre: Cylindre, line: JoinedLine, tmp_path: Path
) -> None:
    provision(tmp_path / "keys", 3)
    (tmp_path / "casino.toml").write_text("[stakes]\nminimum_cents = 100\nterminals = 3\n")
    (tmp_path / "anna.txt").write_text(
        "at BETS_OPEN: rouge 200\nplein 17 100\nplein 17 2000\nat NO_MORE_BETS: noir 100\n"
        "at SETTLED: quit\n"
    )
    (tmp_path / "pin").write_text(PIN + "\n")
    board = ("--board", "roulette_ref")
    named = cylindre("people", "add", "claire", "--role", "croupier", *board, "--pin-file", "pin")
    assert named.returncode == OK, named.stderr
    bench = ("--port", line.ends[0], "--keys", "keys", "--config", "casino.toml")
    played = start("run", *board, *bench, "--seed", "3", "--json")
    socket = tmp_path / "var" / "roulette_ref" / "cylindre.sock"
    wait(socket.exists, lambda: played.lines)
    came = cylindre("employee", "on", "claire", "--pin-file", "pin")
    assert came.returncode == OK, came.stderr
    (tmp_path / "card").write_text("4711\n")
    claire = ("--employee", "claire", "--pin-file", "pin")
    for name in ("anna", "carl"):
        opened = cylindre("account", "open", name, *claire, "--player-pin-file", "card")
        assert opened.returncode == OK, opened.stderr
    assert "claire opens account 2 of carl" in opened.stdout
    counted = cylindre("account", "deposit", "1", "10000", *claire)
    assert counted.stdout == "claire counts 100.00 into account 1.\n", counted.stderr
    account = ("--pin-file", "card", "--account")
    anna = terminal(start, line.ends[1], 1, *account, "1", "--script", "anna.txt")
    twins = [terminal(start, line.ends[end], 3, *account, "2") for end in (3, 4)]
    wait(lambda: anna.of("decided"), lambda: anna.lines)
    bert = terminal(start, line.ends[2], 2, *account, "1")
    code, said = anna.end()
    assert (code, said) == (OK, "")

    decided = {line.get("bet") or line["do"]: line for line in anna.of("decided")}
    assert decided["on"]["accepted"]
    assert decided["rouge"]["accepted"]
    over = [line for line in anna.of("decided") if line.get("cents") == 2000]
    assert (over[0]["accepted"], over[0]["rule"]) == (False, "art. 37-3")
    late = decided["noir"]
    assert (late["accepted"], late["rule"]) == (False, "art. 37-1")
    twice = bert.of("decided")[0]
    assert (twice["accepted"], twice["rule"]) == (False, "art. 20-3 a")
    assert any(line["conflict"] for twin in twins for line in twin.of("standing"))
    assert [line for line in played.of("fault") if line["code"] == "T12"] != []

    (settled,) = anna.of("settled")
    coup = settled["coup"]
    again = cylindre(
        "settle", "--journal", "var/roulette_ref/journal.db", "--coup", str(coup), "--json"
    )
    assert again.returncode == OK, again.stderr
    keys = ("bet", "on", "stake_cents", "won_cents", "returned_cents")
    recomputed = [json.loads(text) for text in again.stdout.splitlines()]
    assert {one["player"] for one in recomputed} == {"anna"}
    assert [[one[key] for key in keys] for one in recomputed] == [
        [one[key] for key in keys] for one in settled["payments"]
    ]
    wait(lambda: played.of("result"), lambda: played.lines)
    (result,) = [line for line in played.of("result") if line["coup"] == coup]
    assert (settled["number"], settled["colour"]) == (result["number"], result["colour"])
    paid_out = cylindre("account", "payout", "1", *claire)
    has = 10_000 + sum(one["won_cents"] for one in settled["payments"])
    assert f"gives receipt 1 for {has / 100:.2f} of account 1" in paid_out.stdout
    (tmp_path / "receipt").write_text(paid_out.stdout)
    assert "pays" in cylindre("account", "redeem", "receipt", *claire).stdout
    twice = cylindre("account", "redeem", "receipt", *claire)
    assert (twice.returncode, "redeemed already" in twice.stderr) == (FAILED, True)
    for wrong, why in (("receipt!", "not whole"), ("bm8=", "its signature is not")):
        (tmp_path / "wrong").write_text(wrong)
        refused = cylindre("account", "redeem", "wrong", *claire)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (FAILED, 1)
        assert "art. 62" in refused.stderr and why in refused.stderr
    listed = cylindre("account", "list", "var/roulette_ref/journal.db", "--json")
    told = json.loads(listed.stdout)
    assert [one["cents"] for one in told["accounts"]] == [0, 0]
    total = told["total"]
    assert total["in_cents"] - total["out_cents"] == total["staked_cents"] - total["won_cents"]
    assert played.end(stop=True)[0] == OK
    assert "Traceback" not in bert.end(stop=True)[1]


@pytest.mark.smoke
@unless_stalled(*STILL)
def test_orders_may_be_typed_and_the_end_of_the_input_leaves(
    cylindre: Cylindre, line: JoinedLine, tmp_path: Path, start: Start
) -> None:
    provision(tmp_path / "keys", 2)
    (tmp_path / "casino.toml").write_text("[stakes]\nminimum_cents = 100\nterminals = 2\n")
    bench = ("--port", line.ends[0], "--keys", "keys", "--config", "casino.toml")
    start("run", "--board", "boule_ref", *bench, "--json")
    where = ("--port", line.ends[1], "--keys", "keys")
    anna = ("--address", "1")
    said = "help\non 1 4711\nrouge 5.50\nrouge 100\nback 9\nrepeat\npull\ninsert 500\n"
    done = cylindre("terminal", *where, *anna, said=said)
    assert done.returncode == OK, done.stderr
    assert "refused: signing on to account 1 (there is no such account, or its PIN or card" in (
        done.stdout
    )
    assert "4711" not in done.stdout
    assert "not sent: no card is in" in done.stdout
    assert "5.00 come back out of the acceptor" in done.stdout
    assert 'not sent: an amount is whole cents, as 500, from 1 to 4294967295, not "5.50"' in (
        done.stdout
    )
    assert "refused: rouge 1.00 (Luxembourg, art. 20-3 b: « Chaque joueur place ses" in done.stdout
    assert "refused: taking back stake 9 (there is no stake 9 on the cloth)" in done.stdout
    assert "not sent: there is nothing to repeat" in done.stdout
    bert = ("--address", "2", "--lang", "fr")
    french = cylindre("terminal", *where, *bert, said="rouge 100\nrepeat\nclear\n")
    assert french.returncode == OK, french.stderr
    assert (
        "refusé : rouge 1.00 (Luxembourg, art. 20-3 b : « Chaque joueur place ses mises"
        " individuellement » : " in french.stdout
    )
    assert "non envoyé : il n'y a rien à répéter" in french.stdout
    assert "non envoyé : il n'y a rien à reprendre" in french.stdout


def test_what_a_terminal_lacks_is_one_sentence(
    cylindre: Cylindre, line: JoinedLine, tmp_path: Path
) -> None:
    provision(tmp_path / "keys", 1)
    nowhere = ("terminal", "--port", "/dev/nowhere", "--keys", "keys", "--address")
    assert cylindre(*nowhere, "1").returncode == NO_DEVICE
    missing = cylindre(*nowhere, "2")
    assert (missing.returncode, len(missing.stderr.splitlines())) == (CONFIGURATION, 1)
    (tmp_path / "short").write_text("12\n")
    short = cylindre(*nowhere, "1", "--account", "7", "--pin-file", "short")
    assert (short.returncode, "has 4 to 64 letters and digits" in short.stderr) == (USAGE, True)


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler of its own for that signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(status.partition("\nSigCgt:")[2].split()[0], 16)
    return bool(caught >> (number - 1) & 1)


def test_a_terminal_is_stopped_like_any_command(
    start: Start, line: JoinedLine, tmp_path: Path
) -> None:
    provision(tmp_path / "keys", 1)
    (tmp_path / "empty.txt").write_text("")
    idle = terminal(start, line.ends[1], 1, "--script", "empty.txt")
    wait(lambda: catches(idle.process.pid, signal.SIGHUP), lambda: idle.lines)  # the last it takes
    idle.process.send_signal(signal.SIGINT)
    assert idle.end() == (INTERRUPTED, "")


@pytest.mark.parametrize(
    ("config", "options", "why"),
    [
        ("[stakes]\nminimum_cents = 100\nterminals = 1\n", (), "There is no key"),
        ("[stakes]\nminimum_cents = 100\nterminals = 2\n", ("--keys", "keys"), "terminal-02.key"),
        ("[stakes]\nterminals = 1\n", ("--keys", "keys"), "minimum_cents is missing"),
        (
            "[stakes]\nminimum_cents = 100\n[maxima]\nplein = 21\n",
            ("--keys", "keys"),
            "maximum_multiples of plein must be 20",
        ),
        (
            "[stakes]\nminimum_cents = 100\nterminals = 30\n",
            ("--keys", "many"),
            "A line of 115200 baud has time for 23 terminals, not 30",
        ),
    ],
)
def test_stakes_that_cannot_be_played_are_a_configuration_error(
    cylindre: Cylindre,
    line: JoinedLine,
    tmp_path: Path,
    config: str,
    options: tuple[str, ...],
    why: str,
) -> None:
    provision(tmp_path / "keys", 1)
    provision(tmp_path / "many", 30)
    (tmp_path / "casino.toml").write_text(config)
    bench = ("--port", line.ends[0], "--config", "casino.toml", *options)
    done = cylindre("run", "--board", "roulette_ref", *bench)
    assert done.returncode == CONFIGURATION
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_without_stakes_in_the_configuration_keys_of_terminals_change_nothing(
    start: Start, line: JoinedLine, tmp_path: Path
) -> None:
    provision(tmp_path / "keys", 1)
    played = start(
        "run", "--board", "roulette_ref", "--port", line.ends[0], "--keys", "keys", "--json"
    )
    wait(lambda: played.of("coup_started"), lambda: played.lines)
    assert played.end(stop=True)[0] == OK


def test_ttys_are_joined_until_it_is_stopped(start: Start) -> None:
    joined = start("line", "3", "--json")
    joined_lines = joined.lines
    wait(lambda: len(joined_lines) == 3, lambda: joined_lines)
    assert joined.end(stop=True) == (OK, "")
    assert [one["end"] for one in joined_lines] == [1, 2, 3]
