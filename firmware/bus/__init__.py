"""The talk with the displays, without I/O: frames, messages, who says what and who believes it."""
