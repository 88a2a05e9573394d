"""Updates on a real kernel: `python -m tools.update_rig.suite [--cuts N] [--junit FILE]`.

Builds the kernel of the rig where there is none. A line when a case is done, then a table; exit
code 1 if anything is wrong. rig/__init__.py says what is real and what is not.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from firmware.lib import programs
from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure
from tools.docs.evidence.junit import text as as_junit
from tools.hil.kernel import build
from tools.testing import machine
from tools.update_rig import card as cards
from tools.update_rig import cases
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
from tools.update_rig.scenarios import SCENARIOS, Scenario

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


NEEDED = machine.pairs((
    "rauc", "dbus-daemon", "mksquashfs", "sfdisk", "mkfs.fat", "mkfs.ext4", "mcopy", "busybox",
    "openssl", "gcc",
))  # fmt: skip


class CaseResult(NamedTuple):
    """One case, or one cut: what was wrong, and seconds."""

    name: str
    wrong: tuple[str, ...]
    spent_s: float
    came: str = ""
    requires: tuple[str, ...] = ()  # what it shows


@click.command()
@click.option("--cuts", "count", default=6, show_default=True, metavar="N", help="Power cuts.")
@click.option("--only", metavar="WORD", help="The cases whose name has that in it, and no cuts.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="What was found.")
def main(count: int, only: str | None, junit: Path | None) -> None:
    """Updates on a real kernel: installed, refused, cut, undone."""
    if why := lacks():
        raise click.ClickException(why)
    start_s = time.monotonic()
    try:
        build.build()
        with tempfile.TemporaryDirectory(prefix="cylindre-update-") as name:
            found = run(Path(name), 0 if only else count, only)
    except Failure as failure:
        raise click.ClickException(failure.sentence) from None
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    if junit is not None:
        junit.parent.mkdir(parents=True, exist_ok=True)
        junit.write_text(as_junit("update", found), encoding="utf-8")
    click.echo(table(found))
    click.echo(f"In all {time.monotonic() - start_s:.0f} s.")
    sys.exit(FAILED if any(each.wrong for each in found) else OK)


def lacks() -> str | None:
    """What this machine lacks for the suite: a sentence."""
    return programs.missing(NEEDED) or build.why_not()


def run(folder: Path, count: int, only: str | None = None) -> list[CaseResult]:
    """All cases, and so many cuts, two machines at a time. Raises Failure."""
    bench = cases.lay(folder)
    jobs: list[Callable[[], CaseResult]] = [
        partial(_case, bench, each) for each in SCENARIOS if not only or only in each.name
    ]
    if count:
        span = measure(bench)
        jobs += [partial(_cut, bench, *each) for each in moments(span, count)]
        click.echo(
            f"Uncut: {span.install} writes to the card, and {span.trial} in its try.", err=True
        )
    found = []
    with ThreadPoolExecutor(min(2, len(os.sched_getaffinity(0)))) as pool:
        try:
            for future in as_completed([pool.submit(job) for job in jobs]):
                one = future.result()
                found.append(one)
                click.echo(_line(one), err=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _case(bench: cases.Bench, case: Scenario) -> CaseResult:
    start_s = time.monotonic()
    card = bench.folder / f"case-{case.name.replace(' ', '-').replace(',', '')}"
    try:
        cards.copy(bench.card, card)
        wrong = tuple(case.play(bench, card))
    except (Failure, OSError, LookupError) as failure:
        wrong = (f"{type(failure).__name__}: {failure}",)
    finally:
        card.unlink(missing_ok=True)
    return CaseResult(case.name, wrong, time.monotonic() - start_s, requires=case.requires)


def _cut(bench: cases.Bench, phase: str, at: int) -> CaseResult:
    start_s = time.monotonic()
    one = cut(bench, bench.folder / f"cut-{phase}-{at}", phase, at)
    name = f"power cut, {phase}, write {at}"
    return CaseResult(name, one.wrong, time.monotonic() - start_s, f"{phase}: {one.first}")


def table(found: Sequence[CaseResult]) -> str:
    """A line a case; the power cuts counted; then what was wrong, whole."""
    lines = [_line(each) for each in found if not each.came]
    cut = [each for each in found if each.came]
    if cut:
        wrong = sum(bool(each.wrong) for each in cut)
        lines.append(f"{len(cut)} power cuts, {wrong} of them wrong; what started after it:")
        lines += [
            f"  {came}  {times}" for came, times in sorted(Counter(c.came for c in cut).items())
        ]
    lines += [f"{each.name}:\n  " + "\n  ".join(each.wrong) for each in found if each.wrong]
    return "\n".join(lines)


def _line(each: CaseResult) -> str:
    verdict = "WRONG" if each.wrong else "ok"
    return f"{verdict:<6} {each.name:<36} {each.spent_s:5.1f} s  {each.came}".rstrip()


if __name__ == "__main__":
    main()
