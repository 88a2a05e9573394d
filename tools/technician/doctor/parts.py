"""Checks of the carrier's I2C parts, the clock and the supply.

Source for the supply: Raspberry Pi documentation, "vcgencmd", get_throttled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from drivers import clock_ds3231, level_adxl345
from firmware.lib.errors import sentence
from firmware.lib.language import Message
from firmware.shims.linux import SmbusI2c
from firmware.store import clock as wheel_clock
from tools.technician.doctor.case import Case
from tools.technician.doctor.machine import Machine, Unseen
from tools.technician.doctor.problems import Detected, detected

_THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"  # a Pi 5's has an address
_SINCE_START = 16  # each bit's place, of the same that happened since the start
_BITS = (
    (0, Message("the supply's voltage is low")),
    (2, Message("it is slowed down")),
    (3, Message("it is too hot")),
)
_SYNCHRONISED = ("run/systemd/timesync/synchronized", "run/chrony/chronyd.pid")
_I2C_HZ = 100_000


class Part(NamedTuple):
    """One I2C chip of a board."""

    name: str
    bus: int
    address: int


def parts_of(board: dict[str, Any]) -> list[Part]:
    """The I2C chips of a board."""
    found = []
    buses = {use: number for use, (kind, number) in board["buses"].items() if kind == "i2c"}
    if "sensors" in buses:
        found.append(Part(Message("level ADXL345"), buses["sensors"], level_adxl345.ADDRESS))
        found.append(Part(Message("clock DS3231"), buses["sensors"], clock_ds3231.ADDRESS))
    if "fram" in board:
        use, address = board["fram"]
        found.append(Part("FRAM MB85RC256V", buses[use], address))
    for use, address, _, _ in board.get("expanders", ()):
        found.append(Part(Message("expander MCP23017"), buses[use], address))
    return found


def held(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D14: a driver of the kernel has taken a chip."""
    case.machine.must_run()
    for part in parts_of(board):
        driver = _driver(case.machine, part)
        if driver is not None:
            address = f"{part.address:#04x}"
            yield detected("D14", part=part.name, address=address, bus=part.bus, driver=driver)


def _driver(machine: Machine, part: Part) -> str | None:
    device = f"sys/bus/i2c/devices/{part.bus}-{part.address:04x}/driver"
    try:
        return PurePath(os.readlink(machine.path(device))).name
    except OSError:
        return None


def answering(case: Case, board: dict[str, Any]) -> Iterator[Detected]:
    """D15: a chip does not acknowledge its address. Reads and writes nothing else there."""
    machine = case.machine
    machine.must_run()
    if machine.open_i2c is None and not machine.here:
        raise Unseen(Message("that can be asked on the machine itself alone"))
    for part in parts_of(board):
        if _driver(machine, part) is not None:
            continue
        try:
            open_i2c = machine.open_i2c or (lambda number, _: SmbusI2c(number))
            answers = open_i2c(part.bus, _I2C_HZ).probe(part.address)
        except OSError as error:
            raise Unseen(sentence(error).rstrip(".?")) from None
        if not answers:
            address = f"{part.address:#04x}"
            yield detected("D15", part=part.name, address=address, bus=part.bus)


def clock(case: Case) -> Iterator[Detected]:
    """D16 and D17: the clock is wrong, or nothing keeps it right."""
    machine = case.machine
    machine.must_run()
    now_s = machine.now_s()
    if now_s < wheel_clock.BUILT_S:
        yield detected("D16", now=time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now_s)))
        return
    kept = machine.here and wheel_clock.read().synchronised
    kept = kept or any(machine.path(name).exists() for name in _SYNCHRONISED)
    if not kept and not [*machine.matching("sys/class/rtc/rtc*")]:
        yield detected("D17")


def supply(case: Case) -> Iterator[Detected]:
    """D23 and D24: voltage and heat, as the firmware counts them."""
    machine = case.machine
    machine.must_run()
    counted = [*machine.matching(_THROTTLED)]
    alarms = [*machine.matching("sys/class/hwmon/hwmon*/in0_lcrit_alarm")]
    if not counted and not alarms:
        raise Unseen(Message("neither get_throttled nor a voltage alarm is in /sys"))
    bits = 0
    for path in counted:
        bits |= int(machine.text(path.relative_to(machine.root)), 16)
    # The same alarm, where the kernel's hwmon driver has it.
    low = [path for path in alarms if machine.text(path.relative_to(machine.root)) == "1"]
    bits |= 1 if low else 0
    now = [words for bit, words in _BITS if bits >> bit & 1]
    since = [words for bit, words in _BITS if bits >> (bit + _SINCE_START) & 1]
    if now:
        yield detected("D23", what=", ".join(now))
    elif since:
        yield detected("D24", what=", ".join(since))
