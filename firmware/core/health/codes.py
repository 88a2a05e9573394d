"""By which fault each kind of notice of the health watch is told."""

from firmware.core.health import facts

UNJUDGED = "unjudged"  # what cannot be judged, where the journal or the clock forbids it

# firmware/core/faults.py has the sentences.
CODES = {
    facts.POCKET: "H10",
    facts.SECTOR: "H10",
    facts.UNEVEN: "H10",
    facts.DEAD: "H11",
    facts.GAIN: "H12",
    facts.TILT: "L12",
    facts.FLAW: "W53",
    facts.SIGNATURE: "H13",
    facts.LOOSE: "H20",
    facts.BALL: "H21",
    facts.TRACK: "H21",
    facts.SENSOR: "H22",
    facts.MOTOR: "H23",
    UNJUDGED: "H30",
}
ACKNOWLEDGED = tuple(sorted(set(CODES.values())))  # what a supervisor may acknowledge
