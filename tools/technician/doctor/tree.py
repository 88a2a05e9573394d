"""Device trees: what the kernel is told of buses, their pins and Bluetooth.

Source: Devicetree Specification 0.4, chapter 5 (the format of a file) and 2.3.4 (status).
"""

from __future__ import annotations

import struct

from firmware.lib.language import Message
from tools.technician.doctor.machine import Machine

Tree = dict[str, dict[str, bytes]]  # nodes by their paths (the root's is empty): their properties

_MAGIC = 0xD00DFEED
_BEGIN, _END, _PROPERTY, _NOP, _DONE = 1, 2, 3, 4, 9
# The header's buses that a tree of ours turns on, with BCM's addresses: Pi 4, CM4, Zero 2 W.
_NODES = {("uart", 0): "/soc/serial@7e201000", ("i2c", 1): "/soc/i2c@7e804000"}
_BLUETOOTH = "/bluetooth"  # below its UART, in Raspberry Pi's trees and in the kernel's own
_RUNNING = "proc/device-tree"


def parse(data: bytes) -> Tree:
    """The tree in a file. Raises ValueError."""
    try:
        magic, _, at, strings = struct.unpack_from(">4I", data)
        found = _nodes(data, at, strings) if magic == _MAGIC else None
    except (struct.error, IndexError, ValueError):  # it ends too early, or is something else
        found = None
    if found is None:
        raise ValueError(Message("is no whole device tree"))
    return found


def _nodes(data: bytes, at: int, strings: int) -> Tree:
    tree: Tree = {}
    path: list[str] = []
    while True:
        (token,) = struct.unpack_from(">I", data, at)
        at += 4
        if token == _BEGIN:
            end = data.index(b"\0", at)
            path.append(data[at:end].decode())
            tree["/".join(path)] = {}
            at = end + 1 + -(end + 1) % 4
        elif token == _END:
            path.pop()
        elif token == _PROPERTY:
            size, name = struct.unpack_from(">2I", data, at)
            at += 8
            name += strings
            key = data[name : data.index(b"\0", name)].decode()
            tree["/".join(path)][key] = data[at : at + size]
            at += size + -size % 4
        elif token == _DONE:
            return tree
        elif token != _NOP:
            raise ValueError(token)


def gives(tree: Tree, kind: str, number: int, pins: tuple[int, ...]) -> bool:
    """Whether a bus is on and has these pins, and no Bluetooth is on it."""
    node = _NODES.get((kind, number))
    if node is None or not _is_on(tree, node) or _is_on(tree, node + _BLUETOOTH):
        return False
    wanted = _cells(tree[node].get("pinctrl-0", b""))
    found = [each for each in tree.values() if _cells(each.get("phandle", b"")) & wanted]
    return {*pins} <= {pin for each in found for pin in _cells(each.get("brcm,pins", b""))}


def runs_bluetooth(machine: Machine) -> bool | None:
    """Whether the tree of the running kernel has Bluetooth on UART 0; None where it is not seen."""
    uart = _RUNNING + _NODES["uart", 0]
    if not machine.path(uart).is_dir():
        return None
    node = uart + _BLUETOOTH
    return machine.path(node).is_dir() and _means_on(machine.optional_text(f"{node}/status"))


def _is_on(tree: Tree, node: str) -> bool:
    if node not in tree:
        return False
    status = tree[node].get("status")
    return _means_on(None if status is None else status.rstrip(b"\0").decode())


def _means_on(status: str | None) -> bool:
    return status in (None, "okay", "ok")  # without one, a node is on


def _cells(value: bytes) -> set[int]:
    """The 32-bit numbers of a property."""
    return {number for (number,) in struct.iter_unpack(">I", value[: len(value) // 4 * 4])}
