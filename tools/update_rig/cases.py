"""What the suite does to the machine: each case a function that returns what was wrong."""

from __future__ import annotations

import datetime
import json
import random
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib import programs
from firmware.lib.partitions import STATE_FILE, Slot, partition
from firmware.services.update import bootenv, bundle, keys
from firmware.services.update.release import Release
from tools.update_rig import card as cards
from tools.update_rig import inside, machine, root
from tools.update_rig.machine import Cut, Ran

BOARD, OTHER_BOARD = "roulette_ref", "boule_ref"
POWER = "power.so"
OLD, NEW, BETWEEN = "1.0.0", "2.0.0", "1.5.0"
_OK = "check=true"
_LONG_AGO = datetime.timedelta(days=900)  # a signing certificate holds for 730


class Bench(NamedTuple):
    """What all cases share, read-only: images by version, bundles by name, the card as flashed."""

    folder: Path
    card: Path
    tried: Path  # the same card, with the new version installed and not started yet

    def image(self, version: str, kind: str) -> Path:
        """The image of a `root` or `boot` partition."""
        return self.folder / f"{version}.{kind}"

    def bundle(self, name: str) -> str:
        """Where a bundle lies, as the machine sees it."""
        return f"/run/host{self.folder / name}.raucb"


def lay(folder: Path) -> Bench:
    """Makes keys, images, bundles good and bad, and two cards. Raises Failure."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    keys.make(folder / "ours", now=now)
    keys.make(folder / "theirs", now=now)
    keys.make(folder / "expired", now=now - _LONG_AGO)
    trusted = (folder / "ours" / keys.AUTHORITY).read_text()
    # The authority holds for long; what it signed with has expired meanwhile.
    both = folder / "keyring.pem"
    both.write_text(trusted + (folder / "expired" / keys.AUTHORITY).read_text())
    for version in (OLD, NEW, BETWEEN):
        root.lay(folder / version, Release(version, BOARD), both)
        programs.run("mksquashfs", folder / version, folder / f"{version}.root", "-quiet",
                     "-noappend", "-comp", "zstd", "-no-progress")  # fmt: skip
        cards.boot_image(folder / f"{version}.boot", version)
    for name, version, signer in (
        ("old", OLD, "ours"), ("new", NEW, "ours"), ("between", BETWEEN, "ours"),
        ("foreign", NEW, "theirs"), ("expired", NEW, "expired"),
    ):  # fmt: skip
        _bundle(folder, name, Release(version, BOARD), signer)
    _bundle(folder, "board", Release(NEW, OTHER_BOARD), "ours")
    _spoil(folder)
    source = Path(__file__).with_name("power.c")
    programs.run("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", folder / POWER, source)
    bench = Bench(folder, folder / "card", folder / "tried")
    cards.make(bench.card, root=bench.image(OLD, "root"), boot=bench.image(OLD, "boot"))
    return bench


def _bundle(folder: Path, name: str, made: Release, signer: str) -> None:
    image = folder / f"{made.version}.root"
    if made.board != BOARD:
        image = folder / "other-root"
        image.mkdir()
        (image / "payload").write_bytes(random.Random(made.board).randbytes(1 << 16))
    held = folder / signer
    parts = bundle.Parts(
        image, folder / f"{made.version}.boot", held / keys.KEY, held / keys.CERTIFICATE
    )
    bundle.make(folder / f"{name}.raucb", made, parts)


def _spoil(folder: Path) -> None:
    """Bundles that are cut short or altered, and one whose signature tells no time."""
    good = (folder / "new.raucb").read_bytes()
    size = int.from_bytes(good[-8:], "big")  # RAUC: the signature's length ends the file
    signature_at = len(good) - 8 - size
    (folder / "torn.raucb").write_bytes(good[: len(good) // 2])
    (folder / "end-torn.raucb").write_bytes(good[:-10])
    (folder / "empty.raucb").write_bytes(b"")
    (folder / "text.raucb").write_bytes(b"This is no bundle. " * 100)
    tree = int(_word(_manifest(good[signature_at:-8]), "verity-size"))  # it ends where that begins
    for name, at in (
        ("altered", signature_at + size - 40), ("damaged", signature_at // 2),
        ("first-block", 40), ("tree", signature_at - tree + 100),
    ):  # fmt: skip
        spoiled = bytearray(good)
        spoiled[at] ^= 0x40
        (folder / f"{name}.raucb").write_bytes(spoiled)
    manifest = _manifest(good[signature_at:-8])
    forged = {name: _signed(folder, change(manifest)) for name, change in _TRICKS.items()}
    forged["timeless"] = _signed(folder, manifest, "-noattr")
    for name, signature in forged.items():
        (folder / f"{name}.raucb").write_bytes(
            good[:signature_at] + signature + len(signature).to_bytes(8, "big")
        )


def _word(manifest: bytes, key: str) -> str:
    """The value of that key."""
    found: str = re.findall(rf"(?m)^{key}=(.*)$", manifest.decode())[0]
    return found


def _set(key: str, value: str) -> Callable[[bytes], bytes]:
    """A change of a manifest: that key, wherever it stands, gets another value."""
    return lambda manifest: re.sub(rf"(?m)^{key}=.*$", f"{key}={value}", manifest.decode()).encode()


# What a manifest says that somebody made who has the right key, and what is not ours.
_TRICKS: dict[str, Callable[[bytes], bytes]] = {
    "path": _set("filename", "../../../../etc/passwd"),
    "class": lambda manifest: manifest.replace(b"[image.boot]", b"[image.appfs]"),
    "hook": lambda manifest: manifest + b"\n[hooks]\nfilename=h\nhooks=install-check\n",
    "root-hash": _set("verity-hash", "0" * 64),
    "tree-size": _set("verity-size", "4096000000000"),
}


def _manifest(signature: bytes) -> bytes:
    """What was signed."""
    return subprocess.run(
        ["openssl", "cms", "-verify", "-noverify", "-inform", "DER"],
        input=signature, capture_output=True, check=True,
    ).stdout  # fmt: skip


def _signed(folder: Path, manifest: bytes, *options: str) -> bytes:
    """A manifest, signed with the right key; `-noattr`: without any signed attribute."""
    held = folder / "ours"
    return subprocess.run(
        ["openssl", "cms", "-sign", "-nodetach", "-binary", "-outform", "DER", *options,
         "-signer", held / keys.CERTIFICATE, "-inkey", held / keys.KEY],
        input=manifest, capture_output=True, check=True,
    ).stdout  # fmt: skip


def start(
    card: Path, *tasks: Sequence[str], cut: Cut | None = None, reset_s: float | None = None
) -> Ran:
    """One start of that card, which does these tasks."""
    words: list[str] = []
    for task in tasks:
        words += [*(["--"] if words else []), *task]
    job = ["-m", inside.__name__, *words]
    return machine.start(card, card.with_suffix(".out"), job, cut=cut, reset_s=reset_s)


def install(bench: Bench, name: str) -> list[str]:
    """The task."""
    return ["run", "cylindre", "update", "install", bench.bundle(name), "--json"]


SETTLE = ["settle", _OK]
HANG = ["hang"]
STATUS = ["run", "cylindre", "update", "status", "--json"]
BEGIN = ["begin"]


def settled(ran: Ran) -> dict[str, Any]:
    """What the start decided."""
    return next((each["settled"] for each in ran.told if "settled" in each), {})


def runs(ran: Ran) -> list[dict[str, Any]]:
    """What was run, and what it said."""
    return [each for each in ran.told if "ran" in each]


def is_whole(bench: Bench, card: Path, slot: Slot, version: str) -> list[str]:
    """Whether both partitions of a slot are that version, to the byte."""
    pairs = ((slot.root, "root"), (slot.boot, "boot"))
    return [
        f"{where.name} is not {version} to the byte"
        for where, kind in pairs
        if not cards.holds(card, partition(where.name), bench.image(version, kind))
    ]


def expect(ran: Ran, slot: str, version: str, *, kept: bool = True) -> list[str]:
    """What a start should have decided."""
    found = settled(ran)
    want = {"slot": slot, "version": version, "kept": kept}
    if {key: found.get(key) for key in want} == want:
        return []
    return [f"{want} was expected, and {ran.told or 'nothing'} told"]


def starts_next(card: Path) -> str | None:
    """The slot that the firmware would start."""
    order, left = bootenv.choice(bootenv.parse(cards.read_word_file(card, STATE_FILE)) or {})
    return next((name for name in order if left[name]), None)


def answer(told: dict[str, Any]) -> dict[str, Any]:
    """What a command printed with --json."""
    try:
        found: dict[str, Any] = json.loads(told["out"])
    except ValueError:
        return {}
    return found


Case = Callable[[Bench, Path], list[str]]
