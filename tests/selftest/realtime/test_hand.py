"""A hand at the virtual wheel of a real controller, and the self-test at that controller."""

import hashlib
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from at_rest import rest
from hypothesis import given
from hypothesis import strategies as st
from patience import LAST_RESORT_S, connect, unless_stalled, until
from willing import Willing

import boards
from firmware.client.ask import ask, events
from firmware.client.session import Session
from firmware.lib.errors import Failure
from tools.technician.selftest import limits, sequence
from tools.technician.selftest.bench import SocketBench
from tools.technician.selftest.part import PASSED, total
from tools.virtual.hand import HAND, LINE_MAX, Refused, parse

ROOT = Path(__file__).parents[3]
PIN = "246813"
CYLINDRE = (sys.executable, "-P", "-m", "tools.cli")


@given(st.binary(max_size=LINE_MAX + 10))
def test_no_line_breaks_the_hand(line):
    try:
        request = parse(line)
    except Refused:
        return
    assert request["do"] in ("lay", "lift", "throw", "cover", "press", "pause", "tilt")


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b'{"do":"juggle"}',
        b'{"do":"lay"}',
        b'{"do":"lay","compartment":true}',
        b'{"do":"lay","compartment":1,"more":1}',
        b'{"do":"throw","way":"up"}',
        b'{"do":"cover","line":"rim0","s":0}',
        b'{"do":"cover","line":"rim0","s":1e9}',
        b'{"do":"cover","line":"rim0","after_s":-1}',
        b'{"do":"pause","on":1}',
        b'{"do":"tilt","x_mdeg":99999}',
    ],
)
def test_what_no_hand_does_is_refused(line):
    with pytest.raises(Refused):
        parse(line)


def ran(folder, *options, given=""):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*CYLINDRE, *options],
        cwd=folder,
        env=env,
        input=given,
        capture_output=True,
        text=True,
        timeout=LAST_RESORT_S,
        check=False,
    )


@pytest.fixture
def dish(tmp_path):
    """The folder of the sockets of a boule dish that plays, with a supervisor."""
    made = ran(
        tmp_path, "people", "add", "weber", "--role", "supervisor", "--board", "boule_ref",
        given=f"{PIN}\n",
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*CYLINDRE, "run", "--board", "boule_ref", "--seed", "3", "--pace", "5", "--json"],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it plays: the first coup has begun
        yield tmp_path / "var" / "boule_ref"
        process.send_signal(signal.SIGTERM)
        process.stdout.read()


def reach(folder):
    return lambda request: ask(folder, request, name=HAND)


def test_a_hand_gets_the_ball_only_when_the_croupier_pauses(dish):
    hand = reach(dish)
    with pytest.raises(Failure, match="let him pause first"):
        hand({"do": "lay", "compartment": 4})
    assert hand({"do": "pause", "on": True}) == {"ok": True, "do": "pause"}
    assert hand({"do": "lay", "compartment": 4})["ok"]
    with pytest.raises(Failure, match="there is no cup 99"):
        hand({"do": "lay", "compartment": 99})
    with pytest.raises(Failure, match="there is no line rim9"):
        hand({"do": "cover", "line": "rim9", "s": 1})
    assert hand({"do": "lift"})["ok"]


def test_who_stands_at_a_new_wheel_becomes_its_supervisor_by_the_button(dish):
    (dish / "people.jsonl").unlink()
    rest(dish)
    hand = reach(dish)
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rwb") as talk:
        connect(line, dish / "cylindre.sock")
        person = {"name": "noel", "pin": PIN}
        talk.write(json.dumps({"do": "first", "person": person}).encode() + b"\n")
        talk.flush()
        told = map(json.loads, talk)
        asked = next(each for each in told if "event" not in each)
        assert asked["button"] == "btn_void"
        for at in range(asked["presses"]):
            hand({"do": "press", "line": "btn_void", "s": 0.2, "after_s": 0.5 * at})
        first = next(each for each in told if each.get("event") == "first")
    assert first["ok"] is True
    with Session(dish, "noel", PIN) as session:
        assert session.role == "supervisor"


@unless_stalled(0.3, "what a hand does while the wheel goes on")
def test_a_dish_passes_its_self_test_at_a_real_controller(dish):
    rest(dish)
    board = boards.load("boule_ref")
    with Session(dish, "weber", PIN) as session, closing(SocketBench(session, dish)) as bench:
        person = Willing(reach(dish), bench.names)
        wheel = sequence.Wheel(board, False, 100, 20.0)
        parts = list(sequence.parts(bench, wheel, person))
    found = total(parts)
    assert found.outcome == PASSED, [part for part in parts if part.outcome != PASSED]
    assert ask(dish, {"do": "status"})["status"]["state"] != "SERVICE"


def test_the_croupier_waits_while_the_wheel_is_out_of_play(dish):
    rest(dish)
    with Session(dish, "weber", PIN) as session, closing(SocketBench(session, dish)) as bench:
        bench.service(True, "to see him wait")
        reach(dish)({"do": "pause", "on": False})  # now he waits by himself
        heard = bench.listen(6.0)  # he would have begun a coup twice
        assert heard.pulses("btn_start") == []
        told = events(dish)
        assert ask(dish, {"do": "status"})["status"]["state"] == "SERVICE"
        bench.service(False, "seen")
        next(each for each in told if each["event"] == "coup_started")


@pytest.mark.smoke
@pytest.mark.req("MD-23.log")
def test_the_command_writes_certificate_and_journal(dish):
    rest(dish)
    folder = dish.parents[1]
    found = ran(
        folder, "selftest", "--as", "weber", "--no-hand", "--certificate", "c.html", "--json",
        given=f"{PIN}\n",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    *parts, summary = map(json.loads, found.stdout.splitlines())
    assert summary["outcome"] == "incomplete"
    assert {part["event"] for part in parts} == {"part"}
    page = (folder / "c.html").read_bytes()
    assert hashlib.sha256(page).hexdigest() == summary["sha256"]
    assert b"incomplete" in page
    assert (dish / "selftest" / "000001-selftest.html").read_bytes() == page
    shown = ran(folder, "journal", "verify", "var/boule_ref/journal.db", "--keys",
                "var/boule_ref/keys")  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    row = summary["sha256"].encode()
    until(lambda: row in (dish / "journal.db").read_bytes(), "the row of the self-test")


def test_at_a_terminal_what_failed_is_offered_again_and_stands_last(dish):
    """Nobody passes a finger; Enter was pressed more often than anything was asked."""
    rest(dish)
    folder = dish.parents[1]
    pin = folder / "pin"
    pin.write_text(f"{PIN}\n")
    pin.chmod(0o600)
    answers = [("keep clear of the wheel.", b"\n"), ("rim0 to rim2", b"\n"),
               ("rim0 dark: 0 pulses.", b"n\n"), ("cup00 to cup17", b"s\n")]  # fmt: skip
    master, slave = pty.openpty()
    os.write(master, b"\n\n\n\n")
    shown = b""
    with subprocess.Popen(
        [*CYLINDRE, "selftest", "--as", "weber", "--pin-file", str(pin)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=slave, stdout=slave, stderr=slave,
    ) as process:  # fmt: skip
        os.close(slave)
        while True:
            try:
                shown += os.read(master, 4096)
            except OSError:  # it has ended
                break
            asked = shown.rpartition(b"\n> ")[2].decode()
            if answers and answers[0][0] in asked and asked.endswith(": "):
                os.write(master, answers.pop(0)[1])
    os.close(master)
    assert answers == []
    assert process.returncode == 5, shown
    lines = [re.sub(r"\x1b\[\d*m", "", line) for line in shown.decode().splitlines()]
    at = next(at for at, line in enumerate(lines) if line.startswith("Self-test: failed"))
    last = lines[at + 2 :]  # behind the certificate
    assert [line.split()[:3] for line in last[:3]] == [
        ["failed", f"rim{n}", "dark"] for n in range(3)
    ]
    assert last[3:] == [f"  {limits.DARK.remedy}"]
    steps = [line for line in lines if line.startswith("Step ")]
    assert [line.split(",")[0] for line in steps] == [f"Step {n} of 4" for n in range(1, 5)]


def test_a_certificate_that_cannot_be_written_costs_no_row_of_the_journal(dish):
    rest(dish)
    folder = dish.parents[1]
    (dish / "selftest").write_text("in the way")
    found = ran(
        folder, "selftest", "--as", "weber", "--no-hand", "--certificate", "none/c.html",
        given=f"{PIN}\n",
    )  # fmt: skip
    assert found.returncode == 1
    assert [line.split(":")[0] for line in found.stderr.splitlines()[-2:]] == [
        "The certificate is not kept in " + str(dish / "selftest"),
        "The certificate cannot be written to none/c.html",
    ]
    assert "Self-test: incomplete" in found.stdout
    until(
        lambda: b'"incomplete, ' in (dish / "journal.db").read_bytes(), "the row of the self-test"
    )


def test_a_dry_run_says_what_would_be_done_and_needs_nobody(dish):
    found = ran(dish.parents[1], "selftest", "--dry-run", "--json")
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert (told["board"], told["turns"]) == ("boule_ref", [])
    assert told["certificates"] == str(dish / "selftest")
    assert not (dish / "selftest").exists()
    assert ask(dish, {"do": "status"})["status"]["state"] != "SERVICE"


def test_a_wrong_pin_is_one_sentence(dish):
    found = ran(dish.parents[1], "selftest", "--as", "weber", "--no-hand", given="000000\n")
    assert found.returncode == 1
    assert found.stderr.startswith("weber: the name or the PIN is wrong.")


def test_quick_needs_nobody(dish):
    found = ran(dish.parents[1], "selftest", "--quick", "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout.splitlines()[-1])["outcome"] == "passed"


def test_without_a_controller_there_is_no_device(tmp_path):
    found = ran(tmp_path, "selftest", "--quick")
    assert found.returncode == 3
    assert found.stderr.startswith("No wheel is here. Start one with cylindre run")


def test_who_tests_is_to_be_said(tmp_path):
    assert ran(tmp_path, "selftest").returncode == 2
