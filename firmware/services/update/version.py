"""Versions of the software: numbers with dots, compared number by number."""

from __future__ import annotations

import re

Version = tuple[int, ...]
_PARTS_MAX, _DIGITS_MAX = 4, 9  # 2026.11.22.1 fits, and each fits any integer
_TEXT = re.compile(rf"[0-9]{{1,{_DIGITS_MAX}}}(\.[0-9]{{1,{_DIGITS_MAX}}}){{0,{_PARTS_MAX - 1}}}")


def parse(text: object) -> Version:
    """Raises ValueError: it is no version. 1.2 and 1.2.0 are the same."""
    if not isinstance(text, str) or _TEXT.fullmatch(text) is None:
        raise ValueError("A version is one to four numbers with dots between them, as 1.4.0 is.")
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
