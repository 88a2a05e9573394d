"""`python -m tools.bench.realspins FILE`: what the predictor makes of filmed spins of a real wheel.

FILE is data/real_spins_27.csv of the shared folder; its README says where the figures are from
(they may be read, not copied). One landmark of the track is one beam. Learned is from all spins but
one; that one is followed until so many seconds before its ball hits a deflector, and the time of
that is predicted: by the predictor's parts, and by its rival, a lap threshold. docs/call.md says
what the figures mean.
"""

from __future__ import annotations

import cmath
import csv
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import click

from firmware.lib.errors import OK, USAGE, Failure, cause
from tools.bench.realmodel import LAST_TURN_S, Known, learn

STAMP_S = 0.0126  # of each time, one sigma: the film has 60 frames a second
# No ball gets faster. Three times make two laps, so 5 sigma of their difference are so much.
FASTER_S = 5.0 * math.sqrt(6.0) * STAMP_S
LAP_MIN_S, LAP_MAX_S = 0.2, 6.0  # faster than anyone throws; slower than any track holds
LAPS_MIN = 4  # with fewer there is nothing to filter
SPINS_MIN = 4  # to leave one out and still learn
AHEAD_S = (1, 2, 3, 4, 5, 6)
# The rival's thresholds: s a lap, in steps of 10 ms, from the fastest throw to the slowest lap.
THRESHOLDS_S = tuple(0.5 + 0.01 * step for step in range(171))
NEAR_S = 2.0  # so much earlier than asked a threshold may speak: a lap at the end
MARGINS_S = (0.5, 1.0)


class Spin(NamedTuple):
    """One ball: when it passed the landmark while on the track, and when it hit a deflector."""

    number: int
    passed_s: tuple[float, ...]
    hit_s: float


class Errors(NamedTuple):
    """Predicted minus true time of the deflector, s, of one way to predict. Late is positive."""

    ahead_s: float  # mean time between the last crossing that was used and the deflector
    errors_s: tuple[float, ...]

    def rms_s(self) -> float:
        """Root mean square."""
        return math.sqrt(fmean(error * error for error in self.errors_s))

    def median_s(self) -> float:
        """Median of the absolute errors."""
        return median(abs(error) for error in self.errors_s)

    def late(self, margin_s: float) -> int:
        """How many calls, made so long before the predicted time, come after the deflector."""
        return sum(error > margin_s for error in self.errors_s)


def read(path: Path) -> tuple[list[Spin], dict[int, str]]:
    """The usable spins of a file, and the others with the reason. Raises Failure."""
    times: dict[int, dict[str, list[float]]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kinds = times.setdefault(int(row["spin"]), {})
                kinds.setdefault(row["kind"], []).append(_time_s(row["t_s"]))
    except OSError as error:
        why = cause(error)
        raise Failure(USAGE, f"{path} cannot be read ({why}): name the file of spins.") from None
    except (KeyError, TypeError, ValueError, csv.Error):
        sentence = f"{path} is not a file of spins: it needs the columns spin, kind, index and t_s."
        raise Failure(USAGE, sentence) from None
    spins, unfit = [], {}
    for number, kinds in sorted(times.items()):
        passed_s, hits_s = kinds.get("ball_at_landmark", []), kinds.get("ball_hits_deflector", [])
        found = usable(number, passed_s, hits_s)
        if isinstance(found, Spin):
            spins.append(found)
        else:
            unfit[number] = found
    if len(spins) < SPINS_MIN:
        sentence = f"{path} has {len(spins)} spins to learn from and needs {SPINS_MIN}: time more."
        raise Failure(USAGE, sentence)
    return spins, unfit


def _time_s(text: str) -> float:
    at_s = float(text)
    if not math.isfinite(at_s):
        raise ValueError(text)
    return at_s


def usable(number: int, passed_s: Sequence[float], hits_s: Sequence[float]) -> Spin | str:
    """The spin, or the reason why nothing can be learned from it.

    A ball on its way down may pass the landmark once more after a deflector: that is no lap.
    """
    if len(hits_s) != 1:
        return "no time of the deflector"
    on_track = tuple(at_s for at_s in passed_s if at_s < hits_s[0])
    if len(passed_s) - len(on_track) > 1:
        return "laps after the deflector"
    if len(on_track) <= LAPS_MIN:
        return "too few laps"
    laps_s = [after - before for before, after in pairwise(on_track)]
    if not all(LAP_MIN_S < lap_s < LAP_MAX_S for lap_s in laps_s):
        return "a lap that no ball runs"
    if laps_s[-1] * LAST_TURN_S < 1.0:
        return "too fast to the end"
    if any(after - before < -FASTER_S for before, after in pairwise(laps_s)):
        return "a lap far shorter than the one before"
    return Spin(number, on_track, hits_s[0])


def left_out(spins: Sequence[Spin]) -> Iterator[tuple[Spin, list[Spin]]]:
    """Each spin, and all others."""
    for spin in spins:
        yield spin, [other for other in spins if other is not spin]


def ours(spins: Sequence[Spin], *, stamp_s: float = STAMP_S) -> dict[float, Errors]:
    """By how far ahead: the predictor's errors, each spin predicted from all others.

    The deflector is hit some time after the ball left the track. What stands for both is the mean
    speed to which the filters of the other spins, run on, have fallen when their ball hits.
    """
    errors: dict[float, list[tuple[float, float]]] = {ahead_s: [] for ahead_s in AHEAD_S}
    for spin, others in left_out(spins):
        model = learn([(other.passed_s, other.hit_s) for other in others], stamp_s)
        known = model.follow(spin.passed_s)
        for ahead_s in AHEAD_S:
            last = _last(known, spin.hit_s - ahead_s)
            if last is not None:
                error_s = last.at_s + model.to_hit_s(last) - spin.hit_s
                errors[ahead_s].append((spin.hit_s - last.at_s, error_s))
    return {ahead_s: _errors(found) for ahead_s, found in errors.items() if found}


def _last(known: Sequence[Known], until_s: float) -> Known | None:
    before = [state for state in known if state.at_s <= until_s]
    return before[-1] if before else None


def threshold(spins: Sequence[Spin], fits: Callable[[float], bool]) -> Errors | None:
    """The rival: so long after the first lap above a threshold the deflector is hit.

    Threshold and time are those with the least squared error on the other spins, among the
    thresholds that speak in all of them and whose mean time before the deflector `fits`.
    """
    found = []
    for spin, others in left_out(spins):
        best: tuple[float, float, float] | None = None
        for lap_s in THRESHOLDS_S:
            left_s = [_left_s(other, lap_s) for other in others]
            known_s = [each for each in left_s if each is not None]
            if len(known_s) < len(others) or not fits(fmean(known_s)):
                continue
            mean_s = fmean(known_s)
            squares = sum((each - mean_s) ** 2 for each in known_s)
            if best is None or squares < best[0]:
                best = (squares, lap_s, mean_s)
        own_s = _left_s(spin, best[1]) if best else None
        if best is not None and own_s is not None:
            found.append((own_s, best[2] - own_s))
    return _errors(found) if found else None


def near(ahead_s: float) -> Callable[[float], bool]:
    """For `threshold`: it speaks so long before the deflector or, at most, a lap earlier."""
    return lambda mean_s: ahead_s <= mean_s < ahead_s + NEAR_S


def _left_s(spin: Spin, lap_s: float) -> float | None:
    """From the end of the first lap above `lap_s` to the deflector, or None if there is none."""
    for before, after in pairwise(spin.passed_s):
        if after - before > lap_s:
            return spin.hit_s - after
    return None


def _errors(found: Sequence[tuple[float, float]]) -> Errors:
    return Errors(fmean(ahead for ahead, _ in found), tuple(error for _, error in found))


def bunching(spins: Sequence[Spin], *, stamp_s: float = STAMP_S) -> tuple[float, float]:
    """Vector strength of the places where balls hit, and how often chance makes one as great.

    1: always the same place. Rayleigh's test, to its first order.
    """
    model = learn([(spin.passed_s, spin.hit_s) for spin in spins], stamp_s)
    places = [model.hit_turns(model.follow(spin.passed_s)[-1], spin.hit_s) for spin in spins]
    total = sum(cmath.rect(1.0, 2.0 * math.pi * place) for place in places)
    strength = abs(total) / len(places)
    return strength, math.exp(-len(places) * strength * strength)


def table(spins: Sequence[Spin], *, stamp_s: float = STAMP_S) -> Iterator[str]:
    """The figures as the lines of a Markdown table, each of the predictor and of the threshold."""
    late = " and ".join(f"{margin_s:g}" for margin_s in MARGINS_S)
    yield f"| ahead | spins | mean ahead, s | RMS, s | median, s | late if called {late} s early |"
    yield "|---|---|---|---|---|---|"
    for ahead_s, errors in ours(spins, stamp_s=stamp_s).items():
        yield _row(f"{ahead_s:g} s or more", errors, threshold(spins, near(ahead_s)))
    yield _row("best threshold", threshold(spins, lambda mean_s: mean_s > 0))


def _row(name: str, *ways: Errors | None) -> str:
    known = [way for way in ways if way is not None]
    columns = (
        [f"{len(way.errors_s)}" for way in known],
        [f"{way.ahead_s:.1f}" for way in known],
        [f"{way.rms_s():.2f}" for way in known],
        [f"{way.median_s():.2f}" for way in known],
        [" and ".join(str(way.late(margin_s)) for margin_s in MARGINS_S) for way in known],
    )
    return f"| {name} | " + " | ".join(" / ".join(column) for column in columns) + " |"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--stamp-ms",
    type=click.FloatRange(0.1, 100.0),
    default=STAMP_S * 1e3,
    show_default=True,
    help="Noise of a time.",
)
def main(file: Path, stamp_ms: float) -> None:
    """Predict each spin of FILE from all others, and print the errors by how far ahead."""
    try:
        spins, unfit = read(file)
    except Failure as failure:
        click.echo(failure.sentence, err=True)
        sys.exit(failure.exit_code)
    for number, why in unfit.items():
        click.echo(f"Spin {number} is left out: {why}.")
    click.echo(f"{len(spins)} spins, each predicted from the others:\n")
    for line in table(spins, stamp_s=stamp_ms / 1e3):
        click.echo(line)
    strength, chance = bunching(spins, stamp_s=stamp_ms / 1e3)
    click.echo(f"\nPlaces of the hits: vector strength {strength:.2f}, by chance {chance:.3f}.")
    sys.exit(OK)


if __name__ == "__main__":
    main()
