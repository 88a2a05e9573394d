"""A wheel or plate whose encoder is spoilt in some coups: lost pulses, a mark aside, a cable out.

    spoiled = Spoiled(ROULETTE, seed=1, coups=9, slips=(2, 5), moved=(5, 6), rate=0.03, cycles=2)
    coups = spoiled.played()       # what the core said of each

A coup spoilt so is one from the end of that before to its own: the rotor is braked and sets out
meanwhile. Whole pulses are lost, both edges, as a disc loses them that is dirty or an input that
is too slow. The mark is as wide as ever, whole cycles from its place. A cable that is out leaves
all lines at one level for a while, once it turns at its pace, to the coup's end at most.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from itertools import pairwise

from firmware.core.feed import feed
from harness.places import LINES
from harness.playing import Apparatus, Coup, in_coups
from harness.sessions import Edge, Span, Truth

_A, _B, _Z = (LINES.index(name) for name in ("enc_a", "enc_b", "enc_z"))
_STEPS = 144
_MARK_US = 100_000  # the longest half of a mark that is put elsewhere


class Spoiled:
    """Coups on end, numbered from 1: clean but for the encoder."""

    def __init__(
        self,
        apparatus: Apparatus,
        *,
        seed: int,
        coups: int,
        slips: Collection[int] = (),
        moved: Collection[int] = (),
        outs: Collection[int] = (),
        rate: float = 0.03,
        cycles: int = 1,
    ) -> None:
        """`rate`: of the pulses of A and of B that are lost in `slips`; `cycles`: so far the mark
        lies aside in `moved`. `outs`: the cable is out.
        """
        self.apparatus = apparatus
        self.session = apparatus.session(seed)
        for _ in range(coups):
            self.session.play(self.session.plan())
        self._random = random.Random(f"spoiled {seed}")
        self._rate, self._cycles = rate, cycles
        self._slips, self._moved = self._spans(slips), self._spans(moved)
        self.outs = {coup: self._out(self.truths[coup - 1]) for coup in outs}

    @property
    def truths(self) -> Sequence[Truth]:
        """Of each coup."""
        return self.session.truths

    def _spans(self, coups: Collection[int]) -> list[Span]:
        ends = [0, *(truth.end_us for truth in self.truths)]
        return [(ends[coup - 1], ends[coup]) for coup in coups]

    def played(self) -> list[Coup]:
        """What the core said of each."""
        core = self.apparatus.controller()
        return in_coups(self.truths, list(feed(core, self.edges(), self.session.levels())))

    def edges(self) -> list[Edge]:
        """The session's, with what was lost and moved."""
        whole = self.session.edges()
        kept = [
            edge for edge in whole if edge[1] != _Z or not _inside(edge[0], self._moved)
        ] + self._marks(whole)
        lost = self._lost(whole)
        edges = sorted((edge for edge in kept if edge not in lost), key=lambda edge: edge[0])
        for span in self.outs.values():
            edges = self._without(edges, *span)
        return edges

    def _out(self, truth: Truth) -> tuple[int, int]:
        """From when the cable is out, and until when."""
        since = (truth.motion_us or truth.start_us) + int(self._random.uniform(2e6, 6e6))
        return since, min(since + int(self._random.uniform(0.5e6, 30e6)), truth.end_us)

    def _without(self, edges: list[Edge], since: int, until: int) -> list[Edge]:
        """The edges, but for those of the cable, which tells that it goes and comes back."""
        level = self._random.randrange(2)
        before = dict(enumerate(self.session.levels()))
        after: dict[int, int] = {}
        for at_us, line, to in edges:
            (before if at_us < since else after if at_us < until else {})[line] = to
        after = before | after
        cable = (_A, _B, _Z)
        kept = [edge for edge in edges if edge[1] not in cable or not since <= edge[0] < until]
        kept += [(since, line, level) for line in cable if before[line] != level]
        kept += [(until, line, 1 - level) for line in cable if after[line] != level]
        return sorted(kept, key=lambda edge: edge[0])

    def _lost(self, whole: Sequence[Edge]) -> set[Edge]:
        lost: set[Edge] = set()
        for channel in (_A, _B):
            edges = [edge for edge in whole if edge[1] == channel]
            for rise, fall in pairwise(edges):
                inside = _inside(rise[0], self._slips) and _inside(fall[0], self._slips)
                if rise[2] and inside and self._random.random() < self._rate:
                    lost |= {rise, fall}
        return lost

    def _marks(self, whole: Sequence[Edge]) -> list[Edge]:
        marks = []
        steps = [edge for edge in whole if edge[1] in (_A, _B)]
        for index, (at_us, _, _) in enumerate(steps[1:-1], 1):
            if not _inside(at_us, self._moved):
                continue
            boundary = round(self.session.rotor.at(at_us / 1e6) * _STEPS)
            if (boundary - 4 * self._cycles) % _STEPS == 0:
                half = min((at_us - steps[index - 1][0]) // 2, _MARK_US)
                other = min((steps[index + 1][0] - at_us) // 2, _MARK_US)
                marks += [(at_us - half, _Z, 1), (at_us + other, _Z, 0)]
        return marks


def _inside(at_us: int, spans: Sequence[Span]) -> bool:
    return any(since < at_us < until for since, until in spans)
