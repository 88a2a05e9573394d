"""Starts an image in QEMU, as far as it goes: `python -m tools.image.boot IMAGE`.

The same boot.scr, kernel, root and units as on a card; the machine is QEMU's `virt` with Debian's
U-Boot for it, so neither the Pi's firmware nor its device tree takes part. It runs on a copy whose
card is 512 MiB bigger, and whose kernel is told to speak on the serial port; --inside asks the
started machine questions there (inside.py).
"""

from __future__ import annotations

import re
import selectors
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import click

from firmware.lib import partitions, programs
from firmware.lib.errors import FAILED, Failure
from firmware.lib.partitions import MIB
from firmware.services.update import bootenv
from tools.image import assemble, first_config, inside
from tools.image.inside import Answer, Question

_NEEDED = (
    ("qemu-system-aarch64", "qemu-system-arm"), ("mcopy", "mtools"), ("cp", "coreutils"),
)  # fmt: skip
UBOOT = Path("/usr/lib/u-boot/qemu_arm64/u-boot.bin")
_SPARE_MIB = 512
# DHCP, and nothing behind it.
_NETWORK = ("-netdev", "user,id=net,restrict=on", "-device", "virtio-net-device,netdev=net")
_ARGS = assemble.ARGS.replace("console=tty1", "console=ttyAMA0").replace(
    "loglevel=3 systemd.show_status=no", "loglevel=5 systemd.show_status=1"
)
_LOUD = " systemd.journald.forward_to_console=1"
# What is reached, in order, and the line on the console that shows it.
# fmt: off
STEPS = (
    ("U-Boot",                  rb"U-Boot 20"),
    ("the slot is chosen",      rb"cylindre: slot [AB] \(.*"),
    ("kernel",                  rb"Booting Linux|Linux version|Starting kernel"),
    ("root mounted, systemd",   rb"systemd\[1\]: systemd \d+|Welcome to "),
    ("data partition grown",    rb"Finished .*cylindre-grow"),
    ("data partition mounted",  rb"Mounted .*(/data|data\.mount)"),
    ("all services",            rb"Reached target .*multi-user"),
)
CONTROLLER = ("the controller runs", rb"Started .*cylindre\.service")
# fmt: on

ReachedStep = NamedTuple("ReachedStep", [("what", str), ("at_s", float), ("line", str)])
# The steps reached, all the console said until then, and what was answered.
Started = NamedTuple(
    "Started", [("reached", list[ReachedStep]), ("said", bytes), ("answers", list[Answer])]
)


def start(
    image: Path, folder: Path, *, state: bytes | None = None, config: Path | None = None,
    questions: tuple[Question, ...] = (), patience_s: float = 300.0,
) -> Started:  # fmt: skip
    """Starts a copy of `image` in `folder`, as far as it goes.

    `state`: of the slots, instead of the image's. `config`: a first configuration; the controller
    is then waited for too. `questions` are asked when all is reached.
    """
    programs.require(_NEEDED)
    if not UBOOT.exists():
        raise Failure(FAILED, "U-Boot for QEMU is missing: sudo apt install u-boot-qemu brings it.")
    card = _card(image, folder, state, _ARGS + (f" {inside.SHELL}" if questions else _LOUD))
    if config is not None:
        first_config.put(first_config.check(config)[0], card)
    process = subprocess.Popen(
        ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "512",
         "-bios", str(UBOOT), *_NETWORK, "-display", "none", "-serial", "stdio",
         "-drive", f"file={card},format=raw,if=none,id=card",
         "-device", "virtio-blk-device,drive=card",
         # /dev/ttyS0: a line to displays that nobody is at.
         "-chardev", "null,id=line", "-device", "pci-serial,chardev=line"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        wanted = steps(config)
        reached, said = _follow(process, wanted, patience_s)
        answers = inside.ask(process, questions) if len(reached) == len(wanted) else []
        return Started(reached, said, answers)
    finally:
        process.kill()
        process.communicate()


def steps(config: Path | None) -> tuple[tuple[str, bytes], ...]:
    """What is waited for."""
    return STEPS if config is None else (*STEPS, CONTROLLER)


def _card(image: Path, folder: Path, state: bytes | None, args: str) -> Path:
    card = folder / "card.img"
    programs.run("cp", "--sparse=always", image, card)
    with card.open("r+b") as file:
        file.truncate((partitions.SIZE_MIB + _SPARE_MIB) * MIB)
    _put(card, "boot-a", "args.txt", f"args={args}\n".encode(), folder)
    if state is not None:
        _put(card, "firmware", partitions.STATE_FILE, state, folder)
        _put(card, "firmware", partitions.STATE_COPY, state, folder)
    return card


def _put(card: Path, name: str, file: str, data: bytes, folder: Path) -> None:
    source = folder / "put"
    source.write_bytes(data)
    place = f"{card}@@{partitions.partition(name).start_mib}M"
    programs.run("mcopy", "-o", "-i", place, source, f"::{file}")


def _follow(
    process: subprocess.Popen[bytes], steps: tuple[tuple[str, bytes], ...], patience_s: float
) -> tuple[list[ReachedStep], bytes]:
    assert process.stdout is not None
    began_s = time.monotonic()
    said, reached = b"", []
    left = list(steps)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while left:
            wait_s = began_s + patience_s - time.monotonic()
            if wait_s <= 0 or not selector.select(wait_s):
                break
            data = process.stdout.read1(65536)  # type: ignore[attr-defined]
            if not data:
                break
            said += data
            for step in list(left):
                found = re.search(step[1], said)
                if found is not None:
                    left.remove(step)
                    line = found[0].decode("utf-8", "replace")
                    reached.append(ReachedStep(step[0], time.monotonic() - began_s, line))
    return reached, said


@click.command()
@click.argument("image", type=click.Path(path_type=Path, exists=True))
@click.option("--patience-s", default=300.0, show_default=True)
@click.option("--trial", is_flag=True, help="Slot B, which is empty, is on trial first.")
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True),
    help="A first configuration: a file, or a folder.",
)  # fmt: skip
@click.option("--inside", "asked", is_flag=True, help="Ask the started machine about itself.")
@click.option("--log", type=click.Path(path_type=Path), help="Keeps what the console said.")
def main(
    image: Path, patience_s: float, trial: bool, config: Path | None, asked: bool, log: Path | None
) -> None:  # fmt: skip
    """Start IMAGE in QEMU; say what was reached, and when."""
    trying = bootenv.words(("B", "A"), {"A": partitions.TRIES, "B": 1})
    state = bootenv.text(trying) if trial else None
    questions = inside.questions(configured=config is not None) if asked else ()
    try:
        with tempfile.TemporaryDirectory(dir=image.parent, prefix=".boot-") as folder:
            started = start(
                image, Path(folder), state=state, config=config, questions=questions,
                patience_s=patience_s,
            )  # fmt: skip
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        sys.exit(failure.exit_code)
    if log is not None:
        log.write_bytes(started.said)
    for step in started.reached:
        click.echo(f"{step.at_s:7.1f} s  {step.what:<26} {step.line}")
    for answer in started.answers:
        first = answer.said.splitlines()[0] if answer.said and answer.right else answer.said
        click.echo(f"{'ok' if answer.right else 'WRONG':>9}  {answer.what:<44} {first}".rstrip())
    found = {step.what for step in started.reached}
    found |= {answer.what for answer in started.answers if answer.right}
    wanted = [name for name, _ in steps(config)] + [question.what for question in questions]
    missed = [name for name in wanted if name not in found]
    if missed:
        click.echo(f"Not reached: {', '.join(missed)}.")
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
