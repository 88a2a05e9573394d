"""How many mistakes of a file are told: who has more corrects these first."""

from collections.abc import Sequence

from firmware.lib.language import Message

MISTAKES_MAX = 20


def limited(sentences: Sequence[str]) -> list[str]:
    """Returns the first MISTAKES_MAX, and at their end how many there are beside them."""
    told, further = list(sentences[:MISTAKES_MAX]), len(sentences) - MISTAKES_MAX
    return [*told, and_more(further)] if further > 0 else told


def and_more(count: int) -> Message:
    """Returns what stands behind the mistakes that are told."""
    return Message("And {count} more: correct these first.", count=count)
