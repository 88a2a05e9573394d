"""Figures of the card games, ours beside the published ones (`make bench-cards`).

- `baccarat.py`, `side_bets.py`: every deal counted through the engine
- `solver.py`: the best play of a black jack with infinitely many decks, and what it is worth
- `played.py`: rounds of black jack by the million, from real shoes, through the engine
- `figures.py`: what is known, and ours beside it
- `command.py`: what is printed
"""
