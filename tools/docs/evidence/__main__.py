"""`make evidence`: runs what names a requirement, and writes the matrix to var/evidence.

What it found stays beside the matrix, as JUnit files: `--quick` makes the matrix of these, and of
what else lies there. Ctrl-C leaves a matrix of what ran, matrix-part.html.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK, Failure, cause
from firmware.store.source_hash import firmware_hash
from tools.docs.evidence import matrix, results, running
from tools.docs.evidence.marks import ROOT, in_hil, in_tests
from tools.docs.evidence.requirements import read, requirements
from tools.docs.evidence.results import Build, results_there
from tools.hil.campaign.folder import commit
from tools.testing import run_command
from tools.testing.durations import RECORDS
from tools.testing.progress import Progress

# Where `.ci/run` and `make campaign` leave theirs.
CAMPAIGNS = (ROOT / "var/ci-campaign", ROOT / "var/campaign")


@click.command(
    epilog="""\b
    Examples:
      make evidence
      make evidence ARGS=--quick
      make evidence ARGS="--campaign var/campaign"
      make evidence ARGS="--junit var/tests.xml --no-scenarios"
    """
)
@click.option(
    "--campaign", "campaigns", multiple=True, type=click.Path(path_type=Path, file_okay=False),
    help="Folder of a campaign whose results count too (may be repeated).",
)  # fmt: skip
@click.option(
    "--junit", "junits", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
    help="Results of the tests from this file of pytest's, instead of running them; or what"
    " `make kernel-rig` wrote (may be repeated).",
)  # fmt: skip
@click.option("--scenarios/--no-scenarios", default=True, help="Play the scenarios in virtual.")
@click.option(
    "--quick", is_flag=True,
    help="Run nothing: use the results of this build that are there, JUnit files in the folder of"
    " --output and the campaigns in var/ci-campaign and var/campaign, and say which.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False), default=ROOT / "var/evidence",
    show_default="var/evidence", help="Where matrix.html and matrix.csv go.",
)  # fmt: skip
def command(
    campaigns: tuple[Path, ...], junits: tuple[Path, ...], scenarios: bool, quick: bool,
    output: Path,
) -> int:  # fmt: skip
    """Write which test, fault or scenario shows which requirement, with its result."""
    build = Build(firmware_hash().hex(), commit())
    if quick:
        found = results_there((output, RECORDS), CAMPAIGNS, build, partial(click.echo, err=True))
        files, stopped = list(junits), False
    else:
        found = []
        files, stopped = _run(output, tests=not junits, scenarios=scenarios)
        files = [*junits, *files]
    found += results.of_tests(files, build)
    for folder in campaigns:
        found += results.of_campaign(folder, build)
    found += results.not_run([*in_tests(), *in_hil()], found)
    rows = matrix.rows(list(requirements().values()), found)
    name = "matrix-part" if stopped else "matrix"
    _write(output, f"{name}.csv", matrix.as_csv(rows))
    _write(output, f"{name}.html", matrix.as_page(rows, read(), str(build)))
    click.echo(f"{output}/{name}.html")
    for row in rows:
        if row.state == matrix.FAILS or (row.state == matrix.OPEN and not stopped):
            click.echo(f"{row.requirement.id}: {row.state}", err=True)
    if stopped:
        open_ = sum(row.state == matrix.OPEN for row in rows)
        sentence = f"Interrupted: {open_} of {len(rows)} requirements are not shown by what ran."
        hint = " That is kept: --quick uses it." if files else ""
        raise Failure(INTERRUPTED, f"{sentence}{hint}")
    return OK if matrix.is_whole(rows) else FAILED


def _run(folder: Path, *, tests: bool, scenarios: bool) -> tuple[list[Path], bool]:
    """Files of what ran, and whether somebody stopped it. What fails stands in the matrix."""
    _made(folder)
    cost = running.costs(folder, scenarios=scenarios)
    whole = sum(cost[each] for each in cost if tests or each[0] != "test")
    whole += running.COLLECTED_S * running.WORKERS * tests
    files: list[Path] = []
    begun = [running.TESTS] * tests + [running.SCENARIOS] * scenarios
    try:
        with Progress("evidence", whole, workers=running.WORKERS) as progress:
            if tests:
                files.append(running.tests(folder, cost, progress))
            if scenarios:
                files.append(running.scenarios(folder, cost, progress))
    except KeyboardInterrupt:
        parts = [folder / f"{name}-part.xml" for name in begun[len(files) :]]
        return [*files, *(path for path in parts[:1] if path.exists())], True
    return files, False


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(FAILED, f"{folder}: {cause(error)}. Name another --output.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Failure(FAILED, f"{folder} cannot be written to. Name another --output.")


def _write(folder: Path, name: str, text: str) -> None:
    _made(folder)
    try:
        # A spreadsheet takes a CSV for UTF-8 if it says so; a page says it itself.
        encoding = "utf-8-sig" if name.endswith(".csv") else "utf-8"
        (folder / name).write_text(text, encoding=encoding, newline="")
    except OSError as error:
        raise Failure(FAILED, f"{folder / name}: {cause(error)}. Name another --output.") from None


if __name__ == "__main__":
    run_command.run(command)
