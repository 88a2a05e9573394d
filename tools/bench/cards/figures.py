"""The known figures of card games, and what the engine and the solver say of each.

A known figure is written as its source prints it: "17/415", "1.23508 %", "-0.040964", or a count
"2 292 252 566 437 888". Ours agrees if it prints the same, digit for digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import hypot
from typing import NamedTuple

import rules
from rules.cards.baccarat import TIE
from rules.cards.drawing import BANKER, PLAYER
from rules.cards.house import MARGINS
from rules.cards.stakes import CardTable, open_table
from tools.bench.cards import baccarat, side_bets, solver
from tools.bench.cards.played import Played

DECKS = (8, 6)
SIGMAS = 3
EXCELPUNKS = "excelpunks.com"
EXPLOIT = "casinoexploit.com"
CASINO_888 = "888casino.com"
WIZARD = "wizardofodds.com"
WIZARD_DRAGON = "wizardofodds.com, baccarat, appendix 5"
COUNTED = "counted before, by other code"
FROM_COUNTS = "what the sources' counts give"

Key = tuple[str, "int | None"]


class Known(NamedTuple):
    """A figure of a source. `decks`: None for infinitely many. `text`: as it is printed there."""

    what: str
    decks: int | None
    text: str
    source: str

    @property
    def key(self) -> Key:
        """What of ours stands beside it."""
        return self.what, self.decks


class KnownPlay(NamedTuple):
    """A mean of played rounds that others measured, with its standard error, in stakes."""

    game: str
    decks: int
    mean: float
    error: float


def _both(what: str, eight: str, six: str, source: str) -> tuple[Known, Known]:
    return Known(what, 8, eight, source), Known(what, 6, six, source)


def _margins(what: str, counts: Iterable[str]) -> tuple[Known, ...]:
    return tuple(
        Known(f"{what} by {margin}", 8, count, WIZARD_DRAGON)
        for margin, count in zip(MARGINS, counts, strict=True)
    )


LU = "blackjack_lu"
LU_NO_DAS = "blackjack_lu, no double after splits"
LIVE = "blackjack_live"
LIVE_H17 = "blackjack_live, the dealer hits soft 17"
US = "black jack, checked under ace and ten"
US_ONE_SPLIT = "... one split, no double after it"

# fmt: off
BACCARAT = (
    *_both("draws of six cards", "4 998 398 275 503 360", "878 869 206 895 680", EXCELPUNKS),
    *_both("banker wins", "2 292 252 566 437 888", "403 095 751 234 560", EXPLOIT),
    *_both("banker wins, share", "45.8597 %", "45.8653 %", EXPLOIT),
    *_both("player wins", "2 230 518 282 592 256", "392 220 492 728 832", EXPLOIT),
    *_both("player wins, share", "44.6247 %", "44.6279 %", EXPLOIT),
    *_both("tie", "475 627 426 473 216", "83 552 962 932 288", EXPLOIT),
    *_both("tie, share", "9.5156 %", "9.5069 %", EXPLOIT),
    Known("banker wins with 6", 8, "269 232 304 455 680", EXCELPUNKS),
    Known("banker wins with 6, share", 8, "5.38637 %", EXCELPUNKS),
    Known("banker wins with 6", 6, "47 322 230 031 360", COUNTED),
    Known("baccarat_live player", 8, "1.23508 %", EXPLOIT),
    Known("baccarat_live player", 6, "1.23741 %", FROM_COUNTS),
    # casinoexploit.com and multiplayerbaccarat.com
    *_both("baccarat_live banker", "1.05791 %", "1.05585 %", EXPLOIT),
    *_both("baccarat_live tie", "14.35963 %", "14.43816 %", EXPLOIT),
    *_both("punto_2000 banker", "1.45810 %", "1.45481 %", COUNTED),
    Known("punto_2000 banker", 8, "1.4581 %", CASINO_888),
    Known("punto_2000 dragon_player", 8, "2.65167 %", FROM_COUNTS),
    Known("punto_2000 dragon_player", 6, "2.66751 %", COUNTED),
    Known("punto_2000 dragon_player", 8, "2.652 %", CASINO_888),
    *_both("punto_2000 dragon_player", "0.026517", "2.67 %", WIZARD_DRAGON),
    *_both("punto_2000 dragon_banker", "9.37307 %", "9.38893 %", COUNTED),
    Known("punto_2000 dragon_banker", 8, "9.373 %", CASINO_888),
    *_both("punto_2000 dragon_banker", "0.093731", "9.39 %", WIZARD_DRAGON),
    *_both("dragon_player, three cards alone", "21.8354 %", "21.8464 %", COUNTED),
    *_both("dragon_banker, three cards alone", "31.2019 %", "31.2126 %", COUNTED),
    *_both("dragon_player at 30-10-4-4-2-2", "2.49963 %", "2.51344 %", COUNTED),
    Known("dragon_banker at 30-10-4-4-2-2", 8, "8.53054 %", FROM_COUNTS),
    Known("dragon_banker at 30-10-4-4-2-2", 6, "8.54350 %", COUNTED),
    Known("natural tie", 8, "89 325 908 267 520", WIZARD_DRAGON),
    *_both("natural tie, share", "1.787091 %", "1.785277 %", COUNTED),
    Known("natural player", 8, "812 685 054 124 032", WIZARD_DRAGON),
    Known("natural banker", 8, "812 685 054 124 032", WIZARD_DRAGON),
    *_margins("player wins", (
        "18 409 431 764 992", "34 097 645 543 424", "89 590 261 473 280", "141 238 897 317 888",
        "166 169 165 987 840", "186 780 352 174 080")),
    *_margins("banker wins", (
        "15 390 342 909 952", "28 305 092 784 128", "79 517 099 278 336", "119 200 072 366 080",
        "157 275 882 332 160", "201 147 167 287 296")),
)
SIDE_BETS = (
    *_both("perfect pair", "7/415", "5/311", WIZARD),
    *_both("coloured pair", "8/415", "6/311", WIZARD),
    *_both("mixed pair", "16/415", "12/311", WIZARD),
    *_both("perfect_pairs", "17/415", "19/311", COUNTED),
    *_both("perfect_pairs", "4.09639 %", "6.10932 %", COUNTED),
    Known("perfect_pairs", 8, "0.040964", WIZARD),
    *_both("insurance", "31/415", "23/311", COUNTED),
    *_both("insurance", "7.46988 %", "7.39550 %", COUNTED),
    *_both("super_black, 19:1", "5.09731 %", "5.02102 %", COUNTED),
    *_both("super_silver, 77:1", "7.46988 %", "7.39550 %", COUNTED),
    *_both("super_gold, 300:1", "10.73216 %", "10.66040 %", COUNTED),
    *_both("super_black, 19 for 1", "9.84245 %", "9.76997 %", COUNTED),
    *_both("super_silver, 77 for 1", "8.65616 %", "8.58274 %", COUNTED),
    *_both("super_gold, 300 for 1", "11.02873 %", "10.95721 %", COUNTED),
)
BLACK_JACK = (
    Known(LU, None, "0.714241 %", COUNTED),
    Known(LU_NO_DAS, None, "0.846988 %", COUNTED),
    Known(LIVE, None, "0.592853 %", COUNTED),
    Known(LIVE_H17, None, "0.811676 %", COUNTED),
    Known(US, None, "0.511734 %", WIZARD + ", recalled"),
    # Griffin has 0.690223 % (pokeronlineguru.com).
    Known(US_ONE_SPLIT, None, "0.690237 %", COUNTED),
)
KNOWN_PLAYS = (
    KnownPlay(LU, 6, -0.006093, 0.000035),
    KnownPlay(LIVE, 8, -0.005080, 0.000036),
    KnownPlay(LIVE, 6, -0.00476, 0.00008),
)
# fmt: on


def table_of(
    game: str, decks: int | None = None, house: dict[str, object] | None = None
) -> CardTable:
    """A table of a game with these choices of the house."""
    return open_table(rules.load(game), decks, house)


def of_baccarat() -> dict[Key, Fraction]:
    """Counts and shares of draws, edges, the Dragon Bonus."""
    found: dict[Key, Fraction] = {}
    for decks in DECKS:
        counts = baccarat.counted(decks)
        draws = {
            "draws of six cards": counts.draws,
            "player wins": counts.wins[PLAYER],
            "banker wins": counts.wins[BANKER],
            "tie": counts.wins[TIE],
            "banker wins with 6": counts.banker_six,
            "natural player": counts.naturals[PLAYER],
            "natural banker": counts.naturals[BANKER],
            "natural tie": counts.naturals[TIE],
        }
        for margin in MARGINS:
            draws[f"player wins by {margin}"] = counts.margins[PLAYER, margin]
            draws[f"banker wins by {margin}"] = counts.margins[BANKER, margin]
        for what, count in draws.items():
            found[what, decks] = Fraction(count)
            found[f"{what}, share", decks] = Fraction(count, counts.draws)
    return found | _edges_of_baccarat()


_DRAGON = ("dragon_player", "dragon_banker")
# Of each table: the game, the house's choices, its bets, and how they are called in KNOWN.
_TABLES: tuple[tuple[str, dict[str, object], tuple[str, ...], str], ...] = (
    ("baccarat_live", {}, ("player", "banker", "tie"), "baccarat_live {}"),
    ("punto_2000", {}, ("banker", *_DRAGON), "punto_2000 {}"),
    ("punto_2000", {"dragon_two_card": False}, _DRAGON, "{}, three cards alone"),
    ("punto_2000", {"dragon_odds": [30, 10, 4, 4, 2, 2]}, _DRAGON, "{} at 30-10-4-4-2-2"),
)


def _edges_of_baccarat() -> dict[Key, Fraction]:
    found: dict[Key, Fraction] = {}
    for game, house, bets, name in _TABLES:
        for decks, edges in baccarat.edges(table_of(game, house=house), DECKS).items():
            found |= {(name.format(bet), decks): edges[bet] for bet in bets}
    return found


def of_side_bets() -> dict[Key, Fraction]:
    """Perfect Pairs, insurance and Super-Jack."""
    found: dict[Key, Fraction] = {}
    for decks in DECKS:
        chances, edge = side_bets.perfect_pairs(decks)
        found |= {(f"{name} pair", decks): chance for name, chance in chances.items()}
        found["perfect_pairs", decks] = edge
        found["insurance", decks] = side_bets.insurance(decks)
        for kept, name in ((True, "{}, {}:1"), (False, "{}, {} for 1")):
            for bet, edge in side_bets.super_jack(decks, kept).items():
                odds = table_of(LU).bets[bet].pays[0]
                found[name.format(bet, odds), decks] = edge
    return found


def of_black_jack() -> dict[Key, Fraction]:
    """What the house keeps of the best play with infinitely many decks."""
    games = {
        LU: solver.game_of(table_of(LU)),
        LU_NO_DAS: solver.game_of(table_of(LU, house={"das": False})),
        LIVE: solver.game_of(table_of(LIVE)),
        LIVE_H17: solver.game_of(table_of(LIVE, house={"h17": True})),
        US: solver.US,
        US_ONE_SPLIT: solver.US_ONE_SPLIT,
    }
    return {(name, None): -solver.worth(game) for name, game in games.items()}


# Known figures, and what counts ours.
EXACT = ((BACCARAT, of_baccarat), (SIDE_BETS, of_side_bets), (BLACK_JACK, of_black_jack))


def as_printed(ours: Fraction, known: Known) -> str:
    """Ours as the source would print it."""
    text = known.text
    if "/" in text:
        return str(ours)
    if text.endswith(" %"):
        return _decimal(100 * ours, text.removesuffix(" %")) + " %"
    return _decimal(ours, text) if "." in text else f"{int(ours):,}".replace(",", " ")


def _decimal(value: Fraction, like: str) -> str:
    digits = len(like.partition(".")[2])
    return f"{float(round(value, digits)):.{digits}f}"


def deviation(ours: Played, known: KnownPlay) -> float:
    """How far our mean is from theirs, in standard errors of the difference."""
    return (ours.mean - known.mean) / hypot(ours.error, known.error)
