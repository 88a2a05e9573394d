"""An image, put together from small parts with the real programs, and looked into."""

import hashlib
import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

import boards
from firmware.lib import partitions
from firmware.lib.errors import Failure
from firmware.lib.partitions import MIB
from firmware.services import device
from firmware.services.update import bootenv
from tools.image import assemble, blockmap, build
from tools.image.build import sbom_text

EPOCH = 1_790_000_000
BOARD = boards.load("pi4")


def read(image: Path, name: str, file: str) -> bytes:
    """A file of one of the image's FAT partitions."""
    place = f"{image}@@{partitions.partition(name).start_mib}M"
    return subprocess.run(
        ["mcopy", "-i", place, f"::{file}", "-"], check=True, capture_output=True
    ).stdout


def digest(image: Path) -> str:
    """Of all its bytes; zeros, as most of an image is, are known by where nothing else lies."""
    found = hashlib.sha256(str(image.stat().st_size).encode())
    with image.open("rb") as file, suppress(OSError):  # behind the last of them there are no data
        while True:
            at = os.lseek(file.fileno(), file.tell(), os.SEEK_DATA)
            file.seek(at - at % MIB)
            block = file.read(MIB)
            if block.count(0) != len(block):
                found.update(f"{at // MIB}:".encode() + block)
    return found.hexdigest()


def part(image: Path, name: str, mib: int | None = None) -> bytes:
    """A partition, or so much of its beginning."""
    found = partitions.partition(name)
    with image.open("rb") as file:
        file.seek(found.start_mib * MIB)
        return file.read((found.size_mib if mib is None else mib) * MIB)


@pytest.fixture(scope="module")
def image(parts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For tests that leave it as it is: to put one together takes seconds of a core."""
    out = tmp_path_factory.mktemp("image") / "wheel.img"
    assemble.image(out, BOARD, parts, epoch=EPOCH)
    return out


def test_the_same_parts_make_the_same_bytes(image: Path, parts: Path, tmp_path: Path) -> None:
    again = tmp_path / "elsewhere" / "again.img"
    again.parent.mkdir()
    for path in parts.rglob("*"):  # touched, and by now a second later
        path.touch()
    assemble.image(again, BOARD, parts, epoch=EPOCH)
    assert digest(image) == digest(again)
    with again.open("r+b") as file:
        file.seek(partitions.partition("data").start_mib * MIB + 12_345)
        file.write(b"\x01")
    assert digest(image) != digest(again)
    maps = [blockmap.path_of(each).read_text() for each in (image, again)]
    assert maps[0] == maps[1]
    for each in (image, again):
        assert not list(each.parent.glob(".image-*"))


@pytest.mark.smoke
def test_the_table_is_that_of_the_layout(image: Path) -> None:
    told = subprocess.run(["sfdisk", "--json", str(image)], check=True, capture_output=True).stdout
    table = json.loads(told)["partitiontable"]
    assert (table["label"], table["id"]) == ("dos", f"0x{partitions.DISK_ID:08x}")
    found = [
        (each["start"] // 2048, each["size"] // 2048, each["type"]) for each in table["partitions"]
    ]
    assert found == [
        (each.start_mib, each.size_mib, f"{each.mbr_type:x}") for each in partitions.PARTITIONS
    ]


def test_a_card_full_of_old_data_holds_the_image_when_only_its_map_is_written(
    image: Path, tmp_path: Path
) -> None:
    old = tmp_path / "card.img"
    with old.open("wb") as card, image.open("rb") as source:
        card.truncate(partitions.SIZE_MIB * MIB)
        for each in partitions.PARTITIONS:
            card.seek(each.start_mib * MIB)
            card.write(b"\xaa" * (each.size_mib if each.kind == "fat" else 8) * MIB)
        for offset, size, _ in blockmap.parse(blockmap.path_of(image).read_bytes()).ranges:
            source.seek(offset)
            card.seek(offset)
            card.write(source.read(size))
    for name, label in (("firmware", b"FIRMWARE"), ("boot-a", b"BOOT_A")):
        whole = tmp_path / name
        whole.write_bytes(part(old, name))
        subprocess.run(["fsck.fat", "-n", str(whole)], check=True, capture_output=True)
        assert label in whole.read_bytes()[:512]
    assert read(old, "boot-a", "vmlinuz") == b"kernel" * 100_000
    squash = tmp_path / "root"
    squash.write_bytes(part(old, "root-a", 8))  # more than it has
    told = subprocess.run(
        ["unsquashfs", "-cat", str(squash), "etc/hostname"], check=True, capture_output=True
    )
    assert told.stdout == b"cylindre\n"
    told_table = subprocess.run(["sfdisk", "--json", str(old)], check=True, capture_output=True)
    assert len(json.loads(told_table.stdout)["partitiontable"]["partitions"]) == 7
    # What older cards had on the other slot and the data is not found there.
    for name in ("boot-b", "root-b", "data"):
        assert part(old, name, 1) == bytes(MIB)


@pytest.mark.needs("fw_printenv")
def test_only_slot_a_can_start_and_linux_reads_where_that_stands(
    image: Path, tmp_path: Path
) -> None:
    state = read(image, "firmware", partitions.STATE_FILE)
    assert state == read(image, "firmware", partitions.STATE_COPY) == bootenv.flashed()
    assert len(state) == partitions.STATE_SIZE
    assert b"BOOT_A_LEFT=3\0BOOT_B_LEFT=0\0BOOT_ORDER=A B\0\0" in state
    (tmp_path / "state").write_bytes(state)
    (tmp_path / "conf").write_text(f"{tmp_path}/state 0x0 0x4000\n")
    told = subprocess.run(
        ["fw_printenv", "-c", str(tmp_path / "conf")], check=True, capture_output=True, text=True
    )
    assert sorted(told.stdout.split("\n")[:3]) == [
        "BOOT_A_LEFT=3",
        "BOOT_B_LEFT=0",
        "BOOT_ORDER=A B",
    ]


@pytest.mark.req("IEC-CR-7.7")
def test_the_buses_are_the_boards_and_bluetooth_is_off_the_uart(
    image: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree.dtb"
    tree.write_bytes(read(image, "firmware", "bcm2711-rpi-4-b.dtb"))

    def get(node: str, name: str, kind: str = "s") -> str:
        command = ["fdtget", "-t", kind, str(tree), node, name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert get("/soc/serial@7e201000/bluetooth", "status") == "disabled"
    assert get("/soc/serial@7e215040", "status") == "disabled"
    assert get("/soc/serial@7e201000", "status") == "okay"
    assert get("/soc/i2c@7e804000", "status") == "okay"
    for node, pins in (("cylindre-uart0", "14 15"), ("cylindre-i2c1", "2 3")):
        path = f"/soc/gpio@7e200000/{node}"
        assert (get(path, "brcm,pins", "i"), get(path, "brcm,function", "i")) == (pins, "4")
    uart = get("/soc/serial@7e201000", "pinctrl-0", "u")
    assert uart == get("/soc/gpio@7e200000/cylindre-uart0", "phandle", "u")
    config = read(image, "firmware", "config.txt").decode()
    assert "\nenable_uart=0\n" in config
    assert "device_tree=bcm2711-rpi-4-b.dtb\n" in config


@pytest.mark.req("IEC-EDR-2.13")
def test_nothing_speaks_on_the_header_s_uart(image: Path) -> None:
    args = read(image, "boot-a", "args.txt").decode()
    assert "ttyAMA" not in args and "serial" not in args
    assert " systemd.volatile=state " in args


def test_what_the_services_keep_lies_on_the_data_partition() -> None:
    """/var is in memory: a folder that fstab does not name is lost at each start."""
    ours = Path(assemble.__file__).with_name("root")
    mounted = {line.split()[1] for line in (ours / "etc/fstab").read_text().splitlines()[1:]}
    made = (ours / "usr/lib/cylindre-image/data").read_text()
    for unit in (Path(device.__file__).parent / "systemd").glob("*.service"):
        for line in unit.read_text().splitlines():
            if line.startswith("StateDirectory="):
                for name in line.removeprefix("StateDirectory=").split():
                    assert f"/var/lib/{name.split('/')[0]}" in mounted, unit.name
    for line in (ours / "etc/fstab").read_text().splitlines():
        if line.startswith("/data/"):
            assert line.split()[0] in made, line


def test_a_root_that_is_too_big_is_refused(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tuple(
        each._replace(size_mib=0) if each.name == "root-a" else each
        for each in partitions.PARTITIONS
    )
    monkeypatch.setattr(partitions, "PARTITIONS", small)
    with pytest.raises(Failure) as failure:
        assemble._place(empty(tmp_path), {"root-a": parts / "root.tar"})
    assert failure.value.sentence == "root-a needs 0 MiB, its partition has 0: leave packages out."


def empty(tmp_path: Path) -> Path:
    path = tmp_path / "empty"
    path.touch()
    return path


def test_an_inspector_can_compare_the_root_of_a_card(image: Path, parts: Path) -> None:
    found = build.root_hash(image)
    held = memoryview(part(image, "root-a"))
    size = found["size"]
    assert found["sha256"] == hashlib.sha256(held[:size]).hexdigest()
    assert bytes(held[size:]).count(0) == len(held) - size


@pytest.mark.req("IEC-CR-7.8")
def test_the_bill_names_what_is_installed_and_is_the_same_twice(parts: Path) -> None:
    bills = [
        sbom_text(parts / "root.tar", name="cylindre-pi4", sha256="ab" * 32, epoch=EPOCH)
        for _ in "12"
    ]
    assert bills[0] == bills[1]
    bill = json.loads(bills[0])
    assert (bill["bomFormat"], bill["metadata"]["timestamp"]) == (
        "CycloneDX",
        "2026-09-21T14:13:20+00:00",
    )
    assert [(each["name"], each["version"], each["purl"]) for each in bill["components"]] == [
        ("cbor2", "5.6", "pkg:pypi/cbor2@5.6"),
        ("libc6", "2.36-9", "pkg:deb/debian/libc6@2.36-9?arch=arm64&distro=bookworm"),
    ]
