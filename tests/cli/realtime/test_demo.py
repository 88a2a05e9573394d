"""`cylindre demo` as a process: all that is promised is there, and none of it is left."""

import fcntl
import hashlib
import json
import os
import re
import signal
import ssl
import subprocess
import urllib.request
from collections.abc import Callable
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from patience import LAST_RESORT_S, until

from firmware.lib.errors import FAILED, INTERRUPTED, OK, USAGE
from firmware.lib.places import DEMO
from firmware.services.page.server import TOKEN

Start = Callable[..., "subprocess.Popen[str]"]


class Demo:
    """One that has begun, and told what it has to tell."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        assert process.stdout is not None and process.stderr is not None
        self.process = process
        line = process.stdout.readline()
        assert line, process.stderr.read()
        self.told: dict[str, Any] = json.loads(line)
        self.folder = folder / self.told["folder"]
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        self.children = [int(child) for child in listed.split()]

    def all_are_gone(self) -> bool:
        return not any(_is_alive(pid) for pid in self.children)

    def named(self, words: str) -> int:
        """The process that was started with these words."""
        (found,) = (pid for pid in self.children if words in _words(pid))
        return found


def _words(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def demo(start: Start, tmp_path: Path) -> Demo:
    # A group of its own, as a terminal gives it one.
    return Demo(start("demo", "--json", start_new_session=True), tmp_path)


def _listening(port: int) -> set[str]:
    """The addresses at which somebody listens on that port, in the kernel's hexadecimal."""
    rows = (
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    )
    at = f":{port:04X}"
    return {row[1].removesuffix(at) for row in rows if row[3] == "0A" and row[1].endswith(at)}


def _login(address: str, name: str, pin: str) -> tuple[int, str]:
    """What the service page answers to who logs in."""
    host = address.removeprefix("https://").rstrip("/")
    line = HTTPSConnection(host, timeout=LAST_RESORT_S, context=ssl._create_unverified_context())
    headers = {"Content-Type": "application/json", "Origin": f"https://{host}", TOKEN: "login"}
    line.request("POST", "/api/login", json.dumps({"name": name, "pin": pin}), headers)
    answer = line.getresponse()
    told = answer.status, answer.read().decode()
    line.close()
    return told


def test_display_service_page_and_guest_are_there_and_ctrl_c_leaves_nothing(demo: Demo) -> None:
    told = demo.told
    with urllib.request.urlopen(told["display"], timeout=LAST_RESORT_S) as answer:
        assert answer.status == 200

    host, port = told["page"].removeprefix("https://").rstrip("/").split(":")
    certificate = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, int(port))))
    assert told["fingerprint"].replace(":", "").lower() == hashlib.sha256(certificate).hexdigest()
    status, answered = _login(told["page"], told["name"], told["pin"])
    assert (status, json.loads(answered).get("role")) == (200, "supervisor"), answered
    status, answered = _login(told["page"], told["name"], "a" + told["pin"][1:])
    assert status == 403, answered

    for address in (told["display"], told["page"]):
        assert _listening(int(address.rstrip("/").rsplit(":", 1)[1])) == {"0100007F"}, address

    log = demo.folder / "guest.log"
    until(lambda: "accepted: rouge" in log.read_text(), told=log.read_text)
    os.killpg(demo.process.pid, signal.SIGINT)
    out, said = demo.process.communicate(timeout=LAST_RESORT_S)
    assert demo.process.returncode == INTERRUPTED
    assert (out, said) == ("", "Interrupted: the demo is over, and nothing of it is kept.\n")
    assert demo.all_are_gone()
    assert list(demo.folder.parent.iterdir()) == []


@pytest.mark.parametrize("board", ["blackjack_ref", "baccarat_ref"])
def test_a_card_table_has_its_guide_too_and_the_guest_plays_there(
    start: Start, tmp_path: Path, board: str
) -> None:
    demo = Demo(start("demo", "--json", "--board", board, start_new_session=True), tmp_path)
    for address in (demo.told["display"], demo.told["guide"]):
        with urllib.request.urlopen(address, timeout=LAST_RESORT_S) as answer:
            assert answer.status == 200
    log = demo.folder / "guest.log"
    until(lambda: "accepted: mise" in log.read_text() or "accepted: joueur" in log.read_text()
          or "accepted: banquier" in log.read_text() or "accepted: égalité" in log.read_text(),
          told=log.read_text)  # fmt: skip
    controller = demo.folder / "controller.log"
    until(lambda: "card 1: " in controller.read_text(), told=controller.read_text)
    assert "K15" not in controller.read_text()  # the simulated shoe has its key
    demo.process.terminate()
    assert demo.process.wait(LAST_RESORT_S) == OK
    assert demo.all_are_gone()


def test_a_demo_that_is_killed_leaves_no_process_behind(demo: Demo) -> None:
    demo.process.kill()
    demo.process.wait()
    until(demo.all_are_gone, "the end of all processes")


def test_the_next_demo_removes_what_those_that_were_killed_have_left_and_nothing_else(
    start: Start, tmp_path: Path
) -> None:
    dead, alive, other = (tmp_path / "var" / f"demo-{name}" for name in ("dead", "alive", "other"))
    for folder in (dead, alive, other):
        folder.mkdir(parents=True)
        (folder / "guest.pin").touch()
    for folder in (dead, alive):
        (folder / DEMO).touch()
    with (alive / "demo.lock").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # as its process does
        demo = Demo(start("demo", "--json", start_new_session=True), tmp_path)
        assert not dead.exists()
        assert (alive / "guest.pin").exists() and (other / "guest.pin").exists()
        with (demo.folder / "demo.lock").open("rb") as its, pytest.raises(BlockingIOError):
            fcntl.flock(its, fcntl.LOCK_EX | fcntl.LOCK_NB)
    demo.process.terminate()
    assert demo.process.wait(LAST_RESORT_S) == OK


def test_sigterm_is_a_good_end(demo: Demo) -> None:
    demo.process.terminate()
    assert demo.process.wait(LAST_RESORT_S) == OK
    assert demo.all_are_gone() and not demo.folder.exists()


@pytest.mark.parametrize(
    ("words", "name"), [("cli run", "controller"), ("cli page", "page"), ("cli terminal", "guest")]
)
def test_if_one_dies_the_others_are_stopped_and_it_is_named(
    demo: Demo, words: str, name: str
) -> None:
    os.kill(demo.named(words), signal.SIGKILL)
    _, said = demo.process.communicate(timeout=LAST_RESORT_S)
    assert demo.process.returncode == FAILED
    assert f"The {name} stopped with exit code -9" in said
    assert demo.all_are_gone() and not demo.folder.exists()


def test_two_demos_that_begin_together_play_side_by_side(start: Start, tmp_path: Path) -> None:
    both = [start("demo", "--json") for _ in range(2)]
    demos = [Demo(process, tmp_path) for process in both]
    ports = set()
    for demo in demos:
        with urllib.request.urlopen(demo.told["display"], timeout=LAST_RESORT_S) as answer:
            assert answer.status == 200
        status, answered = _login(demo.told["page"], demo.told["name"], demo.told["pin"])
        assert status == 200, answered
        ports |= {demo.told[key].rstrip("/").rsplit(":", 1)[1] for key in ("display", "page")}
    assert len(ports) == 4


def test_whoever_reads_no_more_ends_it_and_is_told_so(start: Start) -> None:
    process = start("demo")
    assert process.stdout is not None and process.stderr is not None
    text = ""
    while not (
        "The guest plays at terminal 1" in text and "accepted: signing on to account 1" in text
    ):
        line = process.stdout.readline()
        assert line, (text, process.stderr.read())
        text += line
    process.stdout.close()
    assert process.wait(LAST_RESORT_S) == FAILED
    assert process.stderr.read().splitlines()[-1] == "Nobody reads the output any more."


@pytest.mark.parametrize("chosen", ["en", "fr"])
def test_it_says_where_all_is_and_how_to_stop(start: Start, chosen: str) -> None:
    process = start("--lang", chosen, "demo", stderr=subprocess.STDOUT)
    assert process.stdout is not None
    english = chosen == "en"
    next_words = (
        "accepted: signing on to account 1" if english else "accepté : connexion au compte 1"
    )
    text = ""
    while next_words not in text:
        line = process.stdout.readline()
        assert line, text
        text += line
    assert len(set(re.findall(r"https?://127\.0\.0\.1:(\d+)/", text))) == 2
    assert re.search(r"\bguest\b.*PIN \d{6}", text)
    assert re.search(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", text)
    assert ("Ctrl-C stops." if english else "Ctrl-C arrête.") in text
    assert re.search(r"cylindre terminal --port /dev/\S+ .*--address 2", text)
    process.send_signal(signal.SIGINT)
    assert process.wait(LAST_RESORT_S) == INTERRUPTED


def test_no_demo_is_on_a_real_wheel(start: Start, tmp_path: Path) -> None:
    process = start("demo", "--board", "pi4")
    _, said = process.communicate(timeout=LAST_RESORT_S)
    assert process.returncode == USAGE and "--board" in said
    assert list(tmp_path.iterdir()) == []
