"""What was found, as lines for people and objects for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from firmware.lib.language import Message, listed, translated
from tools.technician.doctor.examine import Examined

_HANG = " " * 13


def lines(found: Examined, width: int) -> Iterator[str]:
    """A block a problem, the worst first; then what could not be looked at."""
    count = len(found.findings)
    if count:
        many = Message("{count} problems, the worst first:", count=count)
        yield Message("1 problem:") if count == 1 else many
    else:
        yield Message("No problem was found.")
    for each in found.findings:
        yield ""
        yield from _wrapped(
            Message(
                "{code}  {grade:<8}{what}",
                code=each.code,
                grade=Message(each.grade),
                what=Message(each.what),
            ),
            width,
        )
        yield from _wrapped(Message("     cause   {cause}", cause=Message(each.cause)), width)
        yield from _wrapped(Message("     remedy  {remedy}", remedy=Message(each.remedy)), width)
    if found.not_seen:
        yield ""
        yield Message("Not looked at, so nobody knows:")
        # Many have one reason where no board is named.
        reasons: dict[str, list[str]] = {}
        for unseen in found.not_seen:
            reasons.setdefault(unseen.why, []).append(unseen.check)
        for why, checks in reasons.items():
            names = listed(map(Message, checks))
            yield from _wrapped(Message("     {}: {}.", names, Message(why)), width)


def _wrapped(text: str, width: int) -> list[str]:
    # Paths and commands stay whole, to be copied.
    return textwrap.wrap(
        translated(text),
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
