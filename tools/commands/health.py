"""`cylindre health`: is a wheel fair and sound? What may be looked at any time."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from firmware.client.ask import json_option
from firmware.lib.errors import FAILED, OK
from firmware.lib.language import N_, Message, echo, translated

_REDRAWN = 1_000  # times in all


@click.command(
    epilog="""\b
    Examples:
      cylindre health
      cylindre health var/roulette_ref/journal.db --since 2026-03-12
      cylindre health coups.txt --json --until 20000

    Exit codes: 0 no notice, 1 a notice, or it cannot be judged, 2 not readable, 3 no wheel is here,
    4 configuration.
    """,
)
@click.argument("file", metavar="[FILE]", type=click.Path(path_type=Path), required=False)
@click.option(
    "--since",
    metavar="DAY",
    help="Show notices and acts from then on; of a file: seconds since it begins.",
)
@click.option(
    "--until",
    type=click.IntRange(min=1),
    metavar="COUP",
    help="As it stood after that coup; of a file: its line.",
)
@click.option("--gaps", is_flag=True, help="List drops by gap, seen and foretold, too.")
@click.option(
    "--kept",
    is_flag=True,
    help="Go on from what the watch beside the wheel keeps; what lies before is not verified.",
)
@click.option("--charts", is_flag=True, help="With --json: what the service page draws, too.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    file: Path | None,
    since: str | None,
    until: int | None,
    gaps: bool,
    kept: bool,
    charts: bool,
    as_json: bool,
) -> None:
    """Say whether a wheel is fair and sound, from the journal or the file of coups FILE.

    Without FILE it is the journal of the wheel that is meant. All evidence counts from the
    beginning on, and may be looked at after any coup (docs/health.md).
    """
    from firmware.health.answer import answer, cannot_be_judged, unjudged, why_unjudged
    from tools.journal import journal_health

    found = journal_health.find(file)
    judged = journal_health.kept(found) if kept and until is None else None
    verified = judged is None and found.is_journal
    if verified:
        with _progress(N_("verifying")) as progress:
            broken = journal_health.why_not_intact(found, progress)
        if broken is not None:
            _tell({"notices": []} | unjudged([broken]), [cannot_be_judged(broken)], as_json)
            ctx.exit(FAILED)
    if judged is None:
        with _progress(N_("judging")) as progress:
            judged = journal_health.replayed(journal_health.recorded(found, until), progress)
    recorded, replay = judged.recorded, judged.replay
    since_s = journal_health.since_s(recorded, since)
    given = [each for each in replay.notices if each.t_s >= since_s]
    remarks = why_unjudged(recorded, replay)
    told = answer(recorded, given, remarks, replay.watch.streams, gaps=gaps)
    told["verified"] = verified
    if charts:
        told["charts"] = judged.charts.drawings()
    _tell(told, judged.report.lines(remarks, since_s=since_s, gaps=gaps), as_json)
    ctx.exit(FAILED if given or remarks else OK)


def _tell(told: dict[str, Any], lines: list[Message], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told))
        return
    for line in lines:
        echo(line)


@contextlib.contextmanager
def _progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Shows how much is done, where somebody looks."""
    if not sys.stderr.isatty():
        yield lambda _, __: None
        return
    with click.progressbar(length=0, label=translated(doing), file=sys.stderr) as bar:

        def progress(done: int, size: int) -> None:
            bar.length = size
            if (done - bar.pos) * _REDRAWN >= size:
                bar.update(done - bar.pos)

        yield progress
