"""`cylindre health`: is a wheel fair and sound? What may be looked at any time."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.client.ask import json_option
from firmware.lib.errors import FAILED, OK
from firmware.lib.language import Message, echo

if TYPE_CHECKING:
    from firmware.health.items import Recorded
    from firmware.health.replay import GivenNotice, Replay

REDRAW = 1_000  # coups


@click.command(
    epilog="""\b
    Examples:
      cylindre health coups.txt
      cylindre health coups.txt --json --until 20000

    Exit codes: 0 no notice, 1 a notice, or it cannot be judged, 2 not readable.
    """,
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--since", type=float, metavar="SECONDS", help="Notices from then on alone.")
@click.option("--until", type=click.IntRange(min=1), metavar="LINE", help="As if it ended there.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, file: Path, since: float | None, until: int | None, as_json: bool
) -> None:
    """Say whether a wheel is fair and sound, from the coups in FILE (docs/health.md).

    All evidence counts from the beginning on, and may be looked at after any coup.
    """
    from firmware.health.coup_file import CoupFile

    recorded: Recorded = CoupFile(file, until=until)
    replay = _replayed(recorded)
    given = [each for each in replay.notices if since is None or each.t_s >= since]
    _tell_json(recorded, replay, given) if as_json else _tell(recorded, replay, given)
    ctx.exit(FAILED if given or replay.clock_back else OK)


def _replayed(recorded: Recorded) -> Replay:
    from firmware.health.replay import Replay
    from tools.health.new_watch import new_watch

    replay = Replay(recorded, lambda: new_watch(recorded.wheel))
    with _bar(recorded.size) as bar:
        for count, _ in enumerate(replay.run(), 1):
            if bar is not None and count % REDRAW == 0:
                bar.update(recorded.done - bar.pos)
    return replay


@contextlib.contextmanager
def _bar(size: int) -> Iterator[Any]:
    """How far a long record is read, where somebody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=size, label="coups", file=sys.stderr) as bar:
        yield bar


def _tell_json(recorded: Recorded, replay: Replay, given: list[GivenNotice]) -> None:
    from firmware.health.answer import notice

    told: dict[str, Any] = {"notices": [notice(each, recorded.numbers) for each in given]}
    told["clock_back"] = replay.clock_back
    click.echo(json.dumps(told))


def _tell(recorded: Recorded, replay: Replay, given: list[GivenNotice]) -> None:
    from firmware.health.answer import place_of
    from firmware.health.words import of_kind

    if replay.clock_back is not None:
        echo(Message("H30: health cannot be judged: the clock goes back at line {}.",
                     replay.clock_back))  # fmt: skip
    for line, _, notice in given:
        place = place_of(notice.kind, notice.place, recorded.numbers)
        echo(Message("line {}: {}.", line, of_kind(notice.kind, place)))
    if not given:
        echo(Message("No notice in {} coups.", replay.watch.coups))
