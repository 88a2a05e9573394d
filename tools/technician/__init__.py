"""The technician's instruments: self-test, calibration, doctor, support bundle."""
