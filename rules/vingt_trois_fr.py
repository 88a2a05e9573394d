"""Vingt-trois as France plays it (article 47)."""

from rules import layouts
from rules.cloth import Bet

# "inférieur à [...] vingt fois [...], ni supérieur à [...] cinquante fois [...] au montant du
# minimum fixé par l'arrêté d'autorisation"; for simple chances 100 and 250 times.
_PLEIN = (20, 50)
_SIMPLE = (100, 250)

# fmt: off
RULES = {
    "name": "vingt_trois_fr",
    "title": ("Vingt-trois, France", "Vingt-trois, France"),
    "source": "réglementation française des jeux, art. 47",
    "regulation": "France",
    # Of the law of France, which names no other.
    "currency": "EUR",
    "apparatus": "vingt_trois",
    "own_layout": layouts.VINGT_TROIS,
    "ball_turns_min": 0,  # the plate flings the ball: it need not go round
    # "Miser en plein sur un des numéros 1, 2, 3, ou 4 qui rapporte vingt-trois fois la mise [...]
    # 5 [...] ou 11 [...] onze fois [...] 12, 13 ou 14 [...] sept fois [...] rouge ou noir [...] une
    # fois": a plein pays by what stands on the plate once, twice, three times.
    "bets": (
        #    name     among     pays     multiples simple
        Bet("plein", (1, 4),   (23, 1), _PLEIN,   False),
        Bet("plein", (5, 11),  (11, 1), _PLEIN,   False),
        Bet("plein", (12, 14), (7, 1),  _PLEIN,   False),
        Bet("rouge", (1, 14),  (1, 1),  _SIMPLE,  True),
        Bet("noir",  (1, 14),  (1, 1),  _SIMPLE,  True),
    ),
    # "Lorsque le numéro 13 sort, la totalité des mises sur les chances simples est perdante."
    "special": (13, "lose"),
    "order": (),  # the article gives none
    "announces": ("number", "colour"),
    "announced": (),
    # Of a stake after the call.
    "late": ("art. 47", "rien ne va plus : « Dès lors, les enjeux ne sont plus admis »"),
    "by_transfer_over_cents": None,
    "minimum_factors": (1,),
    "maxima_follow": False,
    # "Le maximum des mises [...] ne peut ensuite varier d'une séance à l'autre."
    "opening": ("maxima_of_a_season",),
    "director": "",  # the text names nobody
    "articles": {
        "bets": "art. 47", "limits": "art. 47", "special": "art. 47", "order": "", "announces": "",
    },
}
# fmt: on
