"""`cylindre void`, `confirm`, `manual`, `clear`: what is answered is what happened."""

import io
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import within

from firmware.api.server import Service
from firmware.client import ask
from firmware.core import faults
from firmware.core.facts import NoMoreBets
from firmware.keys.people import Checked
from firmware.lib import places
from firmware.lib.errors import FAILED, NO_DEVICE, OK
from firmware.lib.places import CONTROL
from tools import cli

SIGNED = ("--croupier", "anna", "--management", "weber", "--why", "beams dark")
REQUESTS = [
    ("void",),
    ("confirm",),
    ("manual", "17", *SIGNED),
    ("clear",),
    ("employee", "on", "anna"),
    ("unseat", "3", "--employee", "anna", "--why", "has left"),
    ("cards", "enter", "TH", *SIGNED),
    ("cards", "burn", *SIGNED),
    ("cards", "count", *SIGNED),
    ("cards", "rescan"),
    ("cards", "correct", "41", "TH", "9S", *SIGNED),
    ("cards", "correct", "41", "--void", *SIGNED),
    ("cards", "pay", "--management", "weber"),
]
# What the answer calls it, where it is not as the command.
DONE = {
    ("cards", "enter"): "card",
    ("cards", "burn"): "burn",
    ("cards", "count"): "count",
    ("cards", "rescan"): "rescan",
    ("cards", "correct"): "correct_round",
    ("cards", "pay"): "pay",
}
REFUSAL = faults.sentence("P10", "no ball.")


class Everybody:
    """Believes everybody."""

    def check(self, name: str, pin: str, *_: object) -> Checked:
        return Checked("management" if name == "weber" else "croupier")


@pytest.fixture(autouse=True)
def pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input that gives a PIN whenever one is asked for."""
    monkeypatch.setattr("sys.stdin", io.StringIO("246810\n" * 10))


@pytest.fixture
def decides(tmp_path: Path) -> Iterator[Callable[[str | None], None]]:
    """A controller's socket; what is called decides every request so from then on."""
    service = Service(tmp_path, number_max=36, people=Everybody())
    stop = threading.Event()
    threads: list[threading.Thread] = []

    def decide(refusal: str | None) -> None:
        def serve() -> None:
            while not stop.is_set():
                for _ in service.take_events():
                    service.take_fact(NoMoreBets(1, 1))  # news come between
                    service.decided(refusal)
                os.sched_yield()

        threads.append(threading.Thread(target=serve))
        threads[-1].start()

    yield decide
    stop.set()
    for thread in threads:
        thread.join()
    service.close()


@pytest.mark.parametrize("request_line", REQUESTS)
def test_a_request_that_is_refused_fails_with_what_to_do(
    decides: Callable[[str | None], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request_line: tuple[str, ...],
) -> None:
    decides(REFUSAL)
    for more in ((), ("--json",)):
        assert cli.main([*request_line, "--socket", str(tmp_path), *more]) == FAILED
        assert capsys.readouterr() == ("", f"{REFUSAL}\n")


@pytest.mark.parametrize("request_line", REQUESTS)
def test_a_request_that_is_accepted_is_not_called_official_yet(
    decides: Callable[[str | None], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    request_line: tuple[str, ...],
) -> None:
    decides(None)
    assert cli.main([*request_line, "--socket", str(tmp_path)]) == OK
    said, wrong = capsys.readouterr()
    assert wrong == ""
    assert said.startswith("The fault is cleared." if request_line == ("clear",) else "Accepted: ")
    assert cli.main([*request_line, "--socket", str(tmp_path), "--json"]) == OK
    assert json.loads(capsys.readouterr().out) == {
        "ok": True,
        "do": DONE.get(request_line[:2], request_line[0]),
    }


def test_a_controller_in_a_deep_folder_is_found_by_its_whole_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A socket's path has 107 bytes at most; from the folder in which one stands it is shorter."""
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    monkeypatch.chdir(deep)
    monkeypatch.setattr(ask, "PATIENCE_S", 0.05)
    service = Service(Path(), number_max=36)
    try:
        assert (
            cli.main(["void", "--socket", str(deep)]) == FAILED
        )  # it is there, and does not answer
    finally:
        service.close()


def test_a_controller_that_does_not_answer_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(ask, "PATIENCE_S", 0.05)
    service = Service(tmp_path, number_max=36)
    try:
        assert cli.main(["void", "--socket", str(tmp_path)]) == FAILED
    finally:
        service.close()
    said = capsys.readouterr().err
    assert "cylindre.sock has not answered in 0.05 s. Look at cylindre status" in said


def test_an_argument_that_is_no_text_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As the shell hands over a byte that is not UTF-8."""
    pin = tmp_path / "pin"
    pin.write_text("246810\n")
    service = Service(tmp_path, number_max=36)
    entry = ["employee", "on", "ann\udcff", "--pin-file", str(pin), "--socket", str(tmp_path)]
    try:
        assert cli.main(entry) == FAILED
    finally:
        service.close()
    assert '"employee" is not as it must be.' in capsys.readouterr().err


def test_news_are_no_answer_however_many_come(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(ask, "PATIENCE_S", 0.2)
    service = Service(tmp_path, number_max=36)
    stop = threading.Event()

    def tell() -> None:
        while not stop.is_set():
            service.take_fact(NoMoreBets(1, 1))
            os.sched_yield()

    teller = threading.Thread(target=tell)
    teller.start()
    try:
        with within(5.0, "who gets no answer gives up"):
            code = cli.main(["void", "--socket", str(tmp_path)])
    finally:
        stop.set()
        teller.join()
        service.close()
    assert code == FAILED
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("answer", [b"", b"220 mail.example.org ESMTP\n"])
def test_whoever_hangs_up_or_speaks_otherwise_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, answer: bytes
) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / CONTROL))
        listener.listen()

        def answer_one() -> None:
            connection, _ = listener.accept()
            connection.recv(100)
            connection.sendall(answer)
            connection.close()

        other = threading.Thread(target=answer_one)
        other.start()
        assert cli.main(["void", "--socket", str(tmp_path)]) == FAILED
        other.join()
    assert "hung up without an answer" in capsys.readouterr().err


@pytest.mark.parametrize("length", [1, 120])  # a socket's path has 107 bytes at most
def test_the_folder_that_is_named_is_asked_and_no_other_that_looks_like_it(
    decides: Callable[[str | None], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    length: int,
) -> None:
    """Of a link `..` is the folder that holds what it leads to."""
    decides(None)
    here = tmp_path / "here"
    for folder in (tmp_path / "inner", here / ("d" * length)):
        folder.mkdir(parents=True)
    monkeypatch.chdir(here)
    (here / ("d" * length) / "link").symlink_to(tmp_path / "inner")
    assert cli.main(["void", "--socket", f"{'d' * length}/link/.."]) == OK


def test_on_a_device_the_unit_s_controller_is_asked(
    decides: Callable[[str | None], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    decides(None)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert cli.main(["void"]) == NO_DEVICE
    monkeypatch.setattr(places, "DEVICE_SOCKETS", tmp_path)
    assert cli.main(["void"]) == OK
