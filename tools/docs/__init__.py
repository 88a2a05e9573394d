"""What the documents say and the code knows: generated, so that they cannot differ."""
