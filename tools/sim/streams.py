"""Chance, one stream per purpose: a disturbed croupier must not change the next ball."""

from random import Random


def stream(seed: int, purpose: str) -> Random:
    """The stream of `purpose`, the same on every machine for the same seed and purpose."""
    return Random(f"{seed}/{purpose}")
