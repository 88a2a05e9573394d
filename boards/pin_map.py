"""What a board needs, line by line."""

from collections import namedtuple

from boards import raspberry

# One line of a board: its name, its pin, and which way it goes. `pin` is a GPIO number (BCM on a
# Pi), or GPA0 to GPB7 of the expander in `direction`.
PinUse = namedtuple("PinUse", ("signal", "pin", "direction"))


def pin_map(board: dict) -> "list[PinUse]":  # type: ignore[type-arg]
    """Returns every pin of a board: inputs, interrupts, safety inputs, outputs, then those of its
    buses.

    A virtual board's buses have no pins.
    """
    expanders = board.get("expanders", ())
    uses = [_input(signal, pin, expanders) for signal, pin in board["inputs"]]
    uses += [PinUse(signal, pin, "in, interrupt") for _, _, signal, pin in expanders]
    uses += [PinUse(signal, pin, "in, polled") for signal, pin in board["safety_inputs"]]
    uses += [PinUse(signal, pin, "out") for signal, pin in board["outputs"]]
    buses = board["buses"] if board["provider"] == "pi" else {}
    for purpose, (kind, number) in sorted(buses.items()):
        names = ("tx", "rx") if kind == "uart" else ("sda", "scl")
        pins = raspberry.bus_pins(board["model"], kind, number)
        uses += [
            PinUse(f"{purpose} {name}", pin, f"{kind} {number}") for name, pin in zip(names, pins)
        ]
    return uses


def _input(signal: str, pin: "int | tuple[int, int]", expanders: tuple) -> PinUse:  # type: ignore[type-arg]
    """Returns an input at the machine itself or behind an expander."""
    if isinstance(pin, int):
        return PinUse(signal, pin, "in")
    chip, at = pin
    bus, address, _, _ = expanders[chip]
    return PinUse(signal, f"GP{'AB'[at // 8]}{at % 8}", f"in, expander {address:#04x} on {bus}")


def fram(board: dict) -> "str | None":  # type: ignore[type-arg]
    """The chip that keeps the head of the journal, and where it is; None where there is none."""
    if "fram" not in board:
        return None
    bus, address = board["fram"]
    return f"MB85RC256V at {address:#04x} of i2c {board['buses'][bus][1]}"
