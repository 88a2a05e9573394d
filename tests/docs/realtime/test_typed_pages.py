"""The pages whose blocks can be typed from top to bottom are typed, at ttys, in real time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from named_commands import ROOT
from patience import unless_stalled
from small_card import with_firmware
from typed_page import How, Reader
from typed_pages import FIRST_WHEEL, OTHERS, RECORDER, SUPPORT, TABLE, TYPED_OTHERS
from windows import PIN

from firmware.keys import people
from firmware.services.page import certificate

DOCS = ROOT / "docs"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With `cylindre` of this checkout on the path, and `sudo`, which does as it is told."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, does in (("cylindre", f"{sys.executable} -P -m tools.cli"), ("sudo", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec {does} "$@"\n')
        (programs / name).chmod(0o755)
    more = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "ROOT": str(ROOT)}
    return {**os.environ, **more, "PYTHONWARNINGS": "error"}


@pytest.fixture
def reader(tmp_path: Path, environment: dict[str, str]) -> Iterator[Callable[[How], Reader]]:
    opened: list[Reader] = []
    folder = tmp_path / "here"
    folder.mkdir()

    def opens(how: How) -> Reader:
        opened.append(Reader(folder, environment, how))
        return opened[-1]

    yield opens
    for each in opened:
        each.close()


@unless_stalled(0.5, "coups end with a number")  # a wheel that loses edges names none
def test_the_page_for_the_table_can_be_typed(reader: Callable[[How], Reader]) -> None:
    typed = reader(TABLE)
    typed.read(DOCS / "table.md")
    assert "B11" not in typed.shown  # nobody has to know that a display comes later


@unless_stalled(0.5, "coups end with a number")
def test_the_page_of_the_recorder_can_be_typed(reader: Callable[[How], Reader]) -> None:
    reader(RECORDER).read(DOCS / "recorder.md")


@unless_stalled(0.5, "coups end with a number")
def test_the_page_of_the_support_bundle_can_be_typed(reader: Callable[[How], Reader]) -> None:
    reader(SUPPORT).read(DOCS / "support.md")


@unless_stalled(0.5, "coups end with a number")
def test_what_other_pages_name_can_be_typed(reader: Callable[[How], Reader]) -> None:
    typed = reader(TYPED_OTHERS)
    for line in OTHERS:
        typed.type(line)


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The files of a card that a wheel has started from, as far as somebody asks for them."""
    folder = tmp_path / "card"
    certificate.load(folder / "page" / "tls")
    with people.editing(folder / "cylindre" / "people.jsonl") as known:
        known.append(people.enrol("weber", "supervisor", PIN))
    (folder / "etc").mkdir()
    (folder / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    return folder


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[str]:
    """A disk of 80 MiB, which is a file."""
    file = tmp_path / "disk"
    file.touch()
    os.truncate(file, 80 << 20)
    made = subprocess.run(
        ["losetup", "--show", "-f", str(file)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
    yield made
    subprocess.run(["losetup", "-d", made], check=True)


@pytest.mark.needs("loop devices", "mkfs.fat", "mcopy", "openssl")
def test_the_page_of_the_first_wheel_can_be_typed(
    reader: Callable[[How], Reader],
    environment: dict[str, str],
    tmp_path: Path,
    card: Path,
    disk: str,
) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "wheel.img").write_bytes(bytes(510) + b"\x55\xaa" + bytes((48 << 20) - 512))
    with_firmware(made / "wheel.img")
    environment |= {"MADE": str(made), "DISK": disk, "CARD": str(card)}
    reader(FIRST_WHEEL).read(DOCS / "first-wheel.md")
