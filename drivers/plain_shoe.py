"""A shoe that says nothing of itself: a barcode reader lies before it, or people enter its cards.

The table says for it what it has to know of every shoe. Nothing on its line is authenticated, and
it keeps nothing: another start of the controller is another boot.
"""

from firmware.core.cards.facts import ShoeLoaded


def loaded(how: str, decks: int, boot: int, at_us: int) -> ShoeLoaded:
    """Gives what a shoe says first. `how`: its cards are read, of facts.BARCODE and PEOPLE; that
    is its name in the records. `decks`: that the table plays. `boot`: 64 random bits.
    """
    return ShoeLoaded(at_us, "plain", how, decks, boot, False, 0)
