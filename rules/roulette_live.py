"""Live roulette (seeds 003, section 1, "Règles de jeu de la Roulette")."""

from rules import announced_bets, layouts
from rules.cloth import Bet

# fmt: off
RULES = {
    "name": "roulette_live",
    "title": ("Roulette du Live Casino", "Live roulette"),
    "source": "Règles complètes du Live Casino, s. 1",
    "regulation": "Live Casino",
    # s. 1.2: "un jeton de 5 euros".
    "currency": "EUR",
    "apparatus": "roulette",
    "own_layout": layouts.EUROPEAN,
    "ball_turns_min": 4,
    # s. 1.3: "Plein: [...] (y compris le zéro). Cheval: [...] deux numéros (autres que le zéro)";
    # no other bet is said to have it. s. 1.4: what each pays. Limits are the table's own.
    "bets": (
        #    name              among     pays     multiples simple
        Bet("plein",          (0, 36),  (35, 1), None,      False),
        Bet("cheval",         (1, 36),  (17, 1), None,      False),
        Bet("transversale",   (1, 36),  (11, 1), None,      False),
        Bet("carre",          (1, 36),  (8, 1),  None,      False),
        Bet("sixain",         (1, 36),  (5, 1),  None,      False),
        Bet("douzaine",       (1, 36),  (2, 1),  None,      False),
        Bet("colonne",        (1, 36),  (2, 1),  None,      False),
        Bet("pair",           (1, 36),  (1, 1),  None,      True),
        Bet("impair",         (1, 36),  (1, 1),  None,      True),
        Bet("manque",         (1, 18),  (1, 1),  None,      True),
        Bet("passe",          (19, 36), (1, 1),  None,      True),
        Bet("rouge",          (1, 36),  (1, 1),  None,      True),
        Bet("noir",           (1, 36),  (1, 1),  None,      True),
    ),
    # s. 1.3: "le zéro n'est pas couvert par l'une de ces cases": the simple chances lose whole.
    "special": (0, "lose"),
    "order": (),  # the text gives none
    "announces": ("number", "colour", "parity", "half"),
    "announced": announced_bets.NAMES,
    # Of a stake after the call: the text has no call.
    "late": ("rien ne va plus", "no stake is taken after « rien ne va plus »"),
    "by_transfer_over_cents": None,
    "minimum_factors": (1,),
    "maxima_follow": False,
    "opening": (),  # the text asks nothing of a change of limits
    "director": "",  # the text names nobody
    # s. 1.2: "Si vous faites un pari inférieur à la limite [...] minimum [...] ou supérieur à la
    # limite [...] maximum, le montant [...] sera automatiquement refusé".
    "articles": {
        "bets": "s. 1.3", "limits": "s. 1.2", "special": "s. 1.3", "order": "", "announces": "",
    },
}
# fmt: on
