"""The table display: what the players see, in a terminal or as JSON lines."""
