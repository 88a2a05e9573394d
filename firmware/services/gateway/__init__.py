"""The gateway: what displays of other makes understand, on a line of their own."""
