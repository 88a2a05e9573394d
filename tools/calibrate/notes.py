"""What a calibration has measured so far, in a file: Ctrl-C, a power cut, and it goes on."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

from tools.calibrate.ring import Laid
from tools.exits import FAILED, Failure

FORMAT = 2  # 1 had means of each lay
AGE_MAX_S = 12 * 3600  # a wheel that was moved since is another wheel
FILE_MAX = 256 * 1024
SPEED_MAX = 1_000  # degrees/s: no rotor turns so fast
Throw = list[tuple[float, int]]

FILE = "calibrating.json"  # beside the sockets, unless somebody wants it elsewhere
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
        if path is not None and path.exists():
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
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with beside.open("w", encoding="utf-8") as file:
                json.dump(said, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            why = (error.strerror or str(error)).lower()
            text = f"What was measured cannot be kept in {self._path}: {why}. Give another --state."
            raise Failure(FAILED, text) from None

    def forget(self) -> None:
        """It is signed, or begins anew."""
        self.lays, self.throws, self.speeds, self.level = [], [], None, None
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _load(self, path: Path) -> None:
        """Raises Failure for a file that is none of ours: it is not written over."""
        try:
            with path.open("rb") as file:
                said = json.loads(file.read(FILE_MAX))
            known = said["format"] == FORMAT and said["board"] == self._board
            if not known or not 0 <= time.time() - float(said["utc"]) < AGE_MAX_S:
                return
            lays = [_lay(each) for each in said["lays"]]
            throws = [[(float(at), int(beam)) for at, beam in each] for each in said["throws"]]
            speeds = None if said["speeds"] is None else Speeds(*map(int, said["speeds"]))
            level = (
                None if said["level"] is None else (int(said["level"][0]), int(said["level"][1]))
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            text = f"{path} is no calibration that was begun. Remove it, or give another --state."
            raise Failure(FAILED, text) from None
        self.lays, self.throws, self.speeds, self.level = lays, throws, speeds, level


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
