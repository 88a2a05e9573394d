"""The slots of a device (firmware/lib/partitions.py) and where what updates need lies in it."""

from __future__ import annotations

from pathlib import Path

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import N_
from firmware.lib.partitions import DATA_FOLDER, FIRMWARE_FOLDER, SLOTS, Slot

FIRMWARE = Path(FIRMWARE_FOLDER.lstrip("/"))
STATE = Path(DATA_FOLDER.lstrip("/")) / "update"  # root's alone: the controller's user cannot
RAUC_STATE = Path(DATA_FOLDER.lstrip("/")) / "rauc"
RELEASE = Path("usr/share/cylindre/release.json")  # in each root slot: what software it is
RAUC_CONF = Path("etc/rauc/system.conf")
KEYRING = Path("etc/rauc/keyring.pem")  # the authority whose bundles this wheel takes
LIBEXEC = Path("usr/libexec/cylindre")  # what RAUC calls
LOCK = Path("run/cylindre-update.lock")
MACHINE = Path("/")
_COMMAND_LINE = Path("proc/cmdline")
_WORD = "rauc.slot="


def named(name: str) -> Slot | None:
    """Returns the slot of that name."""
    return next((slot for slot in SLOTS if slot.bootname == name), None)


def other(slot: Slot) -> Slot:
    """Returns the slot that is not this one."""
    return next(each for each in SLOTS if each is not slot)


def booted(root: Path = MACHINE) -> Slot | None:
    """Returns the slot this machine runs from; None on a machine that has none."""
    try:
        words = (root / _COMMAND_LINE).read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return None
    found = [word.removeprefix(_WORD) for word in words if word.startswith(_WORD)]
    return named(found[-1]) if found else None


def running_slot(root: Path) -> Slot:
    """Returns the slot this machine runs from. Raises Failure: it takes no updates."""
    here = booted(root)
    if here is None:
        text = N_(
            "This machine was not started from a slot of a wheel's card: it takes no updates."
        )
        raise Failure(FAILED, text)
    return here
