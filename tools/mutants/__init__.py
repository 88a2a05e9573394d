"""Mistakes made on purpose: each is put in, and the tests that should see it are played.

mutmut and cosmic-ray make their mutants themselves, by the thousand and by operator, and play all
tests for each; they hold no list of mistakes that were once made or nearly made, bound to a
function's own text and to the tests that see it. So the list is ours (catalogue.toml); the rest is
`ast` and pytest.
"""
