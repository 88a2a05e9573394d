"""Power cuts, each in the middle of a write to the card, in the installation or in the try."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import Failure
from tools.update_rig import card as cards
from tools.update_rig.cases import (
    BEGIN,
    NEW,
    OLD,
    POWER,
    SETTLE,
    STATUS,
    Bench,
    expect,
    install,
    is_whole,
    runs,
    settled,
    start,
)
from tools.update_rig.machine import Cut

INSTALL, TRY = "install", "try"


class Span(NamedTuple):
    """How many writes to the card each takes when nobody cuts it."""

    install: int
    trial: int


class Came(NamedTuple):
    """What came of one power cut. `first`: the version that ran when the power came back."""

    first: str | None
    wrong: tuple[str, ...]


def measure(bench: Bench) -> Span:
    """Installs and tries once, uncut; leaves bench.tried, the card just before its try."""
    count = Cut(bench.folder / POWER, 0)
    cards.copy(bench.card, bench.tried)
    installed = start(bench.tried, SETTLE, BEGIN, install(bench, "new"), cut=count)
    copy = bench.folder / "measured"
    cards.copy(bench.tried, copy)
    tried = start(copy, BEGIN, SETTLE, cut=count)
    copy.unlink()
    return Span(installed.writes, tried.writes)


def moments(span: Span, count: int) -> list[tuple[str, int]]:
    """In which writes to cut: a third in the try; a third in the installation, both spread evenly;
    and a third at the end of the installation, one after the other: there the slot is offered."""
    tries = _spread(span.trial, count // 3)
    last = range(max(1, span.install - count // 3 + 1), span.install + 1)
    installs = _spread(span.install, count - len(tries) - len(last))
    return [
        *((INSTALL, at) for at in sorted({*installs, *last})),
        *((TRY, at) for at in tries),
    ]


def cut(bench: Bench, card: Path, phase: str, at: int) -> Came:
    """Cuts, starts again, and goes on to the new version from whatever runs then."""
    power = Cut(bench.folder / POWER, at)
    try:
        if phase == INSTALL:
            cards.copy(bench.card, card)
            start(card, SETTLE, BEGIN, install(bench, "new"), cut=power)
        else:
            cards.copy(bench.tried, card)
            start(card, BEGIN, SETTLE, cut=power)
        wrong = []
        back = start(card, SETTLE, STATUS, install(bench, "new"))
        version = settled(back).get("version")
        if version not in (OLD, NEW):
            wrong.append(f"after the cut {back.told} was told")
        else:
            wrong += expect(back, back.slot.bootname, version)
            # The partitions beside it are being written over by now: this one never is.
            wrong += is_whole(bench, card, back.slot, version)
        if not runs(back) or runs(back)[-1]["status"] != 0:
            wrong.append(f"no new installation: {back.told}")
        onward = start(card, SETTLE)
        wrong += expect(onward, onward.slot.bootname, NEW)
        wrong += is_whole(bench, card, onward.slot, NEW)
        return Came(version, tuple(wrong))
    except Failure as failure:
        return Came(None, (failure.sentence,))
    finally:
        card.unlink(missing_ok=True)


def _spread(last: int, count: int) -> list[int]:
    """So many of 1 to `last`, or all of them."""
    return sorted({1 + (last - 1) * at // max(1, count - 1) for at in range(count)})
