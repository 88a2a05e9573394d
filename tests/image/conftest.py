"""What an image is put together from, small, and the programs that do it."""

import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

EPOCH = 1_790_000_000
# The part of Debian 12's trees that the overlay needs: the nodes, their status, Bluetooth.
TREE = """
/dts-v1/;
/ {
    compatible = "raspberrypi,4-model-b", "brcm,bcm2711";
    aliases { serial0 = "/soc/serial@7e201000"; };
    soc {
        gpio@7e200000 { compatible = "brcm,bcm2711-gpio"; };
        serial@7e201000 {
            compatible = "arm,pl011";
            status = "okay";
            bluetooth { compatible = "brcm,bcm43438-bt"; };
        };
        serial@7e215040 { compatible = "brcm,bcm2835-aux-uart"; status = "okay"; };
        i2c@7e804000 { compatible = "brcm,bcm2711-i2c"; status = "disabled"; };
    };
};
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory, needs: Callable[..., None]) -> Path:
    """A tiny root, a tree of the device, and files that stand for what Debian brings.

    For tests that leave them as they are.
    """
    needs("sfdisk", "mkfs.fat", "mcopy", "mksquashfs", "mkimage", "dtc")
    folder = tmp_path_factory.mktemp("parts")
    for name in ("trees", "raspi-firmware"):
        (folder / name).mkdir(parents=True)
    (folder / "vmlinuz").write_bytes(b"kernel" * 100_000)
    (folder / "initrd.img").write_bytes(b"initrd" * 50_000)
    (folder / "u-boot.bin").write_bytes(b"u-boot" * 1000)
    for name in ("start4.elf", "fixup4.dat", "start4db.elf", "LICENCE"):
        (folder / "raspi-firmware" / name).write_bytes(name.encode() * 1000)
    (folder / "tree.dts").write_text(TREE)
    subprocess.run(
        ["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", folder / "trees/bcm2711-rpi-4-b.dtb",
         folder / "tree.dts"],
        check=True,
    )  # fmt: skip
    root(folder / "root.tar", folder / "tree")
    return folder


def root(archive: Path, tree: Path) -> None:
    status = "Package: {0}\nStatus: {2}\nVersion: {1}\nArchitecture: arm64\n"
    installed, gone = "install ok installed", "deinstall ok config-files"
    files = {
        "var/lib/dpkg/status": "\n".join(
            (status.format("libc6", "2.36-9", installed), status.format("nano", "7.2", gone))
        ),
        "usr/lib/cylindre/cbor2-5.6.dist-info/METADATA": "Name: cbor2\nVersion: 5.6\n\nText\n",
        "etc/hostname": "cylindre\n",
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    with tarfile.open(archive, "w") as file:
        file.add(tree, ".", filter=lambda member: stamped(member))
    shutil.rmtree(tree)


def stamped(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime, member.uid, member.gid, member.uname, member.gname = EPOCH, 0, 0, "", ""
    return member
