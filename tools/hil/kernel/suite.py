"""All of the kernel rig: `python -m tools.hil.kernel.suite`, or `make kernel-rig`.

Builds the kernel where there is none; runs the conformance suites on the real libraries; plays
coups of each apparatus in virtual time and in real time, and scenarios with faults, and cuts the
power. A line when a part is done, and all of them as a table at the end; exit code 1 if anything of
it is broken.

Each processor has a guest in real time, ahead of all others: its wheel wants a processor whenever
an edge is due. One in virtual time has what that leaves of it.
"""

from __future__ import annotations

import json
import os
import queue
import resource
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure
from tools.docs.evidence.junit import text as as_junit
from tools.docs.evidence.requirements import WHERE
from tools.hil.faults import catalogue
from tools.hil.kernel import build, findings, guest, power, programme
from tools.hil.kernel.findings import Part
from tools.hil.kernel.medium import LEDGER
from tools.hil.kernel.programme import REAL, Guest
from tools.hil.places import kernel

TESTS = (
    "tests/shims/test_machine_conformance.py",
    "tests/shims/test_edges.py",
    "tests/hil/kernel/inside",
)
TESTS_S = 300.0
_JUNIT = "junit.xml"
CARDS = "cards"  # its part, and its folder
CARDS_S = 600.0
_REAL = """\
Real: the kernel, gpiod, RPi.GPIO (rpi-lgpio), smbus2, I2C core, ttys, file systems, processes.
Simulated: wheel, GPIO chip (gpio-sim), I2C adapter and its chips, the wire between displays."""

_Job = Callable[[], list[Part]]


@click.command()
@click.option("--virtual", default=20, show_default=True, metavar="N", help="Coups of each.")
@click.option("--real", default=5, show_default=True, metavar="N", help="Coups of each.")
@click.option("--displays", default=1, show_default=True, metavar="N")
@click.option("--faults/--no-faults", default=True, help="Scenarios with faults, power cuts.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Traces and logs.")
@click.option(
    "--junit", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="What was found, for `make evidence`.",
)  # fmt: skip
def main(
    virtual: int, real: int, displays: int, faults: bool, keep: Path | None, junit: Path | None
) -> None:
    """Tests and coups in the real kernel."""
    start_s = time.monotonic()
    try:
        where = build.build()
    except Failure as failure:
        raise click.ClickException(str(failure)) from None
    click.echo(f"The kernel lies in {where}.")
    with tempfile.TemporaryDirectory(prefix="cylindre-kernel-", ignore_cleanup_errors=True) as name:
        out = keep or Path(name)
        ahead = [partial(_play, out / one.name, one) for one in programme.real(real, displays)]
        clean = programme.clean(virtual, displays) + (programme.faults() if faults else [])
        beside = [partial(_play, out / one.name, one) for one in clean]
        cuts: list[_Job] = [partial(_cut, out, one, step) for one, step in programme.CUTS]
        cuts.append(partial(_cards, out / CARDS))
        try:
            parts = _tested(out / "tests")
            parts += _played(ahead, [*beside, *(cuts if faults else [])])
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            sys.exit(INTERRUPTED)
        if junit is not None:
            _write(junit, out / "tests" / _JUNIT, parts)
    click.echo(findings.table(parts))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime
    click.echo(_REAL)
    click.echo(f"In all {time.monotonic() - start_s:.0f} s, {cpu_s:.0f} s of CPU.")
    sys.exit(FAILED if any(part.wrong for part in parts) else OK)


def _tested(out: Path) -> list[Part]:
    """The suites inside."""
    command = [
        "env", f"{WHERE}=kernel", sys.executable, "-m", "pytest", "-q", "-rs",
        "-p", "no:cacheprovider", f"--junitxml={out.resolve() / _JUNIT}", *TESTS,
    ]  # fmt: skip
    start_s = time.monotonic()
    try:
        status = guest.run(command, out, virtual=True, limit_s=TESTS_S)
    except (Failure, OSError) as failure:
        return [_failed("conformance", failure)]
    lines = (out / guest.CONSOLE).read_text(errors="replace").splitlines()
    click.echo("\n".join(lines if status else lines[-1:]))
    wrong = (f"pytest ended with {status}",) if status else ()
    return [Part("conformance", "virtual", wrong, spent_s=time.monotonic() - start_s)]


def _played(ahead: Sequence[_Job], beside: Sequence[_Job]) -> list[Part]:
    """What came of all: those `ahead` go before those beside, on whatever processor."""
    with _pool() as first, _pool() as others:
        started = [first.submit(job) for job in ahead]
        started += [others.submit(job) for job in beside]
        try:
            for future in as_completed(started):
                for part in future.result():
                    click.echo(findings.line(part))
        except KeyboardInterrupt:
            for future in started:
                future.cancel()
            guest.end_all()
            raise
    return [part for future in started for part in future.result()]


def _pool() -> ThreadPoolExecutor:
    """A thread a processor, with whatever it starts."""
    free: queue.SimpleQueue[int] = queue.SimpleQueue()
    processors = os.sched_getaffinity(0)
    for each in processors:
        free.put(each)
    return ThreadPoolExecutor(
        len(processors), initializer=lambda: os.sched_setaffinity(0, {free.get()})
    )


def _failed(name: str, failure: Failure | OSError) -> Part:
    return Part(name, "", (str(failure),))


def _play(out: Path, one: Guest) -> list[Part]:
    start_s = time.monotonic()
    try:
        ran = kernel.play(list(one.scenarios), out, real=one.kind == REAL)
    except (Failure, OSError) as failure:
        return [_failed(one.name, failure)]
    # The guest cannot know how long it was where time jumps.
    a_second = (time.monotonic() - start_s) / sum(each.spent_s for each in ran)
    parts = []
    for scenario, each in zip(one.scenarios, ran, strict=True):
        counts = json.loads((out / scenario.name / LEDGER).read_text())
        parts.append(findings.judged(one.kind, scenario, each, counts, a_second * each.spent_s))
    return parts


def _cut(out: Path, apparatus: str, step: int) -> list[Part]:
    name = f"power-cut-{apparatus}-{step}"
    start_s = time.monotonic()
    try:
        wrong = tuple(power.cut(apparatus, step, out / name))
    except (Failure, OSError) as failure:
        wrong = (str(failure),)
    shows = catalogue.find("power_cut").requires
    return [Part(name, "virtual", wrong, spent_s=time.monotonic() - start_s, requires=shows)]


def _cards(out: Path) -> list[Part]:
    """Rounds of cards with faults: shoe, croupier's keyboard and keys for cards at the guest's ttys
    (tools/hil/cards/process.py).
    """
    start_s = time.monotonic()
    command: list[str | Path] = [
        sys.executable, "-P", "-m", "tools.hil.cards", out.resolve(), "--place", "process",
        "--rounds", str(programme.CARD_ROUNDS), "--pairs", "0", "--seed", "7",
        "--faults", ",".join(programme.CARD_FAULTS),
    ]  # fmt: skip
    try:
        guest.run(command, out, virtual=True, limit_s=CARDS_S)
        told = json.loads((out / "summary.json").read_text())
        rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    except (Failure, OSError) as failure:
        return [_failed(CARDS, failure)]
    wrong = tuple(f"{each['rule']}: {each['text']}" for row in rows for each in row["broken"])
    part = Part(
        CARDS,
        "virtual",
        wrong,
        coups=told["rounds"],
        right=told["confirmed"],
        voids=tuple(told["voids"].items()),
        wheel_s=sum(row["table_s"] for row in rows),
        spent_s=time.monotonic() - start_s,
    )
    return [part]


def _write(path: Path, tests: Path, parts: Sequence[Part]) -> None:
    """For `make evidence`. The guest's own tests may have left nothing."""
    own = ET.parse(tests).getroot() if tests.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_junit("kernel", parts, tests=own), encoding="utf-8")


if __name__ == "__main__":
    main()
