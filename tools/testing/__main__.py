"""`make test`, `make test-all`, `make test-changed`: what each plays stands in docs/testing.md."""

from __future__ import annotations

import sys

import click

from firmware.lib.errors import FAILED, INTERRUPTED, OK, USAGE, Failure
from tools.testing import changed, run_command, runs
from tools.testing.runs import Asked

_PASSED_ON = {"ignore_unknown_options": True, "help_option_names": []}


@click.group()
def main() -> None:
    """Play tests."""


@main.command(context_settings=_PASSED_ON)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(arguments: tuple[str, ...]) -> None:
    """Play what is pure, and smoke tests of the rest. Marks that are named choose alone."""
    _end("test", Asked("all" if "-m" in arguments else "test", arguments))


@main.command("all", context_settings=_PASSED_ON)
@click.option("--complete", is_flag=True, help="End with 1 if something was wanting.")
@click.option("--rest", is_flag=True, help="Not what make test has passed with these sources.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def all_(complete: bool, rest: bool, arguments: tuple[str, ...]) -> None:
    """Play everything."""
    _end("test-all", Asked("all", arguments, rest), complete=complete)


@main.command("changed", context_settings=_PASSED_ON)
@click.option("--since", default="HEAD", help="What was changed since that commit counts.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def changed_(since: str, arguments: tuple[str, ...]) -> None:
    """Play what the changed modules reach."""
    selection = changed.select(since)
    for line in selection.summary():
        click.echo(line)
    if selection.tests:
        _end("test-changed", Asked("test", arguments, within=selection.tests))


def _end(name: str, asked: Asked, *, complete: bool = False) -> None:
    """Plays, says how it went, and ends with the status."""
    played = runs.play(asked)
    left = runs.left_out(asked)
    if played.counts or left:
        for line in runs.summary(name, asked, played):
            click.echo(line)
    if not played.seconds and left:
        sys.exit(OK)  # nothing of it is for this command
    if played.status == runs.NOTHING:
        raise Failure(FAILED, f"make {name} has played nothing: no test is like that.")
    if played.status not in (OK, FAILED):
        sys.exit(INTERRUPTED if played.status == runs.STOPPED else USAGE)
    if played.status == OK and complete and played.wanting:
        sys.exit(FAILED)
    sys.exit(played.status)


if __name__ == "__main__":
    run_command.run(main)
