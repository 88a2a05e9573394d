"""Benches: what is fast, small and right, measured beside its rivals."""
