"""What commands do with a journal, a register and the rules."""
