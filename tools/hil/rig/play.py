"""Plays a scenario on a rig: the world on our lines in real time, the controller on its own board.

The two boards have two clocks. A line of the controller comes some milliseconds after what it
tells, never before: the least delay of all lines is taken for none. So its times are late by that
least delay at most, which makes a call look later than it was and never earlier.
"""

from __future__ import annotations

import json
import select
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.faults import LOCK, find
from firmware.lib.errors import FAILED, Failure
from firmware.text.trace import TraceWriter
from tools.hil.rig.checking import problems
from tools.hil.rig.lines import Motor, RigLines, monotonic_us
from tools.hil.rig.wiring import Wiring
from tools.hil.scenario import Scenario
from tools.hil.stage.child_process import ChildProcess, close_all
from tools.hil.stage.people import CLEAR_US
from tools.hil.stage.transcript import decode_fact
from tools.hil.stage.wheel import world_of
from tools.hil.verdict import BROKEN, NO_ENDING, Broken, RunLog
from tools.hil.world import World
from tools.virtual.score import Score

STEP_US = 4_000  # the world is simulated so far ahead; a rotor takes 1.5 s to its speed
START_S = 60.0  # a Pi starts a Python in seconds, and ssh has to get there
COUP_MAX_US = 240_000_000
SETTLE_US = 1_500_000  # after the last coup: its end is told by then
_ANSWER_S = 10.0
_END_S = 15.0


class Probe:
    """The probe on the wheel's board, at the other end of its command."""

    def __init__(self, wiring: Wiring, folder: Path) -> None:
        """Starts it. Raises Failure if it does not answer."""
        self._errors = folder / "probe.err"
        self._process = ChildProcess(wiring.probe, folder, self._errors)
        self._said: list[dict[str, Any]] = []
        if self._next(START_S).get("ready") != wiring.board["name"]:
            self.close()
            raise Failure(FAILED, "The probe looks at another board than rig.toml names.")

    def levels(self) -> dict[str, int]:
        """What comes in there."""
        found: dict[str, int] = self._ask("levels")["levels"]
        return found

    def set(self, signal: str, level: int) -> None:
        """Sets an output there."""
        self._ask(f"set {signal} {level}")

    def close(self) -> None:
        """It ends with its standard input, and is given time to let go of the lines."""
        self._process.hush()
        give_up_s = time.monotonic() + _END_S
        while not self._process.is_over and time.monotonic() < give_up_s:
            time.sleep(STEP_US / 1e6)
        self._process.close()

    def _ask(self, line: str) -> dict[str, Any]:
        self._process.write_line(line.encode())
        return self._next(_ANSWER_S)

    def _next(self, patience_s: float) -> dict[str, Any]:
        give_up_s = time.monotonic() + patience_s
        while not self._said:
            left_s = give_up_s - time.monotonic()
            if left_s <= 0 or self._process.has_hushed:
                why = self._errors.read_text(errors="replace").strip()[-300:]
                self._process.close()
                raise Failure(
                    FAILED,
                    f"The probe on the wheel's board does not answer{': ' + why if why else ''}."
                    " Run the command `probe` of rig.toml by hand.",
                )
            select.select([self._process.out], [], [], left_s)
            self._said += [json.loads(line) for line in self._process.read()]
        return self._said.pop(0)


def check_wires(gpiod: Any, wiring: Wiring) -> None:
    """The first test. Raises Failure with a sentence for each wire that is not where it should."""
    with tempfile.TemporaryDirectory(prefix="cylindre-rig-") as folder:
        probe = Probe(wiring, Path(folder))
        try:
            lines = RigLines(gpiod, wiring, {})
            try:
                found = problems(lines, probe)
            finally:
                lines.close()
        finally:
            probe.close()
    if found:
        raise Failure(FAILED, "\n".join(found))


class Play:
    """One scenario on the wires."""

    def __init__(self, gpiod: Any, wiring: Wiring, scenario: Scenario, folder: Path) -> None:
        """Puts every line where the wheel begins. Raises Failure, OSError."""
        self._wiring = wiring
        self._scenario = scenario
        self._game: Game = choose(wiring.board["name"], Config())
        self.world: World = world_of(scenario, self._game)
        self._names = [name for name, _ in wiring.board["inputs"]]
        levels = dict(zip(self._names, self.world.initial_levels(), strict=True))
        self._lines = RigLines(gpiod, wiring, levels | self.world.safety)
        self.world.on_safety = self._lines.drive
        self._motor = Motor(wiring.board, self._lines)
        self._folder = folder
        self._told: list[tuple[int, dict[str, Any]]] = []  # when it was heard, and what
        self._shift_us: int | None = None  # from the controller's time to ours
        self._broken: list[Broken] = []
        self._clear_us: int | None = None  # a lock is to be cleared then
        self._helpers: list[ChildProcess] = []
        self.edges = 0

    def run(self, trace: Path) -> RunLog:
        """From the start of the controller to its end. `trace`: where the edges go, as a VCD."""
        errors = self._folder / "controller.err"
        try:
            controller = ChildProcess(self._wiring.start, self._folder, errors)
            try:
                self._await(controller, errors)
                begin_us = self._turn(controller, trace)
                self._stop(controller)
            finally:
                close_all([controller, *self._helpers])
        finally:
            self._lines.close()
        return self._said(begin_us)

    def _await(self, controller: ChildProcess, errors: Path) -> None:
        """Until the controller plays."""
        give_up_s = time.monotonic() + START_S
        while True:
            is_over = controller.is_over  # before it is read: the last words count
            if b"Playing on " in errors.read_bytes():
                return
            if is_over or time.monotonic() > give_up_s:
                why = errors.read_text(errors="replace").strip()[-300:]
                raise Failure(FAILED, f"The controller does not play on the wheel's board: {why}")
            time.sleep(STEP_US / 1e6)

    def _turn(self, controller: ChildProcess, trace: Path) -> int:
        """The wheel, until its coups are over. When it began, on our clock."""
        world, limit_us = self.world, COUP_MAX_US * self._scenario.coups
        begin_us = until_us = monotonic_us()
        over_us: int | None = None
        writer = TraceWriter(trace, self._wiring.board, world.initial_levels())
        try:
            while over_us is None or until_us < over_us + SETTLE_US:
                until_us += STEP_US
                for at_us, line, level in world.advance(
                    until_us - begin_us, self._motor.permille()
                ):
                    _sleep(at_us + begin_us)
                    self._lines.drive(self._names[line], level)
                    writer.edge(at_us, line, level)
                    self.edges += 1
                _sleep(until_us)
                self._hear(controller)
                if controller.is_over:
                    self._broken.append(Broken(BROKEN, None, "the controller has ended by itself"))
                    break
                if over_us is None and world.finished >= self._scenario.coups:
                    over_us = until_us
                elif until_us > begin_us + limit_us:
                    self._broken.append(Broken(NO_ENDING, None, "the coups were not over in time"))
                    break
        finally:
            writer.close(world.now_us)
        return begin_us

    def _stop(self, controller: ChildProcess) -> None:
        """Asked to end: by Ctrl-C through the terminal that ssh made, and by a signal here."""
        controller.write_line(b"\x03")
        controller.send(signal.SIGTERM)
        give_up_s = time.monotonic() + _END_S
        while not controller.has_hushed and time.monotonic() < give_up_s:
            select.select([controller.out], [], [], 0.1)
            self._hear(controller)

    def _hear(self, controller: ChildProcess) -> None:
        now_us = monotonic_us()
        for line in controller.read():
            try:
                told = json.loads(line)
                shift_us = now_us - told["t_us"]
            except (ValueError, KeyError, TypeError):
                continue  # a terminal's echo
            self._told.append((now_us, told))
            if self._shift_us is None or shift_us < self._shift_us:
                self._shift_us = shift_us
            if told.get("event") == "fault" and find(told["code"]).grade == LOCK:
                self._clear_us = now_us + CLEAR_US
        if self._clear_us is not None and now_us >= self._clear_us:
            self._clear_us = None
            self._clear()

    def _clear(self) -> None:
        """Somebody authorised clears the lock."""
        if not self._wiring.clear:
            text = "the wheel is locked: name the command `clear` in rig.toml"
            self._broken.append(Broken(BROKEN, None, text))
            return
        self._helpers.append(
            ChildProcess(self._wiring.clear, self._folder, self._folder / "clear.err")
        )

    def _said(self, begin_us: int) -> RunLog:
        shift_us = (self._shift_us or 0) - begin_us
        told = [
            decode_fact(line, shift_us=shift_us, heard_us=heard_us - begin_us)
            for heard_us, line in self._told
        ]
        score = Score(turns=False)
        for fact in told:
            score.add(fact, 0)
        score.judge(self.world.truths, final=True)
        return RunLog(
            facts=told,
            judged=score.judged,
            truths=self.world.truths,
            intervals=self.world.intervals,
            end_us=self.world.now_us,
            broken=tuple(self._broken),
        )


def _sleep(until_us: int) -> None:
    left_us = until_us - monotonic_us()
    if left_us > 0:
        time.sleep(left_us / 1e6)
