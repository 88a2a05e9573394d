"""Where a board's input lines come in: at a GPIO of the machine, or at a pin of an expander.

A line's number is its index in the board's `inputs`. Its pin there is a GPIO number, or (chip, pin)
for pin 0 to 15 (GPA0 to GPB7) of `expanders[chip]`. An expander is (bus by its name in `buses`, I2C
address, interrupt line's name, its GPIO). Interrupt lines are no inputs that mean anything, so no
trace has them; where lines are numbered they come after the inputs, chip by chip.
"""

# GPA7 and GPB7 stay free: drivers/expander_mcp23017.py.
CUP_PINS = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14)


def watched(board: dict) -> tuple:  # type: ignore[type-arg]
    """Returns what the machine itself watches, as (number, GPIO): its inputs, then the interrupt
    lines.
    """
    inputs = board["inputs"]
    found = [(at, inputs[at][1]) for at in range(len(inputs)) if not behind(inputs[at][1])]
    expanders = board.get("expanders", ())
    return tuple(found + [(len(inputs) + at, expanders[at][3]) for at in range(len(expanders))])


def of_chip(board: dict, chip: int) -> tuple:  # type: ignore[type-arg]
    """Returns the lines that come in at one expander, as (number, its pin)."""
    inputs = board["inputs"]
    numbers = [at for at in range(len(inputs)) if behind(inputs[at][1])]
    return tuple([(at, inputs[at][1][1]) for at in numbers if inputs[at][1][0] == chip])


def chip_name(board: dict, chip: int) -> str:  # type: ignore[type-arg]
    """Returns what people look for on the carrier, and what stands behind it."""
    bus, address, _, _ = board["expanders"][chip]
    names = [board["inputs"][at][0] for at, _ in of_chip(board, chip)]
    number = board["buses"][bus][1]
    return f"{address:#04x} of i2c {number} ({names[0]} to {names[-1]})"


def behind(pin: object) -> bool:
    """Returns whether this is a pin of an expander, and no GPIO number."""
    return isinstance(pin, tuple)


def cup_inputs(cups: int) -> tuple:  # type: ignore[type-arg]
    """Returns the inputs cup00, cup01 ... of a dish, spread evenly over as few expanders as hold
    them.
    """
    each = -(-cups // _chips(cups))
    return tuple([(cup_name(at), (at // each, CUP_PINS[at % each])) for at in range(cups)])


def cup_name(cup: int) -> str:
    """Returns what the line of a cup is called."""
    return f"cup{cup:02d}"


def cup_expanders(cups: int, bus: str, interrupts: tuple) -> tuple:  # type: ignore[type-arg]
    """Returns their expanders, addressed from 0x20 on, with interrupt lines at these GPIOs."""
    return tuple(
        [(bus, 0x20 + at, "int_expander" + str(at), interrupts[at]) for at in range(_chips(cups))]
    )


def _chips(cups: int) -> int:
    return -(-cups // len(CUP_PINS))
