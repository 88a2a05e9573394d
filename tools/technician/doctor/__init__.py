"""What is wrong with a machine that is to be a wheel: code, cause, remedy (docs/doctor.md)."""
