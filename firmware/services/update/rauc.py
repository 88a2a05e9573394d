"""RAUC, as we use it: what a bundle is, and its installation. Its reasons as our sentences."""

from __future__ import annotations

import configparser
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.lib.errors import FAILED, NO_DEVICE, USAGE, Failure, of_file
from firmware.lib.language import N_, Message
from firmware.lib.named_file import open_named
from firmware.lib.partitions import MIB, SLOTS, Slot
from firmware.services.update.release import PREFIX, Release, parse_version
from firmware.services.update.slots import RAUC_CONF, RAUC_STATE

# What it holds fits a slot; a signature and hash trees are small beside it.
BUNDLE_MAX = (SLOTS[0].root.size_mib + SLOTS[0].boot.size_mib + 64) * MIB  # bytes
_INFO_S = 60.0  # reads the end of a file; a card that takes longer is broken
_TAIL = 300  # characters
# The images of a bundle, by the slot that each is for (system_conf.py), and the files they are.
IMAGES = {"rootfs": "root.img", "boot": "boot.img"}
_SIZES = {"rootfs": SLOTS[0].root.size_mib * MIB, "boot": SLOTS[0].boot.size_mib * MIB}
_NOTES = "central.raucs"
# What RAUC 1.8 and the OpenSSL 3 below it say, and what that means here; the first that fits.
_MEANS = (
    (r"certificate has expired",
     Message("The bundle was signed with a certificate that had expired. Have it signed"
" with one that holds.")),
    (r"certificate is not yet valid",
     Message("The bundle was signed before its certificate held. Set the clock where it is"
" signed, and sign it again.")),
    (r"local issuer certificate|self.signed certificate|certificate signature failure",
     Message("The bundle is signed by somebody this wheel does not know. Get it from who"
" makes its software.")),
    (r"unsupported certificate purpose|purpose",
     Message("The bundle is signed with a certificate that is not for updates. Have it"
" signed with one that is.")),
    (r"signature verification failed|signature failure|digest failure|parse signature",
     Message("The bundle's signature is not right: it is damaged or forged. Copy it again.")),
    (r"Invalid bundle|exceeds bundle size|not a valid|identifier|squashfs",
     Message("This is no whole bundle: it is cut short, or something else. Copy it again.")),
    (r"Failed to load manifest|format '?\w+'? not allowed",
     Message("The bundle's manifest is none that this wheel takes. Have it made with cylindre"
" update make.")),
    (r"Compatible mismatch",
     Message("The bundle is for another board. Get the one for this wheel.")),
    # Where it could say why, installing.install tells that instead.
    (r"Pre-install handler error",
     Message("This wheel's own check of the bundle came to no end. journalctl -u rauc says"
" more.")),
    (r"dm table|Input/output error|hash mismatch|checksum|Failed to copy|failed to read|splice",
     Message("The bundle is damaged, or the card cannot be written: the running software"
" stays as it is. Copy the bundle again; if that does not help, change the"
" card.")),
    (r"No space left",
     Message("There is no room for it. Look at what fills the data partition.")),
    (r"Already processing a different method|rauc busy",
     Message("An update is being installed already. Wait until it is done.")),
    (r"ServiceUnknown|was not provided by any .service|D-Bus error|Could not connect",
     Message("RAUC's service does not run on this machine. Start it: systemctl start"
" rauc.service.")),
)  # fmt: skip


def want_file(bundle: Path) -> None:
    """Checks that it is a file that a bundle may be: RAUC would wait for a pipe. Raises Failure."""
    try:
        os.close(open_named(bundle, size_max=BUNDLE_MAX))
    except OSError as error:
        raise of_file(bundle, error, USAGE) from None


def info(bundle: Path, root: Path) -> Release:
    """Returns what a bundle is, its signature verified. Raises Failure."""
    want_file(bundle)
    command = ["rauc", f"--conf={root / RAUC_CONF}", "info", "--output-format=json"]
    command.append(str(bundle.absolute()))  # whatever its name begins with, it is no option
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, timeout=_INFO_S, env=_plain()
        )
    except FileNotFoundError:
        raise Failure(
            NO_DEVICE, N_("There is no RAUC on this machine: it takes no updates.")
        ) from None
    except subprocess.TimeoutExpired:
        raise Failure(
            FAILED,
            Message(
                "{bundle} cannot be read in {info_s:.0f} s. Copy it again.",
                bundle=bundle,
                info_s=_INFO_S,
            ),
        ) from None
    if done.returncode < 0:
        # RAUC 1.8 reads the time of a signature before it knows whose it is, and may die of it.
        raise Failure(FAILED, meaning("signature verification failed"))
    if done.returncode:
        raise Failure(FAILED, meaning(done.stderr.decode(errors="replace")))
    try:
        told = json.loads(done.stdout)
        compatible, made = str(told["compatible"]), str(told["version"])
        images = [each for image in told["images"] for each in image.items()]
        odd = _odd(told["hooks"], images)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Failure(FAILED, meaning("Invalid bundle")) from None
    if not IMAGES.keys() <= {kind for kind, _ in images}:
        raise Failure(
            FAILED,
            N_(
                "The bundle holds half a slot: root and boot partition belong together. Have"
                " it made with both."
            ),
        )
    if odd is not None:
        raise Failure(
            FAILED,
            Message(
                "The bundle is signed, and not made as this wheel takes it: {odd}. Have it made"
                " with cylindre update make.",
                odd=odd,
            ),
        )
    if not compatible.startswith(PREFIX):
        text = Message(
            "The bundle is for {compatible}, which is no wheel. Get the one for this wheel.",
            compatible=repr(compatible),
        )
        raise Failure(FAILED, text)
    try:
        parse_version(made)
    except ValueError as error:
        text = Message(
            "The bundle calls itself version {made}. {error} Have it made anew.",
            made=repr(made[:_TAIL]),
            error=Message(str(error)),
        )
        raise Failure(FAILED, text) from None
    return Release(made, compatible.removeprefix(PREFIX))


def _odd(hooks: Any, images: list[tuple[str, Any]]) -> str | None:
    """Returns what no bundle of ours has, by RAUC's words of its manifest; None: it is like them.

    RAUC would run a hook as root, and write any file that a manifest names into a slot.
    """
    if hooks or any(image["hooks"] for _, image in images):
        return Message("it brings programs to run")
    for kind, image in images:
        if kind not in IMAGES or image["variant"] is not None or image["adaptive"]:
            return Message("a slot {kind} is not one of this wheel's", kind=repr(kind[:_TAIL]))
        if image["filename"] != IMAGES[kind]:
            name = repr(str(image["filename"])[:_TAIL])
            return Message("its image for {kind} is {name}", kind=kind, name=name)
        if not 0 < image["size"] <= _SIZES[kind]:
            return Message("its image for {kind} has no size that fits a slot", kind=kind)
    return None


def install(bundle: Path, told: Callable[[int, str], None]) -> None:
    """Has RAUC's service install it; `told` hears per cent and what is done. Raises Failure."""
    try:
        process = subprocess.Popen(
            ["rauc", "install", str(bundle)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=_plain(),
        )
    except FileNotFoundError:
        raise Failure(
            NO_DEVICE, N_("There is no RAUC on this machine: it takes no updates.")
        ) from None
    said = []
    with process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            step = re.match(r"\s*(\d{1,3})% (.+)", line)
            if step and not step[2].rstrip().endswith("done."):
                told(int(step[1]), step[2].strip())
    if process.returncode:
        raise Failure(FAILED, meaning("".join(said)))


def wrote(root: Path, slot: Slot) -> bool:
    """Returns whether RAUC has written both partitions of a slot to their end, as it notes itself.

    RAUC 1.8, central.raucs: `status=update` before it writes a partition, `ok` once that is done.
    """
    noted = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        noted.read_string((root / RAUC_STATE / _NOTES).read_text(encoding="utf-8"))
    except (OSError, ValueError, configparser.Error):
        return False
    index = SLOTS.index(slot)
    return all(noted.get(f"slot.{kind}.{index}", "status", fallback="") == "ok" for kind in IMAGES)


def meaning(said: str) -> str:
    """Puts RAUC's words into a sentence for whoever stands at the wheel."""
    for pattern, sentence in _MEANS:
        if re.search(pattern, said, re.IGNORECASE):
            return sentence
    last = " ".join(said.split())[-_TAIL:]
    return Message(
        "RAUC could not install it; the running software stays as it is. It said: {last}", last=last
    )


def _plain() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}
