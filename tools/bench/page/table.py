"""One table of the page's bench: a real controller in real time, and who looks at it.

The wheel is a process of its own at the end of a pty (tools.hil.stage), so that it tells the truth;
the controller is `cylindre run` as shipped, recording every coup; where somebody looks, the page is
`cylindre page`, and the viewers are tools.bench.page.load, logged in, each with the oscilloscope
open.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from firmware.core import facts
from firmware.keys import people
from firmware.lib.errors import FAILED, Failure
from firmware.lib.places import PEOPLE
from firmware.services.recorder.recorder import KEPT_MAX
from tools.bench.page.edges import Tape, beside, tape_of
from tools.hil import oracle
from tools.hil.places import virtual
from tools.hil.places.process import TRACE, PtyMedium
from tools.hil.scenario import Scenario
from tools.hil.stage import ledger
from tools.hil.stage.child_process import CYLINDRE, MODULE, ChildProcess, Poller
from tools.hil.stage.processes import StageProcesses, control_in, stop
from tools.hil.stage.transcript import Line, Transcript
from tools.hil.verdict import FALSE_ALARM, LATE_CALL, WRONG_NUMBER, Verdict
from tools.virtual.score import VOID, Judged

APPARATUS = "roulette"
NAME, PIN = "weber", "831504"
NICE = -15  # of the controller on a device (tools/image/systemd/cylindre.service)
COUP_MAX_S = 120  # one takes some 45 s
START_MAX_S = 180  # a machine that starts many tables at once is slow
END_MAX_S = 60
EDGE, CALL, LATE, FAULT, VOIDED = "edge", "call", "late call", "fault", "void"
_WAIT_US = 50_000
_COUNTED = (WRONG_NUMBER, LATE_CALL, FALSE_ALARM)  # among `wrong` and `amiss`
_TAPES, _PIN_FILE, _EDGES = "tapes", "pin", "edges.json"


class Amiss(NamedTuple):
    """Something that must not be, and when it came about: microseconds of CLOCK_MONOTONIC."""

    what: str  # EDGE, CALL, LATE, FAULT, VOIDED
    from_us: int
    to_us: int
    text: str = ""


class Watched(NamedTuple):
    """What became of one table. Everything in it can be written as JSON (`_asdict`)."""

    coups: int  # that were judged
    due: int  # of these not void, and a ball left the track: each wants a call before
    spans: list[tuple[int, int]]  # from when to when each was played, CLOCK_MONOTONIC, us
    edges: int  # that the wheel made while its coups were recorded
    amiss: list[Amiss]
    wrong: int  # numbers
    broken: list[str]  # whatever else the oracle found
    lead_s: list[float]  # from the call to the drop, each coup
    page: Tape | None  # what the first viewer was told of all edges; None: nobody looked
    looked: dict[str, Any]  # tools.bench.page.load; without viewers: of the controller alone
    page_pid: str  # its key there; "" without
    controller_pid: str
    stills: list[tuple[int, int]]  # when the machine stood still (tools.bench.stall_meter)


class _Recorded(PtyMedium):
    """A pty, and a controller that records every coup."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def controller_options(self) -> list[str]:
        """The controller's end, and where its tapes go."""
        tapes = ["--record", str(self._folder / _TAPES), "--record-coups", str(KEPT_MAX)]
        return [*super().controller_options(), *tapes]


class Table(Transcript):
    """One table in `folder`."""

    def __init__(self, folder: Path, *, coups: int, seed: int, viewers: int) -> None:
        """`viewers` 0: no page."""
        super().__init__()
        self.line = None  # no displays
        self.folder = folder
        self._viewers = viewers
        self._scenario = Scenario(
            "table", "A table that somebody looks at.", APPARATUS, coups, seed=seed, learned=True
        )
        self._medium = _Recorded(folder)
        self._poller = Poller()
        self.processes = StageProcesses(self._scenario, self._medium, folder, 0)
        self.processes.teach(virtual.taught(self._scenario))
        staff = self.processes.journal.with_name(PEOPLE)
        staff.write_bytes(people.encode(people.enrol(NAME, "supervisor", PIN)))
        staff.chmod(0o600)
        (folder / _PIN_FILE).write_text(PIN + "\n")

    def play(self) -> Watched:
        """All of it. Raises Failure if it cannot be played at all."""
        poller, processes = self._poller, self.processes
        wheel = poller.add(processes.wheel(), self._from_wheel)
        self._until(lambda: self.is_wired, START_MAX_S, "the wheel does not begin")
        self._controller = poller.add(processes.controller(None, None), self._from_controller)
        self._until(processes.is_playing, START_MAX_S, "the controller does not begin")
        for pid in (wheel.popen.pid, self._controller.popen.pid):
            with contextlib.suppress(PermissionError):  # of who may not be before others
                os.setpriority(os.PRIO_PROCESS, pid, NICE)
        page, load = self._watch() if self._viewers else (None, self._measure())
        wheel.write_line(b"go")
        coups_s = COUP_MAX_S * self._scenario.coups
        self._until(lambda: self.over_us is not None, coups_s, "the coups are not over in time")
        looked = self._end(load)
        for process in (self._controller, page):
            if process is not None:
                stop(process)
                self._until(partial(_is_over, process), END_MAX_S, "somebody does not end")
        wheel.hush()
        self._until(lambda: wheel.is_over, END_MAX_S, "the wheel does not end")
        poller.read_all()
        return self._judged(looked, page)

    def close(self) -> None:
        """Ends what still runs."""
        self.processes.close()
        self._poller.close()
        self._medium.close()

    # --- who looks ------------------------------------------------------------------------------
    def _watch(self) -> tuple[ChildProcess, ChildProcess]:
        """The page and its viewers, all of whom look by now."""
        said: list[dict[str, Any]] = []
        options = [
            "page", "--socket", control_in(self.folder).parent, "--journal", self.processes.journal,
            "--keys", self.processes.keys, "--board", self._medium.board(APPARATUS),
            "--port", 0, "--json",
        ]  # fmt: skip
        page = self.processes.start([*CYLINDRE, *map(str, options)], "page.err")
        self._poller.add(page, lambda _, told: said.append(told))
        self._until(lambda: said, START_MAX_S, "the page does not begin")
        (address,) = said[0]["addresses"]
        options = [
            address.removeprefix("https://").strip("/"), "--viewers", self._viewers, "--as", NAME,
            "--pin-file", self.folder / _PIN_FILE, "--pid", page.popen.pid,
            "--pid", self._controller.popen.pid, "--edges", self.folder / _EDGES,
        ]  # fmt: skip
        return page, self._load(options)

    def _measure(self) -> ChildProcess:
        """Nobody looks; but what the controller uses is measured all the same."""
        return self._load(["nobody:0", "--viewers", 0, "--pid", self._controller.popen.pid])

    def _load(self, options: list[Any]) -> ChildProcess:
        command = [*MODULE, "tools.bench.page.load", *map(str, options)]
        load = self.processes.start(command, "load.err")
        self._said: list[dict[str, Any]] = []
        self._poller.add(load, lambda _, told: self._said.append(told))
        self._until(lambda: self._said, START_MAX_S, "the viewers do not see the page")
        return load

    def _end(self, load: ChildProcess) -> dict[str, Any]:
        """What the viewers saw, who now go."""
        load.hush()
        self._until(lambda: len(self._said) > 1, END_MAX_S, "the viewers do not say what they saw")
        return self._said[1]

    # --- the play -------------------------------------------------------------------------------
    def _until(self, enough: Callable[[], Any], patience_s: float, else_: str) -> None:
        """Raises Failure."""
        give_up_s = time.monotonic() + patience_s
        while not enough():
            if time.monotonic() > give_up_s:
                words = [
                    line for path in self.folder.glob("*.err")
                    for line in path.read_text(errors="replace").splitlines()[-2:]
                ]  # fmt: skip
                raise Failure(FAILED, f"{else_}: {' / '.join(words)}")
            self._poller.wait(_WAIT_US)

    def _from_wheel(self, _: ChildProcess, told: dict[str, Any]) -> None:
        self.take_wheel(told)

    def _from_controller(self, process: ChildProcess, told: dict[str, Any]) -> None:
        self.lines.append(Line(process.started_us, told, time.monotonic_ns() // 1000))

    def _judged(self, looked: dict[str, Any], page: ChildProcess | None) -> Watched:
        # It asks for no more of a Show than it is told and where its files are.
        run_log = ledger.collect_run_log(self._scenario, cast(Any, self), ledger.REAL_SLACK)
        verdict: Verdict = oracle.judge(self._scenario, run_log)
        # Since when the controller's times count, in the wheel's.
        shift_us = self._controller.started_us - self.begin_us
        trace = self.folder / TRACE
        tape = tape_of(self.folder / _TAPES, trace, self.lines, shift_us)
        told = json.loads((self.folder / _EDGES).read_text()) if page else None
        opened_us = run_log.opened_us
        spans = {
            coup.coup: (opened_us[coup.coup] + self.begin_us, coup.decision.at_us + self.begin_us)
            for coup in verdict.coups
        }
        amiss = [*_edges(tape), *_faults(run_log.facts)]
        due = [coup for coup in verdict.coups if coup.verdict != VOID and coup.truth is not None]
        return Watched(
            coups=len(verdict.coups),
            due=len(due),
            spans=list(spans.values()),
            edges=tape.made,
            amiss=[
                each._replace(
                    from_us=each.from_us + self.begin_us, to_us=each.to_us + self.begin_us
                )
                for each in amiss
            ]
            + list(_coups(verdict.coups, run_log.facts, spans)),
            wrong=sum(each.rule == WRONG_NUMBER for each in verdict.broken),
            broken=[each.text for each in verdict.broken if each.rule not in _COUNTED],
            lead_s=[coup.lead_us / 1e6 for coup in due if coup.lead_us is not None],
            page=None if told is None else beside(told, trace, shift_us),
            looked=looked,
            page_pid="" if page is None else str(page.popen.pid),
            controller_pid=str(self._controller.popen.pid),
            stills=[],  # who plays it knows
        )


def _is_over(process: ChildProcess) -> bool:
    return process.is_over


def _edges(tape: Tape) -> Iterator[Amiss]:
    for at_us in tape.amiss_us:
        yield Amiss(EDGE, at_us, at_us)


def _faults(told: Sequence[Any]) -> Iterator[Amiss]:
    for fact in told:
        if type(fact) is facts.Fault and fact.code not in oracle.NO_ALARM:
            yield Amiss(FAULT, fact.at_us, fact.at_us, fact.text)


def _coups(
    coups: Sequence[Judged], told: Sequence[Any], spans: dict[int, tuple[int, int]]
) -> Iterator[Amiss]:
    called = {fact.coup for fact in told if type(fact) is facts.NoMoreBets}
    for coup in coups:
        text = f"coup {coup.coup}"
        if coup.verdict == VOID:
            yield Amiss(VOIDED, *spans[coup.coup], f"{text}: {coup.decision.reason}")
        elif coup.coup not in called:
            yield Amiss(CALL, *spans[coup.coup], text)
        if coup.late:
            yield Amiss(LATE, *spans[coup.coup], text)
