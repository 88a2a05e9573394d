"""Images for a card or an eMMC: how they lie, how they are made, how they are written."""
