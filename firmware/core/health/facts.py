"""What the watch over a wheel's health takes, and what it tells."""

from firmware.shims.typed import NamedTuple, Sequence

# Kinds of notice. Fairness:
POCKET = "pocket"  # place: the compartment
DEAD = "dead"
SECTOR = "sector"  # the middle compartment
UNEVEN = "uneven"  # no place
TILT = "tilt"  # the low side in degrees, counter-clockwise from where beams are counted
FLAW = "flaw"  # where, in such degrees
GAIN = "gain"  # the compartment by which a player could gain
SIGNATURE = "signature"  # the croupier
# Soundness:
LOOSE = "loose"  # the compartment whose fret swallows a bounce
BALL = "ball"  # slowed suddenly otherwise
TRACK = "track"  # slowed otherwise by and by
SENSOR = "sensor"  # which one misses numbers
MOTOR = "motor"

# Service acts: what a technician did to the wheel.
LEVELLED = "levelled"
NEW_BALL = "ball"
FRETS = "frets"
CLEANED = "cleaned"
ROTOR = "rotor"
RING_SENSOR = "sensor"
CALIBRATION = "calibration"
NEW_MOTOR = "motor"
MOVED = "moved"

# A coup that has a number. Compartments count in the order of the ring, speeds and ppm are as the
# journal has them; None: not known.
# direction: CCW or CW, of the ball; gaps_ppm: the chance of each gap, foretold; seen: a bit for
# each ring sensor that saw the ball at rest; croupier, ball: numbers of the house's own lists; tie:
# a number out of the row, uniform below ranks.TIES.
Coup = NamedTuple(
    "Coup",
    [
        ("place", int),
        ("direction", int),
        ("rotor_uturn_s", "int | None"),
        ("gap", "int | None"),
        ("gaps_ppm", "Sequence[int] | None"),
        ("launch_place", "int | None"),
        ("slowing_ppm", "int | None"),
        ("settled_ms", "int | None"),
        ("seen", "int | None"),
        ("croupier", "int | None"),
        ("ball", int),
        ("spin_up_ms", "int | None"),
        ("duty_permille", "int | None"),
        ("tie", int),
    ],
)
# What is to be told once: a kind of above and its place; stream: the name of what was judged.
Notice = NamedTuple("Notice", [("kind", str), ("place", "int | None"), ("stream", str)])
# What the wheel is. beams_deg: the places of its beams, ascending; sensors: of its ring;
# coups_a_year: as the house expects; croupiers: whether throws are judged by croupier.
Wheel = NamedTuple(
    "Wheel",
    [
        ("compartments", int),
        ("beams_deg", "Sequence[float]"),
        ("sensors", int),
        ("coups_a_year", int),
        ("croupiers", bool),
    ],
)
# What was judged until an act began it anew: coups, the most evidence there was and after how many
# coups, and how often each compartment came, where that is counted.
Epoch = NamedTuple(
    "Epoch",
    [
        ("stream", str),
        ("coups", int),
        ("most", float),
        ("most_at", int),
        ("told", bool),
        ("counts", "Sequence[int]"),
    ],
)
