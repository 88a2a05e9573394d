"""`cylindre watch`: the croupier's screen follows what the controller tells."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import LAST_RESORT_S

from firmware.api.server import Service
from firmware.core.facts import NoMoreBets, NumberKeyed
from firmware.lib.errors import FAILED, NO_DEVICE

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """A controller's sockets that tell a call and a counted number, again and again."""
    service = Service(tmp_path, number_max=36)
    stop = threading.Event()

    def tell() -> None:
        while not stop.wait(0.01):
            service.take_fact(NoMoreBets(2_500_000, 7))
            service.take_fact(NumberKeyed(3_000_000, 7, 12, "red"))

    thread = threading.Thread(target=tell)
    thread.start()

    def close() -> None:
        stop.set()
        thread.join()
        service.close()

    yield close
    close()


def first_lines(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().rstrip("\n") for _ in range(count)]


def test_what_is_told_is_printed_until_the_controller_stops(
    start: Start, tmp_path: Path, telling: Callable[[], None]
) -> None:
    process = start("watch", "--socket", str(tmp_path))
    assert set(first_lines(process, 4)) == {
        f"{tmp_path.name}: coup 7, rien ne va plus.",
        f"{tmp_path.name}: coup 7, the croupier's key: 12 red counted.",
    }
    telling()
    _, said = process.communicate(timeout=LAST_RESORT_S)
    assert (process.returncode, said) == (FAILED, "The controller stopped.\n")


def test_what_is_counted_for_manual_entry_is_not_for_everybody(
    start: Start, tmp_path: Path, telling: Callable[[], None]
) -> None:
    """Arrêté of 14 May 2007, art. 67-5: it is the croupier's, until the management's key."""
    process = start("watch", "--socket", str(tmp_path), "--public", "--json")
    events = {json.loads(line)["event"] for line in first_lines(process, 8)}
    assert events == {"no_more_bets"}


def test_without_a_controller_it_says_so(
    cylindre: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = cylindre("watch")
    assert (done.returncode, done.stdout) == (NO_DEVICE, "")
    assert done.stderr.startswith("No wheel is here.")
