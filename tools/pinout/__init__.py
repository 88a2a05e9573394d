"""The 40-pin header with a board's signals: as data, in the terminal, as a picture."""
