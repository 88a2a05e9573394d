"""What was found, as lines for people and objects for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from tools.technician.doctor.examine import Examined

_HANG = " " * 13


def lines(found: Examined, width: int) -> Iterator[str]:
    """A block a problem, the worst first; then what could not be looked at."""
    count = len(found.findings)
    if count:
        many = "1 problem" if count == 1 else f"{count} problems, the worst first"
        yield f"{many}:"
    else:
        yield "No problem was found."
    for each in found.findings:
        yield ""
        yield from _wrapped(f"{each.code}  {each.grade:<8}{each.what}", width)
        yield from _wrapped(f"     cause   {each.cause}", width)
        yield from _wrapped(f"     remedy  {each.remedy}", width)
    if found.not_seen:
        yield ""
        yield "Not looked at, so nobody knows:"
        # Many have one reason where no board is named.
        reasons: dict[str, list[str]] = {}
        for unseen in found.not_seen:
            reasons.setdefault(unseen.why, []).append(unseen.check)
        for why, checks in reasons.items():
            yield from _wrapped(f"     {', '.join(checks)}: {why}.", width)


def _wrapped(text: str, width: int) -> list[str]:
    # Paths and commands stay whole, to be copied.
    return textwrap.wrap(
        text,
        width,
        subsequent_indent=_HANG,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        drop_whitespace=True,
    )


def objects(found: Examined) -> Iterator[dict[str, Any]]:
    """One object a problem, then one a check that could not be made."""
    for each in found.findings:
        yield each._asdict()
    for unseen in found.not_seen:
        yield {"not_seen": unseen.check, "why": unseen.why}
