"""What is kept of each target, tests/fuzz/NAME.txt: an input a line, in hexadecimal.

Seeds and findings alike: `make test` plays every one again, with no fuzzer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tools.testing.marks import ROOT

FOLDER = ROOT / "tests" / "fuzz"
SIZE_MAX = 512  # bytes of an input: longer ones reach nothing that these do not


def load(name: str) -> list[bytes]:
    """Returns what is kept of a target."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="ascii").split("\n")
    return [bytes.fromhex(line) for line in lines if line and not line.startswith("#")]


def keep(name: str, inputs: Iterable[bytes]) -> None:
    """Keeps these, and no others: short ones first, so that what came anew is seen in a diff."""
    order = sorted(set(inputs), key=lambda each: (len(each), each))
    text = "".join(f"{each.hex()}\n" for each in order if each)
    (FOLDER / f"{name}.txt").write_text(text, encoding="ascii")


def write(folder: Path, inputs: Iterable[bytes]) -> None:
    """Writes each into a file of its own, as libFuzzer reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(inputs):
        (folder / f"kept-{number:04}").write_bytes(each)


def read(folder: Path) -> list[bytes]:
    """Returns what libFuzzer has left there."""
    return [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
