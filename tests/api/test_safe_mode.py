"""In safe mode, where the controller does not run, a technician logs in, reads and repairs."""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import own_journal
import pytest
from patience import until
from service_bench import PINS, code, log_in, signer

import boards
from firmware.core import facts
from firmware.keys import folder as keys
from firmware.keys import rotation
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import translated
from firmware.lib.places import STATUS_ONLY
from firmware.run import safe_mode
from firmware.run.safe_desk import SafeDesk, go_on_with
from firmware.services.configuring import health_check
from firmware.services.update import attribution
from firmware.services.update.commit import check_controller_answers
from firmware.store import acts
from firmware.store.journal import Journal

BOARD = boards.load("roulette_ref")
SHA256 = "ab" * 32


class Safe:
    """A wheel in safe mode, and its journal."""

    def __init__(self, folder: Path, people: Path, *, damaged: bool) -> None:
        self.folder = folder
        self.journal = folder / "journal.db"
        self.keys = folder / "keys"
        self.said: list[str] = []
        own_journal.keys(self.keys)
        keys.provision(self.keys, displays=0, terminals=0)
        if damaged:
            self.journal.write_bytes(b"damaged")
        else:
            store = own_journal.opened(self.journal)
            store.write(*own_journal.result(1))
            store.close(10)
        self._stack = contextlib.ExitStack()
        self.store = go_on_with(self.journal, self.keys, None, BOARD, self._stack)
        self._desk = SafeDesk(
            folder,
            people=people,
            game="roulette",
            journal=self.store,
            say=lambda kind, text, told: self.said.append(text),
        )
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._go_round)
        self._thread.start()

    def acts(self) -> list[acts.Act]:
        return acts.last(self.journal)

    def close(self) -> None:
        """Ends safe mode: what was asked is durable then."""
        self._ends.set()
        self._thread.join()
        self._desk.close()
        self._stack.close()

    def _go_round(self) -> None:
        while not self._ends.wait(0.002):
            self._desk.poll()


@pytest.fixture
def safe(tmp_path: Path, people: Path, request: pytest.FixtureRequest) -> Iterator[Safe]:
    made = Safe(tmp_path, people, damaged=getattr(request, "param", False))
    yield made
    made.close()


def test_in_safe_mode_a_technician_logs_in_and_may_read_and_repair(safe: Safe, call: Any) -> None:
    caller = call()
    session = log_in(caller, "tom")
    assert answer(caller, do="status")["status"]["faults"] == ["S16"]
    assert answer(caller, do="parts", session=session)["parts"]["journal"]["trouble"] is None
    for what in ("note", "config", "update", "support"):
        act = {"do": "act", "session": session, "what": what, "detail": what, "sha256": SHA256}
        assert answer(caller, **act) == {"ok": True, "do": "act"}
    assert answer(caller, do="logout", session=session)["ok"]
    safe.close()
    written = safe.acts()
    order = ["login", "note", "config", "update", "support", "logout"]
    assert [act.what for act in reversed(written)] == order
    assert {(act.who, act.role) for act in written} == {("tom", "technician")}
    public = rotation.public_keys(safe.keys)
    assert all(acts.vouched(safe.journal, act, public) for act in written), "so orders are believed"


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "service", "on": True, "why": "monthly check"},
        {"do": "turn", "way": "ccw", "rpm": 20, "for_s": 5},
        {"do": "calibrate", "values": {}},
        {"do": "void"},
        {"do": "confirm"},
        {"do": "clear"},
        {"do": "employee", "present": True, "employee": signer("anna")},
        {"do": "manual", "number": 17, "why": "x", "croupier": signer("anna"),
         "management": signer("weber")},
    ],
    ids=lambda asked: str(asked["do"]),
)  # fmt: skip
def test_what_takes_the_wheel_is_refused_in_a_sentence(
    safe: Safe, call: Any, asked: dict[str, Any]
) -> None:
    caller = call()
    if asked["do"] in ("service", "turn", "calibrate"):
        asked = asked | {"session": log_in(caller, "sue")}
    told = answer(caller, **asked)
    assert code(told) == "not_now"
    assert "in safe mode, where nothing is played and nothing turns." in told["error"]["text"]


def test_the_first_supervisor_is_told_that_no_button_is_read(safe: Safe, call: Any) -> None:
    told = answer(call(), do="first", person={"name": "ida", "pin": "493817"})
    assert code(told) == "not_now"
    assert "cylindre people" in told["error"]["remedy"]


@pytest.mark.parametrize("safe", [True], indirect=True)
def test_where_the_journal_is_broken_too_who_logs_in_reads(
    safe: Safe, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = call()
    session = log_in(caller, "tom")
    assert answer(caller, do="status")["status"]["faults"] == ["S16", "S10"]
    assert answer(caller, do="parts", session=session)["ok"]
    told = answer(caller, do="act", session=session, what="note", detail="x")
    assert code(told) == "not_now"
    assert "the wheel's journal is not written" in told["error"]["text"]
    assert any("is no journal of a wheel" in text for text in safe.said)
    assert any(text.startswith("tom: login") for text in safe.said)
    # Root installs all the same, as where no controller answers at all.
    monkeypatch.setattr("os.geteuid", lambda: 0)
    attribution.record(safe.folder, None, None, "installs", None)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(Failure) as refused:
        attribution.record(safe.folder, None, None, "installs", None)
    assert refused.value.exit_code == USAGE


@pytest.mark.parametrize("safe", [True], indirect=True)
def test_what_root_does_without_a_journal_is_recorded_nowhere_but_a_refusal_stands(
    safe: Safe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    pin = tmp_path / "pin"
    pin.touch(0o600)
    pin.write_text(PINS["tom"])
    attribution.record(safe.folder, "tom", pin, "installs", None)
    told = "The wheel is in safe mode and its journal is not written: this is recorded nowhere.\n"
    assert capsys.readouterr().err == told
    for name, typed in (("tom", PINS["sue"]), ("anna", PINS["anna"]), ("tom", "")):
        pin.write_text(typed)
        with pytest.raises(Failure):
            attribution.record(safe.folder, name, pin, "installs", None)
    assert capsys.readouterr().err == ""


def test_a_journal_that_fails_later_is_told_once_and_no_act_is_taken_while_it_does(
    safe: Safe, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(safe.store, Journal)
    caller, writer = call(), safe.store._writer

    def full(_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as fails:
        fails.setattr(writer, "commit", full)
        session = log_in(caller, "tom")
        until(lambda: answer(caller, do="status")["status"]["faults"] == ["S16", "S10"])
        told = answer(caller, do="act", session=session, what="note", detail="lost")
        assert code(told) == "not_now"
        assert "the wheel's journal is not written" in told["error"]["text"]
    until(lambda: safe.store.trouble() is None)
    until(lambda: answer(caller, do="status")["status"]["faults"] == ["S16"])
    note = {"do": "act", "session": session, "what": "note", "detail": "kept"}
    until(lambda: answer(caller, **note)["ok"])
    safe.close()
    assert [act.what for act in reversed(safe.acts())][:2] == ["login", "note"]
    assert [text.startswith("S10: ") for text in safe.said].count(True) == 1


def test_an_act_is_told_once_it_is_durable(
    safe: Safe, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(safe.store, Journal)
    caller, hears, writer = call(), call(), safe.store._writer
    real, goes_on = writer.commit, threading.Event()
    session = log_in(caller, "tom")
    until(lambda: hears.hear().get("what") == "login")

    def commit(items: Any) -> Any:
        goes_on.wait()
        return real(items)

    monkeypatch.setattr(writer, "commit", commit)
    note = {"do": "act", "session": session, "what": "note", "detail": "x"}
    try:
        assert answer(caller, **note)["ok"]
        told = hears.ask(do="status")
        assert "status" in told, "nothing was told before"
    finally:
        goes_on.set()
    until(lambda: hears.hear().get("what") == "note")


def test_a_wrong_pin_is_told_and_written_down(safe: Safe, call: Any) -> None:
    assert code(answer(call(), do="login", person=signer("tom", PINS["sue"]))) == "wrong_pin"
    safe.close()
    assert [act.what for act in safe.acts()] == ["login refused"]
    assert any(text.startswith("P12: ") for text in safe.said)


def test_safe_mode_is_no_controller_that_came_up(safe: Safe, call: Any) -> None:
    """An update, or a configuration, with which the controller ends there is not kept."""
    public = call(STATUS_ONLY)
    until(lambda: answer(public, do="status")["status"]["state"] == "SERVICE")
    with pytest.raises(Failure) as refused:
        check_controller_answers(safe.folder)
    assert refused.value.exit_code == FAILED
    seen = health_check.find_controller(safe.folder)
    assert seen is not None
    assert (seen.runs, seen.in_service) == (False, False)


class Answering:
    """A line whose display 1 has begun to answer."""

    def poll(self, at_us: int) -> None:
        pass

    def troubles(self) -> list[facts.Trouble]:
        return []

    def ended(self) -> list[facts.TroubleEnded]:
        return [facts.TroubleEnded(0, "B11", "1")]


def test_a_display_that_answers_again_is_told_in_the_readers_language() -> None:
    said: list[Any] = []
    safe_mode._poll(Answering(), lambda *told: said.append(told))  # type: ignore[arg-type]
    ((kind, text, told),) = said
    assert (kind, told) == ("fault_ended", {"code": "B11", "detail": "1"})
    assert text == "B11: Display 1 answers again."
    assert translated(text, "fr") == "B11 : L'afficheur 1 répond de nouveau."


def answer(caller: Any, **request: Any) -> dict[str, Any]:
    """The answer to that request, whatever is told besides."""
    told: dict[str, Any] = caller.ask(**request)
    while "event" in told:
        told = caller.hear()
    return told
