"""What a display calls things, in English; its other languages are the catalogue "display".

The table speaks French, whoever reads: the croupier says it (rules/announce.py), and the cloth has
it. So a display has two languages, French and its reader's (`at_table`).
"""

from __future__ import annotations

from typing import NamedTuple

import rules
from boards import apparatus, card_tables
from firmware.lib.language import ENGLISH, FRENCH, Tables, tables_in
from rules import announce

DOMAIN = "display"
# One thing in the two languages of a display.
Words = NamedTuple("Words", [("french", str), ("beside", str)])

# Nothing is played: no state of the controller's, but of the display's own (scene.py).
ATTRACT = "ATTRACT"
# Nor has anybody been heard yet: a dash alone, without a word.
STARTING = "STARTING"
_OPEN = "place your bets"
_CLOSED = "no more bets"
# Keys of BETS that are no bet's: the simple chances together, and all bets.
SIMPLE = "simple"
EVERY_BET = "every"
# fmt: off
GAMES = {each.name: each.title for each in (*apparatus.ALL, *card_tables.ALL)}
STATES = {
    ATTRACT: "welcome",
    "BETS_OPEN": _OPEN,
    "BALL_IN_TRACK": _OPEN,
    "NO_MORE_BETS": _CLOSED,
    "BALL_DROPPED": _CLOSED,
    "DETECTED": _CLOSED,
    "MANUAL": _CLOSED,
    "CONFIRMED": "the number",
    "VOID": "void",
    "FAULT": "out of play",
    "SERVICE": "out of service",
    "STALE": "no connection",
    "NO_SHOE": "the shoe is being prepared",
    "DEALING": _CLOSED,
    "INSURANCE": "insurance?",
    "PLAYING": _CLOSED,
    "DEALER": _CLOSED,
    "DONE": _CLOSED,
    "HOLD": _CLOSED,
}
# What is to be said besides.
MORE = {
    ATTRACT: "take your seat",
    "BALL_IN_TRACK": "the ball is in the track",
    "BALL_DROPPED": "the ball has left the track",
    "DETECTED": "detected, not yet confirmed",
    "MANUAL": "manual entry by the croupier",
    "FAULT": "please wait",
    "SERVICE": "the table is closed",
    "STALE": "the controller is not heard",
    "DEALING": "the cards are dealt",
    "PLAYING": "the players decide",
    "DEALER": "the dealer draws",
    "DONE": "not yet confirmed",
    "HOLD": "please wait",
}
# States in which no bet is taken any more, and none is paid yet.
CLOSED = tuple(state for state, said in STATES.items() if said == _CLOSED)
REASONS = {
    "rotor_not_reversed": "the rotor was not reversed",
    "same_direction": "the ball ran with the rotor",
    "too_few_turns": "the ball made too few turns",
    "moved_before_call": "thrown or set in motion before the call",
    "foreign_object": "a foreign object in the apparatus",
    "two_balls": "two balls",
    "ball_lost": "the ball is lost",
    "sensors_disagree": "the sensors disagree",
    "encoder": "the rotation is in doubt",
    "timeout": "time ran out",
    "interrupted": "interrupted",
    "croupier": "declared by the croupier",
    "foreign_card": "a card that is none of the shoe's",
    "hole_card_unreadable": "the hole card cannot be read",
    "shoe_exhausted": "the shoe ran out",
    "shoe_changed": "the shoe was changed",
    "misdealt": "wrongly dealt",
    "other": "another reason",
}
ROTORS = {
    "1": "counter-clockwise",
    "-1": "clockwise",
    "0": "direction not known yet",
}
# Beside the shape of a colour, for whoever cannot tell colours: the first letter of its name.
LETTERS = {"red": "R", "black": "B", "green": "G", "yellow": "Y", "white": "W"}
BETS = {
    "plein": "straight up", "cheval": "split", "transversale": "street", "carre": "corner",
    "sixain": "six line", "douzaine": "dozen", "colonne": "column",
    # Short, for two of them stand side by side.
    "deux_douzaines": "2 dozens", "deux_colonnes": "2 columns",
    SIMPLE: "even chances", EVERY_BET: "all bets",
}
LABELS = {
    "coup": "coup",
    "last": "The last 20",
    "void": "void",
    "hot": "Hot",
    "hot_aside": "out most often",
    "cold": "Cold",
    "cold_aside": "absent for (numbers)",
    "shares": "Even chances",
    # {} stands for how many.
    "window": "of the last {} numbers",
    "window_one": "of the last number",
    "limits": "Limits",
    "minimum": "minimum",
    "unlimited": "none",
    "manual": "manual mode",
    "by_hand": "entered by hand",
    "unverified": "UNVERIFIED layout",
    "crowded": "too many pages are open: close one",
    "unheard": "the display program is not heard",
    # {name}: who stands at the wheel must know it, or it is another who asks.
    "asks": "“{name}” asks to be the first supervisor of this wheel",
    "own_name": "English",  # of this language itself
}
# What the terminal says in other words than the page, for it has less room.
TERMINAL = {
    "number": "number",
    "numbers": "numbers",
    "hot": "hot",
    "cold": "cold",
    "limits": "limits",
    "last": "the last 20",
    "rotor": "rotor",
    "asks": '"{name}" asks to be the first supervisor',
}
# Of a card table: what there is beside the states. Letters and ranks are those of its cards.
SUITS = {"S": "S", "H": "H", "D": "D", "C": "C"}
RANKS = {"A": "A", "T": "10", "J": "J", "Q": "Q", "K": "K"}
RESULTS = {
    "none": "the result",
    "player": "the player wins",
    "banker": "the banker wins",
    "tie": "tie",
    # {} stands for the points.
    "dealer_points": "the dealer has {}",
    "dealer_bust": "the dealer has {}: too many",
    "dealer_black_jack": "black jack of the dealer",
}
ENDS = {
    "wins": "wins",
    "loses": "loses",
    "equal": "tie",
    "black_jack": "black jack",
    "bust": "too many",
    "lost_to_black_jack": "loses to a black jack",
}
SIDE_BETS = {
    "gold_jack_possible": "a Gold Jack is possible",
    "insured": "insured",
    "pair_perfect": "Perfect Pair: of one suit",
    "pair_colour": "Perfect Pair: of one colour",
    "pair_mixed": "Perfect Pair: mixed",
    "super_black": "Black Jack",
    "super_silver": "Silver Jack",
    "super_gold": "Gold Jack",
    "dragon_natural": "Dragon Bonus: natural",
    "dragon_4": "Dragon Bonus: by 4",
    "dragon_5": "Dragon Bonus: by 5",
    "dragon_6": "Dragon Bonus: by 6",
    "dragon_7": "Dragon Bonus: by 7",
    "dragon_8": "Dragon Bonus: by 8",
    "dragon_9": "Dragon Bonus: by 9",
}
# First letters stand in the roads.
CLOTH = {
    "round": "round",
    "seat": "seat",
    "dealer": "dealer",
    "player": "player",
    "banker": "banker",
    "tie": "tie",
    "turn": "plays",
    "simulated": "simulated table",
    "last_round": "last round of the shoe",
    "more": "more lies there than has room here",
    "bead": "bead road",
    "big": "big road",
    "begun": "begun before",  # the road, before what is known of it
    "by_hand": "cards entered by hand",
    "back": "card face down",
    "dash": "card not known",
    "why_void": "{void}: {why}",
}
# fmt: on

# What is announced beside a number does not differ between the rules of one apparatus.
_RULES = {each.name: rules.load(each.rules) for each in apparatus.ALL}


def rules_of(game: str) -> dict:  # type: ignore[type-arg]
    """Rules of an apparatus, for its numbers and what is announced of them."""
    return _RULES[game]


def chances(game: str, number: int, colour: str) -> tuple[str, ...]:
    """Returns colour, parity and half of a number as its game announces them: keys of CHANCES."""
    return tuple(key for _, key in announce.chances(_RULES[game], number, colour))


# What is announced of any number: the English is the key.
CHANCES = {
    key: key
    for game, played in _RULES.items()
    for number, colour in zip(played["layout"], played["colours"], strict=True)
    for key in chances(game, number, colour)
}
TABLES: Tables = {
    "games": GAMES,
    "states": STATES,
    "more": MORE,
    "reasons": REASONS,
    "rotors": ROTORS,
    "chances": CHANCES,
    "letters": LETTERS,
    "bets": BETS,
    "labels": LABELS,
    "terminal": TERMINAL,
    "suits": SUITS,
    "ranks": RANKS,
    "results": RESULTS,
    "ends": ENDS,
    "side_bets": SIDE_BETS,
    "cloth": CLOTH,
}


def words(language: str) -> Tables:
    """Returns all of it in one language."""
    return tables_in(language, DOMAIN, TABLES)


def at_table(language: str) -> dict[str, dict[str, Words]]:
    """Returns all of it in French, and in `language` beside it: in English for who reads French."""
    french, beside = words(FRENCH), words(ENGLISH if language == FRENCH else language)
    return {
        group: {name: Words(said, beside[group][name]) for name, said in table.items()}
        for group, table in french.items()
    }
