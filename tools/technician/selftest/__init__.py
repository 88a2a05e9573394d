"""The self-test: every part of a wheel measured, and held against its limits."""
