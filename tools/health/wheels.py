"""Many wheels at once, drawn by chance: the fairness of each judged as the watch judges it.

The sums are those of `firmware.core.health`, an array of them for each stream with a row for each
wheel, added up in another order: totals are the watch's but for their last digits. Streams are
played one after the other over some coups of all wheels. What is told comes out of the coups at
which evidence reaches its line, as the watch tells it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from firmware.core.facts import CCW, CW
from firmware.core.health import budget, facts, streams, watch
from firmware.core.health.any_shape import PRIORS
from firmware.core.health.bank import (
    GAINS,
    NUMBERS,
    SCATTERS,
    SUM_MAX,
    Form,
    own_tolerance,
    shapes,
)
from firmware.core.health.budget import Grants
from firmware.core.health.facts import Notice, Wheel
from tools.health.quick_bank import QuickBank, QuickDrops

NUMBERS_FAMILY = "numbers"
FAMILIES = (NUMBERS_FAMILY, "gain", "drops", "signature")  # of fairness
_WAYS = (CCW, CW)


class Coups(NamedTuple):
    """Some coups of many wheels: arrays of wheels x coups, of whole numbers as in `Coup`.

    `forecast`: which row of `chances` foretold the gap. `acts`: a wheel, after how many of these
    coups, and of which kind; ascending for each wheel.
    """

    place: Any
    direction: Any
    rotor_uturn_s: Any
    gap: Any
    forecast: Any
    launch_place: Any
    croupier: Any
    ball: Any
    acts: Sequence[tuple[int, int, str]] = ()


class WheelNotice(NamedTuple):
    """A notice to a wheel, and after how many of its coups."""

    wheel: int
    coup: int
    notice: Notice


class _Reached(NamedTuple):
    """A stream's evidence is at its line, for the first time since the wheel's last act."""

    wheel: int
    coup: int
    order: int
    notice: Notice


class Wheels:
    """So many wheels of one kind."""

    def __init__(self, wheel: Wheel, count: int, chances: Any, families: Any = FAMILIES) -> None:
        """Begins without evidence. `chances`: the forecasts of gaps, forecasts x gaps."""
        self.wheel = wheel
        self._count = count
        self.coups = 0
        self._chances = np.asarray(chances, dtype=float)
        self._place_before: Any = None
        self._rotor_sum = np.zeros(count, dtype=np.int64)
        self._told: list[set[str]] = [set() for _ in range(count)]
        self._slots: dict[tuple[str, int], list[int]] = {}  # balls, croupiers, as they came
        self.streams: list[_Stream] = []
        tolerance = own_tolerance(wheel.compartments)
        if NUMBERS_FAMILY in families:
            for name in ("numbers", "ccw", "cw", "slow", "fast"):
                self._judge(name, _Numbers(wheel, count))
            self._judge("serial", _Numbers(wheel, count), kind=facts.UNEVEN)
            self._judge("ball", _Numbers(wheel, count * watch.APART_MAX))
        if "gain" in families:
            table = numbers_table(wheel, GAINS, tolerance=tolerance, kind=facts.GAIN)
            self._judge("gain", _Sums(count, *table))
        if "drops" in families:
            self._judge("drops", _Sums(count, *drops_table(wheel, self._chances)))
        if "signature" in families:
            table = numbers_table(wheel, SCATTERS, tolerance=tolerance)
            judge = _Sums(count * watch.APART_MAX, *table)
            self._judge("croupier", judge, kind=facts.SIGNATURE)

    def _judge(self, what: str, judge: Any, kind: str | None = None) -> None:
        self.streams.append(_Stream(what, judge, self._count, kind))

    def total(self, name: str) -> Any:
        """The evidence of a stream of all wheels; of balls and croupiers wheels x order."""
        (stream,) = (each for each in self.streams if each.what == name)
        totals = stream.judge.totals()
        return totals.reshape(self._count, -1) if stream.is_apart else totals

    def play(self, coups: Coups) -> list[WheelNotice]:
        """Judges some coups more. Returns what is told, in the order of coups."""
        shown = self._shown(coups)
        reached: list[_Reached] = []
        for order, stream in enumerate(self.streams):
            values, rows, first = shown[stream.what]
            reached += stream.play(self, coups, order, (values, rows, first))
        self.coups += coups.place.shape[1]
        return self._tell(coups, reached)

    # --- what coups show ------------------------------------------------------------------------
    def _shown(self, coups: Coups) -> dict[str, Any]:
        """For each stream what its judge takes, and the row of each coup, -1: none."""
        place, m = coups.place.astype(np.int64), self.wheel.compartments
        every = np.broadcast_to(np.arange(self._count)[:, None], place.shape)
        ccw = coups.direction == CCW
        slow, known = self._slow(coups.rotor_uturn_s)
        before = np.empty_like(place)
        before[:, 1:] = place[:, :-1]
        before[:, 0] = -1 if self._place_before is None else self._place_before
        self._place_before = place[:, -1].copy()
        ball, new_balls = self._apart("ball", coups.ball)
        croupier, new_croupiers = self._apart("croupier", coups.croupier)
        moved = coups.direction * (place - coups.launch_place) % m
        code = (coups.forecast * 2 + ~ccw) * self._chances.shape[1] + coups.gap
        return {
            "numbers": (place, None, ()),
            "ccw": (place, np.where(ccw, every, -1), ()),
            "cw": (place, np.where(ccw, -1, every), ()),
            "slow": (place, np.where(slow & known, every, -1), ()),
            "fast": (place, np.where(~slow & known, every, -1), ()),
            "serial": ((place - before) % m, np.where(before < 0, -1, every), ()),
            "ball": (place, ball, new_balls),
            "gain": (place, None, ()),
            "drops": (code, None, ()),
            "croupier": (moved, croupier, new_croupiers),
        }

    def _slow(self, rotor_uturn_s: Any) -> tuple[Any, Any]:
        """Whether the rotor was slower than the mean of all before; whether there is any."""
        speeds = rotor_uturn_s.astype(np.int64)
        through = self._rotor_sum[:, None] + np.cumsum(speeds, axis=1)
        count = self.coups + np.arange(speeds.shape[1])
        self._rotor_sum = through[:, -1]
        return speeds * count < through - speeds, np.broadcast_to(count > 0, speeds.shape)

    def _apart(self, what: str, which: Any) -> tuple[Any, list[tuple[int, int]]]:
        """The row of each coup by its ball or croupier; new rows, each with its first coup."""
        rows = np.full(which.shape, -1)
        new = []
        for wheel in range(self._count):
            slots = self._slots.setdefault((what, wheel), [])
            found, firsts = np.unique(which[wheel], return_index=True)
            for at in np.argsort(firsts):
                if found[at] not in slots and len(slots) < watch.APART_MAX:
                    new.append((wheel * watch.APART_MAX + len(slots), int(firsts[at])))
                    slots.append(int(found[at]))
            for slot, each in enumerate(slots):
                rows[wheel, which[wheel] == each] = wheel * watch.APART_MAX + slot
        return rows, new

    # --- what is told ---------------------------------------------------------------------------
    def _tell(self, coups: Coups, reached: list[_Reached]) -> list[WheelNotice]:
        """As the watch: one stream of a family, until an act begins it anew."""
        begun = self.coups - coups.place.shape[1]
        events: list[tuple[int, int, int, Any]] = [
            (each.wheel, each.coup, each.order, each.notice) for each in reached
        ]
        # An act comes after its coup and all that is reached there.
        events += [(wheel, begun + at, len(self.streams), kind) for wheel, at, kind in coups.acts]
        found = []
        for wheel, coup, _, what in sorted(events, key=lambda event: event[:3]):
            told = self._told[wheel]
            if isinstance(what, str):
                told -= {name for name in told if what in watch.STREAMS[_what(name)][2]}
            elif what.stream not in told and (
                _family(what.stream) in watch.EACH
                or not any(_family(name) == _family(what.stream) for name in told)
            ):
                told.add(what.stream)
                found.append(WheelNotice(wheel, coup, what))
        return sorted(found, key=lambda each: each.coup)

    def which(self, what: str, row: int) -> tuple[int, int]:
        """The wheel of a row, and its ball or croupier."""
        wheel, slot = divmod(row, watch.APART_MAX)
        return wheel, self._slots[what, wheel][slot]


def _what(name: str) -> str:
    return name.rstrip("0123456789")


def _family(name: str) -> str:
    return watch.STREAMS[_what(name)][0]


class _Stream:
    """One evidence of all wheels."""

    def __init__(self, what: str, judge: Any, wheels: int, kind: str | None) -> None:
        self.what = what
        self.judge = judge
        self.is_apart = what in ("ball", "croupier")
        self._kind = kind
        _, share, self._acts = watch.STREAMS[what]
        self._each = watch.APART_MAX if self.is_apart else 1
        orders = np.arange(self._each)
        parts = 1.0 / ((orders + 1) * (orders + 2)) if self.is_apart else np.ones(1)
        self._lines = np.tile(1.0 / (share * parts), wheels)
        self._grants = [Grants() for _ in range(wheels * self._each)]
        self._armed = np.ones(wheels * self._each, dtype=bool)
        self._alive = np.full(wheels * self._each, not self.is_apart)
        if not self.is_apart:
            for row in range(wheels):
                self._start_over(row, row, 0)

    def play(self, wheels: Wheels, coups: Coups, order: int, shown: Any) -> Iterator[_Reached]:
        """Adds what coups show to each row. Yields where a line is reached."""
        values, rows, new = shown
        year = wheels.wheel.coups_a_year
        sequences, lengths = _by_row(rows, values.shape, len(self._lines))
        # Rows that have most to come are first: those that still go on are a slice.
        turn = np.argsort(-lengths, kind="stable")
        at_row = np.empty_like(turn)
        at_row[turn] = np.arange(len(turn))
        events: dict[int, list[tuple[int, int, int | None]]] = {}
        for row, first in new:
            events.setdefault(0, []).append((row, int(at_row[row]), (wheels.coups + first) // year))
            self._alive[row] = True
        for wheel, after, kind in coups.acts:
            for row in range(wheel * self._each, (wheel + 1) * self._each):
                if self._alive[row]:
                    step = int(np.searchsorted(sequences[row][: lengths[row]], after))
                    if (row, step) in {(r, 0) for r, first in new if after <= first}:
                        continue  # it was not judged yet
                    begins = kind in self._acts
                    granted = (wheels.coups + after) // year if begins else None
                    events.setdefault(step, []).append((row, int(at_row[row]), granted))
        self.judge.sort(turn)
        lines, armed = self._lines[turn], self._armed[turn]
        spent = budget.a_coup(year)
        most = int(lengths.max(initial=0))
        going = np.searchsorted(-lengths[turn], -np.arange(most), side="left")
        taken = _taken(values, rows, sequences, turn, most)
        for step in range(max(most, max(events, default=0)) + 1):
            for row, at, granted in events.get(step, ()):
                armed[at] = True
                if granted is not None:
                    self._start_over(row, at, granted)
            if step >= most:
                continue
            count = int(going[step])
            totals = self.judge.add(count, taken[step, :count], spent)
            above = totals >= lines[:count]
            if above.any():
                if totals.max() > SUM_MAX:
                    self.judge.clip()
                for at in np.flatnonzero(above & armed[:count]).tolist():
                    armed[at] = False
                    row = int(turn[at])
                    yield self._reached(wheels, order, row, at, int(sequences[row][step]))
        self.judge.sort(at_row)
        self._armed = armed[at_row]

    def _start_over(self, row: int, at: int, year: int) -> None:
        self.judge.start_over(at, self._grants[row].grant(year))

    def _reached(self, wheels: Wheels, order: int, row: int, at: int, coup: int) -> _Reached:
        wheel, name, which = row, self.what, None
        if self.is_apart:
            wheel, which = wheels.which(self.what, row)
            name += str(which)
        kind, place, _ = self.judge.one(at).strongest()
        if self._kind in (facts.UNEVEN, facts.SIGNATURE):
            kind, place = self._kind, which
        return _Reached(wheel, wheels.coups + coup + 1, order, Notice(kind, place, name))


def _by_row(rows: Any, shape: tuple[int, int], count: int) -> tuple[list[Any], Any]:
    """The coups of each row, ascending, and how many there are; None: of each wheel all."""
    wheels, coups = shape
    if rows is None:
        return [np.arange(coups)] * wheels, np.full(wheels, coups)
    flat = rows.astype(np.int16).reshape(-1)  # so short that they are sorted by their digits
    order = np.argsort(flat, kind="stable") % coups
    lengths = np.bincount(flat[flat >= 0], minlength=count)
    ends = np.cumsum(lengths) + np.count_nonzero(flat < 0)
    return [order[end - length : end] for end, length in zip(ends, lengths, strict=True)], lengths


def _taken(values: Any, rows: Any, sequences: list[Any], turn: Any, most: int) -> Any:
    """What the rows take, steps x rows, in that turn."""
    each = len(sequences) // values.shape[0]
    taken = np.zeros((len(turn), most), dtype=np.int32)
    for at, row in enumerate(turn):
        sequence = sequences[row]
        taken[at, : len(sequence)] = values[row // each, sequence]
    return np.ascontiguousarray(taken.T)


class _Sums:
    """The sums of a bank, or of drops: a row each, and the factors of all that can come."""

    def __init__(self, rows: int, begins: Any, factors: Any, one: Any) -> None:
        """`one`: a judge of one wheel, which tells what is the strongest."""
        self._begins = begins
        self._factors = factors
        self._one = one
        state: list[float] = []
        one.save(state)
        self._more = len(state) - len(begins)  # of a state: what was counted
        self._sums = np.zeros((rows, len(begins)))
        self._by = np.empty_like(self._sums)
        self._spent = 0.0
        self._new = np.zeros_like(self._sums)  # what a coup begins, a row each: quicker so

    def start_over(self, at: int, grant: float) -> None:
        self._sums[at] = self._begins * grant

    def add(self, count: int, seen: Any, spent: float) -> Any:
        """Adds to the first `count` rows; returns their totals."""
        sums, by = self._sums[:count], self._by[:count]
        if spent != self._spent:
            self._spent = spent
            self._new[:] = self._begins * spent
        sums += self._new[:count]
        self._factors.take(seen, axis=0, out=by, mode="clip")
        sums *= by
        return np.einsum("ij->i", sums)  # quicker than sum

    def clip(self) -> None:
        np.minimum(self._sums, SUM_MAX, out=self._sums)

    def totals(self) -> Any:
        return self._sums.sum(axis=1)

    def sort(self, order: Any) -> None:
        self._sums = self._sums[order]

    def state(self, at: int) -> list[float]:
        found: list[float] = self._sums[at].tolist()
        return found

    def one(self, at: int) -> Any:
        """The judge of one row, until the next is asked for."""
        counts = [0.0] * self._more
        self._one.restore(iter(self.state(at) + counts))
        return self._one


class _Numbers:
    """The sums of the bank and of any other shape, as Numbers has them."""

    def __init__(self, wheel: Wheel, rows: int) -> None:
        self._m = wheel.compartments
        self._bank = _Sums(rows, *numbers_table(wheel))
        self._values = np.zeros((len(PRIORS), rows))
        self._counts = np.zeros((rows, self._m))
        self._coups = np.zeros(rows)
        self._priors = np.array(PRIORS)[:, None]
        self._begins = np.arange(rows) * self._m  # of each row's counts, in all

    def start_over(self, at: int, grant: float) -> None:
        self._bank.start_over(at, (1.0 - streams.ANY_SHARE) * grant)
        self._values[:, at] = 2.0 * streams.ANY_SHARE * grant / len(PRIORS)
        self._counts[at] = self._coups[at] = 0

    def add(self, count: int, seen: Any, spent: float) -> Any:
        totals = self._bank.add(count, seen, (1.0 - streams.ANY_SHARE) * spent)
        values, counts = self._values[:, :count], self._counts.reshape(-1)
        at = self._begins[:count] + seen
        came = counts.take(at)
        values *= (self._priors + self._m * came) / (self._priors + self._coups[:count])
        counts[at] = came + 1
        self._coups[:count] += 1
        totals += values[0]
        totals += values[1]
        return totals

    def clip(self) -> None:
        self._bank.clip()
        np.minimum(self._values, SUM_MAX, out=self._values)

    def totals(self) -> Any:
        return self._bank.totals() + self._values[0] + self._values[1]

    def sort(self, order: Any) -> None:
        self._bank.sort(order)
        self._values, self._counts = self._values[:, order], self._counts[order]
        self._coups = self._coups[order]

    def one(self, at: int) -> Any:
        """The judge of one row."""
        found = streams.Numbers(self._bank.one(at), self._m)
        state = [*self._bank.state(at), *self._values[:, at].tolist(), *self._counts[at].tolist()]
        found.restore(iter(state))
        return found


def numbers_table(wheel: Wheel, forms: Sequence[Form] = NUMBERS, **named: Any) -> Any:
    """The weights of a bank's alternatives, the factors of each compartment, and the bank."""
    above = named.get("tolerance", -1.0)
    bank = QuickBank(wheel.compartments, shapes(wheel.compartments, forms, above=above), **named)
    return bank.begins, bank.by_place, bank


def drops_table(wheel: Wheel, chances: Any) -> Any:
    """The weights of drops' alternatives, the factors by forecast, way and gap, and the drops."""
    drops = QuickDrops(wheel.beams_deg)
    factors = [
        drops.factors((way, gap, forecast))
        for forecast in chances.tolist()
        for way in _WAYS
        for gap in range(len(forecast))
    ]
    return drops.begins, np.array(factors), drops
