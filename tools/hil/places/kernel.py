"""In a kernel of its own, with real GPIO lines, I2C and ttys, on the libraries of a Pi.

Time jumps; in the suite (`make kernel-rig`) it may be real. What is real here and what is
simulated: docs/kernel-rig.md.
"""

from __future__ import annotations

import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.hil.kernel import build, guest
from tools.hil.places import Ran
from tools.hil.scenario import Scenario
from tools.hil.scenario_file import write

START_S = 240.0  # on a machine that does much else besides
COUP_S = 120.0  # of our time, at most; a coup takes some 50 s of the wheel's
ERRORS = "*.err"


def check() -> str | None:
    """It wants Linux on x86_64, and Debian's packages where its kernel is not built yet."""
    return build.why_not()


def run(scenario: Scenario, folder: Path | None = None) -> Ran:
    """Plays it in a guest of its own, and judges. Builds the kernel where there is none.

    Many may run at once. Raises firmware.lib.errors.Failure.
    """
    build.build()
    start_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="cylindre-kernel-", ignore_cleanup_errors=True) as name:
        out = Path(name)
        (found,) = play([scenario], out, real=False)
        trace = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for path in (out / scenario.name).glob(ERRORS):
                shutil.copy(path, folder / f"{scenario.name}.{path.name}")
            if found.trace is not None:
                trace = Path(shutil.copy(found.trace, folder / f"{scenario.name}.vcd"))
    return found._replace(spent_s=time.perf_counter() - start_s, trace=trace)


def play(scenarios: Sequence[Scenario], out: Path, *, real: bool) -> list[Ran]:
    """Plays them one after the other in one guest. What they leave is in out/NAME."""
    out.mkdir(parents=True, exist_ok=True)
    files = [out / f"{scenario.name}.toml" for scenario in scenarios]
    for path, scenario in zip(files, scenarios, strict=True):
        path.write_text(write(scenario))
    limit_s = START_S + COUP_S * sum(scenario.coups for scenario in scenarios)
    command: list[str | Path] = [
        sys.executable,
        "-P",
        "-m",
        "tools.hil.kernel.play",
        out.resolve(),
        "real" if real else "virtual",
        *files,
    ]
    status = guest.run(command, out, virtual=not real, limit_s=limit_s)
    if status:
        raise guest.failure(f"The guest ended with {status}", out)
    return [pickle.loads((out / f"{one.name}.pickle").read_bytes()) for one in scenarios]
