"""The process of a fuzzer: `python -m tools.fuzz.child TARGET`, then libFuzzer's own arguments.

libFuzzer ends the process itself, and says on the error output what it has found.
"""

from __future__ import annotations

import sys

import atheris

from tools.fuzz import targets


def main() -> None:
    """Fuzzes until libFuzzer ends it."""
    target = targets.find(sys.argv[1])
    with atheris.instrument_imports(include=list(target.followed)):
        play = targets.load(target)
    atheris.Setup([sys.argv[0], *sys.argv[2:]], play)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
