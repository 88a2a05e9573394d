"""What a replayed record is said to be: lines for people, objects for programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.services.recorder.again import DIFFERS, MISSING, NEW, Compared
from firmware.store.recorded_coup import Coup
from firmware.text.event_text import words_of


def lines(path: Path, coup: Coup, found: list[Compared], changes: list[str]) -> Iterator[str]:
    """A heading, what has changed since, and a line an event; two where it differs."""
    yield f"{path.name}: coup {coup.number}"
    for sentence in changes:
        yield f"  {sentence}"
    for compared in found:
        if compared.verdict == DIFFERS:
            yield f"  then    {_words(compared.then)}"
            yield f"  today   {_words(compared.today)}"
        elif compared.verdict == MISSING:
            yield f"  missing {_words(compared.then)}"
        elif compared.verdict == NEW:
            yield f"  new     {_words(compared.today)}"
        else:
            yield f"  same    {_words(compared.then)}"


def as_json(path: Path, coup: Coup, compared: Compared) -> dict[str, Any]:
    """One event as an object: verdict, and the event then and today, or null."""
    return {
        "record": path.name,
        "coup": coup.number,
        "verdict": compared.verdict,
        "then": compared.then,
        "today": compared.today,
    }


def _words(fact: dict[str, Any] | None) -> str:
    return "" if fact is None else words_of(fact)
