"""A card table's round: its records, its table of states, its count of the shoe, its machine."""
