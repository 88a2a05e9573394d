"""`cylindre image build`: what it refuses before it begins; and, where asked, all of it."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import boards
from firmware.lib import partitions
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.services.device import manifest
from firmware.services.update import bootenv
from tools.commands.image import command
from tools.image import boot, deb, firmware, inside, root

EPOCH = 1_790_000_000


def made_deb(folder: Path) -> Path:
    """A package that stands for the application: a command, and the user it runs as."""
    tree = folder / "deb"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(
        "Package: cylindre\nVersion: 0.1.0\nArchitecture: arm64\nDepends: python3\n"
        "Maintainer: Cylindre <nobody@localhost>\nDescription: stands for the application\n"
    )
    (tree / "usr/bin/cylindre").write_text("#!/bin/sh\necho cylindre\n")
    (tree / "usr/bin/cylindre").chmod(0o755)
    deb = folder / "cylindre.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-b", str(tree), str(deb)],
        check=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)},
    )
    return deb


def refusal(*options: str) -> Failure:
    result = CliRunner().invoke(command, ["build", *options])
    assert isinstance(result.exception, Failure), result.output
    return result.exception


@pytest.mark.parametrize("board", ["pi5", "roulette_ref"])
def test_a_board_that_no_image_is_made_for_is_refused(board: str, tmp_path: Path) -> None:
    failure = refusal("--board", board, "--deb", "x.deb", "--out", str(tmp_path / "a.img"))
    assert failure.exit_code == CONFIGURATION
    assert failure.sentence == (
        f"Images are made for pi4, cm4, zero2w; {board} is none of them (docs/image.md says why)."
    )


def test_every_real_board_but_the_pi_5_has_a_tree_and_its_buses() -> None:
    covered = {name for name in boards.NAMES if boards.load(name).get("model") in firmware.TREES}
    real = {name for name in boards.NAMES if boards.load(name)["provider"] == "pi"}
    assert real - covered == {name for name in real if boards.load(name)["model"] == "pi5"}
    for name in covered:
        assert "cylindre-uart0" in firmware.overlay(boards.load(name))


@pytest.mark.needs("dpkg-deb")
def test_what_cannot_become_an_image_is_one_sentence(tmp_path: Path) -> None:
    made, out = str(made_deb(tmp_path)), str(tmp_path / "a.img")
    pi4 = ("--board", "pi4")
    assert "There is no file gone.deb" in refusal(*pi4, "--deb", "gone.deb", "--out", out).sentence
    assert "is no Debian package" in refusal(*pi4, "--deb", __file__, "--out", out).sentence
    named = refusal(*pi4, "--deb", made, "--out", str(tmp_path / "a.iso")).sentence
    assert "a name that ends in .img" in named
    gone = refusal(*pi4, "--deb", made, "--out", str(tmp_path / "gone" / "a.img")).sentence
    assert "make it first" in gone
    keyring = refusal(*pi4, "--deb", made, "--out", out, "--keyring", __file__).sentence
    assert "is no certificate (PEM)" in keyring


def test_the_layout_holds_together() -> None:
    partitions.check()
    assert partitions.device("root-b") == "/dev/disk/by-partuuid/63796c31-06"


@pytest.mark.soak("image")
@pytest.mark.needs(
    *("arm64", "dpkg-deb", "mcopy", "mkfs.fat", "mkimage", "mksquashfs", "python3.11", "sfdisk")
)
def test_a_whole_image_is_the_same_twice_and_starts(tmp_path: Path) -> None:
    made, hashes = deb.build(tmp_path / "deb", "arm64"), []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.img"
        result = CliRunner().invoke(
            command, ["build", "--board", "pi4", "--deb", str(made), "--out", str(out)]
        )
        assert result.exit_code == 0, result.exception
        with out.open("rb") as file:
            hashes.append(hashlib.file_digest(file, "sha256").hexdigest())
    assert hashes[0] == hashes[1]
    # Slot B, empty, is on trial: it is tried once, and A starts.
    config = tmp_path / "house.toml"
    config.write_text('[wheel]\nboard = "roulette_ref"\n\n[bus]\nport = "/dev/ttyS0"\n')
    started = boot.start(
        tmp_path / "one.img",
        tmp_path,
        state=bootenv.text(bootenv.words(("B", "A"), {"A": partitions.TRIES, "B": 1})),
        config=config,
        questions=inside.questions(configured=True),
        patience_s=900,
    )
    assert b"cylindre: slot B does not start" in started.said
    assert b"cylindre: slot A (order B A, A 2, B 0, slots.env)" in started.said
    assert {step.what for step in started.reached} == {name for name, _ in boot.steps(config)}
    assert [answer for answer in started.answers if not answer.right] == []
    assert len(started.answers) == len(inside.questions(configured=True))


def test_the_manifest_of_an_image_has_what_the_image_adds(tmp_path: Path) -> None:
    """An inspector's list and the image's are the same: nothing of ours is besides."""
    added = tmp_path / "usr/lib/cylindre-image/grow"
    for path in (added, tmp_path / manifest.MANIFEST):
        path.parent.mkdir(parents=True)
        path.write_text("stands for software")
    root.write_manifest(tmp_path)
    listed = (tmp_path / manifest.MANIFEST).read_text()
    assert listed.endswith(" usr/lib/cylindre-image/grow\n")
    assert listed.count("\n") == 1
