"""Every problem that `cylindre doctor` knows: docs/doctor.md is generated from this table.

STOPS: the wheel cannot play so. HARMS: it plays, and loses something by it. WARNS: it will.

On an image of ours nobody logs in, the root is read-only and config.txt is not where buses are
turned on, so what helps elsewhere is no help there: such problems have a remedy of their own.
"""

from __future__ import annotations

from typing import NamedTuple

from firmware.lib.language import Message

STOPS, HARMS, WARNS = "stops", "harms", "warns"
GRADES = (STOPS, HARMS, WARNS)  # the worst first

# This package is on no index; a name there would be somebody else's.
_PACKAGES = (
    "Install our Debian package anew; in a checkout on the Pi: .venv/bin/pip install -e '.[pi]'."
)
# What only the image's maker changes. Flashing empties the data partition.
_SOFTWARE = (
    "Install an update on the service page; if that does not help, save the card's data partition"
    " on a laptop and flash the card again (cylindre flash)."
)
_FLASH = (
    "Save the card's data partition on a laptop, and flash the card again (cylindre flash) with an"
    " image for this board."
)
_ON_FIRMWARE = "Take it out of config.txt on the card's first partition, on a laptop."


class Problem(NamedTuple):
    """One kind: {names} stand for what was found."""

    code: str
    grade: str
    what: str
    cause: str
    remedy: str
    on_image: str = ""  # the remedy on an image of ours, where it is another


class Detected(NamedTuple):
    """A problem that a check has found: its code, and what stands for the names in its words."""

    code: str
    values: dict[str, object]


class Finding(NamedTuple):
    """A problem of this machine, in words."""

    code: str
    grade: str
    what: str
    cause: str
    remedy: str


# fmt: off
PROBLEMS = (
    Problem("D01", STOPS, "Python {version} is too old.",
            "The program is written for Python 3.11 and later.",
            "Use the system that the image brings, or install Python 3.11.",
            _SOFTWARE),
    Problem("D02", STOPS, "The package {package} is missing.",
            "It is not where this program's Python looks.",
            _PACKAGES,
            _SOFTWARE),
    Problem("D03", STOPS, "RPi.GPIO is installed{beside}.",
            "It and rpi-lgpio bring the same module; the original cannot watch edges on today's"
            " kernels, nor run on a Pi 5.",
            "With the pip of the program's own Python: pip uninstall RPi.GPIO rpi-lgpio, then pip"
            " install rpi-lgpio; where it is Debian's: apt remove python3-rpi.gpio.",
            _SOFTWARE),
    Problem("D04", STOPS, "This is a {machine}, and the board {board} wants a {wanted}.",
            "The configuration or --board names another machine's board.",
            "Name the board that fits ({boards}), or put the card into a {wanted}.",
            "Put the card into a {wanted}, or flash one with an image for this machine"
            " ({boards})."),
    Problem("D05", STOPS, "The GPIO chip {chip} is not here.",
            "Either this is no {model}, or its kernel lacks the driver.",
            "Run this on a {model}."),
    Problem("D06", STOPS, "{user} may not use {device}.",
            "It belongs to the group {group}, and {user} is no member of it.",
            "usermod -a -G {group} {user}, then log in anew or restart the service.",
            _SOFTWARE),
    Problem("D07", STOPS, "Bluetooth has {port}, the line of the {use}.",
            "{evidence}.",
            "Write dtoverlay=disable-bt into {config}, below [all], and restart; before Debian 12"
            " also systemctl disable hciuart.",
            _FLASH),
    Problem("D08", STOPS, "A console is on {port}, the line of the {use}.",
            "{evidence}.",
            "Take console={console} out of {cmdline}, run systemctl disable --now"
            " serial-getty@{tty}, restart.",
            "If args.txt on the card's partitions boot-a and boot-b has console={console}, take it"
            " out there, on a laptop. Else: " + _SOFTWARE),
    Problem("D09", STOPS, "{device}, for the {use}, is missing.",
            "{evidence}.",
            "Write {setting} into {config}, below [all], where it is not yet, and restart; if it"
            " is, dmesg says why the driver fails.",
            "Start the machine again; if it is still so: " + _FLASH),
    Problem("D10", HARMS, "{config} does not turn on {bus}, for the {use}.",
            "{device} is here all the same: somebody turned it on by hand, and the next start has"
            " it no more.",
            "Write {setting} into {config}, below [all].",
            _FLASH),
    Problem("D11", STOPS, "{setting} takes {pins}, which the board has for {signals}.",
            "That line stands in {config}.",
            "Take it out there, and restart.",
            _ON_FIRMWARE),
    Problem("D12", STOPS, "GPIO {gpio}, our {signal}, is in use by {owner}.",
            "A driver of the kernel or another program has asked for it first.",
            "Stop that program, or take what loads the driver out of config.txt.",
            "If a line of config.txt loads it: " + _ON_FIRMWARE + " Else: " + _FLASH),
    Problem("D13", STOPS, "{user} may not write to {folder}, where lgpio makes a pipe.",
            "{evidence}.",
            "Let LG_WD or RUNTIME_DIRECTORY name a folder of that user, as the service's unit"
            " does.",
            "Start the machine again; if it is still so: " + _SOFTWARE),
    Problem("D14", HARMS, "The kernel holds the {part} at {address} of i2c {bus}.",
            "Its driver {driver} has taken the chip, so nobody else may speak to it.",
            "Take the overlay that loads {driver} out of config.txt, and restart.",
            "If a line of config.txt loads {driver}: " + _ON_FIRMWARE + " Else: " + _FLASH),
    Problem("D15", HARMS, "The {part} at {address} of i2c {bus} does not answer.",
            "It has no supply, a cable is loose, or it is not fitted.",
            "Check its cable, supply and address."),
    Problem("D16", HARMS, "The clock says {now}.",
            "Nothing has set it since the machine started: no network's time, no clock chip.",
            "Connect the network, or set it once with timedatectl set-time; check the battery of"
            " the clock chip.",
            "Connect a network whose DHCP names a time server, and check the battery of the clock"
            " chip."),
    Problem("D17", WARNS, "Nothing keeps the clock right.",
            "No network's time reaches it, and the kernel has no clock of its own: after a power"
            " cut it goes on where it stopped.",
            "Connect the network, then timedatectl set-ntp true.",
            "Connect a network whose DHCP names a time server: no other is asked."),
    Problem("D18", HARMS, "The card {card} is worn: {wear}.",
            "It counts its own writes, and its reserve goes to an end.",
            "Replace it soon: write the image to a new one, and restore keys and journal."),
    Problem("D19", HARMS, "The file system on {device} has counted {count} errors.",
            "A power cut, or a card that fails.",
            "Save keys and journal, run fsck with the card in another machine; if it comes back,"
            " replace the card."),
    Problem("D20", STOPS, "{folder} cannot be written: {device} is mounted read-only.",
            "The kernel does that where a file system has errors; or it was mounted so.",
            "See dmesg; check the card with fsck, then mount -o remount,rw {mount}.",
            "Start the machine again; if it comes back, run fsck on the card's data partition, on"
            " a laptop, and replace the card."),
    Problem("D21", STOPS, "The disk that {folder} is on is full: {left} left.",
            "Logs, records or bundles have filled it.",
            "Remove what is not needed there; never the journal.",
            "Take what is not needed off the card's data partition, on a laptop; never the"
            " journal."),
    Problem("D22", WARNS, "The disk that {folder} is on is nearly full: {left} left.",
            "Logs, records or bundles are filling it.",
            "Remove what is not needed there; never the journal.",
            "Take what is not needed off the card's data partition, on a laptop; never the"
            " journal."),
    Problem("D23", HARMS, "The machine is short of power or too hot now: {what}.",
            "A weak supply, a thin cable, or no air.",
            "Give it a supply of its own of 5.1 V and 3 A (Pi 5: 5 A), and air."),
    Problem("D24", WARNS, "The machine was short of power or too hot since it started: {what}.",
            "A weak supply, a thin cable, or no air.",
            "Give it a supply of its own of 5.1 V and 3 A (Pi 5: 5 A), and air."),
    Problem("D25", STOPS, "{file} is not kept as it must be: {wrong}.",
            "What is secret must be its owner's alone.",
            "Run {command}.",
            "As root on a laptop, with the card mounted: {command} (cylindre doctor --root names"
            " the path there)."),
    Problem("D26", STOPS, "The journal's last rows do not hold together: {why}",
            "Storage that failed, or somebody who altered it.",
            "Keep the file for inspection; cylindre journal verify {file} --keys {keys} says"
            " more."),
    Problem("D27", STOPS, "The configuration cannot be used: {mistake}",
            "A key or value in it is not known.",
            "Correct the file; cylindre config check says when it is right.",
            "Correct it on the service page, or as etc/wheel.toml on the card's data partition, on"
            " a laptop; cylindre config check says when it is right."),
    Problem("D28", STOPS, "{device}, for the {use}, is missing: nobody loads the module i2c-dev.",
            "The bus is turned on, and only that module gives it a device; config.txt does not.",
            "Write i2c-dev into /etc/modules and restart; raspi-config does so where it turns I2C"
            " on.",
            _SOFTWARE),
    Problem("D29", STOPS, "{user} may not use {device}, and no group may.",
            "No udev rule gives it to a group: it is of group {group}, mode {mode}.",
            "Install our Debian package, whose rules give it to the group cylindre, and restart; on"
            " Raspberry Pi OS the package raspberrypi-sys-mods gives it to {usual}.",
            _SOFTWARE),
    Problem("D30", STOPS, "{device}, the line of the {use}, is missing.",
            "It is none of the header's: its adapter is unplugged, or named differently.",
            "Plug it in, or write its right name into [bus] port of the configuration.",
            "Plug it in, or write its right name into [bus] port on the service page."),
)
# fmt: on
_BY_CODE = {problem.code: problem for problem in PROBLEMS}


def detected(code: str, **values: object) -> Detected:
    """The problem of that code, with what was found."""
    return Detected(code, values)


def in_words(found: Detected, *, on_image: bool) -> Finding:
    """What was found, in words, and the remedy that is possible there."""
    problem = _BY_CODE[found.code]
    remedy = problem.on_image if on_image and problem.on_image else problem.remedy
    values = found.values
    if "use" in values:  # of a bus: a word
        values = values | {"use": Message(str(values["use"]))}
    texts = [Message(text, **values) for text in (problem.what, problem.cause, remedy)]
    return Finding(problem.code, problem.grade, *texts)
