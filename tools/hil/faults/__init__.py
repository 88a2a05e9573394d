"""Faults on purpose: what can go wrong, what must follow, and how it is made. One file a layer."""
