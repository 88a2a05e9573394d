"""The fault matrix of the bus: what a display shows, whatever happens on the wire (docs/bus.md)."""
