"""A wheel's health on a bench: millions of coups, and what the watch over it reaches."""
