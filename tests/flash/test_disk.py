"""Which disk may be written, by what Linux says of it. A /sys and a /proc of our own, in a folder:
disks, volumes and loops that the machine of the tests need not have."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure
from tools.image import disk as disks

GIB = 1 << 30
NEEDED = 4 * GIB
CARD = Path("/dev/sdb")


class Linux:
    """What it says of its devices; `names` is /dev."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.names: dict[str, os.stat_result] = {}
        self.mounts: list[str] = []
        self.swaps: list[str] = []
        for folder in ("sys/block", "sys/dev/block", "proc/self"):
            (root / folder).mkdir(parents=True)
        self.tell()

    def device(
        self, name: str, number: tuple[int, int], *, of: str | None = None, size: int = 8 * GIB,
        **files: str,
    ) -> Path:  # fmt: skip
        """A disk, or a partition `of` one."""
        node = self.root / "sys/block" / (f"{of}/{name}" if of else name)
        node.mkdir(parents=True)
        (node / "holders").mkdir()
        told = {"size": str(size // 512), "ro": "0", "diskseq": "7"} | files
        if of:
            told["partition"] = "1"
        for path, text in told.items():
            (node / path).parent.mkdir(parents=True, exist_ok=True)
            (node / path).write_text(f"{text}\n")
        (self.root / "sys/dev/block" / "{}:{}".format(*number)).symlink_to(node)
        self.name(f"/dev/{name}", stat.S_IFBLK, os.makedev(*number))
        return node

    def name(self, path: str, kind: int, number: int = 0, inode: int | None = None) -> None:
        """Something in /dev, or another file, known by its inode."""
        inode = len(self.names) + 100 if inode is None else inode
        found: Any = [kind | 0o660, inode, 5, 1, 0, 0, 0, 0, 0, 0]
        self.names[path] = os.stat_result(found, {"st_rdev": number})

    def holds(self, below: Path, above: Path) -> None:
        """A volume on a disk, as both say it."""
        for folder, other in ((below / "holders", above), (above / "slaves", below)):
            folder.mkdir(exist_ok=True)
            (folder / other.name).symlink_to(other)

    def tell(self) -> None:
        """Writes down what is mounted, and what swap lies on."""
        (self.root / "proc/self/mountinfo").write_text("\n".join(self.mounts))
        (self.root / "proc/swaps").write_text("\n".join(["Filename Type", *self.swaps]))

    def mount(self, number: str, where: str, source: str = "/dev/x") -> None:
        self.mounts.append(f"22 1 {number} / {where} rw shared:1 - ext4 {source} rw")
        self.tell()

    def swap(self, name: str) -> None:
        self.swaps.append(f"{name} partition 100 0 -2")
        self.tell()

    def stat(self, path: Path | str) -> os.stat_result:
        try:
            return self.names[str(path)]
        except KeyError:
            raise FileNotFoundError(2, "none", str(path)) from None


@pytest.fixture
def linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Linux:
    """Its root on the first partition of vda; the card is sdb, with one partition."""
    made = Linux(tmp_path)
    monkeypatch.setattr(disks, "_SYS", tmp_path / "sys")
    monkeypatch.setattr(disks, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(disks, "_stat", made.stat)
    made.device("vda", (254, 0))
    made.device("vda1", (254, 1), of="vda")
    made.mount("254:1", "/")
    made.device("sdb", (8, 16), **{"device/vendor": "Acme", "device/model": "Reader"})
    made.device("sdb1", (8, 17), of="sdb")
    return made


def refused(path: Path | str, image: Path | None = None) -> tuple[int, str]:
    with pytest.raises(Failure) as found:
        disks.find(Path(path), NEEDED, image)
    assert "\n" not in found.value.sentence
    return found.value.exit_code, found.value.sentence


def test_a_card_that_lies_idle_in_its_reader_may_be_written(linux: Linux) -> None:
    found = disks.find(CARD, NEEDED)
    assert found == (CARD, 8 * GIB, "Acme Reader, 8.0 GiB", os.makedev(8, 16), 7)


def test_another_card_of_the_same_kind_in_the_same_reader_is_another_disk(linux: Linux) -> None:
    """Same size, same name: the kernel counts what was put in."""
    before = disks.find(CARD, NEEDED)
    (linux.root / "sys/block/sdb/diskseq").write_text("8\n")
    assert disks.find(CARD, NEEDED) != before
    (linux.root / "sys/block/sdb/diskseq").unlink()  # Linux before 5.15
    assert disks.find(CARD, NEEDED).sequence == 0


def test_the_same_name_for_another_device_is_another_disk(linux: Linux) -> None:
    before = disks.find(CARD, NEEDED)
    linux.device("sdc", (8, 32), **{"device/vendor": "Acme", "device/model": "Reader"})
    linux.names[str(CARD)] = linux.names["/dev/sdc"]
    assert disks.find(CARD, NEEDED) != before


SYSTEM = (USAGE, "is a disk this machine runs from: choose another.")


def by_id(linux: Linux) -> str:
    linux.names["/dev/disk/by-id/card"] = linux.names["/dev/vda"]
    return "/dev/disk/by-id/card"


def on_a_volume(linux: Linux) -> str:
    linux.device("sdc", (8, 32))
    volume = linux.device("dm-0", (253, 0))
    linux.holds(linux.device("sdc1", (8, 33), of="sdc"), volume)
    linux.mount("253:0", "/var")
    return "/dev/sdc"


def on_a_mirror(linux: Linux) -> str:
    """A crypt on a mirror on a partition."""
    linux.device("sdc", (8, 32))
    mirror, crypt = linux.device("md0", (9, 0)), linux.device("dm-0", (253, 0))
    linux.holds(linux.device("sdc1", (8, 33), of="sdc"), mirror)
    linux.holds(mirror, crypt)
    linux.mount("253:0", "/home")
    return "/dev/sdc"


def btrfs(linux: Linux) -> str:
    """It hides its disk's number."""
    linux.device("sdc", (8, 32))
    linux.device("sdc1", (8, 33), of="sdc")
    linux.mount("0:31", "/usr", "/dev/sdc1")
    return "/dev/sdc"


@pytest.mark.parametrize("lay", [lambda _: "/dev/vda", by_id, on_a_volume, on_a_mirror, btrfs])
def test_the_disk_below_the_system_is_refused_by_whatever_name_and_under_whatever_lies_on_it(
    linux: Linux, lay: Callable[[Linux], str]
) -> None:
    path = lay(linux)
    assert refused(path) == (SYSTEM[0], f"{path} {SYSTEM[1]}")


def mounted(linux: Linux) -> str:
    linux.mount("8:17", "/media/my\\040stick")
    return "/media/my stick"


def swapped(linux: Linux) -> str:
    linux.swap("/dev/sdb1")
    return "swap"


def held(linux: Linux) -> str:
    linux.holds(linux.root / "sys/block/sdb/sdb1", linux.device("dm-3", (253, 3)))
    return "dm-3"


def in_a_mirror(linux: Linux) -> str:
    linux.holds(linux.root / "sys/block/sdb", linux.device("md7", (9, 7)))
    return "md7"


def through_a_loop(linux: Linux) -> str:
    """No holder tells of it, and whoever opens the card for himself alone gets it."""
    loop(linux, 5, "/dev/sdb1")
    linux.mount("7:5", "/mnt")
    return "/mnt"


@pytest.mark.parametrize("use", [mounted, swapped, held, in_a_mirror, through_a_loop])
def test_a_card_that_something_uses_is_refused_and_told_what(
    linux: Linux, use: Callable[[Linux], str]
) -> None:
    used = use(linux)
    said = f"/dev/sdb is in use ({used}): unmount what lies on it first."
    assert refused(CARD) == (USAGE, said)


def loop(linux: Linux, number: int, file: str) -> str:
    linux.device(f"loop{number}", (7, number), **{"loop/backing_file": file})
    return f"/dev/loop{number}"


def volume(linux: Linux) -> tuple[str, str]:
    linux.holds(linux.root / "sys/block/vda", linux.device("dm-1", (253, 1)))
    return "/dev/dm-1", "/dev/vda"


@pytest.mark.parametrize(
    "lay",
    [
        lambda linux: (loop(linux, 1, "/dev/vda"), "/dev/vda"),
        lambda linux: (loop(linux, 1, "/dev/vda1"), "/dev/vda1"),
        lambda linux: (loop(linux, 1, "/dev/sdb"), "/dev/sdb"),
        volume,
    ],
)
def test_what_would_write_another_disk_in_its_place_is_refused(
    linux: Linux, lay: Callable[[Linux], tuple[str, str]]
) -> None:
    """A loop over the system's disk has no mount, no holder, and is nobody's."""
    path, below = lay(linux)
    assert refused(path) == (USAGE, f"{path} is no disk, it lies on {below}: choose a disk.")


def test_a_loop_of_a_file_that_is_in_use_is_refused(linux: Linux) -> None:
    linux.name("/srv/a.img", stat.S_IFREG, inode=7)
    linux.name("/srv/same name.img", stat.S_IFREG, inode=7)  # a link to it, or the same mount twice
    linux.name("/srv/b.img", stat.S_IFREG, inode=8)
    free, used = loop(linux, 1, "/srv/same name.img"), loop(linux, 2, "/srv/a.img")
    other = loop(linux, 3, "/srv/b.img")
    assert disks.find(Path(free), NEEDED).path == Path(free)
    linux.mount("7:2", "/mnt")
    for path in (free, used):
        assert refused(path) == (
            USAGE, f"{path} is in use (/mnt): unmount what lies on it first."
        )  # fmt: skip
    assert disks.find(Path(other), NEEDED).path == Path(other)
    linux.swap("/srv/b.img")
    assert "is in use (swap)" in refused(other)[1]


def test_a_loop_of_the_image_itself_is_refused(linux: Linux) -> None:
    linux.name("/srv/wheel.img", stat.S_IFREG, inode=7)
    linux.name("/home/w.img", stat.S_IFREG, inode=7)
    path = loop(linux, 1, "/srv/wheel.img")
    assert refused(path, Path("/home/w.img")) == (
        USAGE, f"{path} is made of /home/w.img itself: choose a disk."
    )  # fmt: skip


def test_a_loop_whose_file_has_no_name_any_more_is_a_disk_like_any_other(linux: Linux) -> None:
    path = loop(linux, 1, "/tmp/gone (deleted)")
    assert disks.find(Path(path), NEEDED, Path("/tmp/gone (deleted)")).path == Path(path)


@pytest.mark.parametrize(
    ("path", "kind", "code", "why"),
    [
        ("/dev/zero", stat.S_IFCHR, USAGE, "is no disk: give the card's own name"),
        ("wheel.img", stat.S_IFREG, USAGE, "is no disk: give the card's own name"),
        ("/dev", stat.S_IFDIR, USAGE, "is no disk: give the card's own name"),
        ("/tmp/pipe", stat.S_IFIFO, USAGE, "is no disk: give the card's own name"),
        ("/dev/sdb1", None, USAGE, "is a partition: give the whole disk, /dev/sdb."),
        ("/dev/sdz", None, NO_DEVICE, "plug the card in, and look for its name with lsblk"),
    ],
)
def test_what_is_no_whole_disk_is_refused(
    linux: Linux, path: str, kind: int | None, code: int, why: str
) -> None:
    if kind is not None:
        linux.name(path, kind)
    found, said = refused(path)
    assert found == code and path in said and why in said


@pytest.mark.parametrize(
    ("files", "code", "why"),
    [
        ({"ro": "1"}, FAILED, "is read-only: slide the card's lock"),
        ({"size": "0"}, NO_DEVICE, "is a reader without a card"),
        ({"size": str(2 * GIB // 512)}, FAILED, "holds 2048 MiB, the image needs 4096"),
    ],
)
def test_a_card_that_cannot_take_the_image_is_refused(
    linux: Linux, files: dict[str, str], code: int, why: str
) -> None:
    for name, text in files.items():
        (linux.root / "sys/block/sdb" / name).write_text(text)
    found, said = refused(CARD)
    assert found == code and why in said


def test_a_node_that_nothing_is_behind_is_refused(linux: Linux) -> None:
    linux.name("/dev/sdy", stat.S_IFBLK, os.makedev(65, 128))
    assert refused("/dev/sdy") == (
        NO_DEVICE, "Nothing is behind /dev/sdy: plug the card in again."
    )  # fmt: skip


@pytest.mark.parametrize("path", ["round", "round/x", "wheel.img/x", "a\0b", "x" * 5000])
def test_a_path_that_leads_nowhere_is_one_sentence(tmp_path: Path, path: str) -> None:
    """A link to itself, a file taken for a folder, no name at all."""
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "wheel.img").touch()
    refused(tmp_path / path)
