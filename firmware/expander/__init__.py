"""Inputs behind I2C expanders: read beside the loop, merged with the machine's own edges."""
