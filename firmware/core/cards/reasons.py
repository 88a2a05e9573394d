"""Why a round of cards is void."""

BY_CROUPIER = "croupier"
INTERRUPTED = "interrupted"  # the controller started anew
FOREIGN_CARD = "foreign_card"
HOLE_UNREADABLE = "hole_card_unreadable"
SHOE_EXHAUSTED = "shoe_exhausted"
SHOE_CHANGED = "shoe_changed"
MISDEALT = "misdealt"  # the cloth contradicts what stood, or a card of it is in the shoe
REASONS = (
    BY_CROUPIER,
    INTERRUPTED,
    FOREIGN_CARD,
    HOLE_UNREADABLE,
    SHOE_EXHAUSTED,
    SHOE_CHANGED,
    MISDEALT,
)
