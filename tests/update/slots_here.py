"""A machine in a folder, as the tests of updates start it and look at it."""

import configparser
from pathlib import Path

from firmware.lib.partitions import SLOTS, STATE_COPY, STATE_FILE, Slot
from firmware.services.update import bootenv, rauc_calls, release, state
from firmware.services.update.release import Release
from firmware.services.update.slots import FIRMWARE, RAUC_STATE, RELEASE, named
from firmware.services.update.state import Known
from tools.update_rig.machine import count_start

BOARD = "roulette_ref"


def runs(root: Path, slot: str, version: str) -> None:
    """As if that slot had been started, with that version in it."""
    (root / "proc/cmdline").write_text(f"root=/dev/x rauc.slot={slot} quiet\n")
    (root / RELEASE).write_text(release.text(Release(version, BOARD)))


def starts(root: Path) -> str:
    """What U-Boot does: the slot that starts, one of its starts used up."""
    slot, words = count_start(bootenv.read(root))
    for file in (STATE_FILE, STATE_COPY):
        (root / FIRMWARE / file).write_bytes(bootenv.text(words))
    return slot.bootname


def wrote(root: Path, status: str = "ok", slot: Slot = SLOTS[1]) -> None:
    """RAUC's own note of a slot: `update` while it writes, `ok` once that is whole."""
    path, index = root / RAUC_STATE / "central.raucs", SLOTS.index(slot)
    noted = configparser.ConfigParser()
    noted.read(path)
    for kind in ("rootfs", "boot"):
        noted[f"slot.{kind}.{index}"] = {"status": status}
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        noted.write(file)


def installs(root: Path, version: str = "2.0.0") -> None:
    """What RAUC asks while it installs a bundle into B."""
    slot = named("B")
    assert slot is not None
    rauc_calls.withdraw(root, slot)
    state.save(root, state.load(root)._replace(incoming=version))
    wrote(root)
    rauc_calls.arm(root, slot)


def known(root: Path, name: str) -> Known:
    slot = named(name)
    assert slot is not None
    return state.load(root).of(slot)
