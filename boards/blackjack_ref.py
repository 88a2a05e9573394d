"""The reference black jack table: virtual, its shoe and the croupier's keys are built in."""

from boards import card_tables

BOARD = card_tables.virtual(card_tables.BLACKJACK)
