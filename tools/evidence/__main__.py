"""`make evidence`: runs what names a requirement, and writes the matrix to var/evidence."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click

from firmware.store.signing import firmware_hash
from tools.evidence import matrix, page, results
from tools.evidence.marks import ROOT, in_hil, in_tests
from tools.evidence.requirements import read, requirements
from tools.evidence.results import BROKEN, PASSED, Build, Result
from tools.exits import FAILED, OK, Failure, cause
from tools.hil import catalogue, places, scenario_file
from tools.hil.campaign.folder import commit


@click.command(
    epilog="""\b
    Examples:
      make evidence
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
    "--output", type=click.Path(path_type=Path, file_okay=False), default=ROOT / "var/evidence",
    show_default="var/evidence", help="Where matrix.html and matrix.csv go.",
)  # fmt: skip
def command(
    campaigns: tuple[Path, ...], junits: tuple[Path, ...], scenarios: bool, output: Path
) -> int:
    """Write which test, fault or scenario shows which requirement, with its result."""
    build = Build(firmware_hash().hex(), commit())
    found = [] if junits else _tested(build)
    for junit in junits:
        found += results.of_tests(junit, build)
    if scenarios:
        found += _played(build)
    for folder in campaigns:
        found += results.of_campaign(folder, build)
    found += results.not_run([*in_tests(), *in_hil()], found)
    rows = matrix.rows(list(requirements().values()), found)
    _write(output, "matrix.csv", matrix.as_csv(rows))
    _write(output, "matrix.html", page.render(rows, read(), str(build)))
    click.echo(f"{output}/matrix.html")
    for row in rows:
        if row.state in (matrix.FAILS, matrix.OPEN):
            click.echo(f"{row.requirement.id}: {row.state}", err=True)
    return OK if matrix.is_whole(rows) else FAILED


def _tested(build: Build) -> list[Result]:
    """Runs the tests that name a requirement. What fails there stands in the matrix."""
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-m", "req", "-n", "auto",
             "--dist", "worksteal", f"--junitxml={junit}"],
            cwd=ROOT, check=False, stdout=sys.stderr,
        )  # fmt: skip
        return results.of_tests(junit, build)


def _played(build: Build) -> list[Result]:
    """Plays each shipped scenario that names a requirement in process, where it can be."""
    found = []
    for name in scenario_file.shipped():
        scenario = scenario_file.find(name)
        made_here = all("virtual" in catalogue.find(use.fault).places for use in scenario.faults)
        if scenario.requires and made_here:
            verdict = places.load("virtual").run(scenario).verdict
            word = BROKEN if verdict.broken else PASSED
            found += [
                Result(each, "scenario", name, "virtual", word, 1, str(build))
                for each in scenario.requires
            ]
    return found


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # A spreadsheet takes a CSV for UTF-8 if it says so; a page says it itself.
        encoding = "utf-8-sig" if name.endswith(".csv") else "utf-8"
        (folder / name).write_text(text, encoding=encoding, newline="")
    except OSError as error:
        raise Failure(FAILED, f"{folder / name}: {cause(error)}. Name another --output.") from None


if __name__ == "__main__":
    try:
        sys.exit(command(standalone_mode=False))
    except Failure as failure:
        print(failure.sentence, file=sys.stderr)
        sys.exit(failure.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
