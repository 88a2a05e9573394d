"""Runs a script on CPython or MicroPython, with a folder as all it can import."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_HERE = Path(__file__).resolve().parent
TIMEOUT_S = 300  # the longest script takes seconds; a hung interpreter must not hang the check

# Isolated, Python takes no path from its surroundings: only the folder, as MicroPython does.
_ISOLATED = """
import runpy, sys
sys.argv.pop(0)
sys.path[:0] = ["."]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class ScriptError(Exception):
    """A script that failed: a sentence, then what the interpreter wrote."""


def micropython() -> list[str]:
    """The command that runs MicroPython: $MICROPYTHON, else node with the npm package."""
    chosen = os.environ.get("MICROPYTHON")
    return [chosen] if chosen else ["node", str(_HERE / "run.mjs"), "."]


def cpython() -> list[str]:
    """The command that runs this CPython with nothing but the standard library."""
    return [sys.executable, "-I", "-B", "-c", _ISOLATED]


def run(command: Sequence[str], folder: Path, script: str, *args: str) -> str:
    """What `script`, in `folder`, prints. Raises ScriptError if it fails or cannot be run."""
    environ: Mapping[str, str] = {**os.environ, "MICROPYPATH": ".:.frozen"}
    try:
        done = subprocess.run(
            [*command, script, *args],
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        raise ScriptError(
            f"{command[0]} was not found: install it, or name a MicroPython (MICROPYTHON=/path)."
        ) from None
    except subprocess.TimeoutExpired:
        raise ScriptError(f"{script} did not end within {TIMEOUT_S} s.") from None
    if done.returncode != 0:
        raise ScriptError(f"{script} failed on {command[0]}:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout
