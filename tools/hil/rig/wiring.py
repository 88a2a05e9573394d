"""rig.toml: which of our pins is wired to which signal of the wheel's board."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import boards
from boards import lines, raspberry
from firmware.config import judged_toml
from firmware.lib.errors import CONFIGURATION, Failure, of_file
from firmware.lib.mistakes import limited
from firmware.lib.named_file import begin_named
from tools.hil.scenario_check import meant

FILE_MAX = 65_536  # bytes; a wiring has two thousand
_KEYS = ("board", "chip", "start", "probe", "clear", "pins")
_NEEDED = ("board", "chip", "start", "probe", "pins")
_RIG = "CYLINDRE_RIG"


class Wiring(NamedTuple):
    """A rig."""

    board: dict[str, Any]  # of the wheel's own machine
    chip: str  # the label of our GPIO chip
    pins: dict[str, int]  # our pin, by the board's signal
    start: tuple[str, ...]  # the argv that starts the controller there
    probe: tuple[str, ...]  # the one that starts tools.hil.rig.probe there
    clear: tuple[str, ...] = ()  # the one that clears a lock there

    @property
    def driven(self) -> dict[str, int]:
        """Our outputs: the board's inputs."""
        return {name: self.pins[name] for name in inputs_of(self.board)}

    @property
    def watched(self) -> dict[str, int]:
        """Our inputs: the board's outputs."""
        return {name: self.pins[name] for name, _ in self.board["outputs"]}


def where() -> Path:
    """The file that is used: $CYLINDRE_RIG, else rig.toml in the current folder."""
    return Path(os.environ.get(_RIG) or "rig.toml")


def inputs_of(board: dict[str, Any]) -> list[str]:
    """The signals that come into the board by a wire."""
    return [name for name, _ in (*board["inputs"], *board["safety_inputs"])]


def load(path: Path) -> Wiring:
    """The wiring in that file. Raises Failure with a sentence for each mistake, by line."""
    try:
        text = begin_named(path, FILE_MAX + 1, own_handles=True).decode()
        if len(text) > FILE_MAX:
            raise Failure(CONFIGURATION, f"{path}: no wiring is longer than {FILE_MAX} bytes.")
        told = judged_toml.loads(text)
    except OSError as error:
        raise of_file(path, error, CONFIGURATION) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Failure(CONFIGURATION, f"{path}: this is no TOML ({error}).") from None
    except judged_toml.TooMuch as error:
        raise Failure(
            CONFIGURATION, f"{path}:{error.line}: this is no wiring: {error.why}."
        ) from None
    mistakes = [f"{path}:{_line(text, key)}: {sentence}" for key, sentence in _mistakes(told)]
    if mistakes:
        raise Failure(CONFIGURATION, "\n".join(limited(mistakes)))
    return Wiring(
        board=boards.load(told["board"], None),
        chip=told["chip"],
        pins=told["pins"],
        start=tuple(told["start"]),
        probe=tuple(told["probe"]),
        clear=tuple(told.get("clear", ())),
    )


def _line(text: str, key: str) -> int:
    """The line on which a key stands; else the first."""
    for at, line in enumerate(text.splitlines(), 1):
        if re.match(rf"""\s*\[?\s*["']?{re.escape(key)}["']?\s*[\]=]""", line):
            return at
    return 1


def _mistakes(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each as the key it is at, and a sentence."""
    for key in told:
        if key not in _KEYS:
            yield key, f"the key {key} is unknown.{meant(key, _KEYS)}"
    for key in _NEEDED:
        if key not in told:
            yield key, f"a wiring needs the key {key}: rig.example.toml has them all."
    if "chip" in told and not (isinstance(told["chip"], str) and told["chip"]):
        yield "chip", "chip must be a text: the label of our GPIO chip, as gpiodetect names it."
    for key in ("start", "probe", "clear"):
        if key in told and not _is_command(told[key]):
            yield key, f'{key} must be a list of texts, the command and its words: ["ssh", "..."].'
    board = None
    if "board" in told:
        board = _board(told["board"])
        if isinstance(board, str):
            yield "board", board
    pins = told.get("pins")
    if pins is not None and not isinstance(pins, dict):
        yield "pins", "pins must be a section: [pins]."
    elif pins is not None and isinstance(board, dict):
        yield from _pin_mistakes(pins, board)


def _is_command(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(x, str) and x for x in value)


def _board(name: Any) -> dict[str, Any] | str:
    """The board's data, or what is wrong with it."""
    if name not in boards.WHEELS:
        return f"there is no board {name!r}: `cylindre boards` lists them."
    board: dict[str, Any] = boards.load(name, None)
    if board["provider"] != "pi":
        return f"{name} is a board in memory, and no wire goes there: name a Raspberry Pi's."
    if any(lines.behind(pin) for _, pin in board["inputs"]):
        return f"the cups of {name} come in over I2C, and a rig has wires alone: use kernel."
    return board


def _pin_mistakes(pins: dict[str, Any], board: dict[str, Any]) -> Iterator[tuple[str, str]]:
    signals = [*inputs_of(board), *(name for name, _ in board["outputs"])]
    # Ours may be any Raspberry Pi: all have the same header.
    header = [pin for pin in raspberry.MODELS["pi4"]["gpio"] if pin not in (0, 1)]
    holders: dict[int, str] = {}
    for name, pin in pins.items():
        if name not in signals:
            yield name, f"{board['name']} has no signal {name}.{meant(name, signals)}"
        if not isinstance(pin, int) or isinstance(pin, bool) or pin not in header:
            yield name, f"{name} is at {pin!r}: pins are GPIO 2 to 27 of the header."
        elif pin in holders:
            yield name, f"GPIO {pin} is both {holders[pin]} and {name}."
        else:
            holders[pin] = name
    for name in signals:
        if name not in pins:
            yield "pins", f"the signal {name} of {board['name']} has no pin: wire and name it."
