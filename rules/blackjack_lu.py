"""Black Jack as Luxembourg plays it (grand-ducal regulation of 12 February 1979, as of 2015).

Chapter II, 1 to 4, and art. 33; with the house rules « Le super-jack » and « Le
Perfect Pairs » of Casino 2OOO (seeds 000).
"""

from rules.cards.bets import CardBet
from rules.cards.house import ANY_COUNT, BOTH, HouseKey, decided, followers

# fmt: off
RULES = {
    "name": "blackjack_lu",
    "title": ("Black Jack, Luxembourg", "Black jack, Luxembourg"),
    "source": "règlement grand-ducal modifié du 12 février 1979, ch. II, art. 33",
    "regulation": "Luxembourg",
    "family": "blackjack",
    # 000: "Pour tous les paiements dépassant 10 000 euros".
    "currency": "EUR",
    "by_transfer_over_cents": 1_000_000,
    # Art. 32, of those who sit, is not in our extracts; seven as at the Live Casino (2.2).
    "seats": ("art. 32", 7),
    # The text says nothing of decks: French houses play a sixain.
    "decks": (6, (6, 8), ""),
    # II.1: "il se donne une carte": no second card until all hands are played.
    "hole_card": False,
    # II.2: "une mise égale à la moitié de sa propre mise".
    "insurance_less": False,
    # II.4: "Lorsque le joueur a obtenu 9, 10 ou 11 points avec ses deux premières cartes".
    "double_points": (9, 10, 11),
    "double_less": False,
    # II.1 to II.4 except nothing: a doubled stake is lost whole to a Black Jack.
    "double_returned": False,
    # The maximum is "par main et peut être dépassé dans le cas d'un joueur assis, titulaire de
    # plusieurs mains".
    "several_hands": True,
    "bets": (
        #       name             pays      grain  on     side   article
        CardBet("main",          (1, 1),   2,     None,  None, "art. 33"),
        # Art. 32 is not in our extracts: no table offers it unless its house says that it may.
        CardBet("behind",        (1, 1),   2,     None,  "art. 32", "art. 32"),
        # "Perfect Pair → 25 fois la mise, Coloured Pair → 12 fois, Mixed Pair → 6 fois"; "Les mises
        # se font uniquement par unité de 10 euros".
        CardBet("perfect_pairs", (25, 12, 6), 1000, "main", "art. 49-16", "Perfect Pairs"),
        # "Black Jack [...] multiplié par 19", "Silver Jack [...] 77", "Gold Jack [...] 300".
        CardBet("super_black",   (19, 1),  1,     "main", "art. 49-16", "Super-Jack"),
        CardBet("super_silver",  (77, 1),  1,     "main", "art. 49-16", "Super-Jack"),
        CardBet("super_gold",    (300, 1), 1,     "main", "art. 49-16", "Super-Jack"),
    ),
    # "la mise minimum étant de 10 euros et la mise maximum de 100 euros".
    "own_limits": (("perfect_pairs", 1000, 10_000),),
    # art. 33: "fixé en début de séance par le directeur de l'établissement à 50, 100 ou 200 fois".
    "multiples": (50, 100, 200),
    # "En cas de paiement d'un gold-jack le chef de salle doit en être informé au préalable."
    "told_before_paid": ("super_gold",),
    "house": (
        #        name                default  values     article    ours   says
        HouseKey("max_hands",        4, ANY_COUNT,       "II.3",    True,
                 "« limiter le nombre des paires »; 0: no limit"),
        HouseKey("similar_only",     False, BOTH,        "II.3",    False,
                 "« limiter les paires aux cartes similaires »"),
        HouseKey("das",              True, BOTH,         "II.4",    False,
                 "« en exclure la possibilité en ce qui concerne les paires »"),
        HouseKey("resplit_aces",     False, BOTH,        "II.3",    True,
                 "whether a pair of aces that a split made is split again"),
        HouseKey("stand_on_21",      True, BOTH,         "II.1",    True,
                 "a hand of 21 stands by itself"),
        HouseKey("soft_double",      False, BOTH,        "II.4",    True,
                 "whether the ace of a soft hand may count 1 for 9, 10 or 11 points"),
        HouseKey("insure_black_jack", True, BOTH,        "II.2",    True,
                 "whether a hand of Black Jack may be insured"),
        HouseKey("h17",              False, (False,),    "II.1",    False,
                 "« S'il a 17 points ou plus, il est obligé de rester », an ace counting 11"),
        HouseKey("stop_when_decided", True, BOTH,        "II.1",    True,
                 "the dealer draws no card on which nothing depends"),
        HouseKey("dealer_bj_takes_split", True, (True,), "II.3",    False,
                 "hands of a pair are « séparées et indépendantes »: each loses its stake"),
        HouseKey("split_21_equals_black_jack", False, BOTH, "II.3", True,
                 "whether 21 of split aces or tens is null against a Black Jack"),
        HouseKey("pair_by_rank",     True, BOTH,         "Perfect Pairs", True,
                 "« de même valeur » is the rank: valet and dame are no pair"),
        HouseKey("super_jack_stake_kept", True, BOTH,    "Super-Jack", True,
                 "« multiplié par 19 » is 19 to 1: the stake is returned beside it"),
        decided("even_stakes", "art. 33", "stakes are even in cents, for 3 to 2 and for half"),
        decided("insure_at_once", "II.2",
                "all hands are asked for insurance together, before the first decision"),
        decided("split_card_in_turn", "II.3",
                "a split hand gets its second card when its turn comes"),
        decided("split_inserts_after", "II.3",
                "the right hand is hand 1; one split again is followed by its other half"),
        decided("split_aces_stand", "II.3", "a split ace neither draws nor doubles"),
        decided("double_equals_stake", "II.4", "a double adds as much as the stake, never less"),
        decided("seven_seats", "art. 32",
                "seats are 1 to 7 from the dealer's left, one main stake each"),
        decided("several_hands", "art. 32", "a player may have the hands of several seats"),
        decided("pairs_at_once", "Perfect Pairs",
                "Perfect Pairs are paid at once too, and a split changes nothing of them"),
        decided("super_jack_piece", "Super-Jack",
                "one stake a line and seat, of the table's maximum at most"),
    ) + followers("art. 32"),
    # II.1, of a stake after the call.
    "late": ("II.1", "« Lorsque toutes les mises ont été déposées » : none after the call"),
    "articles": {
        "cards": "II.1", "play": "II.1", "draw": "II.1", "insure": "II.2",
        "split": "II.3", "double": "II.4", "limits": "art. 33", "bets": "II.1",
    },
}
# fmt: on
