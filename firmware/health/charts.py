"""What the service page draws of a wheel's health: shares, drops, odds over time, before and after.

docs/health.md has the form.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from firmware.core.health.facts import Epoch
from firmware.core.health.streams import Numbers, Stream
from firmware.health.figures import POCKET_NATS, SECTOR_NATS, band, seen_by
from firmware.health.items import Recorded
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import Replay
from firmware.health.report import (
    LEANS,
    POCKETS,
    SECTORS,
    lean_drops,
    lean_seen,
    nats_at_line,
    neighbours,
    pocket_coups,
    sector_coups,
)

_ALL = "numbers"  # the stream of all numbers


class Charts:
    """The drawings of one replay."""

    def __init__(self, recorded: Recorded, replay: Replay) -> None:
        """`replay` has ended."""
        self._recorded = recorded
        self._replay = replay
        self._compartments = recorded.wheel.compartments

    def drawings(self) -> dict[str, Any]:
        """Returns all drawings."""
        watch = self._replay.watch
        numbers = watch.stream(_ALL)
        assert numbers is not None
        journal = self._recorded if isinstance(self._recorded, JournalCoups) else None
        apart = [stream for stream in watch.streams if isinstance(stream.judge, Numbers)]
        return {
            "coups": watch.coups,
            "void": 0 if journal is None else journal.void,
            "not_judged": 0 if journal is None else journal.not_judged,
            "numbers": self._shares(numbers.judge.counts),
            "drops": self._drops(),
            "timeline": [
                self._at(sample.line) | {"parts": sample.parts}
                for sample in self._replay.history.samples
            ],
            "acts": [
                {"act": each.kind} | self._when(each.line, each.t_s)
                for each in self._replay.history.acts
            ],
            "ended": [
                {"act": each.act, "epochs": [self._epoch(epoch) for epoch in each.epochs]}
                | self._when(each.line, each.t_s)
                for each in self._replay.ended
            ],
            "seen_by": {stream.name: self._seen_by(stream, POCKET_NATS, 1) for stream in apart},
            "seen_sector": self._seen_by(numbers, SECTOR_NATS, neighbours(self._compartments)),
            "neighbours": neighbours(self._compartments),
            "seen_when": self._seen_when(numbers),
        }

    def _at(self, line: int) -> dict[str, Any]:
        """Returns a line, and of a journal the coup as well."""
        if not isinstance(self._recorded, JournalCoups):
            return {"coup": line}
        return {"coup": line, "coup_number": self._recorded.coup_at(line)}

    def _when(self, line: int, t_s: float) -> dict[str, Any]:
        """Returns the same, and of a journal the time as well."""
        if not isinstance(self._recorded, JournalCoups):
            return self._at(line)
        utc = datetime.fromtimestamp(self._recorded.began_s + t_s, UTC).isoformat()
        return self._at(line) | {"utc": utc}

    def _shares(self, counts: Sequence[int]) -> list[dict[str, Any]]:
        """Returns of each compartment how much more often than an even one it came, and its
        band."""
        m, coups = self._compartments, sum(counts)
        found = []
        for number, count in zip(self._recorded.numbers, counts, strict=True):
            low, high = band(count, coups, m)
            more = count * m / coups - 1.0 if coups else 0.0
            ends = {"least": low * m - 1.0, "most": high * m - 1.0}
            found.append({"number": number, "count": count, "more": more} | ends)
        return found

    def _drops(self) -> dict[str, Any] | None:
        """Returns how many drops were seen and foretold in each gap, each way, and the lean that
        would have been seen by now."""
        stream = self._replay.watch.stream("drops")
        if stream is None:
            return None
        drops = stream.judge
        ways = {
            name: {"seen": list(drops.seen[way]), "foretold": list(drops.foretold[way])}
            for way, name in enumerate(("ccw", "cw"))
        }
        beams_deg = self._recorded.wheel.beams_deg
        lean = lean_seen(stream, beams_deg)
        return {"beams_deg": list(beams_deg), "seen_by": lean} | ways

    def _epoch(self, epoch: Epoch) -> dict[str, Any]:
        told = {"stream": epoch.stream, "coups": epoch.coups, "told": epoch.told}
        numbers = self._shares(epoch.counts) if epoch.stream == _ALL else None
        return told | {"most": epoch.most, "numbers": numbers}

    # --- what would have been seen --------------------------------------------------------------
    def _seen_by(self, stream: Stream, nats: float, width: int) -> float | None:
        return seen_by(stream.coups, nats_at_line(stream, nats), width, self._compartments)

    def _seen_when(self, numbers: Stream) -> list[dict[str, Any]]:
        m = self._compartments
        found: list[tuple[str, float, int | None]] = []
        found += [("pocket", more, pocket_coups(numbers, more, m)) for more in POCKETS]
        found += [("sector", more, sector_coups(numbers, more, m)) for more in SECTORS]
        drops = self._replay.watch.stream("drops")
        if drops is not None:
            beams_deg = self._recorded.wheel.beams_deg
            found += [("lean", lean, lean_drops(drops, lean, beams_deg)) for lean in LEANS]
        return [
            {"what": what, "more": more, "coups": coups}
            for what, more, coups in found
            if coups is not None
        ]
