"""What a card table says, in both languages: each fact, each code of the guide, each row."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.core.cards import facts, hold, reasons
from firmware.lib.language import translated
from firmware.stakes import card_kinds
from firmware.text import card_guide, card_rows, card_words
from firmware.text.event_text import human_line, json_line, sentence_of, words_of
from rules.cards.deck import card_of
from rules.cards.due import CardPayment

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
from harness.card_place import CardPlace

SOURCE = Path(facts.__file__).read_text("utf-8")
AT = 3_000_000

# Each code of the guide, what it is told with, and its sentence in both languages.
GUIDES: list[tuple[str, dict[str, Any], str, str]] = [
    (facts.LOAD, {}, "Put a shoe at the table, then START.",
     "Mettre un sabot à la table, puis START."),
    (facts.COUNT, {}, "Count what is left in the shoe, or two people confirm it.",
     "Compter ce qui reste dans le sabot, ou le faire confirmer à deux."),
    (facts.BURNING, {"burned": 1, "of": 6}, "Burn 6 cards: 1/6", "Brûler 6 cartes : 1/6"),
    (facts.BURNING, {"burned": 1, "of": 6, "by_key": True},
     "Burn 6 cards, BURN for each: 1/6", "Brûler 6 cartes, BURN pour chacune : 1/6"),
    (facts.BETS, {"seats": ()}, "Faites vos jeux; then RIEN NE VA PLUS.",
     "Faites vos jeux ; puis RIEN NE VA PLUS."),
    (facts.BETS, {"seats": (2, 5)}, "Faites vos jeux (seats 2, 5); then RIEN NE VA PLUS.",
     "Faites vos jeux (places 2, 5) ; puis RIEN NE VA PLUS."),
    (facts.DEAL, {"to": "s3", "then": None}, "→ Seat 3", "→ Place 3"),
    (facts.DEAL, {"to": "s3.2", "then": None}, "→ Seat 3, hand 2", "→ Place 3, main 2"),
    (facts.DEAL, {"to": "s3", "then": "d"}, "→ Seat 3, then Dealer", "→ Place 3, puis Banque"),
    (facts.DEAL, {"to": "d*", "then": None}, "→ Hole card, face down",
     "→ Carte cachée, face en dessous"),
    (facts.DEAL, {"to": "P", "then": "B"}, "→ Player, then Banker", "→ Joueur, puis Banquier"),
    (facts.DEAL, {"to": "d", "then": None, "points": "16"}, "Dealer: 16, draw",
     "Banque : 16, tirer"),
    (facts.LATE, {"to": "s3", "then": None}, "→ Seat 3: this card is awaited",
     "→ Place 3 : carte attendue"),
    (facts.INSURE, {"seats": (3,)}, "Insurance? seat 3: the seat's key, then ASSURANCE or RESTE.",
     "Assurance ? place 3 : la touche de la place, puis ASSURANCE ou RESTE."),
    (facts.INSURE, {"seats": (3, 5), "seat": 5}, "Insurance? seat 5: ASSURANCE or RESTE.",
     "Assurance ? place 5 : ASSURANCE ou RESTE."),
    (facts.INSURE, {"seats": (3, 5), "at_terminals": (3,)},
     "Insurance? seat 5: the seat's key, then ASSURANCE or RESTE.",
     "Assurance ? place 5 : la touche de la place, puis ASSURANCE ou RESTE."),
    (facts.INSURE, {"seats": (3,), "at_terminals": (3,)},
     "Insurance? seat 3: answered at the terminals, wait.",
     "Assurance ? place 3 : réponse aux terminaux, attendre."),
    (facts.DECIDE, {"seat": 3, "hand": 1, "points": "14", "choices": ("hit",), "at_terminal": True},
     "Seat 3, hand 1: 14. It is decided at the terminal: wait.",
     "Place 3, main 1 : 14. Décision au terminal : attendre."),
    (facts.DECIDE, {"seat": 3, "hand": 1, "points": "14", "choices": ("hit", "stand")},
     "Seat 3, hand 1: 14. Card / Stand", "Place 3, main 1 : 14. Carte / Reste"),
    (facts.DECIDE, {"seat": 3, "hand": 2, "points": "9/19", "choices": ("double", "split")},
     "Seat 3, hand 2: 9/19. Double / Pair", "Place 3, main 2 : 9/19. Double / Paire"),
    (facts.TURN, {}, "Turn the hole card up, then TURNED.",
     "Retourner la carte cachée, puis TURNED."),
    (facts.GOLD_JACK_POSSIBLE, {}, "Announce: possibilité d'un gold-jack.",
     "Annoncer : possibilité d'un gold-jack."),
    (facts.GOLD_JACK, {"payments": ((2, "p2", 150_000),)},
     "Chef de salle: Gold Jack, seat 2 (p2) 1500.00; he knows of it before it is paid.",
     "Chef de salle : Gold Jack, place 2 (p2) 1500.00 ; l'en informer avant de payer."),
    (facts.CONFIRM, {}, "Look at the cloth, then CONFIRM.", "Regarder le tapis, puis CONFIRM."),
    (facts.CONFIRM, {"points": "17"}, "Dealer: 17, stand. Then CONFIRM.",
     "Banque : 17, rester. Puis CONFIRM."),
    (facts.CONFIRM, {"points": "17", "last": True},
     "Dernier coup du sabot. Dealer: 17, stand. Then CONFIRM.",
     "Dernier coup du sabot. Banque : 17, rester. Puis CONFIRM."),
    (facts.RECORDING, {}, "The end of the round is being recorded: wait.",
     "La fin du coup s'enregistre : attendre."),
    (facts.HELD, {"why": "unread", "to": "s2", "failures": 1, "ways": ("again", "void")},
     "Held, the card is not read (Seat 2, 1/3): pull the same card over the reader again; or"
     " VOID, which returns all stakes.",
     "Suspendu, la carte n'est pas lue (Place 2, 1/3) : repasser la même carte devant le lecteur ;"
     " ou VOID, qui rend toutes les mises."),
    (facts.HELD, {"why": "card_early", "to": None, "failures": 0, "ways": ("put_away", "show",
                                                                          "void")},
     "Held, a card was drawn too early: BURN, if nobody has seen it; or EXPOSED, if players have"
     " seen it; or VOID, which returns all stakes.",
     "Suspendu, carte tirée trop tôt : BURN, si personne ne l'a vue ; ou EXPOSED, si des joueurs"
     " l'ont vue ; ou VOID, qui rend toutes les mises."),
    (facts.NEXT, {}, "The next round: START.", "Coup suivant : START."),
    (facts.BURN_ALL, {"reason": "croupier"},
     "Coup nul (declared at the table): burn all cards, then START.",
     "Coup nul (déclaré à la table) : brûler toutes les cartes, puis START."),
    (facts.LOCKED, {},
     "Out of play: the management changes and counts the cards of the shoe, then clears it.",
     "Hors jeu : la direction change et compte les cartes du sabot, puis lève le blocage."),
]  # fmt: skip

OUTCOME = {
    "dealer": {"cards": ["AH", "KH"], "points": 21, "black_jack": True},
    "hands": [],
}
SIDES = {
    "winner": "banker", "player": 1, "banker": 6, "natural": False,
    "player_cards": ["KS", "QH", "AC"], "banker_cards": ["2D", "4D"],
}  # fmt: skip
GOLD = CardPayment("p2", "super_gold", 2, 1, 500, 150_000, 150_500)
LOST = CardPayment("p5", "main", 5, 1, 2000, -2000, 0)

# Each fact with its words in both languages; the same of a correction that voids.
FACTS: list[tuple[Any, str, str]] = [
    (facts.RoundStarted(AT, 7), "faites vos jeux: the stakes are open", "faites vos jeux"),
    (facts.BetsClosed(AT, 7, 2, 3000), "rien ne va plus; stakes: 2, 30.00 in all",
     "rien ne va plus ; mises : 2, 30.00 en tout"),
    (facts.CardDealt(AT, 7, 1, "s2", card_of("TH")), "card 1: 10♥, seat 2",
     "carte 1 : 10♥, place 2"),
    (facts.CardDealt(AT, 7, 4, "d*", None), "card 4: the hole card, face down",
     "carte 4 : la carte cachée, face en dessous"),
    (facts.HoleTurned(AT, 7, 4, card_of("KD")), "the hole card is turned up: R♦",
     "la carte cachée est retournée : R♦"),
    (facts.HoleChecked(AT, 7, True), "the hole card is checked: Black Jack",
     "carte cachée vérifiée : Black Jack"),
    (facts.HoleChecked(AT, 7, False), "the hole card is checked: no Black Jack",
     "carte cachée vérifiée : pas de Black Jack"),
    (facts.Engaged(AT, 7, 1, 2, 1, "hit", "keys", 3, None),
     "seat 2 draws, by the croupier's keys, after 3 cards",
     "place 2 tire, aux touches du croupier, après 3 cartes"),
    (facts.Engaged(AT, 7, 2, 2, 2, "stand", "time", 4, None),
     "seat 2, hand 2 stands, as the time was up, after 4 cards",
     "place 2, main 2 reste, à la fin du temps, après 4 cartes"),
    (facts.Engaged(AT, 7, 3, 2, 1, "double", "12", 4, None),
     "seat 2 doubles, at terminal 12, after 4 cards",
     "place 2 double, au terminal 12, après 4 cartes"),
    (facts.RoundResult(AT, 7, 5, OUTCOME, "ab", True, [LOST, GOLD], [1]),
     "dealer Black Jack; the management is to know before seat 2 (p2) 1500.00 is paid",
     "banque Black Jack ; informer la direction avant de payer place 2 (p2) 1500.00"),
    (facts.RoundResult(AT, 7, 5, SIDES, "ab", False, [], []),
     "the banker wins: player 1, banker 6 (a card was entered by hand)",
     "le banquier gagne : joueur 1, banquier 6 (une carte a été saisie à la main)"),
    (facts.HeldPaid(AT, 7, "weber", [GOLD]),
     "weber knows of the Gold Jack: seat 2 (p2) 1500.00 paid",
     "weber est au courant du Gold Jack : place 2 (p2) 1500.00 payés"),
    (facts.HeldPaid(AT, 7, facts.SWITCH_MANAGEMENT, [GOLD]),
     "the management's key knows of the Gold Jack: seat 2 (p2) 1500.00 paid",
     "la clé de la direction est au courant du Gold Jack : place 2 (p2) 1500.00 payés"),
    (facts.RoundVoid(AT, 7, 5, "foreign_card", [("p2", "main", 2, 1, 2000)]),
     "coup nul (a card was none of the shoe's): 20.00 in all go back",
     "coup nul (une carte n'était pas du sabot) : 20.00 rendus en tout"),
    (facts.RoundCorrection(AT, 7, 6, 5, SIDES, None, [], [], [], []),
     "corrected to the banker wins: player 1, banker 6, seq 6 in the place of 5",
     "corrigé : le banquier gagne : joueur 1, banquier 6, seq 6 à la place de 5"),
    (facts.RoundCorrection(AT, 7, 6, 5, None, "croupier", [], [], [], []),
     "corrected to void (declared at the table), seq 6 in the place of 5",
     "corrigé : nul (déclaré à la table), seq 6 à la place de 5"),
]  # fmt: skip


def values_of(fact: Any) -> dict[str, Any]:
    line = json_line(fact)
    assert line is not None
    return dict(json.loads(line))


def constants(begin: str, end: str, source: str = SOURCE) -> dict[str, str]:
    """The texts that a module gives names to between two of its lines."""
    part = source[source.index(begin) : source.index(end)]
    made = [node for node in ast.parse(part).body if isinstance(node, ast.Assign)]
    return {node.targets[0].id: node.value.value for node in made  # type: ignore[attr-defined]
            if isinstance(node.value, ast.Constant)}  # fmt: skip


@pytest.mark.parametrize(("code", "args", "english", "french"), GUIDES)
def test_the_guide_is_one_sentence(
    code: str, args: dict[str, Any], english: str, french: str
) -> None:
    guide = facts.Guide(AT, code, tuple(args.items()), 3, AT + 1)
    values = values_of(guide)
    said = card_guide.guide_words(values)
    assert (said, translated(said, "fr")) == (english, french)
    assert human_line(guide) == f"       3.000 s  {english}"
    assert sentence_of("Table 3", values) == f"Table 3: {english}"
    assert (values["event"], values["code"], values["seen"]) == ("guide", code, 3)
    assert values["until_us"] == AT + 1


@pytest.mark.parametrize(
    ("rank", "suit", "english", "french"),
    [
        ("T", "H", "Typed: 10♥. OK counts it, BACK wipes it out.",
         "Saisie : 10♥. OK la compte, BACK l'efface."),
        ("Q", "", "Typed: D…. OK counts it, BACK wipes it out.",
         "Saisie : D…. OK la compte, BACK l'efface."),
        ("", "S", "Typed: …♠. OK counts it, BACK wipes it out.",
         "Saisie : …♠. OK la compte, BACK l'efface."),
        ("", "", "Nothing is typed.", "Rien n'est saisi."),
    ],
)  # fmt: skip
def test_a_card_that_is_being_typed_stands_there_in_full(
    rank: str, suit: str, english: str, french: str
) -> None:
    values = values_of(facts.CardTyped(AT, rank, suit))
    said = card_guide.guide_words(values)
    assert (said, translated(said, "fr")) == (english, french)
    assert human_line(facts.CardTyped(AT, rank, suit)) == f"       3.000 s  {english}"
    assert sentence_of("Table 3", values) == f"Table 3: {english}"


def test_a_fact_of_the_compiled_part_has_its_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its records do not know which module they are of (`make fast`)."""
    told = (facts.CardDealt(AT, 1, 4, "d*", None), facts.Guide(AT, facts.NEXT, (), 0, None))
    words = [human_line(fact) for fact in told]
    for fact in told:
        monkeypatch.setattr(type(fact), "__module__", "elsewhere")
    assert [human_line(fact) for fact in told] == words
    assert None not in words


def test_every_code_of_the_guide_has_its_words() -> None:
    codes = constants('LOAD = "load"', "# What ends a hold.")
    assert "DEAL" in codes and "LOCKED" in codes
    assert {code for code, *_ in GUIDES} == set(codes.values())


def test_every_hold_and_every_way_out_of_it_has_its_words() -> None:
    source = Path(hold.__file__).read_text("utf-8")
    whys = constants("# Why a round is held", "FAILURES_MAX", source)
    assert hold.UNREAD in whys.values()
    assert set(card_words.HELD) == {*whys.values(), *facts.SHOE_TROUBLES}
    assert set(card_guide.WAYS) == set(facts.WAYS)
    for why in card_words.HELD:
        for ways in (facts.WAYS, (facts.MAKE_VOID,)):
            args = {"why": why, "to": "s2", "failures": 1, "ways": ways}
            said = card_guide.guide_words({"code": facts.HELD, **args})
            assert said.endswith("VOID, which returns all stakes.")
            assert translated(said, "fr").endswith("VOID, qui rend toutes les mises.")
    table = (card_words.HELD, card_guide.WAYS, card_words.REASONS, card_words.HOW,
             card_words.DECISIONS)  # fmt: skip
    for text in [text for words in table for text in words.values()]:
        assert translated(text, "fr") != text


def test_every_reason_every_way_of_reading_and_every_decision_has_its_words() -> None:
    assert set(card_words.REASONS) == set(reasons.REASONS)
    assert set(card_words.HOW) == {facts.SHOE, facts.BARCODE, facts.PEOPLE}
    assert set(card_guide.CHOICES) == {"hit", "stand", "double", "split"}
    assert set(card_words.DECISIONS) == set(card_guide.CHOICES) | {"insure", "no_insurance"}


@pytest.mark.parametrize(("fact", "english", "french"), FACTS)
def test_a_fact_in_both_languages(fact: Any, english: str, french: str) -> None:
    line = human_line(fact)
    assert line == f"       3.000 s  round 7     {english}"
    assert translated(line, "fr") == f"       3.000 s  coup 7     {french}"
    values = values_of(fact)
    assert words_of(values) == line
    assert sentence_of("Table 3", values) == f"Table 3: round 7, {english}."


def test_every_fact_has_its_object_and_its_words() -> None:
    part = SOURCE[SOURCE.index("# --- out: facts") : SOURCE.index("# --- out: orders")]
    names = [node.targets[0].id for node in ast.parse(part).body  # type: ignore[attr-defined]
             if isinstance(node, ast.Assign)]  # fmt: skip
    assert {type(fact).__name__ for fact, *_ in FACTS} == set(names)
    for fact, *_ in FACTS:
        assert list(values_of(fact)) == ["t_us", "event", *type(fact)._fields[1:]]


def test_payments_and_cards_are_written_out() -> None:
    values = values_of(facts.RoundResult(AT, 7, 5, OUTCOME, "ab", True, [GOLD], [0]))
    assert values["payments"] == [GOLD._asdict()]
    values = values_of(facts.RoundVoid(AT, 7, 5, "croupier", [("p2", "main", 2, 1, 2000)]))
    assert values["returned"] == [
        {"player": "p2", "bet": "main", "seat": 2, "hand": 1, "cents": 2000}
    ]
    assert values_of(facts.CardDealt(AT, 7, 1, "s2", card_of("TH")))["card"] == "TH"


def test_an_order_is_told_nobody() -> None:
    place = CardPlace("baccarat_live")
    assert json_line(place.last(facts.CardView)) is None
    assert json_line(facts.Release(True)) is None


def test_nothing_is_told_of_the_hole_card_before_it_is_turned() -> None:
    said = []
    for hole in ("2D", "KD"):
        place = CardPlace("blackjack_live")
        place.begin(3)
        place.cards("TS 9H 9C " + hole)
        place.key(facts.KEY_STAND)
        said.append([(json_line(fact), human_line(fact)) for fact in place.facts])
        place.key(facts.KEY_TURNED)
        assert human_line(place.last(facts.HoleTurned)) is not None
    assert said[0] == said[1]


def test_the_last_round_of_a_shoe_is_announced_from_the_cut_card_on() -> None:
    place = CardPlace("baccarat_live")
    place.begin()
    place.stake(None, 1000, bet="player", player="p")
    place.call()
    place.card("9S")
    assert "last" not in place.guide[1]
    place.key(facts.KEY_CUT)
    assert place.guide[1]["last"] is True
    said = human_line(place.last(facts.Guide))
    assert said is not None
    assert said.endswith("Dernier coup du sabot. → Banker, then Player")


def test_the_guide_says_what_the_dealer_has_once_he_plays() -> None:
    place = CardPlace("blackjack_lu")
    place.begin(2)
    place.cards("KS 6H")
    assert place.guide == (facts.DEAL, {"to": "s2", "then": None})
    place.card("9C")
    place.key(facts.KEY_STAND)
    assert place.guide == (facts.DEAL, {"to": "d", "then": None, "points": "6"})
    place.card("TD")
    assert human_line(place.last(facts.Guide)).endswith("Dealer: 16, draw")  # type: ignore[union-attr]


# --- rows -----------------------------------------------------------------------------------------
TWO = {"manual": ["anna", "rené"], "why": "seen."}
SHOE = {"serial": "17", "authenticated": False, "drawn": 9}
ROWS: list[tuple[str, dict[str, Any], str, str]] = [
    (card_kinds.SHOE, {"what": "loaded", "model": "ours", "decks": 6, "boot": 1},
     "shoe 17 (ours, 6 decks) is at the table, UNAUTHENTICATED",
     "le sabot 17 (ours, 6 jeux) est à la table, NON AUTHENTIFIÉ"),
    (card_kinds.SHOE, {"what": "begun"}, "shoe 17 is begun, with all its cards",
     "le sabot 17 est entamé, avec toutes ses cartes"),
    (card_kinds.SHOE, {"what": "missed", "lost": 2},
     "cards of shoe 17 that went by unread: 2", "cartes du sabot 17 passées sans être lues : 2"),
    (card_kinds.SHOE, {"what": "doubted", "why": hold.BACK},
     "the count of shoe 17 is in doubt: the card went back into the shoe",
     "le compte du sabot 17 est incertain : carte rentrée"),
    (card_kinds.SHOE, {"what": "cut"}, "shoe 17 is changed once this round is over",
     "le sabot 17 est changé dès que ce coup est fini"),
    (card_kinds.SHOE, {"what": "ended"}, "shoe 17 has ended after 9 cards",
     "le sabot 17 est fini après 9 cartes"),
    (card_kinds.SHOE, {"what": "confirmed", **TWO},
     "the count of shoe 17 is confirmed by anna in the presence of rené: seen",
     "le compte du sabot 17 est confirmé par anna en présence de rené : seen"),
    (card_kinds.SHOE, {"what": "counted", "left": 40, "agrees": True, "wrong": []},
     "shoe 17 is counted, 40 left, and agrees",
     "le sabot 17 est compté, il en reste 40, le compte est bon"),
    (card_kinds.SHOE, {"what": "counted", "left": 40, "agrees": False, "wrong": []},
     "shoe 17 is counted, 40 left, and has a card too many",
     "le sabot 17 est compté, il en reste 40, avec une carte de trop"),
    (card_kinds.SHOE, {"what": "counted", "left": 40, "agrees": False, "wrong": ["TH"]},
     "shoe 17 is counted, 40 left, and does not agree: 10♥",
     "le sabot 17 est compté, il en reste 40, le compte est faux : 10♥"),
    (card_kinds.ROUND, {}, "faites vos jeux: the stakes are open", "faites vos jeux"),
    (card_kinds.STAKES, {"count": 2, "total_cents": 3000},
     "rien ne va plus; stakes: 2, 30.00 in all, sealed",
     "rien ne va plus ; mises : 2, 30.00 en tout, scellées"),
    (card_kinds.CARD_ROW, {"k": 1, "card": "TH", "to": "s2", "how": "barcode"},
     "card 1: 10♥, seat 2, read by its code", "carte 1 : 10♥, place 2, lue à son code"),
    (card_kinds.CARD_ROW, {"k": 4, "card": "KD", "to": "d*", "how": "shoe"},
     "card 4, the hole card, is R♦, read by the shoe",
     "carte 4, la carte cachée : R♦, lue par le sabot"),
    (card_kinds.CARD_ROW, {"k": 1, "card": "TH", "to": "P", "how": "people", **TWO},
     "card 1: 10♥, player's side, entered by hand by anna in the presence of rené: seen",
     "carte 1 : 10♥, côté joueur, saisie à la main par anna en présence de rené : seen"),
    (card_kinds.CARD_ROW,
     {"k": 1, "card": "TH", "to": "B", "how": "people", "why": "keys",
      "manual": [facts.SWITCH_CROUPIER, facts.SWITCH_MANAGEMENT]},
     "card 1: 10♥, banker's side, entered by hand by the croupier's key in the presence of the"
     " management's key",
     "carte 1 : 10♥, côté banquier, saisie à la main par la clé du croupier en présence de la clé"
     " de la direction"),
    (card_kinds.CARD_ROW, {"k": 0, "card": "2C", "to": "burn", "how": "shoe"},
     "2♣ is burned, read by the shoe", "2♣ est brûlée, lue par le sabot"),
    (card_kinds.CARD_ROW, {"k": 0, "card": None, "to": "burn", "how": "shoe"},
     "a card that cannot be read is burned", "une carte illisible est brûlée"),
    (card_kinds.CARD_ROW, {"k": 0, "card": "2C", "to": "burn", "how": "shoe", "exposed": True},
     "2♣, which players have seen, is burned", "2♣, que des joueurs ont vue, est brûlée"),
    (card_kinds.CARD_ROW,
     {"k": 0, "card": "2C", "to": "burn", "how": "shoe", "exposed": True, **TWO},
     "2♣, which players have seen, is burned by anna in the presence of rené: seen",
     "2♣, que des joueurs ont vue, est brûlée par anna en présence de rené : seen"),
    (card_kinds.CARD_BACK, {"k": 3}, "the cards from card 3 on are taken back",
     "les cartes sont reprises à partir de la carte 3"),
    (card_kinds.HELD, {"why": "card_extra", "to": None}, "held, a card that nobody asked for",
     "suspendu, carte non demandée"),
    (card_kinds.HELD, {"why": "unread", "to": "s2"}, "held, the card is not read; due: seat 2",
     "suspendu, la carte n'est pas lue ; attendue : place 2"),
    (card_kinds.HELD, {"why": None, "to": None}, "the round goes on", "le coup continue"),
    (card_kinds.ENGAGEMENT,
     {"seat": 2, "hand": 1, "do": "double", "cents": 500, "by": "12", "seen": 4},
     "seat 2 doubles with 5.00, at terminal 12, after 4 cards",
     "place 2 double, 5.00, au terminal 12, après 4 cartes"),
    (card_kinds.ENGAGEMENT,
     {"seat": 2, "hand": 1, "do": "insure", "cents": None, "by": "anna", "seen": 4},
     "seat 2 is insured, by anna, after 4 cards", "place 2 s'assure, par anna, après 4 cartes"),
    (card_kinds.RESULT, {"outcome": SIDES, "who": "auto"},
     "the banker wins: player 1, banker 6, confirmed automatically",
     "le banquier gagne : joueur 1, banquier 6, confirmé automatiquement"),
    (card_kinds.RESULT, {"outcome": OUTCOME, "who": "croupier"},
     "dealer Black Jack, confirmed by the croupier", "banque Black Jack, confirmé par le croupier"),
    (card_kinds.VOID, {"reason": "shoe_changed"}, "void (the shoe was changed)",
     "nul (le sabot a été changé)"),
    (card_kinds.VOID, {"reason": "croupier", "who": "anna"},
     "void (declared at the table), by anna", "nul (déclaré à la table), par anna"),
    (card_kinds.CORRECTION, {"reason": "croupier", **TWO},
     "corrected to void (declared at the table) by anna in the presence of rené: seen",
     "corrigé : nul (déclaré à la table), par anna en présence de rené : seen"),
    (card_kinds.PAID, {"manager": "weber"}, "weber knows of the Gold Jack, which is paid",
     "weber est au courant du Gold Jack, qui est payé"),
    (card_kinds.CLEARED, {"who": "anna"}, "cleared by anna", "levé par anna"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "body", "english", "french"), ROWS)
def test_a_row_in_both_languages(
    kind: str, body: dict[str, Any], english: str, french: str
) -> None:
    said = card_rows.row_words(kind, SHOE | body if kind == card_kinds.SHOE else body)
    assert (said, translated(said, "fr")) == (english, french)


def test_every_kind_of_row_has_its_words() -> None:
    kinds = {value for name, value in vars(card_kinds).items()
             if name.isupper() and isinstance(value, str) and value.startswith("card")
             and name != "CARD"}  # fmt: skip
    assert {card_kinds.SHOE, card_kinds.HELD, card_kinds.CLEARED} <= kinds
    assert set(card_rows.KINDS) == kinds == {kind for kind, *_ in ROWS}
    told = {body["what"] for kind, body, *_ in ROWS if kind == card_kinds.SHOE}
    assert told == set(card_kinds.SHOE_WHATS)
