"""Runs recorded edges through the controller; prints its facts as JSON lines. On any Python.

    coup.py FILE.edges BOARD

The file: the levels of all lines in a row, then `at_us line level` for each edge, in order of
time (tools/micropython/edges.py writes it).
"""

import sys

import boards
import rules
from firmware.core.controller import Controller
from firmware.core.facts import fact_line
from firmware.core.feed import feed
from firmware.shims.typed import Any


def numbers(line: str) -> "tuple[int, ...]":
    """The integers of a line."""
    return tuple(int(word) for word in line.split())


def as_json(value: Any) -> str:
    """A fact's value as JSON. Written out: the two interpreters' `json` differ in form."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    escaped: str = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped + '"'


def main(path: str, board_name: str) -> None:
    """Prints the facts of the run in `path`."""
    board = boards.load(board_name)
    controller = Controller(board, rules.load(board["rules"]))
    with open(path) as file:
        levels = numbers(file.readline())
        edges: Any = (numbers(line) for line in file)
        for fact in feed(controller, edges, levels):
            pairs = [as_json(key) + ": " + as_json(value) for key, value in fact_line(fact) or ()]
            print("{" + ", ".join(pairs) + "}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
