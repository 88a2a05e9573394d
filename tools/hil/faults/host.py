"""Faults of the machine that the controller runs on, made by the stage that has its processes.

A power cut is two things. Here the process is gone between two steps of a record, with all it
had written; what a disk loses besides is laid out, cut by cut, in
tests/store/statistical/test_cuts.py.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tools.hil.faults.entry import EITHER, NUMBER, Expect, Fault, Parameter
from tools.hil.stage.child_process import MODULE, ChildProcess


class Host(Protocol):
    """What a stage offers to these faults."""

    @property
    def controller(self) -> ChildProcess:
        """The controller's process, the one that lives now."""
        ...

    @property
    def journal(self) -> Path:
        """The controller's journal."""
        ...

    def signal_display(self, place: int, number: int) -> None:
        """Sends a display a signal; one that is gone takes none."""
        ...

    def start(self, argv: list[str]) -> ChildProcess:
        """Another process, gone with the stage."""
        ...


class HostFault:
    """One fault of the host. `begin_fault` and `end_fault` are called once each, when the
    world says so; `again` after a controller was started again meanwhile."""

    def __init__(self, host: Host, parameters: dict[str, Any]) -> None:
        self.host = host
        self.parameters = parameters

    def begin_fault(self) -> None:
        """It begins."""

    def again(self) -> None:
        """Another controller lives now."""

    def end_fault(self) -> None:
        """It is over."""


class Killed(HostFault):
    """kill -9; whatever starts the service starts it again."""

    def begin_fault(self) -> None:
        """The controller is gone at once."""
        self.host.controller.send(signal.SIGKILL)


class Stopped(HostFault):
    """SIGSTOP, and SIGCONT at its end."""

    def begin_fault(self) -> None:
        """It stands still."""
        self.host.controller.send(signal.SIGSTOP)

    def end_fault(self) -> None:
        """It goes on."""
        self.host.controller.send(signal.SIGCONT)


class DisplayKilled(HostFault):
    """kill -9 of the process of the display at `display`."""

    def begin_fault(self) -> None:
        """It is gone at once."""
        self.host.signal_display(int(self.parameters["display"]), signal.SIGKILL)


class DiskFull(HostFault):
    """The journal's files may grow by no more than `left_bytes`. Where its disk is a guest's own,
    it is full; elsewhere a limit on file sizes says so, and the disk of others is not filled."""

    def begin_fault(self) -> None:
        """No room."""
        left = int(self.parameters["left_bytes"])
        if self._is_own:
            _fill(self._ballast, left)
        else:
            self._limit(self.host.journal.stat().st_size + left)

    def again(self) -> None:
        """The disk is still full."""
        if not self._is_own:
            self.begin_fault()

    def end_fault(self) -> None:
        """There is room again."""
        if self._is_own:
            self._ballast.unlink()
        else:
            self._limit(resource.RLIM_INFINITY)

    @property
    def _is_own(self) -> bool:
        return self.host.journal.parent.is_mount()

    @property
    def _ballast(self) -> Path:
        return self.host.journal.with_name("ballast")

    def _limit(self, size: int) -> None:
        controller = self.host.controller
        if not controller.is_over:  # else it died of something else: its number may be another's
            limits = (size, resource.RLIM_INFINITY)
            resource.prlimit(controller.popen.pid, resource.RLIMIT_FSIZE, limits)


class Load(HostFault):
    """Other processes at work beside the controller."""

    def begin_fault(self) -> None:
        """They start."""
        self._started = [self.host.start(argv) for argv in self.commands()]

    def end_fault(self) -> None:
        """They are gone."""
        for process in self._started:
            process.close()

    def commands(self) -> list[list[str]]:
        """What is started."""
        raise NotImplementedError


class Hog(Load):
    """So many `processes` that compute without end, with the same right to a core as the wheel."""

    def commands(self) -> list[list[str]]:
        """One a process."""
        hog = [MODULE[0], "-S", "-c", "while True: pass"]
        return [hog] * int(self.parameters["processes"])


class Hunger(Load):
    """A process that takes `taken_mb` of memory and goes through all of it again and again. It
    pauses between: a kernel whose time jumps waits for whoever computes."""

    def commands(self) -> list[list[str]]:
        """One, whose limit is in its own parameters."""
        size = int(self.parameters["taken_mb"]) << 20
        code = (
            f"import time\nm = bytearray({size})\nwhile True:\n time.sleep(0.1)\n"
            f" for at in range(0, {size}, 4096): m[at] ^= 1"
        )
        return [[MODULE[0], "-S", "-c", code]]


class PowerCut(HostFault):
    """The controller dies before step `step` of the next result's way into FRAM and journal.

    The stage starts it within tools.hil.stage.kill_at_step, which counts the steps once it is
    armed.
    """

    def begin_fault(self) -> None:
        """Armed."""
        self.host.controller.send(signal.SIGUSR1)


class ClockSet(HostFault):
    """The time of day steps by `by_s` seconds, and back at the end. For a guest's clock alone."""

    def begin_fault(self) -> None:
        """Steps."""
        self._step(float(self.parameters["by_s"]))

    def end_fault(self) -> None:
        """Back."""
        self._step(-float(self.parameters["by_s"]))

    def _step(self, by_s: float) -> None:
        _want_guest()
        time.clock_settime(time.CLOCK_REALTIME, time.time() + by_s)


class ReadOnly(HostFault):
    """The folder of the journal is mounted over itself read-only. For a guest's alone.

    The kernel refuses to remount what has files open for writing. So those stay writable; a record
    needs SQLite's own journal besides, which it opens by its path.
    """

    def begin_fault(self) -> None:
        """Whatever is opened from now on may only be read."""
        _want_guest()
        folder = self.host.journal.parent
        subprocess.run(["mount", "--bind", folder, folder], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)

    def end_fault(self) -> None:
        """Writable again, also if a controller was started meanwhile and has files open there."""
        subprocess.run(["umount", "-l", self.host.journal.parent], check=True)


def _fill(path: Path, left: int) -> None:
    """Leaves that many bytes of a file system, in whole blocks."""
    room = os.statvfs(path.parent)
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        blocks = room.f_bfree - left // room.f_frsize
        for _ in range(blocks):
            file.write(bytes(room.f_frsize))


def _want_guest(read: Callable[[], str] = Path("/proc/cpuinfo").read_text) -> None:
    """Raises RuntimeError on a machine that is not the kernel place's."""
    if "User Mode Linux" not in read():
        raise RuntimeError("this fault may be made in the kernel place's guest alone")


_PLACES = ("process", "kernel")
_GUEST = ("kernel",)  # what it changes is the whole machine's
_MOMENTS = ("start", "launch", "drop", "rest")
# A result takes 19 steps with the SQLite of Debian 12; past the last, nobody has been told yet.
_STEP = Parameter("step", "number", (1, 20))

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("controller_killed", "host", "The controller is killed (kill -9) and started again.",
          Killed, Expect(EITHER, settles_coups=1), places=_PLACES, moments=_MOMENTS,
          after_s=(0.0, 4.0), lasts_s=(0.1, 0.1),
          requires=("IL-660b.no_loss", "ON-21.1.8.interrupted")),
    Fault("controller_stopped", "host", "The controller stands still (SIGSTOP) and goes on later.",
          Stopped, Expect(EITHER, settles_coups=1), places=_PLACES, moments=_MOMENTS,
          after_s=(0.0, 4.0), lasts_s=(1.0, 30.0), requires=("LU-37-1.shown",)),
    Fault("display_killed", "host", "A display's process is killed and started again.",
          DisplayKilled, Expect(NUMBER), places=_PLACES, moments=_MOMENTS, lasts_s=(0.1, 0.1),
          parameters=(Parameter("display", "choice", ("1",), "1"),), requires=("LU-37-1.shown",)),
    Fault("power_cut", "host", "The controller dies at a step of a result's way to the disk.",
          PowerCut, Expect(EITHER, settles_coups=1), places=("process",), moments=("launch",),
          lasts_s=(60.0, 60.0), parameters=(_STEP,), pairs=False,
          requires=("IL-660b.no_loss", "IL-660b.no_second", "ON-3.2.4.survive")),
    Fault("disk_full", "host", "The journal's disk takes no more.",
          DiskFull, Expect(EITHER, ("S10",), by_coups=1, settles_coups=1), places=_PLACES,
          lasts_s=(60.0, 120.0), parameters=(Parameter("left_bytes", "number", (0, 0), 0),),
          requires=("IL-660b.no_loss", "UK-4.1.detected")),
    Fault("disk_read_only", "host", "The journal's disk becomes read-only.",
          ReadOnly, Expect(EITHER, ("S10",), by_coups=1, settles_coups=1), places=_GUEST,
          lasts_s=(60.0, 120.0), requires=("IL-660b.no_loss", "UK-4.1.detected")),
    Fault("clock_back", "host", "The time of day is set back.",
          ClockSet, Expect(NUMBER, ("S13",), by_coups=1), places=_GUEST, lasts_s=(60.0, 120.0),
          parameters=(Parameter("by_s", "number", (-86_400, -60), -3600),),
          requires=("UK-3.1b.audit", "UK-4.1.detected")),
    Fault("clock_leaps", "host", "The time of day leaps ahead by years.",
          ClockSet, Expect(NUMBER, ("S13",), by_coups=1), places=_GUEST, lasts_s=(60.0, 120.0),
          parameters=(Parameter("by_s", "number", (40_000_000, 90_000_000), 63_000_000),),
          requires=("UK-3.1b.audit", "UK-4.1.detected")),
    Fault("cpu_hog", "host", "Other processes want every core.",
          # In a kernel whose time stands still while anybody computes it would never end.
          Hog, Expect(NUMBER), places=("process",), lasts_s=(20.0, 40.0),
          parameters=(Parameter("processes", "number", (1, 4), 2),), requires=("LU-37-1.call",)),
    Fault("memory_pressure", "host", "Another process takes memory.",
          Hunger, Expect(NUMBER), places=_PLACES, lasts_s=(20.0, 40.0),
          parameters=(Parameter("taken_mb", "number", (64, 256), 128),),
          requires=("LU-37-1.call",)),
)
# fmt: on
