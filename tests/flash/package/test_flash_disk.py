"""`cylindre flash IMAGE DEVICE` on loop devices: what it writes, and what it refuses."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flashing import MIB
from small_card import with_firmware

from firmware.keys import folder as keys
from firmware.keys import people
from firmware.lib import partitions
from tools.image import blockmap
from tools.testing import machine

Flash = Callable[..., subprocess.CompletedProcess[str]]
Loop = Callable[..., Path]
pytestmark = pytest.mark.needs("loop devices")


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What it ended with: one line after the progress, and no traceback."""
    lines = [line for line in done.stderr.splitlines() if not line.endswith(" %")]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


def content(disk: Path, size: int) -> bytes:
    subprocess.run(["blockdev", "--flushbufs", str(disk)], check=True)
    with disk.open("rb") as file:
        return file.read(size)


@pytest.mark.smoke
def test_what_is_mapped_is_written_and_nothing_else(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(
        rf"{disk}: 20 MiB written in .* and read back in .*\. It can be unplugged\.\n", done.stdout
    )
    assert "writing: 100 %" in done.stderr
    assert "reading back: 100 %" in done.stderr
    wrote, source, free = content(disk, 64 * MIB), image.read_bytes(), 0
    for each in blockmap.parse(blockmap.path_of(image).read_bytes()).ranges:
        assert wrote[free : each.offset] == b"\xaa" * (each.offset - free)
        free = each.offset + each.size
        assert wrote[each.offset : free] == source[each.offset : free]
    assert wrote[free:] == b"\xaa" * (64 * MIB - free)


def test_json_is_all_there_is_on_standard_output(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes", "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"act": "writing", "percent": 100} in told
    assert (told[-1]["flashed"], told[-1]["bytes"]) == (str(disk), 20 * MIB + 4096 + 12_288)
    assert done.stderr == ""


def test_a_dry_run_checks_and_writes_nothing(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    done = flash(image, disk, "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Would write 20 MiB to {disk} (")
    assert content(disk, 64 * MIB) == b"\xaa" * (64 * MIB)


def test_nobody_to_ask_means_no(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    done = flash(image, disk)
    assert done.returncode == 2
    assert one_sentence(done) == f"All on {disk} would be lost: say --yes if that is meant."
    assert content(disk, MIB) == b"\xaa" * MIB


def test_a_disk_that_is_too_small_is_refused(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(47 * MIB)
    done = flash(image, disk, "--yes")
    assert done.returncode == 1
    assert one_sentence(done) == f"{disk} holds 47 MiB, the image needs 48: take a bigger card."


def test_a_read_only_disk_is_refused(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB, "--read-only")
    done = flash(image, disk, "--yes")
    assert done.returncode == 1
    assert one_sentence(done).startswith(f"{disk} is read-only: ")


@pytest.fixture
def mounted(loop: Loop, tmp_path: Path, needs: Callable[..., None]) -> Iterator[tuple[Path, Path]]:
    needs("mkfs.ext4")
    disk, place = loop(64 * MIB), tmp_path / "mounted here"
    place.mkdir()
    subprocess.run(["mkfs.ext4", "-q", str(disk)], check=True)
    subprocess.run(["mount", str(disk), str(place)], check=True)
    yield disk, place
    subprocess.run(["umount", str(place)], check=True)


def test_a_mounted_disk_is_refused_and_keeps_its_files(
    flash: Flash, image: Path, mounted: tuple[Path, Path]
) -> None:
    disk, place = mounted
    (place / "kept").write_text("kept")
    done = flash(image, disk, "--yes")
    assert done.returncode == 2
    assert one_sentence(done).startswith(f"{disk} is in use ({place}): unmount")
    assert (place / "kept").read_text() == "kept"


def test_a_disk_that_another_program_holds_is_refused(
    flash: Flash, image: Path, loop: Loop
) -> None:
    disk = loop(64 * MIB)
    handle = os.open(disk, os.O_RDWR | os.O_EXCL)
    try:
        done = flash(image, disk, "--yes")
    finally:
        os.close(handle)
    assert done.returncode == 2
    assert "in use by another program" in one_sentence(done)
    assert content(disk, MIB) == b"\xaa" * MIB


def system_disk() -> str:
    """The disk below the root of this machine."""
    node = machine.root_device().resolve()
    return f"/dev/{node.parent.name if (node / 'partition').exists() else node.name}"


@pytest.mark.needs("root on a disk")
def test_the_disk_this_machine_runs_from_is_refused(flash: Flash, image: Path) -> None:
    disk = system_disk()
    done = flash(image, disk, "--dry-run")  # nothing is written, should it be taken
    assert done.returncode == 2
    assert one_sentence(done) == f"{disk} is a disk this machine runs from: choose another."


@pytest.mark.needs("sfdisk", "partitions of loop devices")
def test_a_partition_is_refused_and_its_disk_is_named(
    flash: Flash, image: Path, loop: Loop
) -> None:
    disk = loop(64 * MIB)
    table = "label: dos\nstart=2048, size=120000\n"
    subprocess.run(["sfdisk", "-q", str(disk)], input=table, text=True, check=True)
    # No --partscan: a machine without udev or with max_part=0 makes the node by this call alone.
    subprocess.run(["partx", "-a", str(disk)], check=True, capture_output=True)
    node = Path(f"/sys/class/block/{disk.name}p1")
    major, minor = map(int, (node / "dev").read_text().split(":"))
    part = image.with_name("part")
    os.mknod(part, 0o600 | 0o060000, os.makedev(major, minor))
    done = flash(image, part, "--dry-run")
    subprocess.run(["partx", "-d", str(disk)], check=True)
    assert done.returncode == 2
    assert one_sentence(done) == f"{part} is a partition: give the whole disk, {disk}."


@pytest.mark.parametrize(
    ("device", "code", "why"),
    [
        ("/dev/nothing-there", 3, "There is no /dev/nothing-there: plug the card in"),
        ("/dev/null", 2, "/dev/null is no disk"),
        ("wheel.img", 2, "wheel.img is no disk"),
    ],
)
def test_what_is_no_disk_is_refused(
    flash: Flash, image: Path, device: str, code: int, why: str
) -> None:
    done = flash(image, device, "--yes")
    assert done.returncode == code
    assert one_sentence(done).startswith(why)


@pytest.mark.needs("root on a disk")
@pytest.mark.parametrize("links", [1, 2])
def test_a_link_to_the_systems_disk_is_refused(flash: Flash, image: Path, links: int) -> None:
    """As those of /dev/disk/by-id are."""
    link = Path(system_disk())
    for count in range(links):
        link, before = image.with_name(f"by-id-{count}"), link
        link.symlink_to(before)
    done = flash(image, link, "--dry-run")
    assert done.returncode == 2
    assert one_sentence(done) == f"{link} is a disk this machine runs from: choose another."


def test_a_loop_over_a_disk_is_refused_and_the_disk_is_kept(
    flash: Flash, image: Path, loop: Loop
) -> None:
    """It is another disk by its number: what is mounted from the one below is not seen on it."""
    below = loop(64 * MIB)
    words = ["losetup", "--show", "-f", str(below)]
    above = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    try:
        done = flash(image, above, "--yes")
    finally:
        subprocess.run(["losetup", "-d", above], check=True)
    assert done.returncode == 2
    assert one_sentence(done) == f"{above} is no disk, it lies on {below}: choose a disk."
    assert content(below, 64 * MIB) == b"\xaa" * (64 * MIB)


def test_a_second_loop_of_a_mounted_file_is_refused_and_its_files_are_kept(
    flash: Flash, image: Path, mounted: tuple[Path, Path]
) -> None:
    disk, place = mounted
    (place / "kept").write_text("kept")
    os.sync()
    file = Path(f"/sys/block/{disk.name}/loop/backing_file").read_text().strip()
    words = ["losetup", "--show", "-f", file]
    other = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    try:
        done = flash(image, other, "--yes")
    finally:
        subprocess.run(["losetup", "-d", other], check=True)
    assert done.returncode == 2
    assert one_sentence(done) == f"{other} is in use ({place}): unmount what lies on it first."
    subprocess.run(["mount", "-o", "remount", str(place)], check=True)
    assert (place / "kept").read_text() == "kept"


def test_an_image_is_not_written_over_itself(flash: Flash, image: Path) -> None:
    """Its first range is wiped before it is read: nothing would be left of it."""
    before = image.read_bytes()
    words = ["losetup", "--show", "-f", str(image)]
    loop = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    try:
        done = flash(image, loop, "--yes")
        content(Path(loop), 512)
    finally:
        subprocess.run(["losetup", "-d", loop], check=True)
    assert done.returncode == 2
    assert one_sentence(done) == f"{loop} is made of {image} itself: choose a disk."
    assert image.read_bytes() == before


def test_a_disk_that_was_exchanged_between_the_last_look_and_the_write_is_not_written(
    image: Path, loop: Loop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link that udev points elsewhere, just before it is opened."""
    from tools import cli
    from tools.image import writing

    asked, other = loop(64 * MIB), loop(64 * MIB)
    link, opened = image.with_name("by-id"), writing.opened
    link.symlink_to(asked)

    def points_elsewhere(path: Path) -> Any:
        link.unlink()
        link.symlink_to(other)
        return opened(other if path == link else path)

    monkeypatch.setattr(writing, "opened", points_elsewhere)
    assert cli.main(["flash", str(image), str(link), "--yes"]) == 2
    said = capsys.readouterr().err
    assert said == f"{link} is another disk now: nothing was written. Begin again.\n"
    for disk in (asked, other):
        assert content(disk, 64 * MIB) == b"\xaa" * (64 * MIB)


@pytest.mark.needs("numbered disks")
def test_the_same_loop_with_another_file_in_it_is_another_disk(
    image: Path, loop: Loop, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a card of the same kind, put into the same reader while somebody is asked."""
    from tools import cli
    from tools.image import writing

    asked, opened = loop(64 * MIB), writing.opened
    kept = image.with_name("another card")
    kept.write_bytes(b"\x55" * (64 * MIB))

    def exchanged(path: Path) -> Any:
        subprocess.run(["losetup", "-d", str(asked)], check=True)
        subprocess.run(["losetup", str(asked), str(kept)], check=True)
        return opened(path)

    monkeypatch.setattr(writing, "opened", exchanged)
    assert cli.main(["flash", str(image), str(asked), "--yes"]) == 2
    assert "is another disk now: nothing was written" in capsys.readouterr().err
    assert content(asked, 64 * MIB) == b"\x55" * (64 * MIB)


def test_a_pipe_as_image_or_as_map_is_not_waited_for(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    pipe = image.with_name("pipe.img")
    os.mkfifo(pipe)
    for given in (pipe, image):
        done = flash(given, disk, "--yes")
        assert done.returncode != 0
        assert str(image.parent) in one_sentence(done)
        blockmap.path_of(image).unlink(missing_ok=True)
        os.mkfifo(blockmap.path_of(image))
        assert content(disk, MIB) == b"\xaa" * MIB


def test_a_damaged_image_is_found_and_nothing_starts_from_the_disk(
    flash: Flash, image: Path, loop: Loop
) -> None:
    with image.open("r+b") as file:
        file.seek(21 * MIB)
        file.write(b"damaged")
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes")
    assert done.returncode == 1
    assert one_sentence(done).startswith("The image is damaged at 20 MiB: copy it again")
    assert content(disk, 512) == bytes(512)  # no table


@pytest.mark.parametrize("cut", [0, 1000])
def test_an_image_that_was_not_copied_whole_is_refused_before(
    flash: Flash, image: Path, loop: Loop, cut: int
) -> None:
    os.truncate(image, cut)
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes")
    assert done.returncode == 1
    assert "is not whole" in one_sentence(done)
    assert content(disk, MIB) == b"\xaa" * MIB


def test_without_its_map_an_image_is_not_written(flash: Flash, image: Path, loop: Loop) -> None:
    blockmap.path_of(image).unlink()
    done = flash(image, loop(64 * MIB), "--yes")
    assert done.returncode == 2
    assert "wheel.bmap is missing" in one_sentence(done)


@pytest.mark.parametrize("name", ["wheel.img.xz", "cylindre.deb", "wheel.bmap", "notes.txt"])
def test_a_file_that_is_no_image_is_refused_before(
    flash: Flash, image: Path, loop: Loop, name: str
) -> None:
    wrong = image.with_name(name)
    if not wrong.exists():
        wrong.write_bytes(b"something else " * 1000)
    disk = loop(64 * MIB)
    done = flash(wrong, disk, "--yes")
    assert done.returncode == 2
    assert one_sentence(done).startswith(f"{wrong} is no image of a card: give the .img file")
    assert content(disk, MIB) == b"\xaa" * MIB


def test_a_folder_or_nothing_is_no_image(flash: Flash, image: Path, loop: Loop) -> None:
    disk = loop(64 * MIB)
    for wrong in (image.parent, image.with_name("gone.img")):
        done = flash(wrong, disk, "--yes")
        assert done.returncode == 2
        assert one_sentence(done).startswith(f"There is no image {wrong}: ")


@pytest.fixture
def shallow(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for 12 MiB: a disk in it takes no more, whatever it promises."""
    place = tmp_path / "shallow"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12M", "none", str(place)], check=True)
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_that_fails_in_the_middle_is_told_half_written(
    flash: Flash, image: Path, loop: Loop, shallow: Path
) -> None:
    disk = loop(64 * MIB, at=shallow)
    done = flash(image, disk, "--yes")
    assert done.returncode == 1
    said = one_sentence(done)
    assert said.startswith("The disk "), said
    assert said.endswith("What is on it is half written and starts nothing: flash it again.")
    assert "writing: 10 %" in done.stderr
    assert "writing: 100 %" not in done.stderr


def test_a_disk_that_loses_what_was_written_is_found_when_read_back(
    image: Path, loop: Loop, tmp_path: Path
) -> None:
    from firmware.lib.errors import Failure
    from tools.image import writing

    disk = loop(64 * MIB)
    found = blockmap.parse(blockmap.path_of(image).read_bytes())
    with writing.opened(disk) as handle:
        writing.write(handle, image, found, lambda count: None)
        writing.verify(handle, found, lambda count: None)
        os.pwrite(handle, image_block(image), 22 * MIB)
        with pytest.raises(Failure) as failure:
            writing.verify(handle, found, lambda count: None)
    assert "does not give back what was written, at 20 MiB" in failure.value.sentence


def image_block(image: Path) -> memoryview:
    """4 KiB that O_DIRECT takes."""
    import mmap

    block = memoryview(mmap.mmap(-1, 4096))
    block[:] = image.read_bytes()[:4096]
    return block


@pytest.fixture
def whole_image(image: Path, needs: Callable[..., None]) -> Path:
    """Larger, with the partition that takes a first configuration."""
    needs("mkfs.fat", "mcopy")
    return with_firmware(image)


def test_a_first_configuration_lies_on_the_card_when_it_is_done(
    flash: Flash, whole_image: Path, loop: Loop
) -> None:
    wheel = whole_image.with_name("house.toml")
    wheel.write_text('[wheel]\nboard = "roulette_ref"\n')
    disk = loop(80 * MIB)
    done = flash(whole_image, disk, "--yes", "--config", wheel)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"It takes {wheel} when it first starts.\n")
    assert on_card(disk, "wheel.toml") == wheel.read_bytes()


def on_card(disk: Path, name: str) -> bytes:
    """A file of the first configuration that lies on a flashed disk."""
    place = f"{disk}@@{partitions.partition('firmware').start_mib}M"
    words = ["mtype", "-i", place, f"::first/{name}"]
    return subprocess.run(words, capture_output=True, check=True).stdout


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with all that a wheel can be given."""
    folder = tmp_path / "table-3"
    (folder / "conf.d").mkdir(parents=True)
    (folder / "wheel.toml").write_text('[wheel]\nboard = "pi4"\n[bus]\ndisplays = 2\n')
    (folder / "conf.d/10-house.toml").write_text('[confirm]\nmode = "croupier"\n')
    keys.provision(folder / "keys", displays=2)
    person = people.encode(people.enrol("anna", "supervisor", "246813"))
    (folder / "people.jsonl").write_bytes(person)
    (folder / ".DS_Store").write_bytes(b"a Mac's")
    return folder


def test_a_folder_lies_on_the_card_with_its_keys_and_people(
    flash: Flash, whole_image: Path, loop: Loop, house: Path
) -> None:
    disk = loop(80 * MIB)
    done = flash(whole_image, disk, "--yes", "--config", house)
    assert (done.returncode, done.stdout.count(str(house))) == (0, 1), done.stderr
    names = [str(path.relative_to(house)) for path in house.rglob("*") if path.is_file()]
    assert len(names) == 8
    for name in names:
        if not name.startswith("."):
            assert on_card(disk, name) == (house / name).read_bytes()
    with pytest.raises(subprocess.CalledProcessError):
        on_card(disk, ".DS_Store")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("wheel.toml", '[wheel]\nboard = "pi4"\n[game]\nrules = "boule_fr"\n', "wheel.toml:4: "),
        ("wheel.toml", '[wheel]\nid = "a"\n', "wheel.toml: board is missing"),
        ("wheel.toml", '[wheel]\nboard = "pi4"\n[people]\nfile = "a"\n', "leave it out"),
        ("wheel.toml", '[wheel]\nboard = "pi4"\n[bus]\ndisplays = 3\n', "display-03.key"),
        (
            "wheel.toml",
            '[wheel]\nboard = "vingt_trois_pi4"\n[game]\nlayout = "cases.toml"\n',
            "wheel.toml:4: layout: lay cases.toml beside wheel.toml",
        ),
        (
            "wheel.toml",
            '[wheel]\nboard = "vingt_trois_pi4"\n[game]\nlayout = "/etc/hostname"\n',
            "wheel.toml:4: layout: lay /etc/hostname beside wheel.toml",
        ),
        ("people.json", "{}", "people.json: a wheel takes"),
        ("conf.d/20.toml", "[wheel\n", "conf.d/20.toml:1"),
        ("people.jsonl", "anna\n", "people.jsonl:1: this is not JSON"),
    ],
)
def test_a_folder_that_the_wheel_would_refuse_is_refused_before(
    flash: Flash, image: Path, loop: Loop, house: Path, name: str, text: str, why: str
) -> None:
    (house / name).write_text(text)
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes", "--config", house)
    assert done.returncode == 4, done.stderr
    assert why in one_sentence(done)
    assert content(disk, MIB) == b"\xaa" * MIB


@pytest.mark.needs("mcopy")
def test_what_the_device_has_in_its_own_places_is_not_looked_for_on_the_laptop(
    flash: Flash, image: Path, loop: Loop, house: Path
) -> None:
    with (house / "wheel.toml").open("a") as file:
        file.write('keys = "/var/lib/cylindre/keys"\n')
        file.write('[people]\nfile = "/var/lib/cylindre/people.jsonl"\n')
    done = flash(image, loop(64 * MIB), "--dry-run", "--config", house)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[wheel]\nboard = "pi3"\n', "pi3"),
        ("[wheel\n", "house.toml"),
        ("\0\xff", "house.toml"),
        (None, "Give a file that can be read"),
        ('[wheel]\nboard = "pi4"\n[game]\nrules = "boule_fr"\n', "house.toml:4: "),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_before(
    flash: Flash, image: Path, loop: Loop, text: str | None, why: str
) -> None:
    wheel = image.with_name("house.toml")
    if text is not None:
        wheel.write_bytes(text.encode("latin-1"))
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes", "--config", wheel)
    assert done.returncode == 4, done.stderr
    assert why in one_sentence(done)
    assert content(disk, MIB) == b"\xaa" * MIB


@pytest.mark.needs("mcopy")
def test_an_image_without_room_for_a_configuration_says_so(
    flash: Flash, image: Path, loop: Loop
) -> None:
    wheel = image.with_name("house.toml")
    wheel.write_text('[wheel]\nboard = "roulette_ref"\n')
    disk = loop(64 * MIB)
    done = flash(image, disk, "--yes", "--config", wheel)
    assert done.returncode == 1
    assert one_sentence(done).startswith(f"The configuration could not be put on {disk} (")
