"""Fuzzers that follow coverage: what comes from outside, given to who reads it (docs/testing.md)."""
