"""What is kept of each target in tests/fuzz, an input a line, in hexadecimal.

NAME.txt has the fewest inputs that take all its paths, made anew from time to time; findings.txt
what ever broke one, with the target's name before it, for good. `make test` plays all of it again,
with no fuzzer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tools.testing.marks import ROOT

FOLDER = ROOT / "tests" / "fuzz"
SIZE_MAX = 512  # bytes of an input: longer ones reach nothing that these do not
_FINDINGS = "findings.txt"


def load(name: str) -> list[bytes]:
    """Returns what is kept of a target, its findings last."""
    return [*map(bytes.fromhex, _lines(f"{name}.txt")), *findings(name)]


def findings(name: str) -> list[bytes]:
    """Returns what ever broke a target."""
    pairs = [line.split() for line in _lines(_FINDINGS)]
    return [bytes.fromhex(data) for whose, data in pairs if whose == name]


def keep(name: str, inputs: Iterable[bytes]) -> None:
    """Keeps these, and no others beside the findings: short ones first, so that a diff is small."""
    others = set(inputs) - {b"", *findings(name)}
    order = sorted(others, key=lambda each: (len(each), each))
    (FOLDER / f"{name}.txt").write_text("".join(f"{each.hex()}\n" for each in order), "ascii")


def keep_finding(name: str, data: bytes) -> None:
    """Keeps what broke a target."""
    if data not in findings(name):
        with (FOLDER / _FINDINGS).open("a", encoding="ascii") as file:
            file.write(f"{name} {data.hex()}\n")


def _lines(file: str) -> list[str]:
    path = FOLDER / file
    return path.read_text(encoding="ascii").splitlines() if path.exists() else []


def write(folder: Path, inputs: Iterable[bytes]) -> None:
    """Writes each into a file of its own, as libFuzzer reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(inputs):
        (folder / f"kept-{number:04}").write_bytes(each)


def read(folder: Path) -> list[bytes]:
    """Returns what libFuzzer has left there."""
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
