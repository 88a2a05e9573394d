"""The composition root: makes a controller of its parts and plays."""
