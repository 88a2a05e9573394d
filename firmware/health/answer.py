"""The answer about a wheel's health for other programs, as contracts have it (docs/health.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware.core.health.codes import CODES, UNJUDGED
from firmware.core.health.drops import Drops
from firmware.core.health.facts import DEAD, GAIN, LOOSE, POCKET, SECTOR
from firmware.core.health.streams import Stream
from firmware.health.items import Recorded
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import GivenNotice, Replay
from firmware.lib.language import Message

_AT_COMPARTMENT = (POCKET, SECTOR, DEAD, GAIN, LOOSE)


def answer(
    recorded: Recorded,
    given: Sequence[GivenNotice],
    remarks: Sequence[Message],
    streams: Sequence[Stream],
    *,
    gaps: bool = False,
) -> dict[str, Any]:
    """Returns all that is told. `remarks`: of `why_unjudged`; `gaps`: drops by gap as well."""
    told = {"notices": [_notice(each, recorded) for each in given]} | unjudged(remarks)
    told["streams"] = [_stream(each) for each in streams]
    if gaps:
        judges = [each.judge for each in streams if isinstance(each.judge, Drops)]
        told["gaps"] = [
            {"way": name, "seen": list(judge.seen[way]), "foretold": list(judge.foretold[way])}
            for judge in judges
            for way, name in enumerate(("ccw", "cw"))
        ]
    return told


def _stream(stream: Stream) -> dict[str, Any]:
    """Returns how what is judged as one stands. `line`: the odds at which it is told."""
    return {
        "stream": stream.name,
        "family": stream.family,
        "coups": stream.coups,
        "odds": stream.judge.total,
        "most": stream.most,
        "line": stream.line,
        "told": stream.told,
    }


def unjudged(remarks: Sequence[Message]) -> dict[str, Any]:
    """Returns why health cannot be judged."""
    code = CODES[UNJUDGED]
    return {"remarks": [{"code": code, "text": cannot_be_judged(each)} for each in remarks]}


def _notice(given: GivenNotice, recorded: Recorded) -> dict[str, Any]:
    """Returns a notice. `coup`: the line after which it was first given, 1-based."""
    kind, place, stream = given.notice
    told = {
        "coup": given.line,
        "kind": kind,
        "code": CODES[kind],
        "place": place_of(kind, place, recorded.numbers),
        "stream": stream,
        "t_s": given.t_s,
    }
    if isinstance(recorded, JournalCoups):
        told["coup_number"] = recorded.coup_at(given.line)
        known = recorded.knows(CODES[kind], given.line)
        told["acknowledged"] = None if known is None else {"who": known.who, "why": known.why}
    return told


def place_of(kind: str, place: int | None, numbers: Sequence[int]) -> int | None:
    """Returns where a notice points to: a number in place of its compartment."""
    return numbers[place] if kind in _AT_COMPARTMENT and place is not None else place


def why_unjudged(recorded: Recorded, replay: Replay) -> list[Message]:
    """Returns why health cannot be judged, a clause each; none: it can.

    A supervisor's acknowledgement ends what was told of layout and clock before it.
    """
    line = replay.clock_back
    if not isinstance(recorded, JournalCoups):
        return [] if line is None else [_clock_back(Message("line {}", line))]
    found = recorded.remarks()
    if line is not None and not recorded.knows_clock(line):
        found.append(_clock_back(Message("coup {}", recorded.coup_at(line))))
    return found


def _clock_back(where: Message) -> Message:
    return Message("the clock goes back at {}", where)


def cannot_be_judged(clause: Message) -> Message:
    """Returns the sentence."""
    return Message("The wheel's health cannot be judged: {}.", clause)
