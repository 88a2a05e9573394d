"""Where the prediction of the call stands, in words: a line for screens, sentences for people.

What stands is that of the last coup's end, never of a coup that is played
(firmware/core/call/predictor.py).
"""

from __future__ import annotations

from typing import Any

from firmware.text.call_text import ENGLISH, FRENCH, coups_words, number

_US = 1_000_000
# fmt: off
_LINES = {
    ENGLISH: {
        "new": "Call: new wheel, cautious",
        "refused": "Call: what was learned is unusable, cautious",
        "relearning": "Call: learning anew{lead}",
        "other": "Call: {coups} learned{lead}",
    },
    FRENCH: {
        "new": "Annonce prudente : cylindre neuf",
        "refused": "Annonce prudente : acquis inutilisable",
        "relearning": "Annonce : nouvel apprentissage{lead}",
        "other": "Annonce : {coups} appris{lead}",
    },
}
_LEADS = {ENGLISH: ", {lead} s before the drop", FRENCH: ", {lead} s avant la chute"}
_LEARNED = {
    ENGLISH: ("{coups} learned.", "{coups} learned; the call should end {lead} s before the drop."),
    FRENCH: ("{coups} appris.", "{coups} appris ; l'annonce doit finir {lead} s avant la chute."),
}
_WHYS = {
    ENGLISH: {
        "new": "Nothing is learned of this wheel yet: the call goes by a cautious speed, at which"
               " no ball leaves any track, and earns its margin coup by coup.",
        "learning": "The margin is still wide, for few coups have shown how this wheel's drops"
                    " scatter; it narrows with each.",
        "learned": "The margin is what the scatter of this wheel's own drops asks for.",
        "relearning": "The wheel or its ball changed, or a call came late: the margin was widened"
                      " and is learned anew.",
        "refused": "What had been learned was missing or not usable: the call goes by a cautious"
                   " speed again, and earns its margin coup by coup.",
    },
    FRENCH: {
        "new": "Rien n'est encore appris de ce cylindre : l'annonce suit une vitesse prudente, à"
               " laquelle aucune bille ne quitte la piste, et gagne sa marge coup après coup.",
        "learning": "La marge est encore large, car peu de coups ont montré la dispersion des"
                    " chutes de ce cylindre ; chacun la réduit.",
        "learned": "La marge est celle que demande la dispersion des chutes de ce cylindre.",
        "relearning": "Le cylindre ou sa bille a changé, ou une annonce est venue trop tard : la"
                      " marge a été élargie et s'apprend à nouveau.",
        "refused": "Ce qui était appris manquait ou n'était pas utilisable : l'annonce suit de"
                   " nouveau une vitesse prudente, et gagne sa marge coup après coup.",
    },
}
_UNPREDICTED = {
    ENGLISH: {
        "boule": "At boule the call comes with the throw, or so long after it as the house"
                 " chooses: it needs no prediction.",
        "vingt_trois": "At vingt-trois the call comes when the button is pressed, before the plate"
                       " moves: it needs no prediction.",
        "other": "The controller has not begun to play yet: ask again in a moment.",
    },
    FRENCH: {
        "boule": "À la boule, l'annonce vient avec le lancer, ou après le délai que la maison a"
                 " fixé : elle n'a pas besoin de prédiction.",
        "vingt_trois": "Au vingt-trois, l'annonce vient quand on appuie sur le bouton, avant que"
                       " le plateau ne bouge : elle n'a pas besoin de prédiction.",
        "other": "Le contrôleur n'a pas encore commencé à jouer : redemandez dans un instant.",
    },
}
# fmt: on
_CAUTIOUS = ("new", "refused")


def line(coups: int, lead_us: int | None, why: str, language: str) -> str:
    """One short line, for a screen."""
    lines = _LINES[language]
    lead = "" if lead_us is None else _LEADS[language].format(lead=_lead(lead_us, 1, language))
    said = lines.get(why) or lines["other"]
    return said.format(coups=coups_words(coups, language), lead=lead)


def brief(coups: int, lead_us: int | None, why: str, language: str = ENGLISH) -> str:
    """The same line where what it is about stands before it already."""
    return line(coups, lead_us, why, language).partition(": ")[2]


def sentences(game: str | None, call: dict[str, Any] | None, language: str) -> list[str]:
    """One to three sentences of what `status` answers; `call` None: nothing is predicted."""
    if call is None:
        unpredicted = _UNPREDICTED[language]
        return [unpredicted.get(game or "") or unpredicted["other"]]
    found = []
    coups, lead_us, why = call["coups"], call["lead_us"], call["why"]
    if coups or why not in _CAUTIOUS:
        alone, both = _LEARNED[language]
        lead = "" if lead_us is None else _lead(lead_us, 2, language)
        said = alone if lead_us is None else both
        found.append(said.format(coups=coups_words(coups, language), lead=lead))
    known = _WHYS[language].get(why)
    return found if known is None else [*found, known]


def unpredicted(game: str | None, language: str) -> str | None:
    """Why an apparatus predicts no call; None for one that does."""
    return None if game in (None, "other") else _UNPREDICTED[language].get(game)


def _lead(lead_us: int, decimals: int, language: str) -> str:
    return number(lead_us / _US, decimals, language)
