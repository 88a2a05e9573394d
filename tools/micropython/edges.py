"""Turns a trace into the plain text that coup.py reads, for MicroPython has no VCD reader.

To record a run of tests/micropython anew (the same seed gives the same bytes):

    cylindre sim --board boule_ref --coups 2 --seed 3 --trace coup.vcd
    python -m tools.micropython.edges coup.vcd boule_ref > tests/micropython/coup_b1.edges

One coup on W2 is coup_w2.edges, two on V1 and B1 are coup_v1.edges and coup_b1.edges.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import boards
from firmware.text.trace import TraceError, open_trace


def lines(trace: str, board_name: str) -> Iterator[str]:
    """The text's lines. Raises TraceError for what is not a trace of that board."""
    with open_trace(trace, boards.load(board_name)) as reader:
        yield " ".join(str(level) for level in reader.levels)
        for at_us, line, level in reader.edges():
            yield f"{at_us} {line} {level}"


def main() -> int:
    """Writes the text to standard output; the exit status."""
    if len(sys.argv) != 3 or sys.argv[2] not in boards.WHEELS:
        print(f"usage: edges TRACE.vcd BOARD (one of {', '.join(boards.WHEELS)})", file=sys.stderr)
        return 2
    try:
        for line in lines(sys.argv[1], sys.argv[2]):
            print(line)
    except TraceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
