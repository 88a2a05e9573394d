"""The procedures: what the sensors mean for the coup, one module each game."""
