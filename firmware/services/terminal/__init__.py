"""The terminal of a player: `cylindre terminal`."""
