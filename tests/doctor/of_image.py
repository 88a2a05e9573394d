"""A card made as `cylindre image build` makes it, mounted below a folder as docs/doctor.md says.

And the same machine while it runs.

Real: the files of tools/image/root and tools/image/systemd, config.txt, the merged tree. Made up:
the packages' contents, Debian, what Debian's tree has beside the header's buses, and the kernel.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import own_journal
from laid_out import ADDRESSES, NOW_S, USER, LaidOut

import boards
from firmware.keys.folder import provision
from firmware.services.update.release import Release
from firmware.shims.virtual import RegisterDevice
from tools.image import deb, firmware, root
from tools.technician.doctor import tree

TREE = runpy.run_path(str(Path(__file__).parents[1] / "image/conftest.py"))["TREE"]
UID = os.geteuid() or 641  # sysusers has 641; who tests and is not root owns the files
BOOT, SITE = "boot/firmware", "usr/lib/cylindre"
DTB = f"{BOOT}/{firmware.TREES['pi4']}"
WHEEL = '[wheel]\nboard = "pi4"\n[people]\nfile = "/var/lib/cylindre/people.jsonl"\n'
MOUNTS = """\
/dev/mmcblk0p5 / squashfs ro,relatime 0 0
proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0
tmpfs /tmp tmpfs rw,nosuid,nodev 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw,sync,umask=0077 0 0
/dev/mmcblk0p7 /data ext4 rw,noatime 0 0
/dev/mmcblk0p7 /etc/cylindre ext4 rw,noatime 0 0
/dev/mmcblk0p7 /var/lib/cylindre ext4 rw,noatime 0 0
"""
DEVICES = ("gpiochip0", "i2c-1", "ttyAMA0")


def card(folder: Path, work: Path) -> LaidOut:
    """The card of a configured wheel, its three partitions mounted below `folder`."""
    root._stage(folder, Release("0.1.0", "pi4"), None)
    deb._add_system(folder)
    laid = LaidOut(folder)
    laid.virtual.detach_i2c(1, ADDRESSES[0])  # nobody may ask the laptop's bus
    for line in deb.LOCK.read_text().splitlines():
        if found := re.match(r"([A-Za-z0-9_.-]+)==([^ ]+)", line):
            _package(laid, *found.groups())
    _package(laid, "cylindre", "0.1.0")
    laid.link("usr/bin/python3", "python3.11")
    laid.write("etc/passwd", f"root:x:0:0:root:/root:/bin/sh\n{USER}:x:{UID}:{UID}::/:/x\n")
    laid.write("etc/group", f"root:x:0:\n{USER}:x:{UID}:cylindre-page\n")
    for name in ("tmp", "var/lib/cylindre", "etc/cylindre", "dev", "proc", "sys"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    _boot(folder / BOOT, work)
    laid.write("data/etc/wheel.toml", WHEEL)
    provision(folder / "data/cylindre/keys", displays=2)
    journal = own_journal.opened(folder / "data/cylindre/journal.db")
    journal.write(*own_journal.result(1))
    journal.close(10)
    for path in (folder / "data/cylindre").rglob("*"):
        os.chown(path, UID, UID)
    return laid


def _package(laid: LaidOut, name: str, version: str) -> None:
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    laid.write(f"{SITE}/{name.replace('-', '_')}-{version}.dist-info/METADATA", text)


def _boot(folder: Path, work: Path) -> None:
    """The partition `firmware`, by the code that makes it."""
    for name in ("raspi-firmware", "trees"):
        (work / name).mkdir(parents=True)
    (work / "u-boot.bin").write_bytes(b"U-Boot")
    plain(work / "trees" / firmware.TREES["pi4"])
    folder.mkdir(parents=True)
    firmware.write(folder, boards.load("pi4"), work, epoch=int(NOW_S))


def plain(path: Path) -> None:
    """Debian's tree as it is without our overlay."""
    command = ["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", str(path), "-"]
    subprocess.run(command, input=TREE.encode(), check=True)


def started(laid: LaidOut) -> LaidOut:
    """The card's machine while it runs: folders bound, and what its kernel tells."""
    folder = laid.root
    for name, target in (
        ("etc/cylindre", "../data/etc"),
        ("var/lib/cylindre", "../../data/cylindre"),
    ):
        shutil.rmtree(folder / name)
        laid.link(name, target)
    laid.write("proc/cmdline", "root=PARTUUID=63796c31-05 rauc.slot=A console=tty1 ro\n")
    laid.write("proc/mounts", MOUNTS)
    for node, properties in tree.parse((folder / DTB).read_bytes()).items():
        (folder / f"proc/device-tree{node}").mkdir(parents=True, exist_ok=True)
        for name, value in properties.items():
            (folder / f"proc/device-tree{node}/{name}").write_bytes(value)
    # The firmware writes which board it found.
    laid.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    laid.write("sys/class/gpio/gpiochip512/label", "pinctrl-bcm2711\n")
    laid.write("sys/kernel/debug/gpio", "gpiochip0: GPIOs 512-569, pinctrl-bcm2711:\n")
    laid.write("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    laid.write("sys/block/mmcblk0/device/life_time", "0x02 0x01\n")
    laid.write("run/systemd/timesync/synchronized")
    (folder / "tmp").chmod(0o1777)
    for name in DEVICES:  # as cylindre.rules has them
        os.chown(laid.write(f"dev/{name}"), 0 if UID == 641 else UID, UID)
        (folder / f"dev/{name}").chmod(0o660)
    laid.virtual.attach_i2c(1, ADDRESSES[0], RegisterDevice(bytearray(256)))
    return laid
