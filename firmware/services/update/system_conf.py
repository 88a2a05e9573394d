"""RAUC's configuration of a wheel, /etc/rauc/system.conf, and what it calls there."""

from __future__ import annotations

from firmware.lib.partitions import SLOTS, device
from firmware.services.update import release
from firmware.services.update.slots import KEYRING, LIBEXEC, RAUC_STATE

BACKEND, PRE_INSTALL = "rauc-bootloader", "rauc-pre-install"  # two lines of shell each


def text(board: str) -> str:
    """Returns the file, for a wheel of that board."""
    parts = [
        "[system]",
        f"compatible={release.compatible(board)}",
        "bootloader=custom",
        # `plain` bundles are not checked again while they are read.
        "bundle-formats=verity",
        f"data-directory=/{RAUC_STATE}",
        "mountprefix=/run/rauc",
        "",
        "[keyring]",
        f"path=/{KEYRING}",
        # A certificate is judged at the time of the signature: the wheel's clock may be at 1970.
        "use-bundle-signing-time=true",
        "check-purpose=codesign",
        "",
        "[handlers]",
        f"bootloader-custom-backend=/{LIBEXEC}/{BACKEND}",
        f"pre-install=/{LIBEXEC}/{PRE_INSTALL}",
        "",
    ]
    for index, slot in enumerate(SLOTS):
        parts += [
            f"[slot.rootfs.{index}]",
            f"device={device(slot.root.name)}",
            "type=raw",
            f"bootname={slot.bootname}",
            "",
            f"[slot.boot.{index}]",
            f"device={device(slot.boot.name)}",
            "type=raw",
            f"parent=rootfs.{index}",
            "",
        ]
    return "\n".join(parts)


def scripts(command: str = "cylindre") -> dict[str, str]:
    """Returns what RAUC calls, by name; `command` starts our own."""
    return {
        BACKEND: f'#!/bin/sh\nexec {command} update rauc bootloader "$@"\n',
        PRE_INSTALL: f"#!/bin/sh\nexec {command} update rauc pre-install\n",
    }
