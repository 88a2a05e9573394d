"""Calibration: where a wheel's sensors really are, how fast its drive holds, what level is."""
