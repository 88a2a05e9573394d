"""Hands that were not there: offered again, and said last; what they did before counts for
nothing."""

import io
import itertools
import json
import os
import pty
import socket
import sys
import threading
from contextlib import closing
from types import SimpleNamespace
from typing import Any, cast

import click
import pytest
from jumping import JumpingBench
from willing import ASKED_S, FINGER_S, Willing, hand_of

import boards
from firmware.lib import language
from firmware.lib.places import CONTROL
from tools.commands import selftest as command
from tools.technician.selftest import certificate, course, sequence
from tools.technician.selftest.bench import SocketBench
from tools.technician.selftest.course import HAND_S, TRIES
from tools.technician.selftest.part import FAILED, INCOMPLETE, PASSED, Limit, judged, total
from tools.technician.selftest.person import AtTerminal, Nobody, Progress

ABOUT = certificate.About("table-3", "reference", "weber", "supervisor", 0, "ab" * 32, "1")


class Forgetful(Willing):
    """Passes one finger less, until what failed is offered `again` so many times."""

    def __init__(self, bench: JumpingBench, missed: str, again: int) -> None:
        super().__init__(self._reach, bench.names)
        self._hand, self._missed, self._again = hand_of(bench), missed, again
        self.questions: list[str] = []

    def _reach(self, request: dict[str, Any]) -> None:
        if request.get("line") != self._missed:
            self._hand(request)

    def again(self, text: str) -> bool:
        self.questions.append(text)
        if len(self.questions) == self._again:
            cover = {"do": "cover", "line": self._missed, "s": FINGER_S, "after_s": ASKED_S}
            self._hand(cover)
        return len(self.questions) <= self._again


def parts_of(person: Any, bench: JumpingBench) -> dict[str, Any]:
    wheel = sequence.Wheel(bench.board, bench.board["rotor"] == "driven", 100, 28.0)
    return {part.name: part for part in sequence.parts(bench, wheel, person)}


def test_a_finger_that_was_forgotten_is_offered_again_and_the_certificate_says_so() -> None:
    bench = JumpingBench(boards.load("boule_ref"))
    person = Forgetful(bench, "rim1", again=2)
    parts = parts_of(person, bench)
    assert [text[:22] for text in person.questions] == ["rim1 dark: 0 pulses. P"] * 2
    assert all(text.endswith(" Again?") for text in person.questions)
    assert (parts["rim1 dark"].outcome, parts["rim1 dark"].tries) == (PASSED, 3)
    assert (parts["rim1 alone"].outcome, parts["rim0 dark"].tries) == (PASSED, 1)
    page = certificate.page(ABOUT, list(parts.values()))
    assert page.count("tried 3 times") == 3  # dark, dark for, alone
    assert parts["rim1 dark"].as_json()["tries"] == 3


def test_what_fails_again_and_again_fails_and_who_goes_on_is_asked_no_more() -> None:
    for again, tries in ((0, 1), (9, TRIES)):
        bench = JumpingBench(boards.load("boule_ref"))
        person = Forgetful(bench, "rim1", again=again)
        person._missed = "rim1" if again == 0 else "rim0"
        person._hand = lambda request, bench=bench: (  # type: ignore[misc]
            None if request["do"] == "cover" else hand_of(bench)(request)
        )
        part = parts_of(person, bench)["rim1 dark"]
        assert (part.outcome, part.tries) == (FAILED, tries)


def test_a_ball_that_was_not_laid_is_offered_again() -> None:
    bench = JumpingBench(boards.load("roulette_ref"))
    hand = hand_of(bench)

    class Late(Willing):
        def again(self, text: str) -> bool:
            super().again(text)
            hand({"do": "lay", "compartment": 3})
            return True

    person = Late(lambda request: None if request["do"] == "lay" else hand(request), bench.names)
    parts = parts_of(person, bench)
    assert sum("Again?" in text for text in person.asked) == 1
    assert (parts["pocket0 sees the ball, ccw"].outcome, parts["pocket0 width, ccw"].tries) == (
        PASSED,
        2,
    )
    assert parts["pocket0 sees the ball, cw"].tries == 1


def test_a_rotor_that_nobody_pushed_is_offered_again() -> None:
    bench = JumpingBench(boards.load("roulette_ref"))

    class Pushes(Willing):
        def again(self, text: str) -> bool:
            super().again(text)
            bench.turn("ccw", 20.0, 10.0)
            return True

    person = Pushes(hand_of(bench), bench.names)
    wheel = sequence.Wheel(bench.board, False, 100, 20.0)
    parts = {part.name: part for part in sequence.parts(bench, wheel, person)}
    assert (parts["direction, ccw"].outcome, parts["direction, ccw"].tries) == (PASSED, 2)
    assert (parts["direction, cw"].outcome, parts["direction, cw"].tries) == (FAILED, TRIES)
    assert {progress.of for progress in person.steps} == {5}


def test_a_touch_before_somebody_is_ready_is_none() -> None:
    bench = JumpingBench(boards.load("boule_ref"))
    hand = hand_of(bench)

    class Hasty(Willing):
        """Has passed the fingers when they say that they are ready, and does not do it again."""

        def ask(self, text: str) -> bool:
            yes = super().ask(text)
            bench.pass_time(ASKED_S + 2 * FINGER_S * len(self.names))
            return yes

    parts = parts_of(Hasty(hand, bench.names), bench)
    assert parts["rim0 dark"].value == 0
    assert parts["cup00 dark"].outcome == FAILED


# --- the bench of a running controller ------------------------------------------------------------
def _edges(t_us: int, *edges: tuple[int, int, int]) -> bytes:
    told = {"event": "edges", "t_us": t_us, "held": False, "lost": 0, "edges": edges}
    return json.dumps(told).encode() + b"\n"


def test_edges_that_the_controller_tells_late_are_past_all_the_same(tmp_path: Any) -> None:
    """The person is asked meanwhile, and nobody reads: what was told waits, and more is to come."""
    answer = b'{"ok":true,"do":"edges","lines":["rim0"],"levels":[0]}\n'
    reads = threading.Semaphore(0)  # the bench waits for what is told next
    parts = [
        answer + _edges(9_000_000, (8_000_000, 0, 1), (8_300_000, 0, 0)),
        # Somebody is ready; the first moment that is told behind the answer is a later one.
        _edges(9_100_000, (9_050_000, 0, 1)) + answer,
        _edges(9_200_000, (9_120_000, 0, 0)),
        _edges(9_300_000, (9_150_000, 0, 1))  # stamped before it, and told behind it
        + _edges(9_400_000, (9_350_000, 0, 0), (9_500_000, 0, 1), (9_650_000, 0, 0)),
        _edges(20_000_000),
    ]

    class Bench(SocketBench):
        def _read_until(self, end_us: int) -> None:
            reads.release()
            super()._read_until(end_us)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / CONTROL))
        server.listen()

        def serve() -> None:
            line, _ = server.accept()
            with line, line.makefile("rb") as asked:
                for part in parts[:2]:
                    asked.readline()
                    line.sendall(part)
                for part in parts[2:]:
                    reads.acquire()
                    line.sendall(part)
                asked.readline()

        threading.Thread(target=serve, daemon=True).start()
        asks = cast(Any, SimpleNamespace(token="t", act=None))
        with closing(Bench(asks, tmp_path)) as bench:
            bench.forget()
            heard = bench.listen(5.0)
    assert [pulse.rise_us for pulse in heard.pulses("rim0")] == [9_500_000]
    assert (heard.levels, heard.edges[0]) == ([1], (9_350_000, 0, 0))


# --- a person at a terminal -----------------------------------------------------------------------
@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Types at a terminal: at once, or when a prompt is shown."""
    master, slave = pty.openpty()
    shown: list[str] = []
    then: list[bytes] = []

    def echo(text: str = "", **how: Any) -> None:
        shown.append(text)
        if then:
            os.write(master, then.pop(0))

    with os.fdopen(slave, "r") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(click, "echo", echo)
        yield SimpleNamespace(write=lambda data: os.write(master, data), then=then, shown=shown)
    os.close(master)


@pytest.fixture(autouse=True)
def english() -> Any:
    """Each test begins in English, and leaves nothing else behind."""
    language.choose("en")
    yield
    language.choose(None)


@pytest.mark.parametrize("question", ["ask", "again"])
def test_enter_that_was_typed_before_it_is_asked_answers_nothing(typed: Any, question: str) -> None:
    typed.write(b"\n\n")
    typed.then.append(b"s\n" if question == "ask" else b"n\n")
    assert getattr(AtTerminal(), question)("Take the ball out.") is False
    typed.then.append(b"\n")
    assert getattr(AtTerminal(), question)("Take the ball out.") is True


def test_a_program_and_an_input_without_a_terminal_are_not_asked_again(
    typed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert AtTerminal(asks_again=False).again("rim1 dark. Again?") is False
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert AtTerminal().again("rim1 dark. Again?") is False
    assert typed.shown == []


def test_a_step_is_said_once_and_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = AtTerminal()
    terminal.step(Progress(3, 9, 101.0, 20.0))
    terminal.step(Progress(3, 9, 80.0, 20.0))
    language.choose("fr")
    terminal.step(Progress(4, 9, 81.0, 20.0))
    assert capsys.readouterr().err.split("\n") == [
        "",
        "Step 3 of 9, about 2 min left.",
        "",
        "Étape 4 sur 9, encore 90 s environ.",
        "",
    ]


# --- what stands last -----------------------------------------------------------------------------
def test_what_failed_stands_last_with_what_to_do_about_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit = Limit(1, 4, "pulses", "a finger is one", remedy="Pass it slowly.")
    parts = [
        judged("rim beams", "rim0 dark", 0.0, limit)._replace(tries=2),
        judged("rim beams", "rim1 dark", 1.0, limit),
        judged("motor", "run-out, cw", None, limit._replace(remedy="Look at the bearing.")),
        judged("rim beams", "rim2 dark", 9.0, limit),
    ]
    assert command._summary(parts, as_json=False, certificates=[], sha256=None) == FAILED
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Self-test: failed, 1 of 4 passed."
    assert [line.split("  ")[0].strip() for line in lines[1:]] == [
        "failed", "failed", "", "failed", "",
    ]  # fmt: skip
    assert "rim0 dark" in lines[1] and lines[1].endswith("tried 2 times")
    assert lines[3] == "  Pass it slowly."
    assert lines[-1] == "  Look at the bearing."
    language.choose("fr")
    command._summary(parts, as_json=False)
    assert "essayé 2 fois" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["roulette_ref", "vingt_trois_ref", "boule_ref"])
def test_whatever_fails_has_a_remedy(name: str) -> None:
    said = {"level": None, "clock": None, "fram": "gone", "journal": {"trouble": "full"}}
    bench = JumpingBench(boards.load(name), spoil=lambda edges: [], parts=said)
    failed = [part for part in parts_of(Willing(hand_of(bench), bench.names), bench).values()
              if part.outcome == FAILED]  # fmt: skip
    assert len(failed) > 4
    assert [part.name for part in failed if not part.remedy] == []


# --- how long it takes ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "hand", "of"),
    [("roulette_ref", True, 8), ("roulette_ref", False, 4), ("boule_ref", True, 4)],
)
def test_the_time_left_is_about_what_it_takes(
    name: str, hand: bool, of: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = JumpingBench(boards.load(name))
    clock = SimpleNamespace(monotonic=lambda: bench.now_us / 1e6)
    monkeypatch.setattr(course, "time", clock)
    told: list[tuple[float, Progress]] = []

    class Slow(Willing):
        def step(self, progress: Progress) -> None:
            told.append((clock.monotonic(), progress))

        def ask(self, text: str) -> bool:
            bench.pass_time(HAND_S)
            return super().ask(text)

    slow = Slow(hand_of(bench), bench.names)
    assert total(list(parts_of(slow if hand else Nobody(slow), bench).values())).outcome in (
        PASSED,
        INCOMPLETE,
    )
    end_s = told[-1][0]
    numbers = [progress.number for _, progress in told]
    assert sorted(set(numbers)) == list(range(1, of + 1)) and numbers == sorted(numbers)
    assert {progress.of for _, progress in told} == {of}
    for at_s, progress in told:
        takes_s = end_s - at_s
        assert abs(progress.left_s - takes_s) < 10 + 0.2 * takes_s, (progress, takes_s)
    for (_, one), (_, other) in itertools.pairwise(told):
        assert one.now_s <= one.left_s
        assert other.left_s <= one.left_s + 1


def test_what_one_of_a_kind_took_is_what_the_next_will_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SimpleNamespace(now_s=0.0)
    monkeypatch.setattr(course, "time", SimpleNamespace(monotonic=lambda: clock.now_s))
    person = Willing(None, [])
    steps = [course.Step(str(at), "lay", 20.0, 5.0) for at in range(3)]
    found = course.Course(person, steps, lambda: None)
    found.begin_step("0")
    clock.now_s = 300.0  # somebody has gone to fetch a ball: nothing of that is the wheel's
    person.but = lambda text: True
    found.ask("Lay the other ball.")
    clock.now_s = 304.0
    found.begin_step("1")
    assert [round(each.left_s) for each in person.steps] == [75, 70, 18]
