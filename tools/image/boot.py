"""Starts an image in QEMU, as far as it goes: `python -m tools.image.boot IMAGE`.

The same boot.scr, kernel, root and units as on a card; the machine is QEMU's `virt` with Debian's
U-Boot for it, so neither the Pi's firmware nor its device tree takes part. It runs on a copy whose
card is 512 MiB bigger, and whose kernel is told to speak on the serial port.
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

from tools.exits import FAILED, Failure
from tools.image import assemble, firmware, first_config, layout, programs
from tools.image.layout import MIB

_NEEDED = (
    ("qemu-system-aarch64", "qemu-system-arm"), ("mcopy", "mtools"), ("cp", "coreutils"),
)  # fmt: skip
UBOOT = Path("/usr/lib/u-boot/qemu_arm64/u-boot.bin")
_SPARE_MIB = 512
_ARGS = assemble.ARGS.replace("console=tty1", "console=ttyAMA0").replace(
    "loglevel=3 systemd.show_status=no",
    "loglevel=5 systemd.show_status=1 systemd.journald.forward_to_console=1",
)
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

Reached = NamedTuple("Reached", [("what", str), ("at_s", float), ("line", str)])


def start(
    image: Path, folder: Path, *, state: bytes | None = None, config: Path | None = None,
    patience_s: float = 300.0,
) -> tuple[list[Reached], bytes]:  # fmt: skip
    """Starts a copy of `image` in `folder`: the steps reached, and all the console said.

    `state`: of the slots, instead of the image's. `config`: a first configuration; the controller
    is then waited for too.
    """
    programs.require(_NEEDED)
    if not UBOOT.exists():
        raise Failure(FAILED, "U-Boot for QEMU is missing: sudo apt install u-boot-qemu brings it.")
    card = _card(image, folder, state)
    if config is not None:
        first_config.put(config, card)
    process = subprocess.Popen(
        ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "512",
         "-bios", str(UBOOT), "-nic", "none", "-display", "none", "-serial", "stdio",
         "-drive", f"file={card},format=raw,if=none,id=card",
         "-device", "virtio-blk-device,drive=card"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        return _follow(process, steps(config), patience_s)
    finally:
        process.kill()
        process.communicate()


def steps(config: Path | None) -> tuple[tuple[str, bytes], ...]:
    """What is waited for."""
    return STEPS if config is None else (*STEPS, CONTROLLER)


def _card(image: Path, folder: Path, state: bytes | None) -> Path:
    card = folder / "card.img"
    programs.run("cp", "--sparse=always", image, card, epoch=0)
    with card.open("r+b") as file:
        file.truncate((layout.SIZE_MIB + _SPARE_MIB) * MIB)
    _put(card, "boot-a", "args.txt", f"args={_ARGS}\n".encode(), folder)
    if state is not None:
        _put(card, "firmware", layout.STATE_FILE, state, folder)
        _put(card, "firmware", layout.STATE_COPY, state, folder)
    return card


def _put(card: Path, name: str, file: str, data: bytes, folder: Path) -> None:
    source = folder / "put"
    source.write_bytes(data)
    place = f"{card}@@{layout.partition(name).start_mib}M"
    programs.run("mcopy", "-o", "-i", place, source, f"::{file}", epoch=0)


def _follow(
    process: subprocess.Popen[bytes], steps: tuple[tuple[str, bytes], ...], patience_s: float
) -> tuple[list[Reached], bytes]:
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
                    reached.append(Reached(step[0], time.monotonic() - began_s, line))
    return reached, said


@click.command()
@click.argument("image", type=click.Path(path_type=Path, exists=True))
@click.option("--patience-s", default=300.0, show_default=True)
@click.option("--trial", is_flag=True, help="Slot B, which is empty, is on trial first.")
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True), help="A first configuration."
)
@click.option("--log", type=click.Path(path_type=Path), help="Keeps what the console said.")
def main(
    image: Path, patience_s: float, trial: bool, config: Path | None, log: Path | None
) -> None:  # fmt: skip
    """Start IMAGE in QEMU; say what was reached, and when."""
    state = firmware.state("B A", a_left=layout.TRIES, b_left=1) if trial else None
    try:
        with tempfile.TemporaryDirectory(dir=image.parent, prefix=".boot-") as folder:
            reached, said = start(
                image, Path(folder), state=state, config=config, patience_s=patience_s
            )
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        sys.exit(failure.exit_code)
    if log is not None:
        log.write_bytes(said)
    for step in reached:
        click.echo(f"{step.at_s:7.1f} s  {step.what:<26} {step.line}")
    missed = [name for name, _ in steps(config) if name not in {step.what for step in reached}]
    if missed:
        click.echo(f"Not reached: {', '.join(missed)}.")
        sys.exit(FAILED)


if __name__ == "__main__":
    main()
