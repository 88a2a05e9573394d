"""What a display calls things, French beside English. What is announced of a number comes from
rules/announce.py."""

from typing import NamedTuple

import rules
from rules import announce

Words = NamedTuple("Words", [("french", str), ("english", str)])

# fmt: off
GAMES = {
    "roulette": Words("roulette", "roulette"),
    "vingt_trois": Words("vingt-trois", "vingt-trois"),
    "boule": Words("boule", "boule"),
}

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
    "moved_before_call": Words(
        "lancé ou mis en mouvement avant l'annonce", "thrown or set in motion before the call"
    ),
    "foreign_object": Words("objet dans l'appareil", "a foreign object in the apparatus"),
    "two_balls": Words("deux billes", "two balls"),
    "ball_lost": Words("bille perdue", "the ball is lost"),
    "sensors_disagree": Words("capteurs en désaccord", "the sensors disagree"),
    "encoder": Words("rotation incertaine", "the rotation is in doubt"),
    "timeout": Words("délai dépassé", "time ran out"),
    "interrupted": Words("coup interrompu", "interrupted"),
    "croupier": Words("annoncé par le croupier", "declared by the croupier"),
    "other": Words("autre motif", "another reason"),
}
UNVERIFIED = Words("disposition NON VÉRIFIÉE", "UNVERIFIED layout")
ROTORS = {
    1: Words("sens inverse des aiguilles", "counter-clockwise"),
    -1: Words("sens des aiguilles", "clockwise"),
    0: Words("sens pas encore connu", "direction not known yet"),
}
# fmt: on


# What is announced beside a number does not differ between the rules of one apparatus.
_RULES = {
    "roulette": rules.load("roulette_lu"),
    "vingt_trois": rules.load("vingt_trois_fr"),
    "boule": rules.load("boule_fr"),
}


def chances(game: str, number: int, colour: str) -> tuple[Words, ...]:
    """Colour, parity and half of a number, as its game announces them."""
    return tuple(Words(*pair) for pair in announce.chances(_RULES[game], number, colour))
