"""Our call beside its rivals, on the same balls (`make bench-call`).

- `spins.py`: balls on the track alone, thrown by the full simulator's own `track.roll`,
  and what some of the beams see of them
- `ours.py`: the shipped `CallPredictor`, led as `firmware.core.games.roulette` leads it
- `rivals.py`: thresholds tuned in hindsight, and the oracle
- `run.py`: all of them through the same coups; `grid.py`: which coups
- `new_wheels.py`: wheels drawn anew, from their first coup on
- `changes.py`: wheels that change between two coups
- `report.py`, `promises.py`: what is printed, drawn and written
"""
