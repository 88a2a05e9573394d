"""Live baccarat (seeds 003, section 3, "Règles de jeu du Baccarat")."""

from rules.cards.bets import CardBet
from rules.cards.house import decided

# fmt: off
RULES = {
    "name": "baccarat_live",
    "title": ("Baccarat du Live Casino", "Live baccarat"),
    "source": "Règles complètes du Live Casino, s. 3",
    "regulation": "Live Casino",
    "family": "baccarat",
    "currency": "EUR",
    "by_transfer_over_cents": None,
    # 3.1: "se joue avec 8 paquets de 52 cartes".
    "decks": (8, (8,), "3.1"),
    "bets": (
        #       name      pays      grain on    side   article
        # 3.3.1: "La mise d'une main de joueur gagnante: 1 - 1".
        CardBet("player", (1, 1),   1,    None, None, "3.3.1"),
        # "La mise d'une main de banquier gagnante: 95 - 1", a slip for .95 to 1.
        CardBet("banker", (19, 20), 20,   None, None, "3.3.1"),
        # "Une égalité gagnante: 8 - 1".
        CardBet("tie",    (8, 1),   1,    None, None, "3.3.1"),
    ),
    # The banker with 6 pays as always.
    "banker_six": None,
    # No text counts them, and nothing depends on a seat: as many as a large table has.
    "seats": ("form of a round", 14),
    "own_limits": (),
    # 3.2: "inférieur à la limite de mise minimum de la table, ou supérieur à la limite [...]".
    "multiples": None,
    "told_before_paid": (),
    "odds_verified": True,
    "house": (
        decided("banker_pays_95_100", "3.3.1",
                "« 95 - 1 » is .95 to 1: stakes on the banker are multiples of 20 cents"),
        decided("player_first", "3.2",
                "cards fall player, banker, player, banker, then the third ones"),
        decided("fourteen_seats", "form of a round", "a stake names a seat from 1 to 14, or none"),
    ),
    "late": ("3.2", "« avant que les cartes de jeu ne soient distribuées » : none after the call"),
    "articles": {
        "cards": "3.2", "play": "3.2", "draw": "3.3", "limits": "3.2",
        "bets": "3.3.1",
    },
}
# fmt: on
