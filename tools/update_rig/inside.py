"""What runs on the rig's machine: `python -m tools.update_rig.inside TASK...`, one after the other.

settle [NAME=COMMAND...]   what every start does, early and late, with these checks; goes no further
                           if not kept
hang                       the same with a check that never answers: only a reset ends it
clock SECONDS              sets the time of day
begin                      from here on the power may be cut
wheel                      starts a controller on the virtual wheel, and its display
run WORDS...               a command line; what it prints and ends with is told
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from firmware.lib.errors import Failure
from firmware.services.update import commit
from firmware.services.update.commit import Check
from firmware.services.update.slots import MACHINE
from tools.update_rig.machine import BEGUN, TOLD
from tools.update_rig.root import OUT

KEYS, JOURNAL, SOCKET = "/var/lib/cylindre/keys", "/var/lib/cylindre/journal.db", "/run/cylindre"
_LIMIT_S, _PAUSE_S = 1.0, 0.2
_FOR_EVER_S = 3600


def main(words: list[str]) -> int:
    """Does all tasks, separated by `--`."""
    tasks: list[list[str]] = [[]]
    for word in words:
        if word == "--":
            tasks.append([])
        else:
            tasks[-1].append(word)
    return next((1 for name, *rest in tasks if not _TASKS[name](rest)), 0)


def _settle(words: list[str], limit_s: float = _LIMIT_S) -> bool:
    given = [word.split("=", 1) for word in words]
    checks = [Check(name, tuple(shlex.split(command))) for name, command in given]
    try:
        found = commit.started(MACHINE)
        if found is None:
            found = commit.settle(MACHINE, checks, limit_s=limit_s, pause_s=_PAUSE_S)
    except Failure as failure:
        _tell({"unsettled": failure.sentence})
        return False
    _tell({"settled": found._asdict()})
    return found.kept


def _hang(_: list[str]) -> bool:
    return _settle([f"self-test=sleep {_FOR_EVER_S}"], limit_s=_FOR_EVER_S)


def _clock(words: list[str]) -> bool:
    time.clock_settime(time.CLOCK_REALTIME, float(words[0]))
    return True


def _begin(_: list[str]) -> bool:
    Path(OUT, BEGUN).touch()
    return True


def _wheel(_: list[str]) -> bool:
    """Left running: it ends with the machine."""
    subprocess.run(["cylindre", "provision", KEYS, "--displays", "1"], check=True)
    line = subprocess.Popen(["cylindre", "line", "2"], stdout=subprocess.PIPE, text=True)
    assert line.stdout is not None
    host, far = line.stdout.readline().strip(), line.stdout.readline().strip()
    keys = ["--keys", KEYS, "--port"]
    wheel = ["--board", "roulette_ref", "--journal", JOURNAL, "--socket", SOCKET]
    for command in (["run", *wheel, *keys, host], ["display", *keys, far]):
        subprocess.Popen(
            ["cylindre", *command, "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return True


def _run(words: list[str]) -> bool:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    told = {"status": done.returncode, "out": done.stdout, "err": done.stderr}
    _tell({"ran": words, **told, "at": time.time()})
    return True


def _tell(what: dict[str, object]) -> None:
    with Path(OUT, TOLD).open("a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


_TASKS: dict[str, Callable[[list[str]], bool]] = {
    "settle": _settle, "hang": _hang, "clock": _clock, "begin": _begin, "wheel": _wheel,
    "run": _run,
}  # fmt: skip

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
