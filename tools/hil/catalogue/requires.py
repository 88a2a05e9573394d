"""Requirements (tools/docs/evidence) that many entries show."""

# What fails costs a coup its number at most, and never gives another.
PARTS = ("UK-2.2.parts",)
# And it is told.
TOLD = (*PARTS, "UK-4.1.detected")
