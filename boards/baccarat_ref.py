"""The reference baccarat table: virtual, its shoe and the croupier's keys are built in."""

from boards import card_tables

BOARD = card_tables.virtual(card_tables.BACCARAT)
