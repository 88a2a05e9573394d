"""What a calibration has measured so far, in a file: Ctrl-C, a power cut, and it goes on."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib import durable
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.named_file import read_named
from tools.technician.calibrate.ring import Laid

FORMAT = 2  # 1 had means of each lay
AGE_MAX_S = 12 * 3600  # a wheel that was moved since is another wheel
FILE_MAX = 256 * 1024
SPEED_MAX = 1_000  # degrees/s: no rotor turns so fast
Throw = list[tuple[float, int]]

LAYS = 4  # compartments that the ball is laid into, unless somebody wants more


class Speeds(NamedTuple):
    """The lowest and the highest speed that the drive held, rpm."""

    low: int
    high: int


class Notes:
    """Kept in a file after each measurement; `path` None: in memory alone."""

    def __init__(self, path: Path | None, board: str) -> None:
        """Takes up what the file holds of that board, if it is of today."""
        self.lays: list[Laid] = []
        self.throws: list[Throw] = []
        self.speeds: Speeds | None = None
        self.level: tuple[int, int] | None = None
        self._path = path
        self._board = board
        if path is not None:
            self._load(path)

    @property
    def empty(self) -> bool:
        """Whether nothing is measured yet."""
        return not (self.lays or self.throws or self.speeds or self.level)

    def keep(self) -> None:
        """Writes the file, whole or not at all. Raises Failure."""
        if self._path is None:
            return
        said = {
            "format": FORMAT,
            "board": self._board,
            "utc": int(time.time()),
            "lays": [each._asdict() for each in self.lays],
            "throws": self.throws,
            "speeds": self.speeds,
            "level": self.level,
        }
        try:
            durable.replace(self._path, json.dumps(said).encode())
        except OSError as error:
            text = f"What was measured cannot be kept in {self._path}: {cause(error)}."
            raise Failure(FAILED, f"{text} Give another --state.") from None

    def forget(self) -> None:
        """It is signed, or begins anew. Raises Failure."""
        self.lays, self.throws, self.speeds, self.level = [], [], None, None
        if self._path is None:
            return
        try:
            self._path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            raise _refused(self._path, error) from None

    def _load(self, path: Path) -> None:
        """Raises Failure for a file that is none of ours: it is not written over."""
        try:
            data = read_named(path, FILE_MAX)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise _refused(path, error) from None
        try:
            said = json.loads(data)
            known = said["format"] == FORMAT and said["board"] == self._board
            if not known or not 0 <= time.time() - float(said["utc"]) < AGE_MAX_S:
                return
            lays = [_lay(each) for each in said["lays"]]
            throws = [[(float(at), int(beam)) for at, beam in each] for each in said["throws"]]
            speeds = None if said["speeds"] is None else Speeds(*map(int, said["speeds"]))
            level = (
                None if said["level"] is None else (int(said["level"][0]), int(said["level"][1]))
            )
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            text = f"{path} is no calibration that was begun. Remove it, or give another --state."
            raise Failure(FAILED, text) from None
        self.lays, self.throws, self.speeds, self.level = lays, throws, speeds, level


def begun(path: Path, board: str) -> Notes:
    """The notes of a calibration that begins, or goes on.

    Raises Failure where nothing can be kept, before anybody lays a ball.
    """
    notes = Notes(path, board)
    if notes.empty:
        notes.keep()
    return notes


def _refused(path: Path, error: OSError) -> Failure:
    return Failure(FAILED, f"{path}: {cause(error)}. Remove it, or give another --state.")


def _lay(said: dict[str, Any]) -> Laid:
    compartment, way, turns = int(said["compartment"]), int(said["way"]), int(said["turns"])
    passes = [[(float(angle), float(speed)) for angle, speed in each] for each in said["passes"]]
    if way not in (1, -1) or not 0 <= compartment < 255 or not 0 < turns < 1_000:
        raise ValueError
    sound = all(
        0 <= angle < 360 and abs(speed) < SPEED_MAX for each in passes for angle, speed in each
    )
    if not passes or not sound:  # nor NaN
        raise ValueError
    return Laid(compartment, way, passes, turns)
