"""A real power cut: a guest dies in the middle of a result, with all it had not synced.

    cut(apparatus, step, out)                                    outside: both boots; what is wrong
    python -m tools.hil.kernel.power OUT SCENARIO.toml           inside: one boot

The journal lies on ext4, on a disk that is a file of ours; the FRAM keeps what it acknowledged. In
the first boot the controller stops before step STEP of a result's way into FRAM and journal
(tools.hil.stage.kill_at_step), and the guest is killed from outside. The second boots on that disk,
plays a coup, and all must be there that was told.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from tools.hil import scenario_file
from tools.hil.kernel import guest
from tools.hil.kernel.medium import GpioMedium
from tools.hil.oracle import ended_twice
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.stage import ledger
from tools.hil.stage.child_process import MODULE, ChildProcess
from tools.hil.stage.kill_at_step import PLUG
from tools.hil.stage.processes import FRAM
from tools.hil.stage.runner import StageRunner
from tools.hil.stage.transcript import Line, decode_fact
from tools.virtual.score import RIGHT, Score

DISK_BYTES = 32 << 20
LIMIT_S = 600.0  # of our time, a boot
PULLED, FOUND, SAID = "pulled", "found.json", "said.jsonl"
_MOUNT = Path("/run/disk")
_LOOK_S = 0.02
_SBIN = "/usr/sbin:/sbin"  # not where a user's own PATH leads
COUPS = 2  # of the first boot: one is told before the cut


def cut(apparatus: str, step: int, out: Path) -> list[str]:
    """Cuts the power before that step of the second result; a sentence for all that is wrong.

    Raises Failure if a guest does not do its part.
    """
    disk = _made_disk(out)
    use = FaultInjection(
        "power_cut", COUPS, "launch", lasts_us=60_000_000, parameters=(("step", step),)
    )
    first = Scenario("first", "The power is cut", apparatus, COUPS, displays=1, faults=(use,))
    with guest.started(_boot(first, out), out, virtual=True, disk=disk) as process:
        give_up_s = time.monotonic() + LIMIT_S
        while not (out / PULLED).exists():
            if process.poll() is not None or time.monotonic() > give_up_s:
                raise guest.failure("The power was never cut", out)
            time.sleep(_LOOK_S)
    second = Scenario("second", "The power is back", apparatus, 1, seed=2, displays=1)
    if guest.run(_boot(second, out), out, virtual=True, limit_s=LIMIT_S, disk=disk):
        raise guest.failure("The guest did not start again after a power cut", out)
    found: list[str] = json.loads((out / FOUND).read_text())
    return found


def _made_disk(out: Path) -> Path:
    """A file of ours with an empty ext4 on it, in a folder of its own. Raises Failure."""
    mkfs = shutil.which("mkfs.ext4", path=f"{os.environ.get('PATH', os.defpath)}:{_SBIN}")
    if mkfs is None:
        raise Failure(NO_DEVICE, "There is no mkfs.ext4 here: install the package e2fsprogs.")
    disk = out / "disk.img"
    try:
        out.mkdir(parents=True)
        with disk.open("wb") as file:
            file.truncate(DISK_BYTES)
        subprocess.run([mkfs, "-q", "-F", disk], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(FAILED, f"The disk of the guest could not be made: {error}.") from None
    return disk


def _boot(scenario: Scenario, out: Path) -> list[str | Path]:
    path = out / f"{scenario.name}.toml"
    path.write_text(scenario_file.write(scenario), encoding="utf-8")
    return [*MODULE, "tools.hil.kernel.power", out.resolve(), path.resolve()]


class RecordingRunner(StageRunner):
    """A show of which all that controller and wheel say is kept outside, as it comes."""

    def __init__(self, scenario: Scenario, folder: Path, said: Path) -> None:
        """`said`: where."""
        super().__init__(scenario, GpioMedium(), folder)
        self._said = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_DSYNC, 0o600)

    def _from_controller(self, process: ChildProcess, told: dict[str, Any]) -> None:
        self._keep(told)
        super()._from_controller(process, told)

    def _from_wheel(self, process: ChildProcess, told: dict[str, Any]) -> None:
        self._keep(told)
        super()._from_wheel(process, told)

    def _keep(self, told: dict[str, Any]) -> None:
        os.write(self._said, json.dumps(told).encode() + b"\n")


def play(scenario: Scenario, out: Path) -> list[str]:
    """One boot; what is wrong at its end."""
    _MOUNT.mkdir()
    subprocess.run(["mount", "-t", "ext4", "/dev/ubda", _MOUNT], check=True)
    work = _MOUNT / "table"
    work.mkdir(exist_ok=True)
    if not (work / FRAM).is_symlink():
        (work / FRAM).symlink_to(out / FRAM)  # the chip outlives the machine
    os.environ[PLUG] = str(out / PULLED)
    kept = (out / SAID).read_text().splitlines() if (out / SAID).exists() else []
    before = [json.loads(line) for line in kept]
    runner = RecordingRunner(scenario, work, out / SAID)
    os.sync()  # keys and configuration are there long before
    try:
        runner.play()
        return [broken.text for broken in runner.broken] + _wrong(runner, before)
    finally:
        runner.close()


def _wrong(runner: StageRunner, before: list[dict[str, Any]]) -> list[str]:
    """What does not hold of all that was told, before the cut and since."""
    recorded, broken = ledger.recorded_in(runner.processes.journal)
    lines = [Line(0, line, 0) for line in before if "event" in line] + runner.lines
    told = [
        decode_fact(line.told, shift_us=line.started_us, heard_us=line.heard_us) for line in lines
    ]
    broken += [*ledger.lost(told, recorded), *ended_twice(told)]
    broken += ledger.verify(runner.processes.folder, runner.processes.journal)
    found = [each.text for each in broken]
    if sorted(recorded) != list(range(1, len(recorded) + 1)):
        found.append(f"the journal has the coups {sorted(recorded)}")
    found += _untrue(recorded, [line["truth"] for line in before if "truth" in line])
    score = Score(turns=False)
    for line in runner.lines:
        since_us, heard_us = line.started_us - runner.begin_us, line.heard_us - runner.begin_us
        score.add(decode_fact(line.told, shift_us=since_us, heard_us=heard_us), 0)
    score.judge(runner.truths, final=True)
    if not any(judged.verdict == RIGHT for judged in score.judged):
        found.append("no coup after the cut got its number")
    return found


def _untrue(recorded: dict[int, dict[str, Any]], truths: list[dict[str, Any]]) -> list[str]:
    """Numbers recorded of coups before the cut that are not where the ball lay."""
    last = {truth["coup"]: truth["number"] for truth in truths}
    return [
        f"coup {coup} was recorded as {recorded[coup]['number']}, and the ball lay in {number}"
        for coup, number in last.items()
        if coup in recorded and recorded[coup]["number"] not in (None, number)
    ]


def main(arguments: list[str]) -> None:
    """One boot, in the guest."""
    out, path = map(Path, arguments)
    found = play(scenario_file.load(path), out)
    (out / FOUND).write_text(json.dumps(found))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(str(failure))
