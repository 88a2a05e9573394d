"""What a display calls things, French beside English: the one place for names people read.

The words of the chances are those of the regulations (seeds 001, art. 37; 003, section 1).
"""

from typing import Any, NamedTuple

import rules

Words = NamedTuple("Words", [("french", str), ("english", str)])

# fmt: off
COLOURS = {
    "red": Words("rouge", "red"),
    "black": Words("noir", "black"),
    "green": Words("vert", "green"),
}
EVEN = Words("pair", "even")
ODD = Words("impair", "odd")
LOW = "manque"
HIGH = "passe"

_CLOSED = "RIEN NE VA PLUS"
STATES = {
    "BETS_OPEN": Words("FAITES VOS JEUX", "place your bets"),
    "BALL_IN_TRACK": Words("FAITES VOS JEUX", "bets are still open, the ball is in the track"),
    "NO_MORE_BETS": Words(_CLOSED, "no more bets"),
    "BALL_DROPPED": Words(_CLOSED, "no more bets, the ball has left the track"),
    "DETECTED": Words(_CLOSED, "no more bets, the number is being confirmed"),
    "MANUAL": Words(_CLOSED, "no more bets, the croupier enters the number"),
    "CONFIRMED": Words("LE NUMÉRO", "the number"),
    "VOID": Words("COUP NUL", "void"),
    "FAULT": Words("HORS SERVICE", "out of play, please wait"),
    "STALE": Words("PAS DE LIAISON", "the controller is not heard"),
}
# States in which no bet is taken any more, and none is paid yet.
CLOSED = tuple(state for state, words in STATES.items() if words.french == _CLOSED)

REASONS = {
    "rotor_not_reversed": Words("cylindre non inversé", "the rotor was not reversed"),
    "same_direction": Words("bille dans le sens du cylindre", "the ball ran with the rotor"),
    "too_few_turns": Words("trop peu de tours de bille", "the ball made too few turns"),
    "moved_before_call": Words("départ avant l'annonce", "moved before the call"),
    "foreign_object": Words("objet dans le cylindre", "a foreign object in the cylinder"),
    "two_balls": Words("deux billes", "two balls"),
    "ball_lost": Words("bille perdue", "the ball is lost"),
    "sensors_disagree": Words("capteurs en désaccord", "the sensors disagree"),
    "encoder": Words("rotation incertaine", "the rotation is in doubt"),
    "timeout": Words("délai dépassé", "time ran out"),
    "interrupted": Words("coup interrompu", "interrupted"),
    "croupier": Words("annoncé par le croupier", "declared by the croupier"),
    "other": Words("autre motif", "another reason"),
}
ROTORS = {
    1: Words("sens inverse des aiguilles", "counter-clockwise"),
    -1: Words("sens des aiguilles", "clockwise"),
    0: Words("sens pas encore connu", "direction not known yet"),
}
# fmt: on


def chances(game: dict[str, Any], number: int) -> tuple[Words, ...]:
    """Colour, parity and half of a number of `game`; zero has its colour alone."""
    colour = COLOURS[rules.colour(game, number)]
    if number == 0:
        return (colour,)
    highest = max(game["layout"])
    middle = highest // 2
    if number <= middle:
        half = Words(LOW, f"1 to {middle}")
    else:
        half = Words(HIGH, f"{middle + 1} to {highest}")
    return (colour, ODD if number % 2 else EVEN, half)
