"""Boule as France plays it (article 47)."""

from rules import layouts
from rules.cloth import Bet

# "ne peut être inférieur à quarante fois [...] ni supérieur à cent fois [...] au montant du minimum
# fixé par l'arrêté d'autorisation"; for simple chances 200 and 500 times.
_PLEIN = (40, 100)
_SIMPLE = (200, 500)

# fmt: off
RULES = {
    "name": "boule_fr",
    "title": ("Boule, France", "Boule, France"),
    "source": "réglementation française des jeux, art. 47",
    "regulation": "France",
    # Of the law of France, which names no other.
    "currency": "EUR",
    "apparatus": "boule",
    "own_layout": layouts.boule(18),
    # Article 47 asks no turns. Three that three beams prove are four of a ball: each end of its way
    # lies up to a third of a turn outside, and a beam may miss it.
    "ball_turns_min": 3,
    # "1° Miser sur un numéro plein qui rapporte sept fois la mise; 2° Miser sur une chance simple
    # (rouge, noir, pair, impair, passe ou manque) qui rapporte une fois la mise."
    "bets": (
        #    name      among   pays    multiples simple
        Bet("plein",  (1, 9), (7, 1), _PLEIN,   False),
        Bet("rouge",  (1, 9), (1, 1), _SIMPLE,  True),
        Bet("noir",   (1, 9), (1, 1), _SIMPLE,  True),
        Bet("pair",   (1, 9), (1, 1), _SIMPLE,  True),
        Bet("impair", (1, 9), (1, 1), _SIMPLE,  True),
        Bet("passe",  (6, 9), (1, 1), _SIMPLE,  True),
        Bet("manque", (1, 4), (1, 1), _SIMPLE,  True),
    ),
    # "lorsque le numéro 5 est sortant, la totalité des mises sur les chances simples est perdante".
    "special": (5, "lose"),
    "order": (),  # the article gives none
    "announces": ("number", "colour", "parity", "half"),
    "announced": (),
    # Of a stake after the call: the article gives no words.
    "late": ("rien ne va plus", "no stake is taken after « rien ne va plus »"),
    "by_transfer_over_cents": None,
    # "la faculté d'ouvrir [...] des tableaux à mise minimale égale à deux fois le minimum fixé par
    # l'arrêté d'autorisation": the maxima stay multiples of that minimum.
    "minimum_factors": (1, 2),
    "maxima_follow": False,
    # Of a doubled minimum: "Jusqu'à la fin de la saison, ce minimum ne peut être ramené au taux
    # inférieur"; of the maximum: "ne peut ensuite varier d'une séance à l'autre".
    "opening": ("doubled_not_lowered", "maxima_of_a_season"),
    "director": "le directeur responsable a la faculté d'ouvrir [...] des tableaux à mise minimale"
    " égale à deux fois le minimum",
    "articles": {
        "bets": "art. 47", "limits": "art. 47", "special": "art. 47", "order": "", "announces": "",
    },
}
# fmt: on
