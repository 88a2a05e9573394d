"""Asks a controller through its socket: the library of every program beside it."""
