"""What the start of a Raspberry Pi is told: config.txt, the tree it names, and cmdline.txt.

Source: Raspberry Pi documentation, "config.txt" (sections, include, dtparam, dtoverlay and
device_tree) and README of /boot/firmware/overlays.
"""

from __future__ import annotations

from typing import NamedTuple

from boards import raspberry
from firmware.lib.language import Message
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.tree import Tree, gives, parse

FOLDERS = ("boot/firmware", "boot")  # since Debian 12, and before
CONFIG, CMDLINE = "config.txt", "cmdline.txt"
# What Raspberry Pi OS leaves in /boot since it moved the files.
_MOVED = "The file you are looking for has moved"
_INCLUDES_MAX = 4  # files that include each other end here
# The sections that hold for each of our models; those of other kinds may hold, and are not read.
_SECTIONS = {
    "pi4": ("all", "pi4"),
    "cm4": ("all", "pi4", "cm4"),
    "pi5": ("all", "pi5"),
    "zero2w": ("all", "pi02", "pi0", "pi0w"),
}
_ON = ("on", "yes", "true", "1", "")


class Settings(NamedTuple):
    """What config.txt says of the hardware."""

    file: str  # its path on the machine
    params: dict[str, str]  # of the base device tree, by name; the last one holds
    overlays: dict[str, dict[str, str]]  # their parameters, by name
    tree: Tree | None = None  # the one it names, as an image of ours does; else the firmware's own

    def turns_on(self, model: str, bus: tuple[str, int]) -> bool:
        """Whether a bus of that model is on at the next start, by a line or by the tree."""
        if any(self.has(line) for line in raspberry.bus_settings(model, *bus)):
            return True
        return self.tree is not None and gives(self.tree, *bus, raspberry.bus_pins(model, *bus))

    def lacks(self, line: str) -> str:
        """Why a bus is not on, which that line would turn on."""
        if self.tree is not None:
            return Message(
                "The device tree that {file} names does not give it to the header", file=self.file
            )
        return Message("{file} does not say {line}", file=self.file, line=line)

    def has(self, line: str) -> bool:
        """Whether a line as `dtparam=i2c_arm=on` or `dtoverlay=disable-bt` holds."""
        kind, _, rest = line.partition("=")
        if kind == "dtoverlay":
            return rest in self.overlays
        name, _, _ = rest.partition("=")
        return self.params.get(name, "off") in _ON


def folder(machine: Machine) -> str:
    """Where the machine's boot files lie. Raises Unseen: it has none, or they are kept back."""
    for name in FOLDERS:
        told = machine.optional_text(f"{name}/{CONFIG}")
        if told is not None and _MOVED not in told:
            return name
    more = "" if machine.runs else Message(": mount the card's first partition there")
    raise Unseen(
        Message(
            "there is no /{folders}/{config}{more}", folders=FOLDERS[0], config=CONFIG, more=more
        )
    )


def settings(machine: Machine, model: str) -> Settings:
    """What config.txt says for that model. Raises Unseen."""
    where = folder(machine)
    found = Settings(f"/{where}/{CONFIG}", {}, {})
    tree = ""
    for line in _lines(machine, where, CONFIG, _SECTIONS[model], _INCLUDES_MAX):
        key, _, value = line.partition("=")
        if key.strip() in ("dtparam", "device_tree_param"):
            found.params.update(_pairs(value.split(",")))
        elif key.strip() in ("dtoverlay", "device_tree_overlay") and value.strip():
            name, *more = value.split(",")
            # The names of before 2019 are still understood.
            found.overlays[name.strip().removeprefix("pi3-")] = dict(_pairs(more))
        elif key.strip() == "device_tree":
            tree = value.strip()
    if not tree:
        return found
    try:
        return found._replace(tree=parse(machine.data(f"{where}/{tree}")))
    except ValueError as error:
        raise Unseen(Message("/{}/{} {}", where, tree, Message(str(error)))) from None


def _pairs(parts: list[str]) -> list[tuple[str, str]]:
    pairs = [part.partition("=") for part in parts]
    return [(name.strip(), value.strip().lower()) for name, _, value in pairs]


def _lines(
    machine: Machine, where: str, name: str, sections: tuple[str, ...], depth: int
) -> list[str]:
    """The lines that hold, of a file and of those it includes."""
    found = []
    holds = True
    for line in machine.text(f"{where}/{name}").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            holds = line.strip("[] ").lower() in sections
        elif holds and line.startswith("include ") and depth:
            included = line.removeprefix("include ").strip()
            if machine.path(f"{where}/{included}").is_file():
                found += _lines(machine, where, included, sections, depth - 1)
        elif holds and line:
            found.append(line)
    return found


def consoles(machine: Machine, name: str) -> list[str] | None:
    """The ttys that a kernel's command line in that file gives a console; None without the file."""
    try:
        words = machine.text(name).split()
    except Unseen:
        return None
    found = [word.removeprefix("console=") for word in words if word.startswith("console=")]
    return [word.split(",")[0] for word in found]
