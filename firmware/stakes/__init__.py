"""The stakes of the terminals, without I/O: who sits where, what is accepted, what is paid."""
