"""Live black jack with bet behind (seeds 003, section 2, "Règles de jeu du Blackjack")."""

from rules.cards.bets import CardBet
from rules.cards.house import BOTH, CENTS, HouseKey, decided, followers

# fmt: off
RULES = {
    "name": "blackjack_live",
    "title": ("Black jack du Live Casino", "Live black jack"),
    "source": "Règles complètes du Live Casino, s. 2",
    "regulation": "Live Casino",
    "family": "blackjack",
    "currency": "EUR",
    "by_transfer_over_cents": None,
    # 2.2: "un maximum de 7 places".
    "seats": ("2.2", 7),
    # The text says nothing of decks; baccarat has 8 there (s. 3.1).
    "decks": (8, (6, 8), ""),
    # 2.7.4: "une seconde carte face contre la table au donneur".
    "hole_card": True,
    # 2.6.5: "une mise qui ne dépasse pas la moitié du montant misé initialement".
    "insurance_less": True,
    # 2.6.6: "sur les deux premières cartes distribuées au joueur".
    "double_points": None,
    # "une mise supplémentaire qui ne dépasse pas sa mise initiale".
    "double_less": True,
    # 2.6.6: "il ne ramassera que le montant de la mise initiale du joueur, et non pas le montant
    # supplémentaire misé pour le doublement".
    "double_returned": True,
    # 2.8.5: "une seule main par compte".
    "several_hands": False,
    "bets": (
        #       name      pays    grain on    side   article
        CardBet("main",   (1, 1), 2,    None, None, "2.6.1"),
        # 2.9.1: "Cette option permet aux joueurs de parier sur une même main de Blackjack."
        CardBet("behind", (1, 1), 2,    None, None, "2.9.2"),
    ),
    "own_limits": (),
    # 2.6.1: "Les mises minimums et maximums autorisées sont indiquées sur l'écran du jeu."
    "multiples": None,
    "told_before_paid": (),
    "house": (
        #        name                default  values     article    ours   says
        HouseKey("max_hands",        2, (2,),            "2.6.7",   False,
                 "« n'a pas le droit de partager une paire » again: two hands at most"),
        HouseKey("similar_only",     False, (False,),    "2.6.7",   False,
                 "cards « identiques en valeur » make a pair, of one rank or not"),
        HouseKey("das",              True, BOTH,         "2.6.6",   False,
                 "whether a split hand may be doubled; 2.3 lets the house limit it"),
        HouseKey("resplit_aces",     False, (False,),    "2.6.7",   False,
                 "no pair is split twice, « y compris une paire d'as »"),
        HouseKey("split_cards_at_once", False, (False,), "2.6.7",   False,
                 "one hand ends « avant que le donneur ne distribue … à la seconde main »"),
        HouseKey("stand_on_21",      True, (True,),      "2.8.4",   False,
                 "a hand of 21 « ne peut pas tirer de carte supplémentaire »"),
        HouseKey("unit_cents",       1, CENTS,           "2.6.5",   True,
                 "the least chip: where it cannot make half, insurance goes up to the next unit"),
        HouseKey("insure_black_jack", True, BOTH,        "2.6.5",   True,
                 "whether a hand of Black Jack may be insured"),
        HouseKey("h17",              False, BOTH,        "2.2",     False,
                 "« rester sur tous les 17 » or « tirer jusqu'à un 17 souple »"),
        HouseKey("stop_when_decided", True, (True,),     "2.8.4",   False,
                 "the dealer draws nothing where his points « n'aura aucun effet »"),
        HouseKey("dealer_bj_takes_split", True, BOTH,    "2.6.7",   True,
                 "whether a dealer's Black Jack takes both stakes of a split pair"),
        HouseKey("bust_double_returned", False, BOTH,    "2.6.6",   True,
                 "whether a doubled hand over 21 gets its addition back from a Black Jack"),
        HouseKey("split_ten_ace_is_21", True, BOTH,      "2.6.7",   True,
                 "an ace on a split ten is 21 and no Black Jack, as a ten on a split ace"),
        decided("even_stakes", "2.6.1", "stakes are even in cents, for 3 to 2 and for half"),
        decided("first_card_up", "2.7.4",
                "the dealer's first card lies face up, for insurance needs it"),
        decided("twenty_one_wins", "2.6.1",
                "« inférieure à 21 » against a dealer over 21 is 21 or less"),
    ) + followers("2.9.2"),
    "late": ("2.6.1", "« aucun pari ne pourra plus être placé » after « plus de paris »"),
    "articles": {
        "cards": "2.5", "play": "2.7.6", "draw": "2.8.4", "insure": "2.6.5",
        "split": "2.6.7", "double": "2.6.6", "limits": "2.6.1", "bets": "2.6.1",
        "hands": "2.8.5",
    },
}
# fmt: on
