"""Checks a board's data before anything is wired to it: what is impossible, as sentences."""

from boards import apparatus, card_tables, lines, raspberry

# Keys of every board; "model" and "gpiochip" besides where the provider is "pi". It may have
# "expanders" (boards/lines.py) and "fram": where its FRAM is, (bus by its name, I2C address).
_KEYS = (
    "name",
    "title",
    "apparatus",
    "rules",
    "provider",
    "rotor",
    "inputs",
    "safety_inputs",
    "outputs",
    "buses",
    "geometry",
)
_LINE_KEYS = ("inputs", "safety_inputs", "outputs")
_SAFETY = ("estop", "overcurrent")
_MOTOR = ("motor_pwm", "motor_dir", "motor_enable")
_LAMPS = ("lamp_bets_open", "lamp_no_more_bets", "lamp_fault")
_ADDRESSES = range(0x20, 0x28)  # MCP23017: drivers/expander_mcp23017.py
_EXPANDER_KEYS = 4
_FRAM_ADDRESSES = range(0x50, 0x58)  # MB85RC256V: drivers/fram_mb85rc256v.py


def problems(board: dict) -> tuple:  # type: ignore[type-arg]
    """Returns what is wrong with a board, a sentence each; empty for a sound one.

    Raises nothing.
    """
    missing = _key_problems(board)
    if missing:
        return tuple(missing)
    found = _expander_problems(board)
    if found:
        return tuple(found)
    found = _line_problems(board) + _name_problems(board) + _geometry_problems(board)
    found += _fram_problems(board)
    if board["provider"] == "pi":
        found = found + _pi_problems(board)
    return tuple(found)


def _key_problems(board: dict) -> list:  # type: ignore[type-arg]
    found = [f"The key {key} is missing." for key in _KEYS if key not in board]
    known = list(_KEYS) + ["expanders", "fram"]
    if board.get("provider") == "pi":
        known += ["model", "gpiochip"]
        if board.get("model") not in raspberry.MODELS:
            known_models = ", ".join(sorted(raspberry.MODELS))
            found.append(f"The key model must be one of {known_models}.")
    elif board.get("provider") != "virtual":
        found.append("The key provider must be virtual or pi.")
    kinds = apparatus.NAMES + card_tables.NAMES
    if board.get("apparatus") not in kinds:
        found.append("The key apparatus must be " + apparatus.either(kinds) + ".")
    elif card_tables.is_card_table(board):
        if board.get("rotor") != "none":
            found.append("The key rotor must be none.")
    else:
        rotors = apparatus.of(board["apparatus"]).rotors
        if board.get("rotor") not in rotors:
            found.append("The key rotor must be " + " or ".join(rotors) + ".")
    for key in sorted(board):
        if key not in known:
            found.append(f"The key {key} is unknown.")
    return found


def _expander_problems(board: dict) -> list:  # type: ignore[type-arg]
    """Of the chips themselves; where one is not sound, nothing can be said of its lines."""
    found = []
    seen = []  # type: list[tuple]  # type: ignore[type-arg]
    for expander in board.get("expanders", ()):
        if len(expander) != _EXPANDER_KEYS:
            return ["An expander is (bus, address, interrupt line, its GPIO)."]
        bus, address, _, _ = expander
        kind, number = board["buses"].get(bus, ("none", 0))
        if kind != "i2c":
            found.append(f"The expander at {address:#04x} is on {bus}, which is no i2c bus.")
        if address not in _ADDRESSES:
            found.append(f"An expander cannot be at {address:#04x}: 0x20 to 0x27 alone.")
        if (number, address) in seen:
            found.append(f"Two expanders are at {address:#04x} of i2c {number}.")
        seen.append((number, address))
    for name, pin in board["inputs"]:
        if not lines.behind(pin):
            continue
        if len(pin) != 2 or pin[0] not in range(len(seen)):
            found.append(f"The line {name} is at {pin}: there is no such expander.")
        elif pin[1] not in lines.CUP_PINS:
            found.append(f"The line {name} is at pin {pin[1]} of an expander: 0-6, 8-14 alone.")
    return found


def _fram_problems(board: dict) -> list:  # type: ignore[type-arg]
    if "fram" not in board:
        return []
    if len(board["fram"]) != 2:
        return ["A FRAM is (bus, address)."]
    bus, address = board["fram"]
    found = []
    if board["buses"].get(bus, ("none", 0))[0] != "i2c":
        found.append(f"The FRAM is on {bus}, which is no i2c bus.")
    if address not in _FRAM_ADDRESSES:
        found.append(f"A FRAM cannot be at {address:#04x}: 0x50 to 0x57 alone.")
    return found


def _line_problems(board: dict) -> list:  # type: ignore[type-arg]
    found = []
    names = []  # type: list[str]
    holders = {}  # type: dict[object, str]
    there = [line for key in _LINE_KEYS for line in board[key]]
    there += [(name, pin) for _, _, name, pin in board.get("expanders", ())]
    for name, pin in there:
        if name in names:
            found.append(f"The name {name} is there twice.")
        names.append(name)
        if pin in holders:
            at = f"Pin {pin[1]} of expander {pin[0]}" if lines.behind(pin) else f"Pin {pin}"
            found.append(f"{at} is both {holders[pin]} and {name}.")
        holders[pin] = name
    return found


def _name_problems(board: dict) -> list:  # type: ignore[type-arg]
    if card_tables.is_card_table(board):
        return _missing_lines(
            board, (("inputs", card_tables.INPUTS), ("outputs", card_tables.OUTPUTS))
        )
    turns = board["rotor"] != "none"
    wanted = (
        ("inputs", apparatus.of(board["apparatus"]).inputs),
        ("safety_inputs", _SAFETY if turns else ()),
        ("outputs", _MOTOR + _LAMPS if board["rotor"] == "driven" else _LAMPS),
    )
    found = _missing_lines(board, wanted)
    if not turns:
        useless = [name for name, _ in board["outputs"] if name in _MOTOR]
        found += [f"The line {name} drives nothing: the rotor is none." for name in useless]
    return found


def _missing_lines(board: dict, wanted: tuple) -> list:  # type: ignore[type-arg]
    found = []
    for key, names in wanted:
        there = [name for name, _ in board[key]]
        for name in names:
            if name not in there:
                found.append(f"The line {name} is missing from {key}.")
    return found


def _geometry_problems(board: dict) -> list:  # type: ignore[type-arg]
    geometry = board["geometry"]
    if card_tables.is_card_table(board):
        return [f"The geometry's key {key} is unknown." for key in sorted(geometry)]
    kind = apparatus.of(board["apparatus"])
    known = kind.lengths + tuple([key for key, _ in kind.sensors])
    known += ("cups",) if kind.cups else ()
    found = []
    for key in kind.lengths:
        if geometry.get(key, 0) <= 0:
            found.append(f"The geometry's {key} must be more than 0.")
    for key in sorted(geometry):
        if key not in known:
            found.append(f"The geometry's key {key} is unknown.")
    for key, stem in kind.sensors:
        found += _angle_problems(board, key, stem)
    return found + (_cup_problems(board, kind.compartments) if kind.cups else [])


def _angle_problems(board: dict, key: str, stem: str) -> list:  # type: ignore[type-arg]
    found = []
    angles = board["geometry"].get(key, ())
    there = _called(board, stem)
    if there != [stem + str(i) for i in range(len(angles))]:
        names = ", ".join(there) or "none"
        found.append(
            f"The geometry's {key} has {len(angles)} angles, the inputs have {names}: "
            f"they must be {stem}0, {stem}1 and so on, one an angle."
        )
    ascending = all(angles[i] < angles[i + 1] for i in range(len(angles) - 1))
    if not angles or not ascending or angles[0] < 0 or angles[-1] >= 360:
        found.append(f"The geometry's {key} must ascend within 0 to 359 degrees.")
    return found


def _cup_problems(board: dict, known: tuple) -> list:  # type: ignore[type-arg]
    cups = board["geometry"].get("cups", 0)
    if cups not in known:
        return ["The geometry's cups must be " + apparatus.either(known) + "."]
    if _called(board, "cup") != [lines.cup_name(at) for at in range(cups)]:
        return [f"The inputs must have cup00 to cup{cups - 1:02d} in this order, one a cup."]
    return []


def _called(board: dict, stem: str) -> list:  # type: ignore[type-arg]
    """Returns the names of inputs that begin so, in their order."""
    return [name for name, _ in board["inputs"] if name[: len(stem)] == stem]


def _pi_problems(board: dict) -> list:  # type: ignore[type-arg]
    model = board["model"]
    there = raspberry.MODELS[model]
    found = []
    taken = dict.fromkeys(there["reserved"], "the HAT's ID EEPROM")
    for use in sorted(board["buses"]):
        kind, number = board["buses"][use]
        bus = f"{kind} {number} ({use})"
        try:
            pins = raspberry.bus_pins(model, kind, number)
        except KeyError:
            found.append(f"A {model} has no {bus}.")
            continue
        for pin in pins:
            if pin in taken:
                found.append(f"GPIO {pin} of {bus} belongs to {taken[pin]}.")
            taken[pin] = bus
    for name, pin in _gpios(board):
        if pin not in there["gpio"]:
            found.append(f"A {model} has no GPIO {pin}, which {name} wants.")
        elif pin in taken:
            found.append(f"GPIO {pin} of {name} belongs to {taken[pin]}.")
        if name == "motor_pwm" and pin not in there["pwm"]:
            found.append(f"GPIO {pin} of motor_pwm has no PWM on a {model}.")
    return found


def _gpios(board: dict) -> list:  # type: ignore[type-arg]
    """Every line that is at a pin of the machine itself, as (name, GPIO)."""
    found = [line for key in _LINE_KEYS for line in board[key] if not lines.behind(line[1])]
    return found + [(name, pin) for _, _, name, pin in board.get("expanders", ())]
