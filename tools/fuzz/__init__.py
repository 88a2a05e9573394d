"""Fuzzers that follow coverage: what comes from outside is given to who reads it."""
