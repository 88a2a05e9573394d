"""Imports the modules named as arguments, loads every board and game. On any Python."""

import sys

import boards
import rules


def main(names: "list[str]") -> None:
    """Prints the name of each module once it is imported."""
    for name in names:
        __import__(name)
        print(name)
    for name in boards.NAMES:
        assert boards.load(name)["name"] == name, name
    for name in rules.WHEEL_GAMES:
        assert rules.load(name)["name"] == name, name


if __name__ == "__main__":
    main(sys.argv[1:])
