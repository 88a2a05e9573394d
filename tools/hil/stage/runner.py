"""A scenario played by processes: carries their line, makes what goes wrong, keeps what is said."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tools.hil.faults import catalogue
from tools.hil.faults.host import HostFault, Killed, PowerCut
from tools.hil.line_faults import displays_of
from tools.hil.scenario import Scenario
from tools.hil.stage import Medium
from tools.hil.stage.bus import TtyLine
from tools.hil.stage.child_process import ChildProcess, Poller
from tools.hil.stage.people import Clearer
from tools.hil.stage.processes import StageProcesses, stop
from tools.hil.stage.transcript import Line, Lit, Transcript
from tools.hil.verdict import NO_ENDING, Broken
from tools.hil.world import FaultInterval

RESTART_US = 500_000  # after which the controller or a display that died is started again
RESTARTS_MAX = 20
# A coup takes some 45 s, and a machine that plays many tables at once starts a Python in seconds.
COUP_MAX_US = 240_000_000
START_MAX_US = 180_000_000
SETTLE_US = 1_500_000  # after the last coup: what was decided is lit by then
END_MAX_US = 30_000_000
_POLL_US = 50_000  # how soon a process that has ended is noticed


class StageRunner(Transcript):
    """One scenario's play. For the faults of the host a Host, for those of the line its Displays.

    Times in here are microseconds of CLOCK_MONOTONIC.
    """

    def __init__(
        self, scenario: Scenario, medium: Medium, folder: Path, learned: object = None
    ) -> None:
        """Makes files and ttys in `folder`. `learned`: what the controller knows of the call."""
        super().__init__()
        self._scenario = scenario
        self._poller = Poller()
        displays = displays_of(scenario)
        self.processes = StageProcesses(scenario, medium, folder, displays)
        if learned is not None:
            self.processes.teach(learned)
        self._displays: dict[int, ChildProcess] = {}
        self._set_up: dict[int, tuple[int, int]] = {}  # address and key of those that are to live
        self._due: list[tuple[int, Callable[[], None]]] = []
        self._faults: dict[int, HostFault] = {}
        self._people = Clearer(self.processes.control)
        self._cut = _step_of(scenario)
        self.line = TtyLine(scenario, displays, self) if displays or medium.has_line else None
        self._ending = False
        self._is_dead = True  # the controller; nobody has started it yet

    # --- for faults of the host -----------------------------------------------------------------
    @property
    def controller(self) -> ChildProcess:
        """The one that lives now, or did last."""
        return self._controller

    @property
    def journal(self) -> Path:
        """The controller's."""
        return self.processes.journal

    def signal_display(self, place: int, number: int) -> None:
        """To the process at that place, if there is one."""
        if place in self._displays:
            self._displays[place].send(number)

    def start(self, argv: list[str]) -> ChildProcess:
        """Another process."""
        return self.processes.start(argv)

    # --- for faults of the displays -------------------------------------------------------------
    def power_off(self, place: int) -> None:
        """Killed, and not started again."""
        self._set_up.pop(place, None)
        self.signal_display(place, signal.SIGKILL)

    def power_on(self, place: int, *, address_of: int = 0, key_of: int = 0) -> None:
        """Started, instead of what is there."""
        if place in self._displays:
            self._poller.drop(self._displays.pop(place))
            self.lit.append(Lit(_now_us(), place, None))
        self._set_up[place] = (address_of or place, key_of or place)
        self._start_display(place)

    def freeze(self, place: int) -> None:
        """Stands still."""
        self.signal_display(place, signal.SIGSTOP)

    def thaw(self, place: int) -> None:
        """Goes on."""
        self.signal_display(place, signal.SIGCONT)

    # --- the play -------------------------------------------------------------------------------
    def play(self) -> None:
        """From the first process to the last. Raises OSError; nothing lives on after `close`."""
        if self.line is not None:
            for place in self.line.places:
                self._poller.listen(self.line.masters[place], self._from_line, place)
            for place in self.line.places[1:]:
                self.power_on(place)
        self._wheel = self._poller.add(self.processes.wheel(), self._from_wheel)
        if not self._until(lambda: self.is_wired, START_MAX_US):
            self.say_broken("the wheel did not begin: its wheel.err says why")
            return
        self._start_controller()
        if not self._until(self.processes.is_playing, START_MAX_US):
            self.say_broken(f"the controller did not begin: {self.processes.last_words()}")
            return
        self._wheel.write_line(b"go")
        limit_us = COUP_MAX_US * self._scenario.coups
        if not self._until(lambda: self.over_us is not None, limit_us):
            self.broken.append(Broken(NO_ENDING, None, "the coups were not over in time"))
        self._end()

    def close(self) -> None:
        """Ends what still runs and takes the line away."""
        self.processes.close()
        self._people.close()
        self._poller.close()
        if self.line is not None:
            self.line.close()

    def _end(self) -> None:
        """What is still wrong is put right; then everybody is asked to end."""
        for fault in list(self._faults.values()):
            fault.end_fault()
        self._faults.clear()
        settled_us = _now_us() + SETTLE_US
        self._until(
            lambda: _now_us() >= settled_us and self.processes.is_playing() and not self._is_down(),
            START_MAX_US,
        )
        self._ending = True
        stop(self._controller)
        if not self._until(lambda: self._controller.is_over, END_MAX_US):
            self.say_broken("the controller did not end when it was asked to")
        elif self._controller.popen.returncode != 0:
            self.say_broken(
                f"the controller ended with {self._controller.popen.returncode}:"
                f" {self.processes.last_words()}"
            )
        for display in self._displays.values():
            stop(display)
        self._wheel.hush()
        others = (self._wheel, *self._displays.values())
        if not self._until(lambda: all(other.is_over for other in others), END_MAX_US):
            self.say_broken("the wheel or a display did not end when it was asked to")
        self._poller.read_all()

    def _until(self, enough: Callable[[], bool], patience_us: int) -> bool:
        """Lets the play go on until then; False if that is too long."""
        give_up_us = _now_us() + patience_us
        while not enough():
            now_us = _now_us()
            if now_us > give_up_us:
                return False
            self._step(now_us)
        return True

    def _step(self, now_us: int) -> None:
        wake_us = min([now_us + _POLL_US, *(at_us for at_us, _ in self._due)])
        if self.line is not None and self.line.next_us is not None:
            wake_us = min(wake_us, self.line.next_us)
        self._poller.wait(wake_us - now_us)
        now_us = _now_us()
        if self.line is not None:
            self.line.pass_on(self.intervals, now_us)
        due = [each for each in self._due if each[0] <= now_us]
        self._due = [each for each in self._due if each[0] > now_us]
        for _, do in due:
            do()
        self._people.step(now_us)
        self._look_after(now_us)

    # --- who lives ------------------------------------------------------------------------------
    def _start_controller(self) -> None:
        port = None if self.line is None else self.line.ends[0]
        self._controller = self._poller.add(
            self.processes.controller(port, self._cut), self._from_controller
        )
        self._is_dead = False
        for fault in self._faults.values():
            fault.again()

    def _start_display(self, place: int) -> None:
        assert self.line is not None
        if place in self._set_up and place not in self._displays:
            address, key_of = self._set_up[place]
            started = self.processes.display(place, self.line.ends[place], address, key_of)
            self._displays[place] = self._poller.add(started, self._from_display, place)

    def _is_down(self) -> bool:
        return self._is_dead or self._controller.is_over

    def _look_after(self, now_us: int) -> None:
        """Who has died is started again soon, as systemd would; who may not die is told of."""
        if self._ending:
            return
        if not self._is_dead and self._controller.is_over:
            self._is_dead = True
            self.crashes_us.append(now_us)
            self._judge_death()
            if self.processes.starts > RESTARTS_MAX:
                self.say_broken(f"the controller does not stay: {self.processes.last_words()}")
            else:
                self._due.append((now_us + RESTART_US, self._start_controller))
        for place, display in list(self._displays.items()):
            if display.is_over:
                del self._displays[place]
                self.lit.append(Lit(now_us, place, None))
                self._due.append((now_us + RESTART_US, partial(self._start_display, place)))

    def _judge_death(self) -> None:
        made = (
            catalogue.find(self._scenario.faults[interval.use].fault) for interval in self.intervals
        )
        may = any(entry.make in (Killed, PowerCut) for entry in made)
        code = self._controller.popen.returncode
        if code != -signal.SIGKILL or not may:
            self.say_broken(f"the controller ended with {code}: {self.processes.last_words()}")

    # --- what they say --------------------------------------------------------------------------
    def _from_line(self, place: int) -> None:
        assert self.line is not None
        self.line.receive_from(place, _now_us())

    def _from_controller(self, process: ChildProcess, told: dict[str, Any]) -> None:
        now_us = _now_us()
        self.lines.append(Line(process.started_us, told, now_us))
        self._people.read_fact(told, now_us)

    def _from_display(self, process: ChildProcess, told: dict[str, Any], place: int) -> None:
        self.lit.append(Lit(process.started_us + told["t_us"], place, told))

    def _from_wheel(self, _: ChildProcess, told: dict[str, Any]) -> None:
        interval = self.take_wheel(told)
        if interval is not None:
            self._follow(interval)

    def _follow(self, interval: FaultInterval) -> None:
        """A fault has begun, or is over."""
        known = [each.use for each in self.intervals]
        if interval.use not in known:
            self.intervals.append(interval)
        else:
            self.intervals[known.index(interval.use)] = interval
        use = self._scenario.faults[interval.use]
        entry = catalogue.find(use.fault)
        if entry.layer != "host":
            return
        if interval.use not in known:
            fault = entry.make(self, catalogue.parameters_of(entry, use))
            self._faults[interval.use] = fault
            fault.begin_fault()
        if interval.end_us is not None and interval.use in self._faults:
            self._faults.pop(interval.use).end_fault()


def _step_of(scenario: Scenario) -> int | None:
    """At which step the power is to be cut, if it is."""
    for use in scenario.faults:
        entry = catalogue.find(use.fault)
        if entry.make is PowerCut:
            return int(catalogue.parameters_of(entry, use)["step"])
    return None


def _now_us() -> int:
    return time.monotonic_ns() // 1000
