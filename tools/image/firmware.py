"""What lies on the partition `firmware`: the Pi's own firmware, U-Boot, the device tree, the slots.

Sources: Raspberry Pi documentation, config.txt; U-Boot doc/usage/cmd; "BCM2711 ARM Peripherals"
(2022-01-18), table 94 (alternative functions) and 5.2 (their numbers in a GPFSEL register).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from firmware.lib import partitions, programs
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.lib.language import Message
from firmware.services.update import bootenv

# fmt: off
# The device tree of each model in Debian's kernel 6.1. It has none of the Pi 5, whose header is
# behind a chip (RP1) that Linux can drive from 6.16 on.
TREES = {
    "pi4": "bcm2711-rpi-4-b.dtb",
    "cm4": "bcm2711-rpi-cm4-io.dtb",
    "zero2w": "bcm2837-rpi-zero-2-w.dtb",
}
# A bus of the header: its node, and the number of its pins' function in GPFSEL: ALT0 is 4, ALT4 3.
_NODES = {
    ("uart", 0): ("serial@7e201000", 4),
    ("uart", 3): ("serial@7e201600", 3),
    ("i2c", 1): ("i2c@7e804000", 4),
}
# fmt: on
_PULL = {"uart": (0, 2), "i2c": (2, 2)}  # 0 none, 2 up

CONFIG_TXT = """\
# Written by cylindre image build.
arm_64bit=1
kernel=u-boot.bin
# The header's UART is the displays' bus. U-Boot uses a UART whose pins the firmware has set, and
# takes what it hears there for keys: the pins are left alone, Linux sets them (device tree).
enable_uart=0
uart_2ndstage=0
device_tree={tree}
# Two or three lines of the firmware's own.
disable_splash=1
boot_delay=0
gpu_mem=32
hdmi_force_hotplug=1
"""

# Bluetooth leaves UART 0; the mini UART, which would have the pins, is switched off.
_UART_0 = """
    fragment@90 {
        target-path = "/soc/serial@7e201000";
        __overlay__ { bluetooth { status = "disabled"; }; };
    };
    fragment@91 {
        target-path = "/soc/serial@7e215040";
        __overlay__ { status = "disabled"; };
    };
"""
# The kernel numbers a UART that has no alias by chance: this one is /dev/ttyAMA3.
_UART_3 = """
    fragment@92 {
        target-path = "/aliases";
        __overlay__ { serial3 = "/soc/serial@7e201600"; };
    };
"""
_EXTRA = {("uart", 0): _UART_0, ("uart", 3): _UART_3}
_FRAGMENT = """
    fragment@{first} {{
        target-path = "/soc/gpio@7e200000";
        __overlay__ {{
            {label}: cylindre-{kind}{number} {{
                brcm,pins = <{pins[0]} {pins[1]}>;
                brcm,function = <{function}>;
                brcm,pull = <{pull[0]} {pull[1]}>;
            }};
        }};
    }};
    fragment@{second} {{
        target-path = "/soc/{node}";
        __overlay__ {{
            status = "okay";
            pinctrl-names = "default";
            pinctrl-0 = <&{label}>;
        }};
    }};
"""

_BOOT = Path(__file__).with_name("boot.cmd")


def model(board: dict[str, Any]) -> str:
    """The Raspberry Pi an image can be made for. Raises Failure for another board."""
    found = board.get("model")
    if found not in TREES:
        covered = ", ".join(TREES)
        text = Message(
            "Images are made for {covered}; {board} is none of them (docs/image.md says why).",
            covered=covered,
            board=board["name"],
        )
        raise Failure(CONFIGURATION, text)
    return str(found)


def overlay(board: dict[str, Any]) -> str:
    """The source of the device tree overlay that gives the board its buses."""
    from boards import raspberry

    parts = ["/dts-v1/;\n/plugin/;\n/ {"]
    for index, (kind, number) in enumerate(sorted(set(board["buses"].values()))):
        if (kind, number) not in _NODES:
            text = Message(
                "No image has {kind} {number} yet: use uart 0, uart 3 and i2c 1.",
                kind=kind,
                number=number,
            )
            raise Failure(CONFIGURATION, text)
        node, function = _NODES[kind, number]
        pins = raspberry.bus_pins(model(board), kind, number)
        parts.append(
            _FRAGMENT.format(
                first=2 * index, second=2 * index + 1, label=f"{kind}{number}_pins", kind=kind,
                number=number, pins=pins, function=function, pull=_PULL[kind], node=node,
            )
        )  # fmt: skip
        parts.append(_EXTRA.get((kind, number), ""))
    return "".join([*parts, "};\n"])


def write(folder: Path, board: dict[str, Any], parts: Path, *, epoch: int) -> None:
    """Fills `folder` with the partition's files; `parts` holds what Debian's packages bring."""
    tree = TREES[model(board)]
    for path in sorted((parts / "raspi-firmware").iterdir()):
        if path.suffix in (".bin", ".dat", ".elf") and not path.stem.endswith(("_db", "4db")):
            shutil.copyfile(path, folder / path.name)
    shutil.copyfile(parts / "u-boot.bin", folder / "u-boot.bin")
    source, compiled = folder / "cylindre.dts", folder / "cylindre.dtbo"
    source.write_text(overlay(board))
    programs.run("dtc", "-q", "-@", "-I", "dts", "-O", "dtb", "-o", compiled, source, epoch=epoch)
    programs.run(
        "fdtoverlay", "-i", parts / "trees" / tree, "-o", folder / tree, compiled, epoch=epoch
    )
    source.unlink()
    compiled.unlink()
    (folder / "config.txt").write_text(CONFIG_TXT.format(tree=tree))
    (folder / partitions.STATE_FILE).write_bytes(bootenv.flashed())
    (folder / partitions.STATE_COPY).write_bytes(bootenv.flashed())
    programs.run(
        "mkimage", "-A", "arm64", "-T", "script", "-n", "cylindre", "-d", _BOOT,
        folder / "boot.scr", epoch=epoch,
    )  # fmt: skip
