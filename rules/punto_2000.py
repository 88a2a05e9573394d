"""Punto 2000 with the Dragon Bonus, as Monaco plays them (arrêté 2016-842, 13.8 and 13.9).

Paragraphs 1 to 7 of article 13 are not in our text: baccarat's own drawing stands in. The odds of
the Dragon Bonus are an image there: those here are looked up (wizardofodds.com, appendix 5) and
UNVERIFIED: a table is opened with the house's own, and their source.
"""

from rules.cards.bets import CardBet
from rules.cards.house import BOTH, ODDS, HouseKey, decided

# fmt: off
RULES = {
    "name": "punto_2000",
    "title": ("Punto 2000, Monaco", "Punto 2000, Monaco"),
    "source": "arrêté ministériel n° 2016-842 du 23 décembre 2016, 13.8 et 13.9",
    "regulation": "Monaco",
    "family": "baccarat",
    "currency": "EUR",
    "by_transfer_over_cents": None,
    # The text says nothing of decks; arrêté 98-265 knows the sixain and the huitain.
    "decks": (6, (6, 8), ""),
    "bets": (
        #       name             pays    grain on    side   article
        CardBet("player",        (1, 1), 1,    None, None, "13.8"),
        # 13.8: "Les gains sur « banco » sont payés à égalité".
        CardBet("banker",        (1, 1), 2,    None, None, "13.8"),
        CardBet("tie",           (8, 1), 1,    None, None, "13.8"),
        # 13.9: "la mise « Dragon Bonus » est payée à égalité" on a natural.
        CardBet("dragon_player", (1, 1), 1,    None, "13.9", "13.9"),
        CardBet("dragon_banker", (1, 1), 1,    None, "13.9", "13.9"),
    ),
    # 13.8: "sauf si « banco » gagne avec le point « 6 » [...] une demi fois la mise".
    "banker_six": (1, 2),
    # No text counts them, and nothing depends on a seat: as many as a large table has.
    "seats": ("form of a round", 14),
    "own_limits": (),
    "multiples": None,
    "told_before_paid": (),
    # 13.9: "selon les cotes définies ci-dessous", which our text lacks.
    "odds_verified": False,
    "house": (
        #        name              default  values  article  ours  says
        HouseKey("dragon_odds",    ((9, 30), (8, 10), (7, 6), (6, 4), (5, 2), (4, 1)), ODDS,
                 "13.9", True, "« selon les cotes définies ci-dessous », which are an image"),
        HouseKey("dragon_two_card", True, BOTH,     "13.9", True,
                 "whether a two-card 6 or 7 is paid by its margin, as a hand of three cards"),
        HouseKey("dragon_tie_lost", True, BOTH,     "13.9", True,
                 "whether a tie that is no natural takes the stake"),
        decided("baccarat_drawing", "13.8",
                "« les paragraphes 1 à 7 », which our text lacks, are those of baccarat"),
        decided("tie_pays_8", "13.8", "égalité pays 8 to 1"),
        decided("dragon_named", "13.9",
                "« un pari facultatif »: a table takes it where its house names it"),
        decided("fourteen_seats", "form of a round", "a stake names a seat from 1 to 14, or none"),
    ),
    "late": ("13.8", "no stake is taken after the call"),
    "articles": {
        "cards": "13.8", "play": "13.8", "draw": "13.8", "limits": "13.8",
        "bets": "13.8",
    },
}
# fmt: on
