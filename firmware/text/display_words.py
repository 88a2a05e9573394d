"""What a display calls things, French beside English. What is announced of a number comes from
rules/announce.py."""

from typing import NamedTuple

import rules
from boards import apparatus
from rules import announce

Words = NamedTuple("Words", [("french", str), ("english", str)])

# fmt: off
GAMES = {each.name: Words(*each.title) for each in apparatus.ALL}

# Nothing is played: no state of the controller's, but of the display's own (scene.py).
ATTRACT = "ATTRACT"
_OPEN = Words("FAITES VOS JEUX", "place your bets")
_CLOSED = Words("RIEN NE VA PLUS", "no more bets")
STATES = {
    ATTRACT: Words("BIENVENUE", "welcome"),
    "BETS_OPEN": _OPEN,
    "BALL_IN_TRACK": _OPEN,
    "NO_MORE_BETS": _CLOSED,
    "BALL_DROPPED": _CLOSED,
    "DETECTED": _CLOSED,
    "MANUAL": _CLOSED,
    "CONFIRMED": Words("LE NUMÉRO", "the number"),
    "VOID": Words("COUP NUL", "void"),
    "FAULT": Words("HORS SERVICE", "out of play"),
    "SERVICE": Words("HORS SERVICE", "out of service"),
    "STALE": Words("PAS DE LIAISON", "no connection"),
}
# What is to be said besides.
MORE = {
    ATTRACT: Words("prenez place", "take your seat"),
    "BALL_IN_TRACK": Words("la bille est lancée", "the ball is in the track"),
    "BALL_DROPPED": Words("la bille a quitté la piste", "the ball has left the track"),
    "DETECTED": Words("numéro détecté, pas encore confirmé", "detected, not yet confirmed"),
    "MANUAL": Words(
        "saisie manuelle par le croupier", "manual entry by the croupier"
    ),
    "FAULT": Words("veuillez patienter", "please wait"),
    "SERVICE": Words("la table est fermée", "the table is closed"),
    "STALE": Words("le contrôleur ne se fait pas entendre", "the controller is not heard"),
}
MANUAL = Words("mode manuel", "manual mode")
BY_HAND = Words("saisi à la main", "entered by hand")
# States in which no bet is taken any more, and none is paid yet.
CLOSED = tuple(state for state, words in STATES.items() if words == _CLOSED)

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
# Beside the shape of a colour, for whoever cannot tell colours.
LETTERS = {
    "red": Words("R", "R"),
    "black": Words("N", "B"),
    "green": Words("V", "G"),
    "yellow": Words("J", "Y"),
    "white": Words("B", "W"),
}
BETS = {
    "plein": "straight up", "cheval": "split", "transversale": "street", "carre": "corner",
    "sixain": "six line", "douzaine": "dozen", "colonne": "column",
    "deux_douzaines": "2 dozens", "deux_colonnes": "2 columns",
}
# Short, for two of them stand side by side.
_SHORT = {"deux_douzaines": "2 douzaines", "deux_colonnes": "2 colonnes"}
SIMPLE = Words("chances simples", "even chances")
EVERY_BET = Words("toutes les mises", "all bets")
LABELS = {
    "coup": Words("coup", "coup"),
    "last": Words("Les 20 derniers", "The last 20"),
    "void": Words("coup nul", "void"),
    "hot": Words("Chauds", "Hot"),
    "hot_aside": Words("les plus sortis", "out most often"),
    "cold": Words("Froids", "Cold"),
    "cold_aside": Words("absents depuis (numéros)", "absent for (numbers)"),
    "shares": Words("Chances simples", "Even chances"),
    # {} stands for how many.
    "window": Words("sur les {} derniers numéros", "of the last {} numbers"),
    "window_one": Words("sur le dernier numéro", "of the last number"),
    "limits": Words("Limites", "Limits"),
    "minimum": Words("minimum", "minimum"),
    "unlimited": Words("sans", "none"),
    "crowded": Words(
        "trop de pages sont ouvertes : fermez-en une", "too many pages are open: close one"
    ),
    "unheard": Words(
        "l'afficheur ne se fait pas entendre", "the display program is not heard"
    ),
    "language": Words("English", "Français"),  # what the button changes to
}
# fmt: on


# What is announced beside a number does not differ between the rules of one apparatus.
_RULES = {each.name: rules.load(each.rules) for each in apparatus.ALL}


def rules_of(game: str) -> dict:  # type: ignore[type-arg]
    """Rules of an apparatus, for its numbers and what is announced of them."""
    return _RULES[game]


def chances(game: str, number: int, colour: str) -> tuple[Words, ...]:
    """Colour, parity and half of a number, as its game announces them."""
    return tuple(Words(*pair) for pair in announce.chances(_RULES[game], number, colour))


def bet(name: str) -> Words:
    """A bet's name, of those that are no simple chance."""
    return Words(_SHORT.get(name) or announce.french(name), BETS[name])
