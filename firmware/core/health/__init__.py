"""Is this wheel fair and sound? Evidence that may be looked at after each coup (docs/health.md)."""
