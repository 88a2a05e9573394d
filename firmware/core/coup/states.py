"""One coup as a table of states. What is absent from the table does not happen, never a guess.

The picture in docs/architecture.md is generated from TRANSITIONS (`make diagram`).
"""

BETS_OPEN = "BETS_OPEN"
BALL_IN_TRACK = "BALL_IN_TRACK"
NO_MORE_BETS = "NO_MORE_BETS"
BALL_DROPPED = "BALL_DROPPED"
DETECTED = "DETECTED"
CONFIRMED = "CONFIRMED"
MANUAL = "MANUAL"
VOID = "VOID"
FAULT = "FAULT"
SERVICE = "SERVICE"  # a technician has the wheel

# What happens to a coup.
COUP_STARTED = "coup_started"
BALL_LAUNCHED = "ball_launched"
CALL_DUE = "call_due"
BALL_LEFT_TRACK = "ball_left_track"
NUMBER_VERIFIED = "number_verified"
NUMBER_ENTERED = "number_entered"
UNDETECTED = "undetected"
RESULT_RECORDED = "result_recorded"
VOIDED = "voided"
LOCKED = "locked"
CLEARED = "cleared"
NUMBER_CORRECTED = "number_corrected"
VOID_CORRECTED = "void_corrected"
TAKEN_OUT = "taken_out"
PUT_BACK = "put_back"

# No coup is played here, and none begins.
OUT_OF_PLAY = (FAULT, SERVICE)

# Where a start finds the table: a new wheel, or one whose last coup was open, else as that ended.
STARTS = (BETS_OPEN, CONFIRMED, VOID)

# fmt: off
TRANSITIONS = {
    (BETS_OPEN, COUP_STARTED): BETS_OPEN,
    (CONFIRMED, COUP_STARTED): BETS_OPEN,
    (VOID, COUP_STARTED): BETS_OPEN,
    (BETS_OPEN, BALL_LAUNCHED): BALL_IN_TRACK,
    # Vingt-trois calls before the plate moves, boule may call at the throw (article 47).
    (BETS_OPEN, CALL_DUE): NO_MORE_BETS,
    (BALL_IN_TRACK, CALL_DUE): NO_MORE_BETS,
    (NO_MORE_BETS, BALL_LEFT_TRACK): BALL_DROPPED,
    (BALL_DROPPED, NUMBER_VERIFIED): DETECTED,
    (DETECTED, RESULT_RECORDED): CONFIRMED,
    # If the number cannot be detected the croupier enters it (arrêté of 14 May 2007, art. 67-5).
    (NO_MORE_BETS, NUMBER_ENTERED): MANUAL,
    (BALL_DROPPED, NUMBER_ENTERED): MANUAL,
    (NO_MORE_BETS, UNDETECTED): MANUAL,
    (BALL_DROPPED, UNDETECTED): MANUAL,
    (DETECTED, UNDETECTED): MANUAL,
    (MANUAL, NUMBER_ENTERED): MANUAL,
    (MANUAL, RESULT_RECORDED): CONFIRMED,
    # A coup nul is possible until the number is official, never after.
    (BETS_OPEN, VOIDED): VOID,
    (BALL_IN_TRACK, VOIDED): VOID,
    (NO_MORE_BETS, VOIDED): VOID,
    (BALL_DROPPED, VOIDED): VOID,
    (DETECTED, VOIDED): VOID,
    (MANUAL, VOIDED): VOID,
    # A disputed outcome is corrected by a new record of two people, until the next coup begins.
    (CONFIRMED, NUMBER_CORRECTED): CONFIRMED,
    (CONFIRMED, VOID_CORRECTED): VOID,
    (VOID, NUMBER_CORRECTED): CONFIRMED,
    # A lock waits for the open coup's void, and ends only when someone authorised clears it.
    (BETS_OPEN, LOCKED): FAULT,
    (CONFIRMED, LOCKED): FAULT,
    (VOID, LOCKED): FAULT,
    (FAULT, CLEARED): BETS_OPEN,
    # A technician turns, measures and mends between two coups; a lock ends that, too.
    (BETS_OPEN, TAKEN_OUT): SERVICE,
    (CONFIRMED, TAKEN_OUT): SERVICE,
    (VOID, TAKEN_OUT): SERVICE,
    (SERVICE, PUT_BACK): BETS_OPEN,
    (SERVICE, LOCKED): FAULT,
}
# fmt: on


def after(state: str, happening: str) -> str | None:
    """Returns the state that follows; None where the table has no such line: nothing changes."""
    return TRANSITIONS.get((state, happening))
