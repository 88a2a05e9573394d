"""The croupier's guide of a card table: what to do next, on the table's own screen."""
