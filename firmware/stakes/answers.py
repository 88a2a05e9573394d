"""What the book answers to a terminal: yes, or the rule that refuses and its words."""

from firmware.shims.typed import NamedTuple

# `rule`: the article that refuses; `why`: a sentence. Both empty for what is accepted.
Answer = NamedTuple("Answer", [("accepted", bool), ("rule", str), ("why", str)])
YES = Answer(True, "", "")

# What is asked of a terminal's players stands in Luxembourg's text alone, whatever is played.
REGULATION = "Luxembourg"
EMPLOYEE = (
    "art. 20-1",
    "« nécessitant l'intervention d'au moins un employé » : no employee has signed on at the table",
)
ONE_TERMINAL = (
    "art. 20-3 a",
    "« Les joueurs ne sont pas autorisés à placer des mises simultanément sur plusieurs"
    " terminaux »",
)
CASH_ONLY = ("art. 62", "« argent comptant : tout enjeu sur parole est interdit »")
BARRED = (
    "art. 20-3 c",
    "« interdire de jeu les joueurs concernés » : a member of the management has barred you",
)
ONE_PLAYER = ("art. 20-3 b", "« Chaque joueur place ses mises individuellement »")


def named(article: str, regulation: str) -> str:
    """Names an article of Luxembourg's text, with its country where another's game is played."""
    return article if regulation == REGULATION else f"{REGULATION}, {article}"
