"""The tables of docs/card-figures.md: known figures of the card games, and the basic strategies.

Ours are the known ones, digit for digit: tests/bench/test_card_figures.py counts each anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from tools.bench.cards import figures, solver
from tools.bench.cards.command import lines_of
from tools.docs.part import Part

_PAGE = "card-figures.md"
_TITLES = ("Baccarat", "Side bets at black jack", "Black jack, endless decks, the house's edge")


def _figures() -> str:
    parts = []
    for title, (rows, _) in zip(_TITLES, figures.EXACT, strict=True):
        names = dict.fromkeys(known.what for known in rows)
        decks = sorted({known.decks or 0 for known in rows}, reverse=True)
        heads = [f"{each} decks" if each else "edge" for each in decks]
        lines = [f"## {title}", "", f"| what | {' | '.join(heads)} | source |"]
        lines.append("|---" * (len(heads) + 2) + "|")
        for name in names:
            mine = [known for known in rows if known.what == name]
            cells = [_joined(k.text for k in mine if (k.decks or 0) == each) for each in decks]
            sources = _joined(known.source for known in mine)
            lines.append(f"| {name} | {' | '.join(cells)} | {sources} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _joined(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts))


def _plans() -> str:
    parts = []
    for game in (figures.LU, figures.LIVE):
        plan = solver.strategy(solver.game_of(figures.table_of(game)))
        text = "\n".join(f"    {line}" for line in lines_of(plan))
        parts.append(f"`{game}`:\n\n{text}")
    return "\n\n".join(parts)


FIGURES = Part(_PAGE, "known figures", "tools/bench/cards/figures.py", _figures)
PLANS = Part(_PAGE, "basic strategies", "tools/bench/cards/solver.py", _plans)
