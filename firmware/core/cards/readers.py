"""How a card was read."""

SHOE: str = "shoe"
BARCODE: str = "barcode"
PEOPLE: str = "people"  # typed in
