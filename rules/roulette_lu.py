"""Roulette anglaise as Luxembourg plays it (grand-ducal regulation of 12 February 1979, 2015).

Articles 37-1 (procedure, order of payment), 37-2 (combinations), 37-3 (maxima).
"""

from rules import announced_bets, layouts
from rules.cloth import Bet

# fmt: off
RULES = {
    "name": "roulette_lu",
    "title": ("Roulette anglaise, Luxembourg", "English roulette, Luxembourg"),
    "source": "règlement grand-ducal modifié du 12 février 1979, art. 37-1 à 37-3",
    "regulation": "Luxembourg",
    # 000: "Pour tous les paiements dépassant 10 000 euros".
    "currency": "EUR",
    "apparatus": "roulette",
    "own_layout": layouts.EUROPEAN,
    # South Dakota 20:18:34:05 asks four revolutions of the ball at least.
    "ball_turns_min": 4,
    # 37-2: "Les joueurs ne peuvent faire usage que des combinaisons suivantes."
    # 37-3: "Le maximum des mises est fixé [...] Sur les chances simples à 360 fois le minimum".
    # The zero lies above 1, 2 and 3: chevaux, transversales and the carré have it too.
    "bets": (
        #    name              among     pays     multiples   simple
        Bet("plein",          (0, 36),  (35, 1), (20, 20),   False),
        Bet("cheval",         (0, 36),  (17, 1), (40, 40),   False),
        Bet("transversale",   (0, 36),  (11, 1), (60, 60),   False),
        Bet("carre",          (0, 36),  (8, 1),  (80, 80),   False),
        Bet("sixain",         (1, 36),  (5, 1),  (120, 120), False),
        Bet("douzaine",       (1, 36),  (2, 1),  (240, 240), False),
        Bet("colonne",        (1, 36),  (2, 1),  (240, 240), False),
        Bet("deux_douzaines", (1, 36),  (1, 2),  (480, 480), False),
        Bet("deux_colonnes",  (1, 36),  (1, 2),  (480, 480), False),
        Bet("pair",           (1, 36),  (1, 1),  (360, 360), True),
        Bet("impair",         (1, 36),  (1, 1),  (360, 360), True),
        Bet("manque",         (1, 18),  (1, 1),  (360, 360), True),
        Bet("passe",          (19, 36), (1, 1),  (360, 360), True),
        Bet("rouge",          (1, 36),  (1, 1),  (360, 360), True),
        Bet("noir",           (1, 36),  (1, 1),  (360, 360), True),
    ),
    # 37-2: "Dans le cas où le numéro sortant est le zéro, les mises placées sur les chances simples
    # perdent de moitié."
    "special": (0, "half"),
    # 37-1: "Les paiements doivent toujours être effectués [...] dans l'ordre suivant: Colonnes,
    # passe, impair, noir, rouge, pair, manque, douzaines, sixains, transversale, carrés, chevaux et
    # pleins". Two dozens are dozens, two columns columns.
    "order": (
        ("colonne", "deux_colonnes"), ("passe",), ("impair",), ("noir",), ("rouge",), ("pair",),
        ("manque",), ("douzaine", "deux_douzaines"), ("sixain",), ("transversale",), ("carre",),
        ("cheval",), ("plein",),
    ),
    # 37-1: "annonce à haute voix le numéro et les chances simples gagnantes".
    "announces": ("number", "colour", "parity", "half"),
    "announced": announced_bets.NAMES,
    # 37-1, of a stake after the call.
    "late": (
        "art. 37-1",
        "« Seules sont considérées comme ayant participé au jeu les mises effectivement placées […]"
        " au moment du « rien ne va plus » »",
    ),
    # 000: "Pour tous les paiements dépassant 10 000 euros, le casino se réserve le droit de payer
    # par un chèque de banque émis par la direction ou par virement bancaire".
    "by_transfer_over_cents": 1_000_000,
    # 37-3: "le directeur responsable a la possibilité d'augmenter en cours de saison [...] le
    # minimum des mises fixé par l'arrêté d'autorisation"; "Il est alors tenu d'augmenter les maxima
    # des mises".
    "minimum_factors": None,
    "maxima_follow": True,
    # 37-3: of the minimum "Durant une même journée [...] ne peut être modifié"; "jusqu'à la fin de
    # la saison, le nouveau minimum [...] ne peut être ramené à un taux inférieur".
    "opening": ("minimum_of_a_day", "minimum_not_lowered", "maxima_rise"),
    # Who may change the limits, in the words of the text; empty where it names nobody.
    "director": "le directeur responsable a la possibilité d'augmenter en cours de saison [...] le"
    " minimum des mises fixé par l'arrêté d'autorisation",
    "articles": {
        "bets": "art. 37-2", "limits": "art. 37-3", "special": "art. 37-2", "order": "art. 37-1",
        "announces": "art. 37-1",
    },
}
# fmt: on
