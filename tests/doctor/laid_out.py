"""The files of a sound wheel on a Pi 4 with Raspberry Pi OS 12, laid out in a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import own_journal

from firmware.keys.folder import provision
from firmware.shims.virtual import RegisterDevice, VirtualMachine
from firmware.store.clock import BUILT_S
from tools.technician.doctor.case import open_case
from tools.technician.doctor.examine import Examined, examine
from tools.technician.doctor.machine import Machine

USER = "cylindre"
NOW_S = BUILT_S + 1_000_000
CONFIG, CMDLINE = "boot/firmware/config.txt", "boot/firmware/cmdline.txt"
SITE = "opt/cylindre/lib/python3.11/site-packages"
JOURNAL, KEYS, PEOPLE = (f"data/cylindre/{name}" for name in ("journal.db", "keys", "people.jsonl"))
MMC = "sys/block/mmcblk0/device"
DEBUG = "sys/kernel/debug/gpio"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"

# As Raspberry Pi OS 12 ships it, and our lines.
CONFIG_TXT = """\
# For more options and information see
# http://rptl.io/configtxt

# Uncomment some or all of these to enable the optional hardware interfaces
dtparam=i2c_arm=on
#dtparam=i2s=on
#dtparam=spi=on

# Enable audio (loads snd_bcm2835)
dtparam=audio=on
camera_auto_detect=1
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
dtoverlay=disable-bt
"""
CMDLINE_TXT = "console=tty1 root=PARTUUID=4e639091-02 rootfstype=ext4 fsck.repair=yes rootwait\n"
MOUNTS = """\
/dev/mmcblk0p2 / ext4 ro,noatime 0 0
proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0
tmpfs /tmp tmpfs rw,nosuid,nodev 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw,relatime,errors=remount-ro 0 0
/dev/mmcblk0p4 /data ext4 rw,noatime 0 0
"""
GPIO_TEXT = """\
gpiochip0: GPIOs 512-569, parent: platform/fe200000.gpio, pinctrl-bcm2711:
 gpio-512 (ID_SDA              )
 gpio-516 (GPIO4               |cylindre            ) in  lo IRQ
 gpio-524 (GPIO12              |lg                  ) out lo
 gpio-554 (STATUS_LED_G_CLK    |ACT                 ) out lo

gpiochip1: GPIOs 570-577, parent: platform/soc:firmware:gpio, raspberrypi-exp-gpio, can sleep:
 gpio-570 (BT_ON               |shutdown            ) out hi
"""
FILES = {
    CONFIG: CONFIG_TXT,
    CMDLINE: CMDLINE_TXT,
    "etc/passwd": f"root:x:0:0:root:/root:/bin/bash\n{USER}:x:990:990::/:/usr/sbin/nologin\n",
    "etc/cylindre/wheel.toml": (
        '[wheel]\nboard = "pi4"\n[people]\nfile = "/data/cylindre/people.jsonl"\n'
        '[bus]\nkeys = "/data/cylindre/keys"\n[store]\njournal = "/data/cylindre/journal.db"\n'
    ),
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/cmdline": "coherent_pool=1M 8250.nr_uarts=1 " + CMDLINE_TXT,
    "proc/mounts": MOUNTS,
    DEBUG: GPIO_TEXT,
    "sys/class/gpio/gpiochip512/label": "pinctrl-bcm2711\n",
    "sys/class/gpio/gpiochip570/label": "raspberrypi-exp-gpio\n",
    f"{MMC}/life_time": "0x02 0x01\n",
    f"{MMC}/pre_eol_info": "0x01\n",
    "sys/fs/ext4/mmcblk0p4/errors_count": "0\n",
    THROTTLED: "0\n",
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "run/systemd/timesync/synchronized": "",
    f"{SITE}/cylindre-0.1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: cylindre\n",
    f"{SITE}/gpiod-2.3.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: gpiod\n",
    f"{SITE}/rpi_lgpio-0.6.dist-info/METADATA": "Metadata-Version: 2.1\nName: rpi-lgpio\n",
    f"{SITE}/smbus2-0.5.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: smbus2\n",
}
DEVICES = ("dev/gpiochip0", "dev/gpiochip1", "dev/i2c-1", "dev/ttyAMA0")
ADDRESSES = (0x53, 0x68, 0x50)  # level, clock, FRAM


class LaidOut:
    """A machine's files, and what is on its I2C bus."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment: dict[str, str] = {}
        self.now_s: Callable[[], float] = lambda: NOW_S
        self.virtual = VirtualMachine()
        for address in ADDRESSES:
            self.virtual.attach_i2c(1, address, RegisterDevice(bytearray(256)))

    def write(self, name: str, text: str = "") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def add(self, name: str, line: str) -> None:
        with (self.root / name).open("a") as file:
            file.write(line + "\n")

    def link(self, name: str, target: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)

    def remove(self, name: str) -> None:
        (self.root / name).unlink()

    def machine(self) -> Machine:
        return Machine(
            self.root,
            user=USER,
            environment=self.environment,
            now_s=self.now_s,
            open_i2c=self.virtual.open_i2c,
        )

    def examined(self, board: str | None = None, config: Path | None = None) -> Examined:
        return examine(open_case(self.machine(), board, config))

    def codes(self, board: str | None = None) -> list[str]:
        return [each.code for each in self.examined(board).findings]

    def one(self, code: str, board: str | None = None) -> str:
        """The only thing found, of that code, in words."""
        found = self.examined(board).findings
        assert [each.code for each in found] == [code]
        return f"{found[0].what} {found[0].cause} {found[0].remedy}"

    def unseen(self, check: str) -> str:
        return dict(self.examined().not_seen)[check]


def lay_out(root: Path) -> LaidOut:
    """A machine on which there is nothing to be found."""
    laid = LaidOut(root)
    for name, text in FILES.items():
        laid.write(name, text)
    # Whoever tests owns these files; the wheel's user has them by his group.
    laid.write("etc/group", f"gpio:x:{os.getgid()}:{USER}\n{USER}:x:990:\n")
    for name in DEVICES:
        laid.write(name).chmod(0o660)
    laid.link("usr/bin/python3", "python3.11")
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    provision(root / KEYS, displays=2)
    if os.geteuid() == 0:
        for path in (root / KEYS).iterdir():
            os.chown(path, 990, 990)
    return laid


def play(root: Path, coups: int) -> Path:
    """A journal with so many coups."""
    journal = own_journal.opened(root / JOURNAL)
    for coup in range(1, coups + 1):
        journal.write(*own_journal.result(coup))
    journal.close(10)
    return root / JOURNAL
