"""The controller on a virtual wheel: in jumping time or real time, scored, with a hand at it."""
