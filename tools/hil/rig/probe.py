"""Runs on the wheel's own board, instead of the controller: tells levels and moves outputs.

    python -m tools.hil.rig.probe BOARD

JSON lines. It says {"ready": BOARD}; asked "levels" it says {"levels": {signal: 0 or 1}}; asked
"set SIGNAL 0" or "set SIGNAL 1" it sets that output and says {"set": SIGNAL}. When its standard
input ends, so does it, every output low. The motor stays off: its enable never toggles.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import boards
from boards import raspberry
from firmware.lib.errors import CONFIGURATION, NO_DEVICE
from firmware.shims.edges import find_chip


class Pins:
    """Every input and output of a board, through gpiod."""

    def __init__(self, gpiod: Any, board: dict[str, Any]) -> None:
        """Requests them, outputs low. Raises OSError."""
        self._value = gpiod.line.Value
        self._inputs = dict((*board["inputs"], *board["safety_inputs"]))
        self._outputs = dict(board["outputs"])
        settings, direction = gpiod.LineSettings, gpiod.line.Direction
        config = {
            # Pulled down as on the carrier: a wire that is cut reads 0.
            pin: settings(direction=direction.INPUT, bias=gpiod.line.Bias.PULL_DOWN)
            for pin in self._inputs.values()
        }
        for pin in self._outputs.values():
            config[pin] = settings(direction=direction.OUTPUT, output_value=self._value.INACTIVE)
        label = raspberry.MODELS[board["model"]]["gpiochip"]
        self._request = gpiod.request_lines(
            find_chip(gpiod, label), consumer="cylindre-probe", config=config
        )

    def levels(self) -> dict[str, int]:
        """Of the inputs."""
        values = self._request.get_values(list(self._inputs.values()))
        active = self._value.ACTIVE
        return {
            name: int(value == active) for name, value in zip(self._inputs, values, strict=True)
        }

    def set(self, signal: str, level: int) -> None:
        """Of an output. Raises KeyError."""
        value = self._value.ACTIVE if level else self._value.INACTIVE
        self._request.set_value(self._outputs[signal], value)

    def close(self) -> None:
        """Low, and given back."""
        for name in self._outputs:
            self.set(name, 0)
        self._request.release()


def answers(pins: Pins, asked: Iterable[str]) -> Iterator[dict[str, Any]]:
    """What is said to each line."""
    for line in asked:
        words = line.split()
        try:
            if words == ["levels"]:
                yield {"levels": pins.levels()}
            else:
                what, signal, level = words
                if what != "set" or level not in ("0", "1"):
                    raise ValueError
                pins.set(signal, int(level))
                yield {"set": signal}
        except (ValueError, KeyError):
            yield {"refused": f"{line.strip()[:80]!r} is not levels or set SIGNAL 0|1."}


def main(arguments: list[str]) -> int:
    """Answers until standard input ends."""
    if len(arguments) != 1 or arguments[0] not in boards.WHEELS:
        print("Name the board that this is: `cylindre boards` lists them.", file=sys.stderr)
        return CONFIGURATION
    board = boards.load(arguments[0], None)
    try:
        import gpiod

        pins = Pins(gpiod, board)
    except (ImportError, OSError, KeyError) as error:
        print(
            f"The lines of {board['name']} cannot be had here ({error}). Stop the controller, and"
            " run this on the wheel's own machine.",
            file=sys.stderr,
        )
        return NO_DEVICE
    try:
        print(json.dumps({"ready": board["name"]}), flush=True)
        for answer in answers(pins, sys.stdin):
            print(json.dumps(answer), flush=True)
    finally:
        pins.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
