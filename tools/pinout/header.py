"""What is at each of the 40 pins of a board's header, and behind its expanders, as data."""

from __future__ import annotations

from typing import Any, NamedTuple

from boards import lines, raspberry
from boards.pin_map import PinUse, pin_map

# What a pin is; of a pin with a signal of ours, which way it goes. Colours and arrows go by it.
V3, V5, GND = "3V3", "5V", "GND"
IN, OUT, UART, I2C = "in", "out", "uart", "i2c"
RESERVED, FREE = "reserved", "free"

_EXPANDER_PINS = [f"GP{port}{at}" for port in "AB" for at in range(8)]
_ID_EEPROM = "HAT EEPROM"


class Pin(NamedTuple):
    """One pin of the header."""

    position: int  # 1 to 40, as printed on the board
    name: str  # GPIO 4, 3V3, 5V or GND
    kind: str
    signal: str  # ours; empty where the pin is none of ours
    way: str  # as `cylindre boards` says it: "in, interrupt"; empty for power

    @property
    def comes(self) -> bool:
        """Whether something comes in here."""
        return self.kind in (IN, I2C) or self.signal.endswith(" rx")

    @property
    def goes(self) -> bool:
        """Whether something goes out here."""
        return self.kind in (OUT, I2C) or self.signal.endswith(" tx")


class Expander(NamedTuple):
    """One MCP23017: where it is, its interrupt line, and (pin, signal or "") for all its pins."""

    address: int
    bus: str
    interrupt: str
    pins: tuple[tuple[str, str], ...]


def header(board: dict[str, Any]) -> list[Pin]:
    """The 40 pins of a board that has a header, in their order."""
    uses = {use.pin: use for use in pin_map(board)}
    reserved = raspberry.MODELS[board["model"]]["reserved"]
    return [
        _pin(position, what, uses.get(what) if isinstance(what, int) else None, reserved)
        for position, what in enumerate(raspberry.HEADER, 1)
    ]


def _pin(position: int, what: object, use: PinUse | None, reserved: tuple[int, ...]) -> Pin:
    if isinstance(what, str):  # power
        return Pin(position, what, what, "", "")
    name = f"GPIO {what}"
    if use is not None:
        return Pin(
            position, name, use.direction.split(",")[0].split()[0], use.signal, use.direction
        )
    if what in reserved:
        return Pin(position, name, RESERVED, _ID_EEPROM, "")
    return Pin(position, name, FREE, "", "")


def expanders(board: dict[str, Any]) -> list[Expander]:
    """What stands behind each expander of a board."""
    found = []
    for chip, (bus, address, interrupt, _) in enumerate(board.get("expanders", ())):
        at = {pin: board["inputs"][line][0] for line, pin in lines.of_chip(board, chip)}
        pins = tuple((name, at.get(pin, "")) for pin, name in enumerate(_EXPANDER_PINS))
        kind, number = board["buses"][bus]
        found.append(Expander(address, f"{kind} {number}", interrupt, pins))
    return found


def as_json(board: dict[str, Any]) -> dict[str, Any]:
    """All of it, for programs."""
    return {
        "board": board["name"],
        "title": board["title"],
        "model": board["model"],
        "header": [pin._asdict() for pin in header(board)],
        "expanders": [
            chip._asdict() | {"pins": [{"pin": pin, "signal": is_} for pin, is_ in chip.pins]}
            for chip in expanders(board)
        ],
    }
