"""The process of a fuzzer: `python -m tools.fuzz.child PLAY FOLLOWED`, then libFuzzer's arguments.

libFuzzer ends the process itself, and says on the error output what it has found.
"""

from __future__ import annotations

import sys

import atheris

from tools.fuzz import targets


def main() -> None:
    """Fuzzes until libFuzzer ends it. PLAY and FOLLOWED are those of a target (targets.py)."""
    _, play, followed, *arguments = sys.argv
    with atheris.instrument_imports(include=followed.split(",")):
        found = targets.load(play)
    # How libFuzzer starts another of itself, where it merges: by a shell, as it stands.
    again = f"{sys.executable} -m tools.fuzz.child {play} {followed}"
    atheris.Setup([again, *arguments], found)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
