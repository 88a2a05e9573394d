"""How a card lies: its partitions, its two slots, and where it stands which slot starts. Data.

U-Boot chooses the slot. The firmware's own one-shot switch, tryboot, needs a kernel with Raspberry
Pi's patches (mainline has no call that sets its flag: raspberrypi/rpi-eeprom issue 716), and
Debian's has none; RAUC 1.8 speaks to U-Boot by itself (`bootloader=uboot`), and QEMU can try it.

A slot is two partitions that are written together: kernel and initial RAM disk (FAT, for Debian's
U-Boot reads no squashfs) and root (squashfs). MBR, because the boot ROM of a Zero 2 W reads no GPT.
"""

from __future__ import annotations

from typing import NamedTuple

MIB = 1 << 20

Partition = NamedTuple(
    "Partition",
    [
        ("number", int),
        ("name", str),
        ("start_mib", int),
        ("size_mib", int),
        ("kind", str),  # fat, squashfs, ext4, extended
        ("mbr_type", int),
    ],
)

# fmt: off
# A logical partition (5 and on) leaves the MiB before it to its own entry of the table.
PARTITIONS = (
    Partition(1, "firmware",   4,   64, "fat",      0x0c),  # the Pi's firmware, U-Boot, its state
    Partition(2, "boot-a",    68,   96, "fat",      0x0c),
    Partition(3, "boot-b",   164,   96, "fat",      0x0c),
    Partition(4, "extended", 260, 1283, "extended", 0x0f),
    Partition(5, "root-a",   261,  512, "squashfs", 0x83),
    Partition(6, "root-b",   774,  512, "squashfs", 0x83),
    Partition(7, "data",    1287,  256, "ext4",     0x83),  # grows to the card's end when it starts
)
# fmt: on
SIZE_MIB = 1543  # fits a card sold as 2 GB

# The same on every card, so that a kernel's command line and RAUC's configuration are files that
# never change: a partition is /dev/disk/by-partuuid/63796c31-05.
DISK_ID = 0x63796C31  # "cyl1"

Slot = NamedTuple("Slot", [("bootname", str), ("boot", Partition), ("root", Partition)])
SLOTS = (
    Slot("A", PARTITIONS[1], PARTITIONS[4]),
    Slot("B", PARTITIONS[2], PARTITIONS[5]),
)

# What is in a slot's boot partition, and the name of its kernel's own command line there.
KERNEL = "vmlinuz"
INITRD = "initrd.img"

# On the partition `firmware`: BOOT_ORDER, BOOT_A_LEFT and BOOT_B_LEFT, as `cylindre update` sets
# them (firmware/services/update/bootenv.py); U-Boot's format (CRC-32, then NAME=VALUE, NUL).
# boot.scr keeps a copy of the last that was whole: a write torn by a power cut costs that write,
# not the slot.
STATE_FILE = "slots.env"
STATE_COPY = "slots.bak"
STATE_SIZE = 0x4000
TRIES = 3  # starts of a committed slot that may fail in a row; a slot on trial has 1

# Where they are mounted while the wheel runs.
FIRMWARE_FOLDER = "/boot/firmware"
DATA_FOLDER = "/data"

# A first configuration, on `firmware` (first_files.py says what may lie in it): taken at the next
# start of a wheel that has none, if it is valid; then the folder is TAKEN, without what is secret.
# Why one was not taken is written beside it, for who has the card in a laptop.
FIRST = "first"
TAKEN = "taken"
REFUSED = "refused.txt"


def partition(name: str) -> Partition:
    """Returns the partition of that name. Raises KeyError."""
    for each in PARTITIONS:
        if each.name == name:
            return each
    raise KeyError(name)


def device(name: str) -> str:
    """Returns the partition's path on a running wheel."""
    return f"/dev/disk/by-partuuid/{DISK_ID:08x}-{partition(name).number:02d}"


def check() -> None:
    """Asserts that nothing overlaps, and that what is logical lies in the extended partition."""
    extended = partition("extended")
    free_mib = 1  # the table itself
    for each in PARTITIONS:
        assert each.start_mib >= free_mib, each.name
        free_mib = each.start_mib + each.size_mib
        if each is extended:
            free_mib = each.start_mib + 1
        if each.number > 4:
            assert each.start_mib > extended.start_mib, each.name
            assert free_mib <= extended.start_mib + extended.size_mib, each.name
            free_mib += 1
    assert free_mib <= SIZE_MIB + 1
