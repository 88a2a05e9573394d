"""Checks a board's data before anything is wired to it: what is impossible, as sentences."""

from boards import raspberry

# Keys of every board; "model" besides where the provider is "pi".
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
_ROULETTE_INPUTS = ("enc_a", "enc_b", "enc_z", "btn_start", "btn_void")
# What may be, and must be positive.
_LENGTHS = (
    "encoder_cycles",
    "index_half_width_mdeg",
    "ball_mm",
    "track_radius_mm",
    "ring_radius_mm",
)
# Sensors by their angles in `geometry`: the key, what the lines are called.
_ANGLES = (("rim_deg", "rim"), ("pocket_deg", "pocket"))


def problems(board: dict) -> tuple:  # type: ignore[type-arg]
    """What is wrong with a board, a sentence each; empty for a sound one. Raises nothing."""
    missing = _key_problems(board)
    if missing:
        return tuple(missing)
    found = _line_problems(board) + _name_problems(board) + _geometry_problems(board)
    if board["provider"] == "pi":
        found = found + _pi_problems(board)
    return tuple(found)


def _key_problems(board: dict) -> list:  # type: ignore[type-arg]
    found = [f"The key {key} is missing." for key in _KEYS if key not in board]
    known = list(_KEYS)
    if board.get("provider") == "pi":
        known += ["model", "gpiochip"]
        if board.get("model") not in raspberry.MODELS:
            known_models = ", ".join(sorted(raspberry.MODELS))
            found.append(f"The key model must be one of {known_models}.")
    elif board.get("provider") != "virtual":
        found.append("The key provider must be virtual or pi.")
    if board.get("apparatus") != "roulette":
        found.append("The key apparatus must be roulette.")
    if board.get("rotor") not in ("driven", "hand"):
        found.append("The key rotor must be driven or hand.")
    for key in sorted(board):
        if key not in known:
            found.append(f"The key {key} is unknown.")
    return found


def _line_problems(board: dict) -> list:  # type: ignore[type-arg]
    found = []
    names = []  # type: list[str]
    holders = {}  # type: dict[int, str]
    for key in _LINE_KEYS:
        for name, pin in board[key]:
            if name in names:
                found.append(f"The name {name} is there twice.")
            names.append(name)
            if pin in holders:
                found.append(f"Pin {pin} is both {holders[pin]} and {name}.")
            holders[pin] = name
    return found


def _name_problems(board: dict) -> list:  # type: ignore[type-arg]
    wanted = (
        ("inputs", _ROULETTE_INPUTS),
        ("safety_inputs", _SAFETY),
        ("outputs", _MOTOR + _LAMPS if board["rotor"] == "driven" else _LAMPS),
    )
    found = []
    for key, names in wanted:
        there = [name for name, _ in board[key]]
        for name in names:
            if name not in there:
                found.append(f"The line {name} is missing from {key}.")
    return found


def _geometry_problems(board: dict) -> list:  # type: ignore[type-arg]
    geometry = board["geometry"]
    found = []
    for key in _LENGTHS:
        if geometry.get(key, 0) <= 0:
            found.append(f"The geometry's {key} must be more than 0.")
    for key in sorted(geometry):
        if key not in _LENGTHS and key not in [angles for angles, _ in _ANGLES]:
            found.append(f"The geometry's key {key} is unknown.")
    for key, stem in _ANGLES:
        angles = geometry.get(key, ())
        lines = [name for name, _ in board["inputs"] if name[: len(stem)] == stem]
        if lines != [stem + str(i) for i in range(len(angles))]:
            there = ", ".join(lines) or "none"
            found.append(
                f"The geometry's {key} has {len(angles)} angles, the inputs have {there}: "
                f"they must be {stem}0, {stem}1 and so on, one an angle."
            )
        ascending = all(angles[i] < angles[i + 1] for i in range(len(angles) - 1))
        if not angles or not ascending or angles[0] < 0 or angles[-1] >= 360:
            found.append(f"The geometry's {key} must ascend within 0 to 359 degrees.")
    return found


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
    for key in _LINE_KEYS:
        for name, pin in board[key]:
            if pin not in there["gpio"]:
                found.append(f"A {model} has no GPIO {pin}, which {name} wants.")
            elif pin in taken:
                found.append(f"GPIO {pin} of {name} belongs to {taken[pin]}.")
            if name == "motor_pwm" and pin not in there["pwm"]:
                found.append(f"GPIO {pin} of motor_pwm has no PWM on a {model}.")
    return found
