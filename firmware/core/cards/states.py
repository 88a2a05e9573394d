"""One round of cards as a table of states. What is absent from it does not happen, never a guess.

Which of the states between the call and the end is next, next_card says (rules/cards/round.py):
the names of what happens there say what is due. A hold goes back to where the round was held. The
picture in docs/architecture.md is generated from TRANSITIONS (`make diagram`).
"""

NO_SHOE = "NO_SHOE"
BETS_OPEN = "BETS_OPEN"
DEALING = "DEALING"
INSURANCE = "INSURANCE"
PLAYING = "PLAYING"
DEALER = "DEALER"
DONE = "DONE"
CONFIRMED = "CONFIRMED"
VOID = "VOID"
HOLD = "HOLD"  # people put right what went wrong
FAULT = "FAULT"

# What happens to a round.
STAKES_DUE = "stakes_due"  # the shoe is ready, or START was pressed
CARDS_DUE = "cards_due"  # no more bets
INSURANCE_DUE = "insurance_due"
DECISIONS_DUE = "decisions_due"
DEALER_DUE = "dealer_due"
END_DUE = "end_due"  # no card and no decision is missing
HELD = "held"
RESULT_RECORDED = "result_recorded"
VOIDED = "voided"
SHOE_ENDED = "shoe_ended"  # the cut card came, or it is to be changed
RESULT_CORRECTED = "result_corrected"
VOID_CORRECTED = "void_corrected"
LOCKED = "locked"
CLEARED = "cleared"

# Where a start finds the table: without a shoe that is known, as its last round ended, or in one
# that was interrupted, which is void at once.
STARTS = (NO_SHOE, CONFIRMED, VOID, HOLD)

# fmt: off
TRANSITIONS = {
    (NO_SHOE, STAKES_DUE): BETS_OPEN,
    (CONFIRMED, STAKES_DUE): BETS_OPEN,
    (VOID, STAKES_DUE): BETS_OPEN,
    (BETS_OPEN, CARDS_DUE): DEALING,
    (DEALING, INSURANCE_DUE): INSURANCE,
    (DEALING, DECISIONS_DUE): PLAYING,
    (DEALING, DEALER_DUE): DEALER,
    (DEALING, END_DUE): DONE,
    (INSURANCE, DECISIONS_DUE): PLAYING,
    (INSURANCE, DEALER_DUE): DEALER,
    (INSURANCE, END_DUE): DONE,
    (PLAYING, DEALER_DUE): DEALER,
    (PLAYING, END_DUE): DONE,
    (DEALER, END_DUE): DONE,
    (DONE, RESULT_RECORDED): CONFIRMED,
    # A card too early, too many, unreadable or gone back; a shoe in trouble.
    (BETS_OPEN, HELD): HOLD,
    (DEALING, HELD): HOLD,
    (INSURANCE, HELD): HOLD,
    (PLAYING, HELD): HOLD,
    (DEALER, HELD): HOLD,
    (DONE, HELD): HOLD,
    (HOLD, STAKES_DUE): BETS_OPEN,
    (HOLD, CARDS_DUE): DEALING,
    (HOLD, INSURANCE_DUE): INSURANCE,
    (HOLD, DECISIONS_DUE): PLAYING,
    (HOLD, DEALER_DUE): DEALER,
    (HOLD, END_DUE): DONE,
    # A round is void until its result is durable, never after.
    (BETS_OPEN, VOIDED): VOID,
    (DEALING, VOIDED): VOID,
    (INSURANCE, VOIDED): VOID,
    (PLAYING, VOIDED): VOID,
    (DEALER, VOIDED): VOID,
    (DONE, VOIDED): VOID,
    (HOLD, VOIDED): VOID,
    (CONFIRMED, SHOE_ENDED): NO_SHOE,
    (VOID, SHOE_ENDED): NO_SHOE,
    # A disputed round is corrected by a new record of two people, until the next one begins.
    (CONFIRMED, RESULT_CORRECTED): CONFIRMED,
    (CONFIRMED, VOID_CORRECTED): VOID,
    (VOID, RESULT_CORRECTED): CONFIRMED,
    # A lock waits for the open round's void; then the shoe is changed and counted.
    (NO_SHOE, LOCKED): FAULT,
    (CONFIRMED, LOCKED): FAULT,
    (VOID, LOCKED): FAULT,
    (FAULT, CLEARED): NO_SHOE,
}
# fmt: on


def after(state: str, happening: str) -> str | None:
    """Returns the state that follows; None where the table has no such line: nothing changes."""
    return TRANSITIONS.get((state, happening))
