"""`cylindre guide` as people start it: a process of its own beside a table's sockets."""

from __future__ import annotations

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guide_cases import deciding, unread
from patience import LAST_RESORT_S, Waiting, until

from firmware.core.cards import facts

ROOT = Path(__file__).parents[3]


class Shown:
    """A running guide, and everything it has printed."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        screen: int = -1,
        out: int = -1,
        typed: int = subprocess.DEVNULL,
    ) -> None:
        command = [sys.executable, "-P", "-m", "tools.cli", "guide", "--socket", str(folder)]
        self.process = subprocess.Popen(
            [*command, *options],
            stdin=typed,
            stdout=subprocess.PIPE if out < 0 else out,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
        )
        if screen < 0:
            assert self.process.stdout is not None
            screen = self.process.stdout.fileno()
        self._screen = screen
        self.printed = ""

    def until(self, enough: Callable[[str], object]) -> None:
        """Reads until `enough` is printed."""
        with Waiting("what it prints", told=lambda: (self.printed, self.process.poll())) as waiting:
            while not enough(self.printed):
                waiting.on()
                if select.select([self._screen], [], [], 0.01)[0]:
                    got = os.read(self._screen, 65536)
                    assert got, (self.printed, self.stop())
                    self.printed += got.decode()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """The exit code after a signal, and what was said on standard error."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=LAST_RESORT_S)
        return self.process.returncode, said.decode()


@pytest.fixture
def shown() -> Iterator[Callable[..., Shown]]:
    made: list[Shown] = []

    def make(*arguments: Any, **options: Any) -> Shown:
        made.append(Shown(*arguments, **options))
        return made[-1]

    yield make
    for each in made:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate(timeout=LAST_RESORT_S)


def test_a_line_at_each_change_in_a_pipe_and_it_ends_as_it_is_asked(table: Any, shown: Any) -> None:
    place = table()
    deciding(place)
    guide = shown(place.folder, "--terminal", "--lang", "fr")
    guide.until(lambda text: "Place 2, main 1 : 15. Carte / Reste" in text)
    place.key(facts.KEY_STAND)
    guide.until(lambda text: "Place 5, main 1 : 11." in text)
    assert all(line.startswith("TABLE SIMULÉE · ") for line in guide.printed.splitlines())
    assert guide.stop() == (0, "")


def test_scenes_as_json_have_no_hole_card(table: Any, shown: Any) -> None:
    place = table("blackjack_live")
    deciding_live = "KS 9H 5H 9S TD 7C"
    place.open()
    place.stake(2, 1000)
    place.stake(5, 1000)
    place.call()
    place.cards(deciding_live)
    guide = shown(place.folder, "--json")
    guide.until(lambda text: text.count("\n"))
    told = json.loads(guide.printed.splitlines()[0])
    assert (told["code"], told["places"], told["simulated"]) == ("decide", ["s2"], True)
    assert ["", "back"] in told["hands"][-1]["cards"]
    whole = json.dumps(told, ensure_ascii=False)
    assert "R♠" in whole
    assert "7♣" not in whole and "7C" not in whole
    assert guide.stop(signal.SIGINT)[0] == 130


def test_a_terminal_of_80_columns_and_24_lines_has_it_all(table: Any, shown: Any) -> None:
    place = table()
    unread(3)(place)
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    guide = shown(place.folder, "--terminal", "--lang", "en", screen=master, out=slave)
    os.close(slave)
    guide.until(lambda text: "(Enter the card)" in text)
    rows = dict(re.findall(r"\x1b\[(\d+);1H(.*?)\x1b\[K", guide.printed))
    assert set(map(int, rows)) <= set(range(1, 25))
    texts = [re.sub(r"\x1b\[[\d;]*m", "", row) for row in rows.values()]
    assert max(map(len, texts)) <= 80
    whole = "\n".join(texts)
    wanted = ("SIMULATED TABLE", "! Held: the card is not read (Seat 2, 3/3)", "Ways out:")
    for text in (*wanted, "VOID, which returns all stakes", "[VOID]", "=> Seat 2"):
        assert text in whole, whole
    assert guide.stop()[0] == 0
    os.close(master)


def test_a_letter_at_the_terminal_presses_its_key_once_what_is_due_was_read(
    table: Any, shown: Any
) -> None:
    place = table()
    deciding(place)
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    guide = shown(place.folder, "--terminal", "--lang", "en", screen=master, out=slave, typed=slave)
    guide.until(lambda text: "R [RESTE]" in text and "W (Read the round again)" in text)

    def pressed(letter: bytes) -> list[str]:
        """What is pressed by now: the letter again and again, for the first ones come too early."""
        os.write(master, b"\x1b[C")  # an arrow is no CARTE
        os.write(master, letter)
        return place.pressed

    until(lambda: pressed(b"r"))
    assert place.pressed == [facts.KEY_STAND]
    guide.until(lambda text: "Seat 5, hand 1: 11." in text)
    until(lambda: os.write(master, b"v") and len(place.pressed) == 2)
    assert place.pressed[-1] == facts.KEY_VOID
    guide.until(lambda text: "Z (Correct the round)" in text)
    assert "Press it again to confirm." in guide.printed
    guide.until(lambda text: "names and PINs" in text or (os.write(master, b"z") and False))
    assert guide.stop()[0] == 0
    assert termios.tcgetattr(slave) == before
    os.close(slave)
    os.close(master)


def test_the_page_is_served_and_its_address_printed(table: Any, shown: Any) -> None:
    place = table()
    deciding(place)
    guide = shown(place.folder, "--page-port", "0", "--lang", "en")
    guide.until(lambda text: "\n" in text)
    address = re.fullmatch(r"The croupier's guide: (http://127\.0\.0\.1:\d+/)\n", guide.printed)
    assert address is not None, guide.printed
    with urllib.request.urlopen(address[1], timeout=LAST_RESORT_S) as page:
        assert b'<script type="module" src="page.mjs">' in page.read()
    assert guide.stop() == (0, "")


def test_where_no_table_is_it_ends_with_a_sentence(tmp_path: Path, shown: Any) -> None:
    guide = shown(tmp_path, "--terminal", "--lang", "en")
    _, said = guide.process.communicate(timeout=LAST_RESORT_S)
    assert guide.process.returncode == 3
    assert said.decode().count("\n") == 1 and "No controller is running" in said.decode()
