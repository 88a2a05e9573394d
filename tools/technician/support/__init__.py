"""The support bundle: one file with what a wheel's maker needs, and no key (docs/support.md)."""
