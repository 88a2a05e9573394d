"""Keys in their folder, their rotation, people and their PINs."""
