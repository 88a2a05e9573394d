"""A wheel's health from what was recorded of it: a journal, or a file of coups (docs/health.md)."""
