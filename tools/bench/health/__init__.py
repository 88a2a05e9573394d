"""How soon the watch over a wheel's health tells, beside its rivals (`make bench-health`).

- `cases.py`: which wheels, and how soon anyone could know at best
- `rivals.py`: what else is done: a chi-square each day or month, and CUSUM
- `delays.py`: all of them over the same coups
- `command.py`: what is printed
"""
