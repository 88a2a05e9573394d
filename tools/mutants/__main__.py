"""`make mutants`: puts each mistake in, and says whether the tests see it; exit 1 if any is not."""

from __future__ import annotations

from pathlib import Path

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK
from firmware.lib.signals import as_ctrl_c
from tools.mutants import catalogue
from tools.mutants.play import play_all
from tools.mutants.results import SEEN, TEST, Result, Results, key, table_lines
from tools.mutants.tree import unfit
from tools.testing import run_command
from tools.testing.progress import Progress

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path("var/mutants/results.jsonl")
UNDER_TEST = 55  # so many at least `make test` has to see
_ONE_S = 3.5  # of a worker for one of them; two cores, 2026


@click.command()
@click.option("--only", multiple=True, metavar="NAME", help="These alone.")
@click.option("--draw", type=click.IntRange(min=1), help="So many, drawn by --seed.")
@click.option("--seed", default="", metavar="WORD", help="As a commit: the same ones are drawn.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(min=1))
@click.option("--again", is_flag=True, help="Play also what was played, and has not changed since.")
@click.option("--check", is_flag=True, help="Only look whether all still fit the sources.")
@click.option(
    "--regulations",
    is_flag=True,
    help="Those that break what docs/regulations.md says, a row each.",
)
def command(
    only: tuple[str, ...],
    draw: int | None,
    seed: str,
    workers: int,
    again: bool,
    check: bool,
    regulations: bool,
) -> int:
    """Put mistakes into a copy of the sources, one by one, and see whether the tests see them.

    Goes on where the last run stopped. Ctrl-C prints what there is.
    """
    rows = [row.mutant for row in catalogue.regulations()]
    mutants = rows if regulations else catalogue.read()
    if only:
        mutants = catalogue.chosen(mutants, only)
    if draw is not None:
        mutants = catalogue.drawn(mutants, draw, seed)
    wrong = unfit(mutants, ROOT, spread=not regulations)
    if check and not regulations:
        wrong += unfit(rows, ROOT, spread=False)
    if wrong:
        for sentence in wrong:
            click.echo(sentence, err=True)
        return FAILED
    if check:
        return OK
    least = 0 if only or draw or regulations else UNDER_TEST
    return _play(mutants, workers=workers, again=again, least=least)


def _play(mutants: list[catalogue.Mutant], *, workers: int, again: bool, least: int) -> int:
    """`least`: so many have to be seen by `make test`."""
    results = Results(ROOT / RESULTS)
    found: dict[str, Result | None] = {
        mutant.name: None if again else results.of(key(mutant, ROOT)) for mutant in mutants
    }
    left = [mutant for mutant in mutants if found[mutant.name] is None]
    interrupted = False
    if left:
        # Those of a run before are not counted as begun: they say nothing of how long these take.
        progress = Progress(
            "mutants", total=len(left), unit="mutants", workers=workers, unit_s=_ONE_S
        )

        def done(result: Result) -> None:
            results.add(result)
            found[result.name] = result
            progress.add()
            if result.word not in SEEN:
                progress.print_line(f"{result.name}: {result.word}. {result.detail}")

        try:
            with as_ctrl_c(), progress:
                play_all(left, ROOT, workers=workers, done=done)
        except KeyboardInterrupt:
            interrupted = True
    ended = list(found.values())
    for line in table_lines(mutants, ended):
        click.echo(line)
    if interrupted:
        return INTERRUPTED
    seen = [each for each in ended if each is not None and each.word in SEEN]
    quick = sum(each.by == TEST for each in seen)
    if quick < least:
        click.echo(f"make test sees {quick} of them: {least} are asked for.", err=True)
    return OK if len(seen) == len(mutants) and quick >= least else FAILED


if __name__ == "__main__":
    run_command.run(command)
